/* Both within a subroutine. */
EXEC(cs)(cwr) MOVv r63.x***, a[0].xyzw NOPs;
EXEC(lt)(p.xxxx) NOPv CALs 4;
EXEC(gt)(p.xxxx) NOPv CALs 6;
EXEC_END(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
EXEC NOPv PUSHAs;
EXEC(lt)(eq)(gt) NOPv RETs;
EXEC NOPv POPAs;
EXEC(lt)(eq)(gt)(end=0) NOPv RETs;
