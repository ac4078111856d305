// All that the language has beside instructions.
.attributes
[0] = "position";
[1] = "colour";
.exports
[0] = "gl_Position";
[7] = "varying";
.uniforms
[4] = "matrix";
.constants
[100].x = 0.5;
[100].y = -1.25;
[101].z = 0x7fc00000;
[255].w = 7;
.asm
start:
EXEC(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
EXEC(cs)(cwr)(cr=1) SLTv r63.x***, a[1].xxxx, -abs(c[100].yyyy) NOPs;
EXEC(gt)(p.xxxx)(cr=1) NOPv BRAs start;
EXEC(lt)(eq)(gt) NOPv CALs turn;
EXEC_END(export[7]=scalar)(saturate) NOPv MOVs r63.xyzw, r1.wzyx;
turn:
EXEC MADv r1.xyz*, a[1].xyzw, c[255].xyzw, r0.xyzw RCPs r2.***w, r0.xxxx;
EXEC ARLv A0.x***, r2.wwww NOPs;
EXEC PUSHAv NOPs;
EXEC(bit120)(export[A0.x + 3]=vector) ADDv r63.xyzw, c[A0.x + 12].xyzw, r1.xyzw NOPs;
EXEC NOPv POPAs;
EXEC(lt)(eq)(gt)(unused=1)(ra_index=5) NOPv RETs;
.word 0x001f9c6c 0x0000000d 0x8106c083 0x60401ffd;
