// What a predicate gates is selected. Bits less, equal and greater compare the
// value that set the condition with 0.
EXEC(cs)(cwr) MOVv r63.xyzw, a[0].xyzw;
EXEC(cs)(cwr)(cr=1) ADDv r0.xyzw, a[0].xyzw, -c[0].xyzw;
EXEC(cc)(lt) MOVv r0.xyzw, a[2].xyzw;
EXEC(cc)(eq)(p.wwww) MOVv r0.x***, -a[2].yyyy;
EXEC(cc)(lt)(eq)(cr=1)(p.yxzw) MULv r0.xy**, r0.xyzw, a[2].xyzw;
EXEC(cc)(gt) ADDv r1.xyzw, r0.xyzw, a[2].xyzw RCPs r2.x***, a[2].xyzw;
EXEC(cc)(eq)(gt)(export[1]=vector) SLTv r1.xyzw, r0.xyzw, a[2].xyzw;
EXEC(cc)(lt)(gt)(cs)(cwr) ADDv r63.**zw, r0.xyzw, r1.xyzw;
EXEC(cc) MOVv r0.xyzw, a[4].xyzw;
EXEC(cc)(lt)(eq)(gt)(export[2]=vector) MOVv r63.xyzw, r0.xyzw;
EXEC_END(export[0]=vector) MADv r63.xyzw, r0.xyzw, r1.xyzw, r2.xxxx;
