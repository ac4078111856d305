/* Other exports are not enough. */
EXEC_END(export[1]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
