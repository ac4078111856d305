/* The push is taken to come first. */
EXEC(lt)(eq)(gt) PUSHAv CALs 2;
EXEC_END NOPv NOPs;
EXEC(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
EXEC(lt)(eq)(gt)(end=0) NOPv RETs;
