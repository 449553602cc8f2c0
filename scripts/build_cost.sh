#!/usr/bin/env bash
# The compile jobs of a build and the ten dearest, in seconds by the clock (two at a time on two cores).
#   scripts/build_cost.sh [build/release]
set -uo pipefail
folder=${1:-build/release}
log=$folder/.ninja_log
[[ -r $log ]] || { printf 'no %s: build first\n' "$log" >&2; exit 2; }
export LC_ALL=C
# start, end (ms), time stamp, output, hash; the last entry of an output counts, if it is still built
built=$(ninja -C "$folder" -t targets all | sed -nE 's/^(.*[.](o|gch)): .*$/\1/p')
awk -F'\t' '$4 ~ /[.](o|gch)$/ { cost[$4] = ($2 - $1) / 1000 } END { for (o in cost) printf "%.1f\t%s\n", cost[o], o }' "$log" |
  while IFS=$'\t' read -r seconds output; do ! grep -qxF "$output" <<<"$built" || printf '%s\t%s\n' "$seconds" "$output"; done |
  sort -rn | awk -F'\t' '{ sum += $1; n++; if (NR <= 10) top = top sprintf("%6.1f  %s\n", $1, $2) }
    END { printf "%d jobs, %.0f s in all\n%s", n, sum, top }' |
  sed -E 's#CMakeFiles/microslip_([a-z]+)\.dir/#\1: #; s#src/microslip/##'
