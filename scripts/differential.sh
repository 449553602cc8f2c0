#!/usr/bin/env bash
# Random systems, two ways each, for as long as you like; see docs/verification.md.
#   scripts/differential.sh [--minutes M] [--seed N|random] [--only NAME] [--cases N]
#   scripts/differential.sh --only NAME --case SEED    one case again, by the seed printed when it failed
# Default: 10 minutes (or so many cases of each comparison) of a random seed, on all cores with a seed each. What fails is made smaller and printed as a study.
# Exit code 1 when a case failed.
set -uo pipefail
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
minutes=10 seed=random rest=() cases= cores=$(nproc)
while (($#)); do
  case $1 in
    --minutes) minutes=$2 && shift 2 ;;
    --seed) seed=$2 && shift 2 ;;
    --only) rest+=("$1" "$2") && shift 2 ;;
    --cases) cases=$2 && shift 2 ;;
    --case) cases=1 cores=1 rest+=("$1" "$2") && shift 2 ;;
    *) sed -n '2,6s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
  esac
done
. "$root/scripts/setup.sh"
cd "$root" || exit 2
cmake --preset check >/dev/null && cmake --build build/release --target differential --parallel "$(nproc)" >&2 || exit 2
[[ -n $cases ]] && rest+=(--cases "$cases") || rest+=(--minutes "$minutes")
[[ $seed != random ]] || seed=$((RANDOM * 32768 + RANDOM))
status=0 jobs=()
for ((core = 0; core < cores; ++core)); do
  build/release/tests/differential/differential --seed $((seed + core)) "${rest[@]}" &
  jobs+=($!)
done
for job in "${jobs[@]}"; do wait "$job" || status=1; done
exit $status
