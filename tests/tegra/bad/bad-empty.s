.attributes
[0] = "a";
.asm
