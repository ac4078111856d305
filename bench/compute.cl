/* SPDX-License-Identifier: MIT
 *
 * The kernels of the compute benchmark in OpenCL C: step by step what the
 * shaders of examples/compute do. All take the same arguments.
 */
#define ARGUMENTS                                                              \
   global uint *b0, global uint *b1, global uint *b2, constant uint *c

kernel void
blur(ARGUMENTS)
{
   int width = (int)c[0], height = (int)c[1];
   int x = (int)get_global_id(0), y = (int)get_global_id(1);
   uint4 sum = 0;

   if (x >= width || y >= height)
      return;
   for (int i = 0; i < 5; i++) {
      int at_x = clamp(x + (i - 2) * (int)c[2], 0, (int)c[4]);
      int at_y = clamp(y + (i - 2) * (int)c[3], 0, (int)c[5]);
      uint word = b0[at_y * width + at_x];

      sum += (uint4)(word & 255, word >> 8 & 255, word >> 16 & 255,
                     word >> 24) *
             c[8 + 4 * i];
   }
   sum = (sum + 8) >> 4;
   b1[y * width + x] = sum.x | sum.y << 8 | sum.z << 16 | sum.w << 24;
}

kernel void
sort_step(ARGUMENTS)
{
   uint i = get_global_id(0);
   uint left = 2 * i - (i & (c[0] - 1)), right = left + c[0];
   uint a = b0[left], b = b0[right];
   bool falls = (left & c[1]) != 0;

   b0[left] = falls ? max(a, b) : min(a, b);
   b0[right] = falls ? min(a, b) : max(a, b);
}

kernel void
sort_block(ARGUMENTS)
{
   local uint words[1024];
   uint t = get_local_id(0), first = get_group_id(0) * 1024;

   words[t] = b0[first + t];
   words[t + 512] = b0[first + t + 512];
   for (uint run = c[0]; run <= c[1]; run <<= 1) {
      for (uint step = min(run >> 1, 512u); step != 0; step >>= 1) {
         barrier(CLK_LOCAL_MEM_FENCE);
         uint left = 2 * t - (t & (step - 1)), right = left + step;
         uint a = words[left], b = words[right];
         bool falls = (first + left & run) != 0;

         words[left] = falls ? max(a, b) : min(a, b);
         words[right] = falls ? min(a, b) : max(a, b);
      }
   }
   barrier(CLK_LOCAL_MEM_FENCE);
   b0[first + t] = words[t];
   b0[first + t + 512] = words[t + 512];
}

kernel void
nbody(ARGUMENTS)
{
   local float4 tile[256];
   global const float4 *positions = (global const float4 *)b0;
   uint i = get_global_id(0), t = get_local_id(0);
   float softening = as_float(c[4]), time_step = as_float(c[5]);
   float4 own = positions[i];
   float3 pull = 0;

   for (uint k = 0; k < c[0]; k++) {
      tile[t] = positions[k * 256 + t];
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint other = 0; other < 256; other++) {
         float3 d = tile[other].xyz - own.xyz;
         float r = rsqrt(dot(d, d) + softening);

         pull += d * (r * (r * r) * tile[other].w);
      }
      barrier(CLK_LOCAL_MEM_FENCE);
   }
   global float4 *speeds = (global float4 *)b1;
   float4 speed = speeds[i];
   speed.xyz += pull * time_step;
   own.xyz += speed.xyz * time_step;
   speeds[i] = speed;
   ((global float4 *)b2)[i] = own;
}

kernel void
reduce(ARGUMENTS)
{
   local uint sums[256], mosts[256];
   uint t = get_local_id(0), sum = 0, most = 0;

   for (uint i = get_global_id(0); i < c[0]; i += c[1]) {
      uint word = b0[i];
      uint bright = (word & 255) + (word >> 8 & 255) + (word >> 16 & 255);

      sum += bright;
      most = max(most, bright);
   }
   sums[t] = sum;
   mosts[t] = most;
   for (uint half_size = 128;; half_size >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (half_size == 0)
         break;
      if (t < half_size) {
         sums[t] += sums[t + half_size];
         mosts[t] = max(mosts[t], mosts[t + half_size]);
      }
   }
   if (t == 0) {
      atomic_add(&b1[0], sums[0]);
      atomic_max(&b1[1], mosts[0]);
   }
}

kernel void
atomics(ARGUMENTS)
{
   atomic_inc(&b0[get_local_id(0) & 15]);
}
