#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Each public header compiles alone, in C99 and in C++, without a warning.
#
#    test_headers.sh INCLUDE-FOLDER CC [ARGUMENT]...
set -eu
include=$1
shift

failed=0
for header in "$include"/tungsten/*.h; do
   name=tungsten/$(basename "$header")
   for language in c/c99 c++/c++11; do
      # The same line twice: a header may be included again.
      printf '#include <%s>\n#include <%s>\n' "$name" "$name" |
         "$@" -x "${language%/*}" -std="${language#*/}" -fsyntax-only \
            -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wundef -Werror \
            -I "$include" - || { echo "$name: not good $language"; failed=1; }
   done
done
exit $failed
