#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs all .tgsi_test files of some folders:
# run_folders.sh TUNGSTEN [--OPTION=VALUE]... FOLDER...
set -eu
tungsten=$1
shift
options=
files=
for word; do
   case $word in
   --*) options="$options $word" ;;
   *) files="$files $(ls "$word"/*.tgsi_test)" ;;
   esac
done
# One word a file on purpose: the names have no spaces.
# shellcheck disable=SC2086
exec "$tungsten" test $options $files
