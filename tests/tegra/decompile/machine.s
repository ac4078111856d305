// A loop with two entries has no structure: the number of the next instruction
// is a value.
.constants
[0].x = -0.25;
.defaults nvidia
.asm
EXEC(export[0]=vector)(saturate)(cs)(cwr) MOVv r0.xyzw, a[0].xyzw;
EXEC(eq)(p.xxxx) BRAs second;
first:
EXEC ADDv r0.x***, r0.xyzw, a[1].xyzw;
second:
EXEC(cs)(cwr) ADDv r0.*y**, r0.xyzw, c[0].xxxx;
EXEC(gt)(p.yyyy) BRAs first;
EXEC_END(export[1]=vector) MOVv r63.xyzw, r0.xyzw;
