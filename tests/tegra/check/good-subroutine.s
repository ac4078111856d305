/* Called from two depths; each call comes back to its own. */
EXEC ARLv A0.xyzw, a[1].xyzw NOPs;
EXEC(lt)(eq)(gt) NOPv CALs 6;
EXEC PUSHAv NOPs;
EXEC(lt)(eq)(gt) NOPv CALs 6;
EXEC POPAv NOPs;
EXEC_END(export[0]=vector) ADDv r63.xyzw, a[A0.x].xyzw, r0.xyzw NOPs;
EXEC PUSHAv NOPs;
EXEC ARAv A0.xyzw NOPs;
EXEC MOVv r0.xyzw, c[A0.z].xyzw NOPs;
EXEC NOPv POPAs;
EXEC(lt)(eq)(gt)(end=0) NOPv RETs;
