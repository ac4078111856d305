/* A branch, and a call on a condition. */
EXEC(cs)(cwr) MOVv r63.x***, a[0].xyzw NOPs;
EXEC(lt)(p.xxxx) NOPv CALs 4;
EXEC(lt)(eq)(gt)(end=0) NOPv BRAs 255;
EXEC_END(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
