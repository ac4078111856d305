.defaults nvidia
EXEC DP4v r1.xyzw, a[0].xyzw, c[0].xyzw LITs r7.xyzw, r1.xyzw;
EXEC DPHv r5.***w, a[3].xyzw, c[1023].xyzw EXPs r7.xyzw, r1.xxxx;
EXEC DSTv r6.xyzw, r1.xyzw, r2.xyzw LOGs r7.xyzw, r1.xxxx;
EXEC MINv r6.xyzw, r1.xyzw, r2.xyzw RSQs r8.x***, r1.xxxx;
EXEC MAXv r6.xyzw, r1.xyzw, r2.xyzw RCCs r8.*y**, r1.xxxx;
EXEC FRCv r6.xyzw, abs(r1.xyzw) LG2s r8.**z*, r1.xxxx;
EXEC FLRv r6.xyzw, -r1.xyzw EX2s r8.***w, r1.xxxx;
EXEC SGEv r9.xyzw, r6.xyzw, r7.xyzw SINs r10.x***, r1.yyyy;
EXEC SEQv r9.xyzw, r6.xyzw, r7.xyzw COSs r10.*y**, r1.yyyy;
EXEC SNEv r9.xyzw, r6.xyzw, r7.xyzw NOPs;
EXEC SSGv r9.xyzw, r6.xyzw NOPs;
EXEC SFLv r9.x*** NOPs;
EXEC STRv r9.*y** NOPs;
EXEC ARAv A0.xyzw NOPs;
EXEC OPv29 NOPs;
EXEC TXLv r6.xyzw, r1.xyzw NOPs;
EXEC NOPv BRXs;
EXEC_END(export[0]=vector) SGTv r63.xyzw, r9.xyzw, r10.xyzw NOPs;
