/* Beside R2 the codes end with 4, RGBA; with RZ all eight are masks. */
TEXS R2, R4, R6, R8, 0x28, 2D, RGBA;
.word 0xd834028020870604;
.word 0xd838028020870604;
.word 0xd83c028020870604;
.word 0xd83c028ff0870604;
.word 0xd9fc028020870604;
