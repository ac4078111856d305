EXEC MOVv r1.xyzw, a[0].xyzw;
EXEC(export_index=20) MOVv r0.xyzw, a[0].xyzw;
EXEC_END NOPv;
