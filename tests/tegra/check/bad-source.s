/* In each source, used or not; a register of an attribute's source, too. */
EXEC(rb_index=32)(rc_index=40) NOPv NOPs;
EXEC_END(export[0]=vector)(ra_index=63) MOVv r63.xyzw, a[0].xyzw NOPs;
