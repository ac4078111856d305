/* A branch that tests one component leaves no doubt. */
EXEC(cs)(cwr) MOVv r63.x***, a[0].xyzw NOPs;
EXEC(lt)(p.xyyy) NOPv BRAs 2;
EXEC(lt)(p.xxxx) NOPv BRAs 3;
EXEC_END(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
