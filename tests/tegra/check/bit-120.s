/* A0 need not have been written for this. */
EXEC_END(bit120)(export[0]=vector) MOVv r63.xyzw, a[A0.x].xyzw NOPs;
