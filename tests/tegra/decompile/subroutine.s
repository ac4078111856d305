// Calls sometimes and always, of subroutines in each other.
.defaults nvidia
.asm
EXEC(export[0]=vector)(cs)(cwr) MOVv r0.xyzw, a[0].xyzw;
EXEC(lt)(gt)(p.xxxx) CALs outer;
EXEC(export[1]=vector) MOVv r63.xyzw, r0.xyzw CALs inner;
EXEC_END(export[2]=vector) MOVv r63.xyzw, r0.xyzw;
outer:
EXEC MULv r0.xyzw, r0.xyzw, r0.xyzw CALs inner;
EXEC RETs;
inner:
EXEC(eq)(p.yyyy) RETs;
EXEC ADDv r0.xyzw, r0.xyzw, a[1].xyzw;
EXEC RETs;
