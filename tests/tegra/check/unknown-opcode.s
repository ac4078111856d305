/* Those with a name, and those without. */
EXEC(v_op=29) NOPv NOPs;
EXEC(s_op=17) NOPv NOPs;
EXEC(s_op=31) NOPv NOPs;
EXEC_END(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
