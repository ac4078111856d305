// SPDX-License-Identifier: MIT
//
// Draws a lit, textured cube in C++11, reads the picture back, and lets a
// compute shader count the pixels of each face. A program of a user's, which
// knows nothing of Tungsten but what is installed:
//
//    c++ -std=c++11 cube.cpp $(pkg-config --cflags --libs tungsten) -o cube
//
// The cube is seen from where two of its sides and its top are to be seen
// alike; the light comes from there, too, so that all three are equally bright.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <tungsten/gpu.h>

namespace
{

constexpr uint32_t size = 128;

// ---- owners ----------------------------------------------------------------

template <typename T, void (*destroy)(T *)> struct Destroy {
   void operator()(T *object) const
   {
      destroy(object);
   }
};
template <typename T, void (*destroy)(T *)>
using Owner = std::unique_ptr<T, Destroy<T, destroy>>;

using Diagnostics = Owner<tg_diagnostics, tg_diagnostics_destroy>;
using Shader = Owner<tg_shader, tg_shader_destroy>;
using Program = Owner<tg_program, tg_program_destroy>;
using Resource = Owner<tg_resource, tg_resource_destroy>;
using Bindings = Owner<tg_bindings, tg_bindings_destroy>;
using View = Owner<tg_view, tg_view_destroy>;
using Sampler = Owner<tg_sampler, tg_sampler_destroy>;
using Device = Owner<tg_device, tg_device_destroy>;
using Gpu = Owner<tg_context, tg_context_destroy>;
using GpuShader = Owner<tg_gpu_shader, tg_gpu_shader_destroy>;
using String = Owner<char, tg_string_free>;

const Diagnostics diagnostics(tg_diagnostics_create(nullptr));

void
check(tg_result result)
{
   if (result == TG_OK)
      return;
   const String text(tg_diagnostics_text(diagnostics.get()));
   throw std::runtime_error(std::string(tg_result_name(result)) + "\n" +
                            (text ? text.get() : ""));
}

Shader
parse(const std::string &text)
{
   tg_shader *shader = nullptr;
   check(tg_shader_parse(nullptr, "example", text.data(), text.size(),
                         TG_DIALECT_2019, diagnostics.get(), &shader));
   return Shader(shader);
}

Resource
create(const tg_resource_desc &desc)
{
   tg_resource *resource = nullptr;
   check(tg_resource_create(nullptr, &desc, diagnostics.get(), &resource));
   return Resource(resource);
}

template <typename T>
Resource
buffer_of(const std::vector<T> &words)
{
   tg_resource_desc desc = TG_RESOURCE_DESC_INIT;
   desc.width = uint32_t(words.size() * sizeof(T));
   Resource buffer = create(desc);
   T *memory = static_cast<T *>(tg_resource_map_buffer(buffer.get()));
   for (size_t i = 0; i < words.size(); i++)
      memory[i] = words[i];
   return buffer;
}

Resource
texture(const char *format, uint32_t width, uint32_t height)
{
   tg_resource_desc desc = TG_RESOURCE_DESC_INIT;
   desc.target = TG_TEXTURE_2D;
   desc.format = tg_format_number(format);
   desc.width = width;
   desc.height = height;
   return create(desc);
}

GpuShader
stage(tg_context *gpu, tg_gpu_stage which, const tg_shader *source)
{
   tg_gpu_shader *shader = nullptr;
   check(tg_gpu_shader_create(tg_context_get_device(gpu), source, nullptr,
                              diagnostics.get(), &shader));
   check(tg_context_set_shader(gpu, which, shader, diagnostics.get()));
   return GpuShader(shader);
}

Bindings
bindings()
{
   tg_bindings *made = nullptr;
   check(tg_bindings_create(nullptr, &made));
   return Bindings(made);
}

void
bind(tg_bindings *to, tg_buffer_file file, unsigned place, tg_resource *buffer)
{
   check(tg_bindings_set_buffer(to, file, place, buffer, 0,
                                tg_resource_get_desc(buffer)->width,
                                diagnostics.get()));
}

// ---- the cube --------------------------------------------------------------

// IN[0] is a corner; IN[1] the normal, and where in the row of colours its face
// has its own. CONST has the rows of what turns the world, and the direction to
// the light, in the world.
const char vertex_text[] = "VERT\n"
                           "DCL IN[0]\nDCL IN[1]\n"
                           "DCL OUT[0], POSITION\n"
                           "DCL OUT[1], GENERIC[0]\n"
                           "DCL CONST[0][0..4]\n"
                           "DCL TEMP[0]\n"
                           "IMM[0] FLT32 {0.5, 0.0, 1.0, 0.0}\n"
                           "DP4 OUT[0].x, IN[0], CONST[0][0]\n"
                           "DP4 OUT[0].y, IN[0], CONST[0][1]\n"
                           "DP4 OUT[0].z, IN[0], CONST[0][2]\n"
                           "DP4 OUT[0].w, IN[0], CONST[0][3]\n"
                           "DP3 TEMP[0].x, IN[1], CONST[0][4]\n"
                           "MAX OUT[1].x, TEMP[0].xxxx, IMM[0].yyyy\n"
                           "MOV OUT[1].y, IN[1].wwww\n"
                           "MOV OUT[1].zw, IMM[0].yyyy\n"
                           "END\n";

const char fragment_text[] = "FRAG\n"
                             "DCL IN[0], GENERIC[0], PERSPECTIVE\n"
                             "DCL OUT[0], COLOR\n"
                             "DCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n"
                             "DCL TEMP[0]\n"
                             "TEX TEMP[0], IN[0].yzzz, SAMP[0], 2D\n"
                             "MUL OUT[0].xyz, TEMP[0], IN[0].xxxx\n"
                             "MOV OUT[0].w, TEMP[0]\n"
                             "END\n";

struct Vertex {
   float corner[4];
   float normal[3], texcoord;
};

// Six faces of two triangles, without an order that could be culled.
std::vector<Vertex>
cube()
{
   std::vector<Vertex> vertices;
   const float square[6][2] = {{-1, -1}, {1, -1}, {1, 1},
                               {-1, -1}, {1, 1},  {-1, 1}};
   for (int face = 0; face < 6; face++) {
      const int axis = face / 2;
      const float side = face % 2 ? 1.0f : -1.0f;
      for (const auto &at : square) {
         Vertex v = {};
         v.corner[axis] = v.normal[axis] = side;
         v.corner[(axis + 1) % 3] = at[0];
         v.corner[(axis + 2) % 3] = at[1];
         v.corner[3] = 1;
         v.texcoord = (float(axis) + 0.5f) / 3;
         vertices.push_back(v);
      }
   }
   return vertices;
}

// Orthographic, along the diagonal (1, 1, 1): a hexagon, a third of it a face.
// The light is there, too, with a length that makes all three as bright as can
// be.
const std::vector<float> constants = {
   0.35f, -0.35f, 0.0f,  0.0f, // to the right
   -0.2f, -0.2f,  0.4f,  0.0f, // up
   -0.1f, -0.1f,  -0.1f, 0.5f, // depth: less is nearer
   0.0f,  0.0f,   0.0f,  1.0f, //
   1.0f,  1.0f,   1.0f,  0.0f, // to the light
};

const std::vector<uint32_t> colors = {0xff0000ff, 0xff00ff00, 0xffff0000};

void
set_inputs(tg_context *gpu, tg_resource *buffer)
{
   tg_vertex_element elements[2] = {};
   elements[0].format = elements[1].format =
      tg_format_number("R32G32B32A32_FLOAT");
   elements[1].src_offset = offsetof(Vertex, normal);
   const tg_vertex_buffer vertex_buffer = {buffer, 0, sizeof(Vertex)};
   tg_vertex_elements *inputs;
   check(tg_vertex_elements_create(tg_context_get_device(gpu), 2, elements,
                                   diagnostics.get(), &inputs));
   check(tg_context_bind_vertex_elements(gpu, inputs, diagnostics.get()));
   tg_vertex_elements_destroy(inputs);
   check(tg_context_set_vertex_buffers(gpu, 0, 1, &vertex_buffer,
                                       diagnostics.get()));
}

void
set_state(tg_context *gpu, tg_resource *color, tg_resource *depth)
{
   tg_framebuffer_state framebuffer = TG_FRAMEBUFFER_INIT;
   framebuffer.width = framebuffer.height = size;
   framebuffer.num_colors = 1;
   framebuffer.colors[0] = tg_surface_of(color);
   framebuffer.depth_stencil = tg_surface_of(depth);
   tg_depth_stencil_alpha_state test = TG_DEPTH_STENCIL_ALPHA_INIT;
   test.depth_enabled = test.depth_writemask = true;
   test.depth_func = TG_COMPARE_LESS;
   const tg_viewport viewport = tg_viewport_of(size, size, true, true);
   check(tg_context_set_framebuffer(gpu, &framebuffer, diagnostics.get()));
   tg_depth_stencil_alpha *tests;
   check(tg_depth_stencil_alpha_create(tg_context_get_device(gpu), &test,
                                       diagnostics.get(), &tests));
   check(tg_context_bind_depth_stencil_alpha(gpu, tests, diagnostics.get()));
   tg_depth_stencil_alpha_destroy(tests);
   check(tg_context_set_viewports(gpu, 0, 1, &viewport, diagnostics.get()));
   const tg_color black = {};
   check(tg_context_clear(gpu, TG_CLEAR_ALL, nullptr, &black, 1.0, 0,
                          diagnostics.get()));
}

std::vector<uint32_t>
draw()
{
   const std::vector<Vertex> vertices = cube();
   const Shader vs = parse(vertex_text), fs = parse(fragment_text);
   const Resource vertex_buffer = buffer_of(vertices);
   const Resource constant_buffer = buffer_of(constants);
   const Resource palette = texture("R8G8B8A8_UNORM", 3, 1);
   const Resource color = texture("R8G8B8A8_UNORM", size, size);
   const Resource depth = texture("Z32_FLOAT", size, size);
   const Bindings of_vertices = bindings(), of_fragments = bindings();
   tg_device *device_made = nullptr;
   check(tg_device_create(nullptr, nullptr, &device_made));
   const Device device(device_made);
   tg_context *made = nullptr;
   check(tg_context_create(device.get(), nullptr, &made));
   const Gpu gpu(made);

   const tg_box row = {0, 0, 0, 3, 1, 1};
   check(tg_resource_write(palette.get(), 0, 0, &row, colors.data(), 0, 0));
   const tg_view_desc whole = tg_view_desc_of(palette.get());
   tg_view *palette_view = nullptr;
   check(tg_view_create(nullptr, &whole, diagnostics.get(), &palette_view));
   const View view(palette_view);
   tg_sampler *usual = nullptr;
   check(tg_sampler_create(nullptr, nullptr, diagnostics.get(), &usual));
   const Sampler sampler(usual);
   bind(of_vertices.get(), TG_BUFFER_CONSTANT, 0, constant_buffer.get());
   check(tg_bindings_set_view(of_fragments.get(), 0, view.get(),
                              diagnostics.get()));
   check(tg_bindings_set_sampler(of_fragments.get(), 0, sampler.get(),
                                 diagnostics.get()));
   tg_context_set_bindings(gpu.get(), TG_GPU_VERTEX, of_vertices.get());
   tg_context_set_bindings(gpu.get(), TG_GPU_FRAGMENT, of_fragments.get());

   const GpuShader vertex = stage(gpu.get(), TG_GPU_VERTEX, vs.get());
   const GpuShader fragment = stage(gpu.get(), TG_GPU_FRAGMENT, fs.get());
   set_inputs(gpu.get(), vertex_buffer.get());
   set_state(gpu.get(), color.get(), depth.get());
   const tg_draw_range range = {0, uint32_t(vertices.size()), 0};
   tg_draw_info info = TG_DRAW_INFO_INIT;
   info.draws = &range;
   check(tg_context_draw(gpu.get(), &info, diagnostics.get()));
   check(tg_context_finish(gpu.get(), diagnostics.get()));

   std::vector<uint32_t> pixels(size * size);
   const tg_box picture = {0, 0, 0, size, size, 1};
   check(tg_context_read(gpu.get(), color.get(), 0, 0, &picture, pixels.data(),
                         0, 0));
   return pixels;
}

// ---- the pixels ------------------------------------------------------------

// Thread n looks at pixel n; BUFFER[1] counts those of each colour.
const char count_text[] =
   "COMP\n"
   "PROPERTY CS_FIXED_BLOCK_WIDTH 128\n"
   "PROPERTY CS_FIXED_BLOCK_HEIGHT 1\n"
   "PROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
   "DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\n"
   "DCL BUFFER[0]\nDCL BUFFER[1]\n"
   "DCL CONST[0][0]\n"
   "DCL TEMP[0..2]\n"
   "IMM[0] UINT32 {128, 4, 0, 1}\n"
   "IMM[1] UINT32 {0, 4, 8, 12}\n"
   "UMAD TEMP[0].x, SV[1].xxxx, IMM[0].xxxx, SV[0].xxxx\n"
   "UMUL TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
   "LOAD TEMP[1].x, BUFFER[0], TEMP[0].xxxx\n"
   "USEQ TEMP[2], TEMP[1].xxxx, CONST[0][0]\n"
   "AND TEMP[2], TEMP[2], IMM[0].wwww\n"
   "ATOMUADD TEMP[0].x, BUFFER[1], IMM[1].xxxx, TEMP[2].xxxx\n"
   "ATOMUADD TEMP[0].x, BUFFER[1], IMM[1].yyyy, TEMP[2].yyyy\n"
   "ATOMUADD TEMP[0].x, BUFFER[1], IMM[1].zzzz, TEMP[2].zzzz\n"
   "ATOMUADD TEMP[0].x, BUFFER[1], IMM[1].wwww, TEMP[2].wwww\n"
   "END\n";

// How many pixels are 0, and how many of each of the colours.
std::vector<uint32_t>
count(const std::vector<uint32_t> &pixels)
{
   std::vector<uint32_t> wanted(1);
   wanted.insert(wanted.end(), colors.begin(), colors.end());
   const Shader shader = parse(count_text);
   const Resource picture = buffer_of(pixels);
   const Resource counts = buffer_of(std::vector<uint32_t>(4));
   const Resource constant_buffer = buffer_of(wanted);
   const Bindings bound = bindings();
   bind(bound.get(), TG_BUFFER_SHADER, 0, picture.get());
   bind(bound.get(), TG_BUFFER_SHADER, 1, counts.get());
   bind(bound.get(), TG_BUFFER_CONSTANT, 0, constant_buffer.get());
   tg_program *made = nullptr;
   check(tg_program_create(nullptr, shader.get(), nullptr, diagnostics.get(),
                           &made));
   const Program program(made);
   tg_grid grid = TG_GRID_INIT;
   grid.grid[0] = size * size / 128;
   check(tg_dispatch(program.get(), bound.get(), &grid, diagnostics.get()));
   const uint32_t *words =
      static_cast<uint32_t *>(tg_resource_map_buffer(counts.get()));
   return std::vector<uint32_t>(words, words + 4);
}

} // namespace

// Each face is a parallelogram with the sides (0.7, 0.4) and (0.7, -0.4), or
// (0, 0.8): of 2 * 0.7 * 0.4 = 0.56 in a window of 2 by 2, which is 0.14 of it.
int
main()
try {
   const std::vector<uint32_t> counts = count(draw());
   const uint32_t face = uint32_t(0.14 * size * size); // 2293
   bool holds = counts[0] + counts[1] + counts[2] + counts[3] == size * size;
   for (int i = 1; i < 4; i++)
      holds = holds && counts[i] > face - 64 && counts[i] < face + 64;
   std::printf("%u pixels of nothing, %u, %u and %u of the faces: %s\n",
               counts[0], counts[1], counts[2], counts[3],
               holds ? "as expected" : "not as expected");
   return holds ? 0 : 1;
} catch (const std::exception &fault) {
   std::fprintf(stderr, "%s", fault.what());
   return 1;
}
