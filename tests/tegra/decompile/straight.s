// One operation is one instruction.
.exports
[0] = "POSITION";
[3] = "COLOR[1]";
.asm
EXEC MULv r2.xyzw, c[1].xyzw, a[0].yyyy;
EXEC MADv r2.xyzw, c[0].xyzw, a[0].xxxx, r2.xyzw;
EXEC(export[0]=vector) MADv r63.xyzw, c[3].xyzw, -abs(a[0].wwww), r2.xyzw;
EXEC RCPs r1.*y**, a[1].wwww;
EXEC(saturate)(export[3]=vector) MULv r63.xyzw, a[1].xyzw, r1.yyyy;
EXEC_END(export[5]=scalar) MOVs r0.xyz*, a[2].zyxw;
