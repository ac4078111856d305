#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs a subcommand with an empty folder for machine code, so that LLVM compiles
# once what its files have in common: with_cache.sh TUNGSTEN SUBCOMMAND ARGUMENT...
set -eu
tungsten=$1
subcommand=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$tungsten" "$subcommand" --cache="$folder" "$@"
