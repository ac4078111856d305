// A jump back is a loop; jumps behind it leave it, and jumps to its top go on.
.constants
[0].x = 4.0;
[0].y = -1.0;
.defaults nvidia
.asm
EXEC MOVv r0.xyzw, a[0].xyzw;
EXEC MOVv r1.x***, c[0].xxxx;
top:
EXEC(cs)(cwr) ADDv r1.x***, r1.xxxx, c[0].yyyy;
EXEC(eq)(p.xxxx) BRAs behind;
EXEC(cs)(cwr)(cr=1) SLTv r63.*y**, r0.xyzw, a[1].xyzw;
EXEC(eq)(cr=1)(p.yyyy) BRAs top;
EXEC MULv r0.xyzw, r0.xyzw, a[1].xyzw;
EXEC BRAs top;
behind:
EXEC_END(export[0]=vector) MOVv r63.xyzw, r0.xyzw;
