.constants
[0].x = 7;
[0].y = 0;
[0].z = 0x7;
[0].w = 1065353216;
.asm EXEC_END NOPv;
