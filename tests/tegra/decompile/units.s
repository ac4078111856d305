// Both units read before either writes. The vector unit goes before the scalar
// one where both write the same component.
EXEC MOVv r0.xyzw, a[0].xyzw MOVs r1.xyzw, a[0].wzyx;
EXEC MULv r0.xyzw, r1.xyzw, r1.xyzw RSQs r1.x***, a[0].xxxx;
EXEC MULv r0.xyzw, a[0].xyzw, a[0].xyzw RSQs r1.x***, r0.yyyy;
EXEC MOVv r0.xyzw, r1.xyzw MOVs r1.xyzw, r0.xyzw;
EXEC MOVv r2.xy**, r0.xyzw EX2s r2.xyzw, r1.xxxx;
EXEC MOVv r0.xyzw, r0.wzyx;
EXEC(export[0]=vector) MULv r0.xyzw, r0.xyzw, r1.xyzw SINs r3.x***, r0.xxxx;
EXEC_END(export[1]=scalar) ADDv r3.*yz*, r1.xyzw, r2.xyzw MOVs r63.xyzw, r2.xyzw;
