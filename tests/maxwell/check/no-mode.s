/* Levels 4 and 5 of TEX, and offsets 3 of TLD4. */
.word 0xc2380287a0870604;
.word 0xc2b80287a0870604;
.word 0xc8f80287a0870604;
