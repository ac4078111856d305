/* A slot with NOP cannot write; nor has ARL a result to export. */
EXEC(v_rd=3)(v_mask=8) NOPv NOPs;
EXEC(export[1]=vector) ARLv A0.x***, a[1].xyzw NOPs;
EXEC(export[2]=scalar) MOVv r0.xyzw, a[A0.x].xyzw NOPs;
EXEC_END(export[0]=vector) MOVv r63.xyzw, r0.xyzw NOPs;
