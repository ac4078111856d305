/* SPDX-License-Identifier: MIT */
#include "opencl.h"

#ifdef HAVE_OPENCL

#define CL_TARGET_OPENCL_VERSION 120

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct opencl {
   cl_device_id device;
   cl_context context;
   cl_command_queue queue;
   cl_program program;
};

struct opencl_kernel {
   struct opencl_work work;
   cl_kernel kernel;
   cl_mem buffers[OPENCL_NUM_BUFFERS], constants;
};

static void
check(cl_int error, const char *what)
{
   if (error == CL_SUCCESS)
      return;
   printf("%s: OpenCL error %d\n", what, error);
   exit(1);
}

/* PoCL's device, or NULL. */
static cl_device_id
find_device(void)
{
   cl_platform_id platforms[8];
   cl_uint count = 0;
   cl_device_id device = NULL;
   char name[128];

   if (clGetPlatformIDs(8, platforms, &count) != CL_SUCCESS)
      return NULL;
   for (cl_uint i = 0; i < count && i < 8; i++) {
      if (clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof(name), name,
                            NULL) == CL_SUCCESS &&
          strstr(name, "Portable Computing Language") &&
          clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, NULL) ==
             CL_SUCCESS)
         return device;
   }
   return NULL;
}

static char *
read_text(const char *path)
{
   FILE *file = fopen(path, "rb");
   char *text = calloc(1, 1 << 16);

   if (!file || !text || fread(text, 1, (1 << 16) - 1, file) == 0) {
      printf("%s cannot be read\n", path);
      exit(1);
   }
   fclose(file);
   return text;
}

static void
build(struct opencl *opencl, const char *path)
{
   static char log[1 << 14];
   char *text = read_text(path);
   const char *texts[] = {text};
   cl_int error;

   opencl->program =
      clCreateProgramWithSource(opencl->context, 1, texts, NULL, &error);
   check(error, "program");
   if (clBuildProgram(opencl->program, 1, &opencl->device, "", NULL, NULL) !=
       CL_SUCCESS) {
      clGetProgramBuildInfo(opencl->program, opencl->device,
                            CL_PROGRAM_BUILD_LOG, sizeof(log) - 1, log, NULL);
      printf("%s: %s\n", path, log);
      exit(1);
   }
   free(text);
}

struct opencl *
opencl_open(const char *path)
{
   struct opencl *opencl = calloc(1, sizeof(*opencl));
   char version[128] = "";
   cl_int error;

   if (!opencl)
      exit(1);
   opencl->device = find_device();
   if (!opencl->device) {
      printf("PoCL is not installed: make set-up-bench\n");
      free(opencl);
      return NULL;
   }
   clGetDeviceInfo(opencl->device, CL_DEVICE_VERSION, sizeof(version), version,
                   NULL);
   printf("%s\n", version);
   opencl->context =
      clCreateContext(NULL, 1, &opencl->device, NULL, NULL, &error);
   check(error, "context");
   opencl->queue =
      clCreateCommandQueue(opencl->context, opencl->device, 0, &error);
   check(error, "queue");
   build(opencl, path);
   return opencl;
}

void
opencl_close(struct opencl *opencl)
{
   if (!opencl)
      return;
   clReleaseProgram(opencl->program);
   clReleaseCommandQueue(opencl->queue);
   clReleaseContext(opencl->context);
   free(opencl);
}

static cl_mem
make_buffer(struct opencl *opencl, const uint32_t *words, size_t num_words)
{
   static uint32_t none[4];
   cl_int error;
   size_t size = num_words ? num_words * 4 : sizeof(none);
   const void *bytes = num_words ? words : none;
   cl_mem buffer =
      clCreateBuffer(opencl->context, CL_MEM_READ_WRITE, size, NULL, &error);

   check(error, "buffer");
   check(clEnqueueWriteBuffer(opencl->queue, buffer, CL_TRUE, 0, size, bytes, 0,
                              NULL, NULL),
         "buffer");
   return buffer;
}

struct opencl_kernel *
opencl_prepare(struct opencl *opencl, const struct opencl_work *work)
{
   struct opencl_kernel *kernel = calloc(1, sizeof(*kernel));
   cl_int error;

   if (!kernel)
      exit(1);
   kernel->work = *work;
   kernel->kernel = clCreateKernel(opencl->program, work->kernel, &error);
   check(error, work->kernel);
   for (cl_uint i = 0; i < OPENCL_NUM_BUFFERS; i++) {
      kernel->buffers[i] =
         make_buffer(opencl, work->words[i], work->num_words[i]);
      clSetKernelArg(kernel->kernel, i, sizeof(cl_mem), &kernel->buffers[i]);
   }
   kernel->constants =
      make_buffer(opencl, work->constants, work->num_constants);
   clSetKernelArg(kernel->kernel, OPENCL_NUM_BUFFERS, sizeof(cl_mem),
                  &kernel->constants);
   return kernel;
}

void
opencl_run(struct opencl *opencl, struct opencl_kernel *kernel)
{
   const struct opencl_work *work = &kernel->work;
   const size_t global[2] = {
      work->grid[0] * work->block[0],
      work->grid[1] * work->block[1],
   };

   check(clEnqueueNDRangeKernel(opencl->queue, kernel->kernel, 2, NULL, global,
                                work->block, 0, NULL, NULL),
         work->kernel);
   check(clFinish(opencl->queue), work->kernel);
}

void
opencl_finish(struct opencl *opencl, struct opencl_kernel *kernel)
{
   const struct opencl_work *work = &kernel->work;

   for (unsigned i = 0; i < OPENCL_NUM_BUFFERS; i++) {
      if (work->num_words[i])
         check(clEnqueueReadBuffer(opencl->queue, kernel->buffers[i], CL_TRUE,
                                   0, work->num_words[i] * 4, work->words[i], 0,
                                   NULL, NULL),
               work->kernel);
      clReleaseMemObject(kernel->buffers[i]);
   }
   clReleaseMemObject(kernel->constants);
   clReleaseKernel(kernel->kernel);
   free(kernel);
}

#else /* no headers when this was built */

#include <stdio.h>

struct opencl *
opencl_open(const char *path)
{
   (void)path;
   printf("this was built without OpenCL: make set-up-bench\n");
   return NULL;
}

void
opencl_close(struct opencl *opencl)
{
   (void)opencl;
}

struct opencl_kernel *
opencl_prepare(struct opencl *opencl, const struct opencl_work *work)
{
   (void)opencl;
   (void)work;
   return NULL;
}

void
opencl_run(struct opencl *opencl, struct opencl_kernel *kernel)
{
   (void)opencl;
   (void)kernel;
}

void
opencl_finish(struct opencl *opencl, struct opencl_kernel *kernel)
{
   (void)opencl;
   (void)kernel;
}

#endif
