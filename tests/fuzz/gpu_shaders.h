/* SPDX-License-Identifier: MIT
 *
 * The shaders that fuzz_gpu.c draws with: of each stage some that use what the
 * pipeline treats in a way of its own.
 */
#ifndef TG_TESTS_GPU_SHADERS_H
#define TG_TESTS_GPU_SHADERS_H

static const char *const gpu_shaders[] = {
   /* ---- vertices --------------------------------------------------------- */

   "VERT\n"
   "DCL IN[0]\nDCL IN[1]\n"
   "DCL OUT[0], POSITION\nDCL OUT[1], COLOR[0]\nDCL OUT[2], GENERIC[0]\n"
   "MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nMOV OUT[2], IN[1].wzyx\n"
   "END\n",

   "VERT\n"
   "DCL IN[0]\nDCL IN[1]\n"
   "DCL SV[0], VERTEXID\nDCL SV[1], INSTANCEID\n"
   "DCL OUT[0], POSITION\nDCL OUT[1], COLOR[0]\nDCL OUT[2], BCOLOR[0]\n"
   "DCL OUT[3], PSIZE\nDCL OUT[4], CLIPDIST[0]\nDCL OUT[5], LAYER\n"
   "DCL OUT[6], VIEWPORT_INDEX\nDCL OUT[7], GENERIC[0]\nDCL OUT[8], FOG\n"
   "MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nMOV OUT[2], IN[1].yzwx\n"
   "MOV OUT[3].x, IN[1].wwww\nADD OUT[4], IN[1], IN[0]\n"
   "MOV OUT[5].x, SV[1].xxxx\nMOV OUT[6].x, SV[0].xxxx\n"
   "U2F OUT[7], SV[0].xxxx\nMOV OUT[8], IN[1]\n"
   "END\n",

   "VERT\n"
   "DCL IN[0]\nDCL BUFFER[0]\nDCL TEMP[0..1]\nDCL SV[0], VERTEXID\n"
   "DCL CONST[0][0..1]\n"
   "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL OUT[2], CLIPVERTEX\n"
   "IMM[0] UINT32 {0, 1, 60, 0}\n"
   "ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\n"
   "AND TEMP[0].y, SV[0].xxxx, IMM[0].zzzz\n"
   "STORE BUFFER[0].x, TEMP[0].yyyy, SV[0].xxxx\n"
   "MOV OUT[0], IN[0]\nU2F OUT[1], TEMP[0].xxxx\n"
   "ADD OUT[2], IN[0], CONST[0][1]\n"
   "END\n",

   /* ---- patches ---------------------------------------------------------- */

   "TESS_CTRL\n"
   "PROPERTY TCS_VERTICES_OUT 3\n"
   "DCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\n"
   "DCL OUT[][0], POSITION\nDCL OUT[][1], GENERIC[0]\n"
   "DCL OUT[2], TESSOUTER\nDCL OUT[3], TESSINNER\n"
   "DCL SV[0], INVOCATIONID\nDCL ADDR[0]\nDCL CONST[0][0..1]\n"
   "UARL ADDR[0].x, SV[0].xxxx\n"
   "MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\n"
   "BARRIER\n"
   "MOV OUT[ADDR[0].x][1], OUT[0][0]\n"
   "MOV OUT[2], CONST[0][0]\nMOV OUT[3].xy, CONST[0][1]\n"
   "END\n",

   "TESS_CTRL\n"
   "PROPERTY TCS_VERTICES_OUT 20\n"
   "DCL IN[][0], POSITION\nDCL OUT[][0], POSITION\n"
   "DCL OUT[1], TESSOUTER\nDCL OUT[2], TESSINNER\nDCL OUT[3], PATCH[0]\n"
   "DCL SV[0], INVOCATIONID\nDCL SV[1], VERTICESIN\nDCL ADDR[0]\n"
   "IMM[0] FLT32 {3.5, 2, 1, 4}\n"
   "UARL ADDR[0].x, SV[0].xxxx\n"
   "MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\n"
   "MOV OUT[1], IMM[0]\nMOV OUT[2].xy, IMM[0]\nMOV OUT[3], SV[1].xxxx\n"
   "END\n",

   "TESS_EVAL\n"
   "PROPERTY TES_PRIM_MODE 4\nPROPERTY TES_SPACING 2\n"
   "DCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\n"
   "DCL SV[0], TESSCOORD\nDCL TEMP[0]\n"
   "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
   "MUL TEMP[0], SV[0].xxxx, IN[0][0]\n"
   "MAD TEMP[0], SV[0].yyyy, IN[1][0], TEMP[0]\n"
   "MAD OUT[0], SV[0].zzzz, IN[2][0], TEMP[0]\n"
   "MOV OUT[1], IN[1][1]\n"
   "END\n",

   "TESS_EVAL\n"
   "PROPERTY TES_PRIM_MODE 7\nPROPERTY TES_SPACING 1\n"
   "PROPERTY TES_POINT_MODE 1\n"
   "DCL IN[][0], POSITION\nDCL IN[1], PATCH[0]\n"
   "DCL SV[0], TESSCOORD\nDCL SV[1], PRIMID\nDCL SV[2], TESSOUTER\n"
   "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL OUT[2], COLOR[0]\n"
   "ADD OUT[0], SV[0], IN[0][0]\nMOV OUT[1], IN[1]\nMOV OUT[2], SV[2]\n"
   "END\n",

   "TESS_EVAL\n"
   "PROPERTY TES_PRIM_MODE 1\nPROPERTY TES_VERTEX_ORDER_CW 1\n"
   "DCL IN[][0], POSITION\nDCL SV[0], TESSCOORD\n"
   "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
   "MAD OUT[0], SV[0].xyxx, IN[31][0], IN[1][0]\nMOV OUT[1], SV[0]\n"
   "END\n",

   /* ---- primitives ------------------------------------------------------- */

   "GEOM\n"
   "PROPERTY GS_INPUT_PRIMITIVE TRIANGLES\n"
   "PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"
   "PROPERTY GS_MAX_OUTPUT_VERTICES 5\nPROPERTY GS_INVOCATIONS 2\n"
   "DCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\n"
   "DCL SV[0], INVOCATIONID\nDCL SV[1], PRIMID\n"
   "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL OUT[2], LAYER\n"
   "DCL OUT[3], VIEWPORT_INDEX\nDCL OUT[4], PRIMID\n"
   "IMM[0] UINT32 {0, 1, 0, 0}\nDCL ADDR[0]\n"
   "MOV OUT[2].x, SV[0].xxxx\nMOV OUT[3].x, SV[1].xxxx\n"
   "MOV OUT[4].x, SV[1].xxxx\nUARL ADDR[0].x, SV[0].xxxx\n"
   "MOV OUT[0], IN[0][0]\nMOV OUT[1], IN[0][1]\nEMIT IMM[0].xxxx\n"
   "MOV OUT[0], IN[1][0]\nMOV OUT[1], IN[1][1]\nEMIT IMM[0].xxxx\n"
   "MOV OUT[0], IN[2][0]\nMOV OUT[1], IN[2][1]\nEMIT IMM[0].xxxx\n"
   "MOV OUT[0], IN[0][0].yxzw\nEMIT IMM[0].xxxx\nENDPRIM IMM[0].xxxx\n"
   "MOV OUT[0], IN[ADDR[0].x][0]\nEMIT IMM[0].xxxx\nEMIT IMM[0].xxxx\n"
   "END\n",

   "GEOM\n"
   "PROPERTY GS_INPUT_PRIMITIVE POINTS\n"
   "PROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
   "PROPERTY GS_MAX_OUTPUT_VERTICES 200\n"
   "DCL IN[][0], POSITION\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
   "DCL TEMP[0]\nIMM[0] UINT32 {0, 1, 2, 100}\n"
   "MOV TEMP[0], IMM[0].xxxx\n"
   "BGNLOOP\nUSGE TEMP[0].y, TEMP[0].xxxx, IMM[0].wwww\n"
   "UIF TEMP[0].yyyy\nBRK\nENDIF\n"
   "U2F OUT[1], TEMP[0].xxxx\nADD OUT[0], IN[0][0], OUT[1].xxyy\n"
   "MOV OUT[0], IN[0][0]\n"
   "EMIT IMM[0].xxxx\nEMIT IMM[0].yyyy\n"
   "UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\nENDLOOP\n"
   "END\n",

   "GEOM\n"
   "PROPERTY GS_INPUT_PRIMITIVE LINES_ADJACENCY\n"
   "PROPERTY GS_OUTPUT_PRIMITIVE LINE_STRIP\n"
   "PROPERTY GS_MAX_OUTPUT_VERTICES 4\n"
   "DCL IN[][0], POSITION\nDCL OUT[0], POSITION\nDCL OUT[1], COLOR[0]\n"
   "IMM[0] UINT32 {0, 1, 2, 3}\n"
   "MOV OUT[0], IN[0][0]\nMOV OUT[1], IN[3][0]\nEMIT IMM[0].xxxx\n"
   "MOV OUT[0], IN[1][0]\nEMIT IMM[0].xxxx\n"
   "MOV OUT[0], IN[2][0]\nEMIT IMM[0].xxxx\n"
   "END\n",

   /* ---- fragments -------------------------------------------------------- */

   "FRAG\n"
   "PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\n"
   "DCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR[0]\n"
   "MOV OUT[0], IN[0]\n"
   "END\n",

   "FRAG\n"
   "DCL IN[0], COLOR[0], COLOR\nDCL IN[1], GENERIC[0], PERSPECTIVE, CENTROID\n"
   "DCL IN[2], POSITION, LINEAR\nDCL IN[3], FACE, CONSTANT\n"
   "DCL OUT[0], COLOR[0]\nDCL OUT[1], COLOR[1]\nDCL OUT[2], POSITION\n"
   "DCL TEMP[0]\n"
   "KILL_IF IN[1].xyzz\n"
   "DDX TEMP[0], IN[0]\n"
   "ADD OUT[0], IN[0], TEMP[0]\nMUL OUT[1], IN[1], IN[3].xxxx\n"
   "MUL OUT[2].z, IN[2].zzzz, IN[0].xxxx\n"
   "END\n",

   "FRAG\n"
   "DCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR[0]\n"
   "DCL OUT[1], SAMPLEMASK\nDCL OUT[2], STENCIL\n"
   "DCL SV[0], SAMPLEMASK\nDCL SV[1], PRIMID\n"
   "MOV OUT[0], IN[0]\nMOV OUT[1].x, SV[1].xxxx\nMOV OUT[2].y, SV[0].xxxx\n"
   "END\n",

   "FRAG\n"
   "DCL OUT[0], COLOR[0]\nDCL SV[0], SAMPLEID\nDCL TEMP[0]\n"
   "DCL IN[0], GENERIC[0], PERSPECTIVE, SAMPLE\n"
   "FBFETCH TEMP[0], OUT[0]\n"
   "ADD OUT[0], TEMP[0], IN[0]\n"
   "END\n",

   "FRAG\n"
   "PROPERTY FS_EARLY_DEPTH_STENCIL 1\n"
   "DCL OUT[0], COLOR[0]\nDCL BUFFER[0]\nDCL TEMP[0..1]\n"
   "DCL IN[0], POSITION, LINEAR\n"
   "IMM[0] UINT32 {0, 1, 252, 0}\n"
   "ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\n"
   "F2U TEMP[0].y, IN[0].xxxx\nAND TEMP[0].y, TEMP[0].yyyy, IMM[0].zzzz\n"
   "STORE BUFFER[0].xy, TEMP[0].yyyy, TEMP[0]\n"
   "U2F OUT[0], TEMP[0].xxxx\n"
   "END\n",

   "FRAG\n"
   "DCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR[0]\n"
   "DCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL CONST[0][0..1]\n"
   "DCL OUT[1], COLOR[1]\n"
   "TEX OUT[0], IN[0], SAMP[0], 2D\nMOV OUT[1], CONST[0][1]\n"
   "END\n",

   "FRAG\n"
   "DCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR[0]\nDCL TEMP[0]\n"
   "MOV TEMP[0], IN[0]\n"
   "BGNLOOP\nIF TEMP[0].xxxx\nBRK\nENDIF\nENDLOOP\n"
   "MOV OUT[0], TEMP[0]\n"
   "END\n",
};

static const char gpu_compute_shader[] =
   "COMP\n"
   "DCL SV[0], THREAD_ID\nDCL BUFFER[0]\nDCL TEMP[0]\n"
   "IMM[0] UINT32 {4, 1, 0, 0}\n"
   "UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n"
   "ATOMUADD TEMP[0].y, BUFFER[0], TEMP[0].xxxx, IMM[0].yyyy\n"
   "STORE BUFFER[0].x, TEMP[0].yyyy, SV[0].xxxx\n"
   "END\n";

#endif
