/* Where the branch cannot be taken there is no doubt. */
EXEC(lt)(eq)(gt)(end=1) NOPv BRAs 1;
EXEC_END(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
