// Vertices take as many turns as their own numbers want, at most 32: the escape
// time of a[0].xy. r0 is the number, r1.x counts turns.
.constants
[0].x = 0.0;
[0].y = 4.0;
[0].z = 1.0;
[0].w = 32.0;
.asm
EXEC MOVv r0, a[0];
EXEC MOVv r1, c[0].x;
turn:
EXEC MULv r2.xyz, r0.xyxx, r0.xyyy;
EXEC ADDv r3.x, r2.x, r2.y;
EXEC(cs)(cwr) ADDv r63.x, r3.x, -c[0].y;
EXEC(gt)(p.xxxx) NOPv BRAs done;
EXEC ADDv r3.x, r2.x, -r2.y;
EXEC ADDv r3.y, r2.z, r2.z;
EXEC ADDv r0.xy, r3, a[0];
EXEC ADDv r1.x, r1, c[0].z;
EXEC(cs)(cwr) ADDv r63.x, r1.x, -c[0].w;
EXEC(lt)(p.xxxx) NOPv BRAs turn;
done:
EXEC(export[0]) MOVv r63, a[0];
EXEC_END(export[1]) MOVv r63, r1.x;
