#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Tungsten as a subproject of another project is found by dependency(), is a
# library and nothing else, and its warnings are no errors.
#
#    test_subproject.sh SOURCE-FOLDER MESON...
set -eu
source=$1
shift
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
ninja -C "$folder/build" parent > "$folder/log" ||
   { tail -n 40 "$folder/log"; exit 1; }
"$folder/build/parent"
