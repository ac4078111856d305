/* Nothing is put on the stack, so nothing is there to be taken. */
EXEC PUSHAv POPAs;
EXEC POPAv NOPs;
EXEC_END(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
