// A condition of one component and "equal" or "not equal" is that of IF, others
// are compared first. Of several components any will do.
.defaults nvidia
.asm
EXEC(export[0]=vector)(cs)(cwr) MOVv r0.xyzw, a[0].xyzw;
EXEC(eq)(p.xxxx) BRAs else;
EXEC MOVv r0.xyzw, a[1].xyzw;
EXEC BRAs endif;
else:
EXEC MOVv r0.xyzw, a[2].xyzw;
endif:
EXEC(lt)(gt)(p.yyyy) BRAs then;
EXEC ADDv r0.xyzw, r0.xyzw, a[3].xyzw;
then:
EXEC(lt)(p.wwww) BRAs skip;
EXEC MULv r0.xyzw, r0.xyzw, a[4].xyzw;
skip:
EXEC(lt)(eq)(p.xxzz)(cs)(cwr) MOVv r63.x***, a[5].xyzw BRAs last;
EXEC MULv r0.xyzw, r0.xyzw, a[6].xyzw;
last:
EXEC(export[1]=vector)(eq)(p.xxxx) MOVv r63.xyzw, r0.xyzw BRAs done;
EXEC(export[1]=vector) MOVv r63.x***, a[7].xyzw;
done:
EXEC_END NOPv;
