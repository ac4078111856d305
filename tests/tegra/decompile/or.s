// Two ways to one place, and one past it: a flag tells which was taken.
.defaults nvidia
.asm
EXEC(export[0]=vector)(cs)(cwr) MOVv r0.xyzw, a[0].xyzw;
EXEC(lt)(p.xxxx) BRAs then;
EXEC(gt)(p.yyyy) BRAs then;
EXEC ADDv r0.xyzw, r0.xyzw, a[1].xyzw;
EXEC BRAs behind;
then:
EXEC MULv r0.xyzw, r0.xyzw, a[2].xyzw;
behind:
EXEC_END(export[1]=vector) MOVv r63.xyzw, r0.xyzw;
