// Functions of the scalar unit, in half of the instructions: a point on a wave,
// and its light.
.constants
[0].x = 6.2831855;
[0].y = 0.5;
[0].z = 16.0;
[0].w = 1.0;
.asm
EXEC MULv r0, a[0], c[0].x;
EXEC NOPv SINs r1.x, r0.x;
EXEC NOPv COSs r1.y, r0.x;
EXEC MULv r2, r1.xyxy, a[1];
EXEC NOPv SINs r1.z, r0.y;
EXEC NOPv COSs r1.w, r0.y;
EXEC MADv r2, r1.zwzw, a[2], r2;
EXEC(export[0]) ADDv r2, r2, a[0];
EXEC DP3v r3.w, r2, r2;
EXEC NOPv RSQs r3.w, r3.w;
EXEC MULv r3.xyz, r2, r3.w;
EXEC DP3v r4.x, r3, a[1];
EXEC DP3v r4.y, r3, a[2];
EXEC MOVv r4.w, c[0].z;
EXEC NOPv LITs r5, r4;
EXEC NOPv LG2s r6.x, abs(r4.x);
EXEC MULv r6.x, r6.x, c[0].y;
EXEC NOPv EX2s r6.x, r6.x;
EXEC NOPv RCPs r6.y, r3.w;
EXEC_END(export[1])(saturate) MADv r63, r5, r6.x, r6.y;
