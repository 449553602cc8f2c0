#!/usr/bin/env bash
# Of an inline function a program has one copy, whichever the linker meets first, and it meets the folders at the top
# first, which are compiled with -O1 (cmake/folders.cmake). No function of ours below them may have a copy there:
#   one_copy.sh NM BUILD_FOLDER
# Constructors, destructors, and the checks that laws make at construction (`require`) may.
set -euo pipefail
export LC_ALL=C
nm=$1 folder=$2
weak() {  # functions, by the name that is left without template arguments and return types
  "$nm" -C --defined-only "$@" | sed -nE 's/^[0-9a-f]+ W (.*microslip::.*\(.*)$/\1/p' |
    awk '{ name = $0; while (gsub(/<[^<>]*>/, "", name)); sub(/\(.*/, "", name); sub(/.* /, "", name) }
         name ~ /^microslip::/' | sort -u
}
at_top() { [[ $1 =~ /libmicroslip_(toml|input|results|report|analyses|study|gallery)[.]a$ ]]; }
top=("$folder"/apps/cli/CMakeFiles/microslip.dir/Unity/*.o) below=()
for library in "$folder"/libmicroslip_*.a; do
  if at_top "$library"; then top+=("$library"); else below+=("$library"); fi
done
copies=$(comm -12 <(weak "${top[@]}") <(weak "${below[@]}"))
printf '%d libraries below, %d inline functions of ours shared with the top\n' ${#below[@]} "$(grep -c . <<<"$copies")"
(($(weak "${below[@]}" | wc -l) > 100)) || { printf 'no symbols found\n' >&2; exit 1; }
[[ -z $copies ]] || ! grep -vE '::~|([A-Za-z0-9_]+)(<.*>)?::\1\(|::require\(|::operator=\(' <<<"$copies"
