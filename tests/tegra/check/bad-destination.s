/* In both slots, used or not. */
EXEC(v_rd=62) MOVv r0.xyzw, a[0].xyzw NOPs;
EXEC(s_rd=32) NOPv NOPs;
EXEC_END(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
