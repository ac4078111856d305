/* By way of another subroutine. */
EXEC(cs)(cwr) MOVv r63.x***, a[0].xyzw NOPs;
EXEC(lt)(eq)(gt) NOPv CALs 3;
EXEC_END(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
EXEC(lt)(p.xxxx) NOPv CALs 5;
EXEC(lt)(eq)(gt) NOPv RETs;
EXEC(lt)(p.xxxx) NOPv CALs 3;
EXEC(lt)(eq)(gt) NOPv RETs;
