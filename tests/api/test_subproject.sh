#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Tungsten as a subproject of another project is found by dependency(), is a
# library and nothing else, and its warnings are no errors. One object of each of
# its folders is compiled there, which shows that paths are right in the tree of
# another; the parent is linked by its own line with the library that is built.
#
#    test_subproject.sh SOURCE-FOLDER LIBTUNGSTEN.A MESON...
set -eu
source=$1
library=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/subprojects"
ln -s "$source" "$folder/subprojects/tungsten"

cat > "$folder/meson.build" <<'END'
project('parent', 'c', default_options: ['optimization=0', 'debug=false'])
executable('parent', 'parent.c', dependencies: dependency('tungsten'))
END
cat > "$folder/parent.c" <<'END'
#include <tungsten/gpu.h>

int
main(void)
{
   return tg_version() != TG_VERSION;
}
END

"$@" setup --wrap-mode=nodownload --force-fallback-for=tungsten \
   "$folder/build" "$folder" > "$folder/log" ||
   { cat "$folder/log"; exit 1; }
"$@" introspect --targets "$folder/build" > "$folder/targets"
python3 - "$folder/targets" "$source" <<'END'
import json, sys
targets = json.load(open(sys.argv[1]))
ours = [t for t in targets if t.get('subproject')]
odd = [t['name'] for t in ours
       if t['type'] in ('executable', 'run') and t['build_by_default']]
assert len(ours) > 10, ours
assert not odd, f'built as a subproject: {odd}'
flags = [p for t in ours for s in t['target_sources']
         for p in s.get('parameters', ())]
assert flags and '-Werror' not in flags, 'warnings are errors'
END
objects=$(ninja -C "$folder/build" -t inputs parent |
   awk '/\.o$/ { folder = $0; sub("lib[^/]*/[^/]*$", "", folder);
      if (!seen[folder]++) print }')
# Each is a word on purpose.
# shellcheck disable=SC2086
ninja -C "$folder/build" $objects > "$folder/log" ||
   { tail -n 40 "$folder/log"; exit 1; }
cp "$library" "$folder/build/subprojects/tungsten/"
link=$(ninja -C "$folder/build" -t commands parent | tail -n 1)
(cd "$folder/build" && eval "$link")
"$folder/build/parent"
