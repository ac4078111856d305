#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The functions that the public headers declare are what the shared library
# exports, each with a version, and what the static library defines; both have
# no other names. Neither needs a library that is not the C library's.
#
#    test_symbols.sh INCLUDE-FOLDER LIBRARY.so LIBRARY.a
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# TG_API stands before the type, the name at the start of the next line.
cat "$1"/tungsten/*.h | awk '
   sub(/^TG_API /, "") {wanted = 1}
   wanted && match($0, /tg_[a-z0-9_]+\(/) {
      print substr($0, RSTART, RLENGTH - 1); wanted = 0
   }' | sort > "$folder/declared"
[ -s "$folder/declared" ] || { echo "no declarations found"; exit 1; }

# The version itself is a symbol of some linkers.
sed 's/$/@@TUNGSTEN_0/' "$folder/declared" > "$folder/versions"
nm -D --defined-only --with-symbol-versions "$2" |
   awk '$3 !~ /^TUNGSTEN_/ {print $3}' | sort > "$folder/exported"
diff "$folder/versions" "$folder/exported"

nm --defined-only --extern-only "$3" | awk 'NF == 3 {print $3}' |
   sort > "$folder/static"
diff "$folder/declared" "$folder/static"

objdump -p "$2" | awk '$1 == "NEEDED" {print $2}' |
   grep -v '^lib\(c\|m\|pthread\)\.so\|^ld-linux' && {
   echo "needs other libraries"; exit 1; }
exit 0
