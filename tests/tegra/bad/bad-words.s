.word 1 2 3;
.word 1 2 3 4 5;
.word 0x1 0x2 0x3 0x123456789;
.word 401f9c6c 0 0 0;
.word ffffffff 0 0 0;
.word 0x401f9c6c 0040000d 0 0;
.word 60411080 00000009 00000010 4294967295;
.word
.wrod 1 2 3 4;
.constants
.word 0 0 0 1;
