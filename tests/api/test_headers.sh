#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Each public header compiles alone, twice, in every standard of C and C++ that
# the compiler knows, without a warning; and so do all of their macros, which
# macros.c expands and looks at. Structs begin with their size or are listed.
#
#    test_headers.sh INCLUDE-FOLDER CC [ARGUMENT]...
set -eu
include=$1
shift
here=$(dirname "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

fail() {
   echo "$*"
   failed=1
}

# A header may be included again.
for header in "$include"/tungsten/*.h; do
   printf '#include <tungsten/%s>\n' "$(basename "$header")"
done > "$folder/each"

num=0
for language in c/c99 c/c11 c/c17 c/c2x \
   c++/c++11 c++/c++14 c++/c++17 c++/c++20 c++/c++2b; do
   options="-x ${language%/*} -std=${language#*/} -Wall -Wextra -Wpedantic
      -Wshadow -Wconversion -Wundef -Werror"
   : | "$@" -fsyntax-only -x "${language%/*}" -std="${language#*/}" - \
      2> "$folder/said" || {
      echo "passed over, the compiler does not know it: $language"
      continue
   }
   num=$((num + 1))
   while read -r line; do
      # shellcheck disable=SC2086
      printf '%s\n%s\n' "$line" "$line" |
         "$@" $options -fsyntax-only -I "$include" - ||
         fail "$line: not good $language"
   done < "$folder/each"
   rm -f "$folder/macros"
   # shellcheck disable=SC2086
   "$@" $options -I "$include" -o "$folder/macros" "$here/macros.c" ||
      fail "macros.c: not good $language"
   "$folder/macros" || fail "macros.c: does not hold in $language"
done
[ $num -ge 4 ] || fail "the compiler knows $num standards only"

# Names that end in an underscore are parts of others, and those of guards not
# for use.
sed -n 's/^#define \(TG_[A-Z0-9_]*[A-Z0-9]\)\>.*/\1/p' "$include"/tungsten/*.h |
   sort > "$folder/defined"
sed -n 's/.*\<\(STRUCT\|VALUE\)(\(TG_[A-Z0-9_]*\),.*/\2/p
   s/.*check("\(TG_[A-Z0-9_]*\)".*/\1/p
   s/^\(TG_API\) .*/\1/p' "$here/macros.c" | sort > "$folder/tested"
[ -s "$folder/defined" ] || fail "no macros found"
diff "$folder/defined" "$folder/tested" ||
   fail "macros.c and the macros of the headers differ"

# Each public struct can grow, or is known not to.
sed -n 's/^struct \(tg_[a-z0-9_]*\) {$/\1/p' "$include"/tungsten/*.h |
   sort > "$folder/structs"
{
   sed -n 's/^SIZED(\(tg_[a-z0-9_]*\),.*/\1/p' "$here/../../src/util/sized.def"
   sed -n 's/^\(tg_[a-z0-9_]*\) .*/\1/p' "$here/fixed_structs.txt"
} | sort > "$folder/listed"
[ -s "$folder/structs" ] || fail "no structs found"
diff "$folder/structs" "$folder/listed" ||
   fail "the structs of the headers are not those of sized.def and" \
      "fixed_structs.txt"
exit $failed
