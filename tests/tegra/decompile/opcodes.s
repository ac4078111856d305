// Opcodes that TGSI has under another name, or not as the unit does them.
.constants
[1].x = 2.0;
[1].y = 0.0;
[1].z = -1.5;
.asm
EXEC DPHv r0.xyzw, a[0].xyzw, a[0].wzyx;
EXEC DSTv r0.xyzw, a[0].xyzw, c[0].xyzw;
EXEC SFLv r0.xy**;
EXEC STRv r0.**zw;
EXEC MINv r1.xyzw, a[0].xyzw, c[0].xyzw;
EXEC MAXv r1.x***, c[1].xxxx, r1.xxxx;
EXEC MINv r1.*y**, r1.yyyy, c[1].xxxx;
EXEC MAXv r1.**z*, r1.zzzz, c[1].yyyy;
EXEC(saturate) MAXv r1.***w, r1.wwww, c[1].yyyy;
EXEC RCCs r2.xyzw, -a[0].yyyy;
EXEC(saturate) RCCs r2.x***, r2.xxxx;
EXEC ARLv A0.x***, c[1].zzzz;
EXEC ARRv A0.*y**, a[0].xyzw;
EXEC ARAv A0.**z*;
EXEC(export[0]=vector) ADDv r63.xyzw, r1.xyzw, r2.xyzw;
EXEC(export[1]=vector) MOVv r63.xyzw, r0.xyzw;
EXEC_END(export[2]=vector) MOVv r63.xyzw, a[A0.z + 2].xyzw;
