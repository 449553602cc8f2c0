#!/usr/bin/env bash
# Runs the fuzz targets of build/fuzz and says how many inputs each has tried:
#   scripts/fuzz.sh [--runs N | --seconds S] [--seed N] [NAME...]
# Default: 60 seconds a target, all targets. Two at a time on two cores. What it finds is in build/fuzz-found/NAME; what
# it has learnt in build/fuzz-corpus/NAME, from where the next run goes on (--runs starts from the seeds alone, so that
# it is the same every time). Exit code 1 when a target failed.
set -uo pipefail
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
limit=(-max_total_time=60) fresh=0 seed=0 names=()
while (($#)); do
  case $1 in
    --runs) limit=("-runs=$2") fresh=1 seed=${seed/#0/1} && shift 2 ;;
    --seconds) limit=("-max_total_time=$2") && shift 2 ;;
    --seed) seed=$2 && shift 2 ;;
    -*) sed -n '2,7s/^# \{0,1\}//p' "$0" && exit 2 ;;
    *) names+=("$1") && shift ;;
  esac
done
if ((${#names[@]} == 0)); then
  for program in "$root"/build/fuzz/tests/fuzz/*_fuzz; do
    [[ -x $program ]] || { echo 'no targets in build/fuzz: cmake --preset fuzz && cmake --build --preset fuzz' && exit 2; }
    name=${program##*/}
    names+=("${name%_fuzz}")
  done
fi

# one NAME: the line "NAME EXECUTIONS ok|FAILED".
one() {
  local name=$1 program=$root/build/fuzz/tests/fuzz/$1_fuzz work found=$root/build/fuzz-found/$1/ status=0 log file runs
  work=$root/build/fuzz-corpus/$name
  ((fresh)) && work=$(mktemp -d)
  mkdir -p "$work" "$found" "$root/build/fuzz-seeds/$name"
  case $name in # the examples are seeds as well
    study) for file in "$root"/examples/*/*.toml; do
      [[ $file == */printed.toml ]] || cp "$file" "$root/build/fuzz-seeds/study/$(basename "$(dirname "$file")")-${file##*/}"
    done ;;
    printed) for file in "$root"/examples/*/printed.toml; do
      cp "$file" "$root/build/fuzz-seeds/printed/$(basename "$(dirname "$file")").toml"
    done ;;
  esac
  local -a seeds=("$root/build/fuzz-seeds/$name")
  for file in "$root/tests/fuzz/seeds/$name" "$root/tests/fuzz/found/$name"; do
    [[ -d $file ]] && seeds+=("$file")
  done
  log=$root/build/fuzz-$name.log
  # Memory: what a reader may ask for at once and in all, for inputs of 4 kB.
  "$program" "${limit[@]}" "-seed=$seed" -max_len=4096 -timeout=20 -malloc_limit_mb=64 -rss_limit_mb=1024 \
    -print_final_stats=1 "-artifact_prefix=$found" "$work" "${seeds[@]}" >"$log" 2>&1 || status=1
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  ((fresh)) && rm -rf "$work"
  if ((status)); then
    grep -E '^(==[0-9]+==ERROR|SUMMARY|must hold|terminate|.*runtime error|Test unit written)' "$log" >&2
    printf '%s %s FAILED\n' "$name" "${runs:-0}"
  else
    printf '%s %s ok\n' "$name" "${runs:-0}"
  fi
}
export -f one
export root fresh seed
limit_text=${limit[*]}
export limit_text
results=$(printf '%s\n' "${names[@]}" | xargs -P "$(nproc)" -I{} bash -c 'limit=($limit_text); one {}')
sort <<<"$results" | awk '{printf "   %-16s %12d  %s\n", $1, $2, $3; sum += $2; bad += $3 != "ok"}
  END {printf "   %-16s %12d  %s\n", "in total", sum, bad ? bad " failed" : "without a failure"; exit bad > 0}'
