/* Registers and conditions; what only one of them writes is written. */
EXEC MULv r0.xyz*, a[0].xyzw, a[0].xyzw MOVs r0.**zw, a[0].xyzw;
EXEC(cs)(cwr) MOVv r63.xy**, a[0].xyzw MOVs r1.x***, c[0].xyzw;
EXEC(lt)(p.xxxx)(export[1]=vector) MOVv r63.xyzw, r1.xxxx BRAs 3;
EXEC_END(export[0]=vector) MOVv r63.xyzw, r0.xyzw NOPs;
