/* An end bit is missing before instruction 2. */
EXEC(lt)(eq)(gt) NOPv CALs 2;
EXEC(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;
EXEC(lt)(eq)(gt)(end=0) NOPv RETs;
