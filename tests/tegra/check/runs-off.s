/* When the branch is not taken. */
EXEC(cs)(cwr) MOVv r63.x***, a[0].xyzw NOPs;
EXEC(lt)(p.xxxx) NOPv BRAs 3;
EXEC(eq)(gt)(p.xxxx) NOPv BRAs 4;
EXEC_END(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
EXEC(end=0)(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
