#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs all .tgsi_test files of some folders: run_folders.sh TUNGSTEN FOLDER...
set -eu
tungsten=$1
shift
files=
for folder; do
   files="$files $(ls "$folder"/*.tgsi_test)"
done
# One word a file on purpose: the names have no spaces.
# shellcheck disable=SC2086
exec "$tungsten" test $files
