// Below 0 is c[1]; beyond the constants, attributes and exports TGSI reads 0 and
// writes nothing, as the unit does. Exports 16 to 30 end the program.
EXEC ARLv A0.xyzw, a[0].xyzw;
EXEC(export[0]=vector) MOVv r63.xyzw, c[A0.x].xyzw;
EXEC(export[1]=vector) MULv r63.xyzw, c[A0.y + 20].xyzw, a[A0.y + 3].xyzw;
EXEC(export[2]=vector)(bit120) MOVv r63.xyzw, c[A0.y + 20].xyzw;
EXEC_END(export[A0.z + 3]=vector) MOVv r63.xyzw, a[1].xyzw;
