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
  local -a missing
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    say 'this is not a Debian system. Install what these Debian packages hold, then set MICROSLIP_NO_INSTALL=1:'
    sed -e 's/#.*//' -e '/^[[:space:]]*$/d' -e 's/^/  /' "$@" >&2
    return 2
  fi
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0
  apt_install "${missing[@]}"
}

# apt_install PACKAGE...
apt_install() {
  local -a missing=("$@") as_root=()
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

# npm that works: the one on PATH, else Debian's.
have_npm() {
  command -v npm >/dev/null && return
  [[ ${MICROSLIP_NO_INSTALL:-} != 1 ]] && command -v apt-get >/dev/null && apt_install npm && command -v npm >/dev/null
}

# npm_package NAME VERSION FOLDER: unpacks a package there, as it is; no scripts of it run.
npm_package() {
  local archive
  mkdir -p "$3"
  archive=$(cd "$3" && npm pack --silent --ignore-scripts --fetch-retries=1 --fetch-timeout=20000 "$1@$2" 2>/dev/null </dev/null |
    tail -n 1) && [[ -n $archive ]] && tar -xzf "$3/$archive" -C "$3" --strip-components=1 && rm -f "$3/$archive"
}

# fetch_plotly: packs the scripts named in scripts/plotly.sha256 into build/web, from where the build takes them into the
# program. Without them (no network, no npm) the program has static figures only: never an error. One try a day.
fetch_plotly() {
  local sum file name folder version=4.1.1 web=$root/build/web got=0
  mkdir -p "$web"
  while read -r sum file; do
    [[ -s $web/$file.gz ]] || got=1
  done <"$root/scripts/plotly.sha256"
  ((got)) || return 0
  [[ -z $(find "$web" -name unavailable -mtime -1) ]] || return 0
  if have_npm; then
    say 'fetching Plotly for the figures of reports'
    while read -r sum file; do
      name=${file%.min.js}
      folder=$(mktemp -d)
      if npm_package "plotly.js-${name#plotly-}-dist-min" "$version" "$folder" &&
        [[ $(sha256sum <"$folder/$file") == "$sum "* ]]; then
        gzip -9 -n -c "$folder/$file" >"$web/$file.gz.part" && mv "$web/$file.gz.part" "$web/$file.gz"
      else
        say "$file cannot be had"
        sum=
      fi
      rm -rf "$folder"
      [[ $sum ]] || break # no network: the others would wait in vain
    done <"$root/scripts/plotly.sha256"
  fi
  if compgen -G "$web/*.gz" >/dev/null; then
    rm -f "$web/unavailable"
  else
    touch "$web/unavailable"
    say 'without Plotly: the figures of reports will be static (the next try is tomorrow)'
  fi
}

# fetch_playwright: what the browser tests need besides packages-dev.txt, into build/browser. They are skipped without.
fetch_playwright() {
  local folder=$root/build/browser/node_modules/playwright-core
  [[ -f $folder/package.json ]] && return
  say 'fetching Playwright for the browser tests'
  have_npm && npm_package playwright-core 1.55.0 "$folder" && return
  rm -rf "$folder"
  say 'without Playwright: the browser tests are skipped'
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

# estimate PRESET: of a first build, from processor minutes measured on a Xeon.
estimate() {
  local minutes
  case $1 in
    release) minutes=7 ;;
    check) [[ -x $root/build/release/apps/cli/microslip ]] && minutes=8 || minutes=15 ;;
    sanitize) minutes=24 ;;
    *) minutes=6 ;;
  esac
  printf ', about %d minutes the first time' $(((minutes + $(nproc) - 1) / $(nproc)))
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
  local first=
  if [[ ! -f $folder/build.ninja ]] || { [[ $preset == check ]] && ! grep -qx check "$folder/preset" 2>/dev/null; }; then
    say "configuring build/$2"
    if ! (cd "$root" && cmake --preset "$preset") >"$log" 2>&1; then
      grep -A 12 'CMake Error' "$log" >&2 || tail -n 20 "$log" >&2
      say "configuring failed, see build/$2.log"
      return 1
    fi
    printf '%s\n' "$preset" >"$folder/preset"
    first=$(estimate "$preset")
  fi
  printf '%s' "$identity" >"$folder/identity"
  say "building build/$2 on $(nproc) cores$first"
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
