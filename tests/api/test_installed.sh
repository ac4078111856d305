#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What is installed is all that a program takes: two examples, in C and in C++,
# are compiled with what pkg-config says where there is nothing but Tungsten,
# linked with the shared and with the static library, and do what they say.
#
#    test_installed.sh BUILD-FOLDER EXAMPLES-FOLDER MESON CC [ARGUMENT]...
set -eu
build=$1 examples=$2 meson=$3
shift 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
root=$folder/root

"$meson" install -C "$build" --no-rebuild --destdir "$root" > "$folder/log" ||
   { tail -n 20 "$folder/log"; exit 1; }
for file in LICENSE tgsi_test.md tg_context_draw.3 tungsten-gpu.3 tgsi_test.5 \
   tungsten.1; do
   find "$root" -name "$file" | grep -q . || { echo "$file is missing"; exit 1; }
done

pc=$(find "$root" -name tungsten.pc)
export PKG_CONFIG_LIBDIR="${pc%/*}" PKG_CONFIG_PATH='' \
   PKG_CONFIG_SYSROOT_DIR="$root"
LD_LIBRARY_PATH=$(dirname "$(find "$root" -name libtungsten.so)")
export LD_LIBRARY_PATH
flags=$(pkg-config --cflags tungsten)
shared=$(pkg-config --libs tungsten)
static="-static $(pkg-config --static --libs tungsten)"

build_and_run() { # NAME LANGUAGE STANDARD LIBRARIES CC...
   source=$examples/$1 language=$2 standard=$3 libraries=$4
   shift 4
   # shellcheck disable=SC2086 # words
   "$@" -x "$language" -std="$standard" -Wall -Wextra -Wpedantic -Werror \
      $flags "$source" -x none -o "$folder/program" $libraries
   "$folder/program"
}

for libraries in "$shared" "$static"; do
   build_and_run lit_mesh.c c c99 "$libraries" "$@"
   build_and_run cube.cpp c++ c++11 "$libraries -lstdc++" "$@"
done
