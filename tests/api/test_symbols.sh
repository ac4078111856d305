#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The shared library exports the functions that the public headers declare, and
# nothing else.
#
#    test_symbols.sh INCLUDE-FOLDER LIBRARY
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# TG_API stands before the type, the name at the start of the next line.
cat "$1"/tungsten/*.h | awk '
   sub(/^TG_API /, "") {wanted = 1}
   wanted && match($0, /tg_[a-z0-9_]+\(/) {
      print substr($0, RSTART, RLENGTH - 1); wanted = 0
   }' | sort > "$folder/declared"
nm -D --defined-only "$2" | awk '{print $3}' | sort > "$folder/exported"

[ -s "$folder/declared" ] || { echo "no declarations found"; exit 1; }
diff "$folder/declared" "$folder/exported"
