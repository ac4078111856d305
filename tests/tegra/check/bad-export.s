/* Relative to A0 it is known where A0 was never written, or is read as 0. */
EXEC(export[1]=vector)(export_index=16) MOVv r63.xyzw, a[0].xyzw NOPs;
EXEC(export[A0.y + 1]=vector)(export_index=30) MOVv r63.xyzw, a[0].xyzw NOPs;
EXEC_END(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
