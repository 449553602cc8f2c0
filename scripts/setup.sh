# shellcheck shell=bash disable=SC2154
# Sourced by ./microslip and ./check: installs packages, configures and builds. Needs `root`, the repository.
# Everything here says what it does on stderr and returns non-zero when it fails.

say() { printf 'microslip: %s\n' "$*" >&2; }

# Packages named in the given lists that are not installed, one a line.
missing_packages() {
  local wanted installed
  wanted=$(sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' "$@")
  # shellcheck disable=SC2086  # one word a package
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted 2>/dev/null | sed -n 's/^installed //p')
  grep -vxF -e "$installed" <<<"$wanted"
}

# install_packages LIST...: asks dpkg first and runs nothing when all is there. MICROSLIP_NO_INSTALL=1 trusts the user.
install_packages() {
  [[ ${MICROSLIP_NO_INSTALL:-} != 1 ]] || return 0
  local -a missing as_root=()
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    say 'this is not a Debian system. Install what these Debian packages hold, then set MICROSLIP_NO_INSTALL=1:'
    sed -e 's/#.*//' -e '/^[[:space:]]*$/d' -e 's/^/  /' "$@" >&2
    return 2
  fi
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      say "not root and no sudo. As root: apt-get install ${missing[*]}"
      return 2
    fi
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  local log
  log=$(mktemp)
  local -a install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends)
  # Package lists may be absent or old: fetch them only when the first try fails.
  if ! "${install[@]}" "${missing[@]}" >"$log" 2>&1 &&
    ! { "${as_root[@]}" apt-get update >"$log" 2>&1 && "${install[@]}" "${missing[@]}" >>"$log" 2>&1; }; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    say "apt-get could not install ${missing[*]}"
    return 2
  fi
  rm -f "$log"
}

# What an optimised build belongs to: this processor (-march=native) and this folder (CMake's cache).
build_identity() {
  local flags
  flags=$(grep -m1 -E '^(flags|Features)' /proc/cpuinfo 2>/dev/null | cksum)
  printf '%s %s' "$flags" "$root"
}

# Sources newer than the stamp, or gone: a removed file leaves a newer folder.
sources_changed() {
  [[ -n $(find "$root/src" "$root/apps" "$root/cmake" "$root/CMakeLists.txt" "$root/CMakePresets.json" \
    -newer "$1" -print -quit 2>/dev/null) ]]
}

# build PRESET FOLDER [TARGET]: in build/FOLDER, afresh when it belongs to another processor or place. Progress goes to
# stderr, the rest to build/FOLDER.log. The stamp is as old as the start of the last complete build.
build() {
  local preset=$1 folder=$root/build/$2 log=$root/build/$2.log identity
  local -a target=()
  [[ -z ${3:-} ]] || target=(--target "$3")
  identity=$(build_identity)
  mkdir -p "$root/build"
  if [[ -e $folder/identity && $(<"$folder/identity") != "$identity" ]]; then
    say "build/$2 is of another processor or place: building afresh"
    rm -rf "$folder"
  fi
  # `check` shares the folder of `release` and adds the tests to it.
  if [[ ! -f $folder/build.ninja ]] || { [[ $preset == check ]] && ! grep -qx check "$folder/preset" 2>/dev/null; }; then
    say "configuring build/$2"
    if ! (cd "$root" && cmake --preset "$preset") >"$log" 2>&1; then
      grep -A 12 'CMake Error' "$log" >&2 || tail -n 20 "$log" >&2
      say "configuring failed, see build/$2.log"
      return 1
    fi
    printf '%s\n' "$preset" >"$folder/preset"
  fi
  printf '%s' "$identity" >"$folder/identity"
  say "building build/$2 on $(nproc) cores; the first time takes minutes"
  touch "$folder/stamp.new"
  : >"$log"
  local line percent next=20
  if ! NINJA_STATUS='[%f/%t] ' cmake --build "$folder" --parallel "$(nproc)" "${target[@]}" 2>&1 | tee "$log" |
    while IFS= read -r line; do
      [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ [BL] ]] || continue
      percent=$((100 * BASH_REMATCH[1] / BASH_REMATCH[2]))
      ((percent >= next)) || continue
      say "building build/$2, $percent %"
      next=$((percent + 20))
    done; then
    sed -n '/^FAILED:/,$p' "$log" | head -n 60 >&2
    say "the build failed, see build/$2.log"
    return 1
  fi
  mv "$folder/stamp.new" "$folder/stamp"
}
