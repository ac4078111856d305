/* Where the branch skips the pop. */
EXEC(cs)(cwr) MOVv r63.x***, a[0].xyzw NOPs;
EXEC(lt)(eq)(gt) NOPv CALs 3;
EXEC_END(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
EXEC PUSHAv NOPs;
EXEC(lt)(p.xxxx) NOPv BRAs 6;
EXEC POPAv NOPs;
EXEC(lt)(eq)(gt)(end=0) NOPv RETs;
