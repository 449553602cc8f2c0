#!/usr/bin/env bash
# Do two commits compute the same? Builds both without fused operations (inlining would change last digits; the vectorisers
# of g++ 12.2 fuse complex products even so: they are off as well), runs every example and compares what it leaves behind
# byte for byte, times, the program's own hash and report.html aside.
#   scripts/same_results.sh [--shipped] OLD NEW [FOLDER]    commits, and where to build (default: build/same_results)
# With --shipped both are built as they ship, and numbers are compared: see scripts/compare_tables.py.
# Programs and results of a commit are kept there and used again. Exit code 1 when anything differs.
set -uo pipefail
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
shipped=0
[[ ${1:-} != --shipped ]] || { shipped=1 && shift; }
if (($# < 2 || $# > 3)); then
  sed -n '2,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
  exit 2
fi
. "$root/scripts/setup.sh"
install_packages "$root/packages.txt" || exit 2
mkdir -p "${3:-$root/build/same_results}"
base=$(readlink -f "${3:-$root/build/same_results}")

# What the results of a commit hang on besides the commit: flags, compiler, processor.
flags='-ffp-contract=off -fno-tree-vectorize'
((!shipped)) || flags= base=$base/shipped
conditions="$flags, $("${CXX:-c++}" -dumpfullversion), $(build_identity)"

# prepare COMMIT: builds it and runs its examples, once; prints its folder.
prepare() {
  local commit folder study name log
  commit=$(git -C "$root" rev-parse --verify --quiet "$1^{commit}") || { say "no commit $1"; return 1; }
  folder=$base/$commit
  printf '%s\n' "$folder"
  [[ ! -e $folder/complete || $(<"$folder/complete") != "$conditions" ]] || return 0
  rm -rf "$folder/results" "$folder/build" "$folder/complete" && mkdir -p "$folder/source" "$folder/results"
  log=$folder/build.log
  git -C "$root" archive "$commit" | tar -x -C "$folder/source" || return 1
  say "building ${commit:0:10}, see $log"
  cmake -S "$folder/source" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DMICROSLIP_TESTS=OFF \
    "-DCMAKE_CXX_FLAGS=$flags" >"$log" 2>&1 &&
    cmake --build "$folder/build" --parallel "$(nproc)" --target microslip >>"$log" 2>&1 ||
    { say "the build failed"; return 1; }
  say "running the examples of ${commit:0:10}"
  for study in "$folder"/source/examples/*/*.toml; do
    [[ $study == */printed.toml ]] && continue
    name=$(basename "$(dirname "$study")")-$(basename "$study" .toml)
    # The working directory and the study's path are the same for both, so that no file tells them apart.
    (cd "$folder/source/examples" && "$folder/build/apps/cli/microslip" run "${study#"$folder"/source/examples/}" \
      --no-report --out "$folder/results/$name") >"$folder/results/$name.log" 2>&1
    printf '%d\n' $? >"$folder/results/$name.exit"
  done
  printf '%s\n' "$conditions" >"$folder/complete"
}

# What is compared of a file: all of it; of summaries and reports what no clock or machine wrote.
content() {
  case $1 in
    *.json) sed -E 's/"(wall_seconds|started|version|command)": *("[^"]*"|[-+.0-9e]+|\{[^}]*\})//g' "$1" ;;
    *.db) python3 -c "import sqlite3, sys
trials = sqlite3.connect(':memory:')
sqlite3.connect(sys.argv[1]).backup(trials)
trials.execute('UPDATE trials SET seconds = 0')
trials.execute('UPDATE plan SET identity = 0')  # a hash of the program is in it
print(*trials.iterdump(), sep='\\n')" "$1" || printf '%s cannot be read' "$1" ;;
    *) cat "$1" ;;
  esac
}

old=$(prepare "$1") || exit 2
new=$(prepare "$2") || exit 2
((!shipped)) || exec python3 "$root/scripts/compare_tables.py" "$old/results" "$new/results"
compared=0 different=0
while IFS= read -r file; do
  compared=$((compared + 1))
  if [[ ! -e $old/results/$file || ! -e $new/results/$file ]]; then
    printf 'only in one: %s\n' "$file"
    different=$((different + 1))
  elif ! cmp -s <(content "$old/results/$file") <(content "$new/results/$file"); then
    printf 'differs: %s\n' "$file"
    different=$((different + 1))
  fi
done < <({ cd "$old/results" && find . -type f ! -name '*.log' ! -name report.html; cd "$new/results" &&
  find . -type f ! -name '*.log' ! -name report.html; } | sort -u)
failed=$(cat "$old"/results/*.exit "$new"/results/*.exit | grep -vcx 0)
printf '%d files compared, %d differ; %d runs failed\n' "$compared" "$different" "$failed"
((different == 0 && compared > 0 && failed == 0))
