/* Either bit alone. */
EXEC(cs) MOVv r0.xyzw, a[0].xyzw NOPs;
EXEC_END(cwr)(export[0]=vector) MOVv r63.xyzw, r0.xyzw NOPs;
