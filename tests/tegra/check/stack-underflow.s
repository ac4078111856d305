/* RET outside of all calls; the way into a subroutine from above is such a one. */
EXEC(lt)(eq)(gt) NOPv CALs 2;
EXEC POPAv NOPs;
EXEC(lt)(eq)(gt)(end=0) NOPv RETs;
