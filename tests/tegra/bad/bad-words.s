.word 1 2 3;
.word 1 2 3 4 5;
.word 0x1 0x2 0x3 0x123456789;
.word 401f9c6c 0 0 0;
.word
.wrod 1 2 3 4;
.constants
.word 0 0 0 1;
