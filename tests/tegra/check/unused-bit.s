/* Decoded and kept. */
EXEC_END(unused=1)(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
