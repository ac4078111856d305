/* Overwritten on each way, or only read for what is lost itself. */
EXEC MOVv r0.xyzw, a[0].xyzw NOPs;
EXEC MOVv r1.xyzw, a[1].xyzw NOPs;
EXEC ADDv r2.xy**, r1.xyzw, r1.xyzw NOPs;
EXEC MOVv r0.xyzw, a[2].xyzw NOPs;
EXEC(export[3]=vector) MOVv r63.**z*, a[2].xyzw NOPs;
EXEC(export[3]=vector) MOVv r63.xyzw, r0.xyzw NOPs;
EXEC ARRv A0.xyzw, a[2].xyzw NOPs;
EXEC_END(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
