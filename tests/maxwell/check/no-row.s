/* Rows 14 and 15 of TEXS and 3, 9, 10, 11, 13, 14 and 15 of TLDS. */
.word 0xd9c0028ff0870604;
.word 0xd9e0028ff0870604;
.word 0xda60028ff0870604;
.word 0xdb20028ff0870604;
.word 0xdb40028ff0870604;
.word 0xdb60028ff0870604;
.word 0xdba0028ff0870604;
.word 0xdbc0028ff0870604;
.word 0xdbe0028ff0870604;
