/* cc is not what a branch asks. */
EXEC NOPv BRAs 1;
EXEC(cc) NOPv CALs 2;
EXEC_END(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
