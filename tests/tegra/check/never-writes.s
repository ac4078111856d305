/* Neither the register nor the export. */
EXEC(cc)(export[1]=vector) MOVv r0.xyzw, a[0].xyzw NOPs;
EXEC_END(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
