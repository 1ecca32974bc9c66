#!/bin/bash
# Replaces each field of each file that the tools read back, and of rows on standard input, by
# values that no tool writes. Each tool that reads the file must end within ten seconds with a
# documented status, not by a signal or with internal-error. No film may be lost, and no file
# outside the home may change. `--short` tries a sample; TARGETS='part mark' and VALUES='max63 deep'
# restrict the long form.
suite=fuzz
. "$(dirname "$0")/../Torture/support/stage.sh"
export VMX_NETWORK_ATTEMPTS=1 VMX_CORE_LOCK_TIMEOUT=1s XDG_STATE_HOME=$place/state
ulimit -v 8000000

film one 40
film two 30
film big 5000
printf '1\n00:00:01,000 --> 00:00:02,000\nhello\n' >site/words.srt
start_origin --rule '/slow/* rate:1500000'
mkdir site/slow outside
cp site/big.mp4 site/slow/big.mp4
echo untouched >outside/file

# prepare: a library that contains every kind of file and record that a tool may read back.
prepare() {
  local pid n=0
  vmx-add -q --id t/one --show Show --season 1 --number 2 --date 2026-05-20 --title One \
    --sha256 "$(digest site/one.mp4)" --duration 62m --subtitle "en=$url/words.srt" \
    "${url/:\/\//:\/\/user:word@}/one.mp4" </dev/null &&
    vmx-add -q --id t/two --title Two "$url/two.mp4" </dev/null &&
    vmx-add -q --id t/gone --title Gone "$url/two.mp4?gone" </dev/null &&
    vmx-add -q --id t/big --title Big "$url/slow/big.mp4" </dev/null &&
    vmx-fetch -q t/one t/two t/gone </dev/null &&
    vmx-queue -q set watched=yes keep=yes metered-ok=yes t/one </dev/null &&
    vmx-queue -q set metered-ok=yes --show show </dev/null &&
    vmx-queue -q priority 3 t/one </dev/null &&
    vmx-queue -q after t/big t/one </dev/null &&
    vmx-queue -q pause t/two </dev/null &&
    vmx-rename -q t/one t/first </dev/null && vmx-rm -q t/gone </dev/null || return
  vmx-fetch -q t/big </dev/null &
  pid=$!
  until [ -n "$(find "$VMX_HOME" -name '*.part.json')" ] || [ $((n += 1)) -gt 300 ]; do
    sleep 0.02
  done
  sleep 0.5
  kill -KILL "$pid"
  wait "$pid" 2>/dev/null
  jq -cn '{kind: "host", id: "127.0.0.1:9", seq: 901, at: "2026-11-21T05:04:00.404Z",
    quiet_until: "2026-11-21T05:04:00.404Z", status: 429, calls: ["2026-11-21T05:04:00.404Z"]},
    {kind: "network", id: "default", seq: 902, at: "2026-11-21T05:04:00.404Z",
      months: {"2026-11": 12345}}' >>"$VMX_HOME/store.jsonl"
  vmx-clean --login </dev/null
  [ -n "$(find "$VMX_HOME" -name '*.part.json')" ]
}
{ prepare >out 2>err; } 2>/dev/null || {
  complain 'cannot even prepare the library'
  finish
}
vmx-export -q t/first -o prepared-bag </dev/null >out 2>err || complain 'cannot make a bundle'
kill "$origin"
wait "$origin" 2>/dev/null
rm port
start_origin --port "${url##*:}"
mv "$VMX_HOME" prepared
mkdir -p state && cp -a state prepared-state

# The values by name, as JSON text; `missing` and `twice` change the field itself.
declare -A value=(
  [zero]=0 [minus]=-1 [one]=1 [over31]=2147483648 [max63]=9223372036854775807
  [over63]=9223372036854775808 [min63]=-9223372036854775808 [infinite]=1e400 [fraction]=0.5
  [empty]='""' [null]=null [true]=true [list]='[]' [object]='{}' [nul]='"\u0000"'
  [surrogate]='"\ud800"' [dots]='"../../../outside/file"' [absolute]="\"$place/outside/file\""
  [digits]='"9223372036854775808"' [time]='"9999-12-31T23:59:59.999Z"' [bytes]=$'"\xff\xfe"'
  [numbers]='[9223372036854775807,-1,0]' [pairs]='[[9223372036854775807,0],[0,9223372036854775807]]'
)
value[long]="\"$(head -c 1048576 /dev/zero | tr '\0' x)\""
value[deep]="$(printf '[%.0s' {1..1000})$(printf ']%.0s' {1..1000})"
names=${VALUES:-$(printf '%s\n' "${!value[@]}" missing twice | sort)}

# changed PATH VALUE: the JSON text of the input, with the field at the path (a JSON array)
# replaced.
changed() {
  local text old
  case $2 in
    missing) jq -c --argjson path "$1" 'delpaths([$path])' ;;
    twice)
      text=$(jq -c .)
      old=$(jq -c --argjson path "$1" 'getpath($path)' <<<"$text")
      text=$(jq -c --argjson path "$1" 'setpath($path; "@HERE@")' <<<"$text")
      printf '%s\n' "${text/\"@HERE@\"/$old,$(jq -c '.[-1] | tostring' <<<"$1"):$old}"
      ;;
    *)
      text=$(jq -c --argjson path "$1" 'setpath($path; "@HERE@")')
      printf '%s\n' "${text/\"@HERE@\"/${value[$2]}}"
      ;;
  esac
}
# fields: the paths of all fields of a JSON text, and of the first two elements of each list.
fields() { jq -c 'paths | select(all(type == "string" or . < 2))' | sort -u; }

# run NAME COMMAND…: a tool reads the changed file, with $input; its end is checked.
run() {
  local status codes
  # The shell's message about a crash goes to the same file as its other messages.
  { timeout -s KILL 10 "$@" >out 2>err <"$input"; } 2>/dev/null
  status=$?
  tried=$((tried + 1))
  case $status in
    0 | 1 | 6[569] | 7[345678]) ;;
    64) [ -n "$is_setting" ] || complain "'$*' ended with 64" ;;
    137) complain "'$*' did not end within ten seconds" && return ;;
    *) complain "'$*' ended with $status" && return ;;
  esac
  ! grep -q 'internal-error' err || complain "'$*' told of an internal error"
  # With -q, a condition of the machine such as a root that is away is told by the status alone.
  [ "$status" = 0 ] || [ "$1" = vmx-doctor ] || [ "$status $2" = '75 -q' ] ||
    grep -qE 'error\[[a-z-]*\]: |"code":"[a-z]' err ||
    complain "'$*' ended with $status without a coded error"
}

fresh() {
  rm -rf "$VMX_HOME" state bag
  cp -a prepared "$VMX_HOME" && cp -a prepared-state state && cp -a prepared-bag bag
}
unharmed() {
  [ "$(cat outside/file 2>/dev/null)" = untouched ] || {
    complain 'a file outside of the home was touched'
    echo untouched >outside/file
  }
  find "$VMX_HOME" -type f -size +39k -exec cmp -s {} site/one.mp4 \; -print | grep -q . ||
    complain 'a film is gone'
}

readers() {
  run vmx-list --all --json
  run vmx-show t/first
  run vmx-path t/first
  run vmx-status --json
  run vmx-undo --list --json
  run vmx-clean --plan --watched --even-kept
  run vmx-clean --plan --unwatched --free 900T
  run vmx-doctor
}
writers() {
  run vmx-queue -q priority 5 t/first t/big
  run vmx-verify -q
  run vmx-clean -q
  run vmx-fetch -q --due
  run vmx-rename -q t/first t/third
  run vmx-rm -q t/third t/two
  run vmx-undo -q 2
  run vmx-doctor -q --mend
}

# A target is a file with one JSON object, or a line of a file of lines. find_TARGET sets $file and
# $line (0 for the whole file); use_TARGET, or use_store, runs the tools that read it.
store_line() { # FILTER: the last line of the store that the jq filter selects
  file=$VMX_HOME/store.jsonl
  line=$(jq -R "fromjson? | if $1 then input_line_number else empty end" "$file" | tail -n 1)
}
one_file() { # FIND-ARGUMENT…: the first file that find gives
  file=$(find "$VMX_HOME" "$@" | sort | head -n 1)
  line=0
}
find_header() { store_line '.kind == "header"'; }
find_episode() { store_line '.kind == "episode" and .id == "t/first" and (.deleted | not)'; }
find_waiting() { store_line '.kind == "episode" and .id == "t/big"'; }
find_alias() { store_line '.kind == "alias"'; }
find_root() { store_line '.kind == "root"'; }
find_progress() { store_line '.kind == "progress" and (.deleted | not)'; }
find_show() { store_line '.kind == "show"'; }
find_host() { store_line '.kind == "host"'; }
find_network() { store_line '.kind == "network"'; }
find_step() { store_line '.kind == "step"'; }
find_secret() { file=$VMX_HOME/secrets.jsonl && line=1; }
find_part() { one_file -name '*.part.json' && line=1; }
find_held() { one_file -name '*.part.json' && line=$(wc -l <"$file"); }
find_sidecar() { one_file -path '*/records/t~first.json'; }
find_entry() { one_file -name entry.json; }
find_mark() { one_file -name root.json; }
find_bundled() { file=bag/vmx-records.jsonl && line=1; }
find_cursor() { file=$(find state -name 'login-*.json' | head -n 1) && line=0; }
use_store() {
  readers
  writers
}
use_secret() {
  run vmx-fetch -q --due
  run vmx-add -q --id t/new "${url/:\/\//:\/\/user:word@}/new.mp4"
  run vmx-doctor -q --mend
}
use_part() {
  run vmx-list --all --json
  run vmx-clean -q
  run vmx-fetch -q t/big
  run vmx-rename -q t/big t/large
  run vmx-queue -q cancel t/large
}
use_sidecar() {
  run vmx-verify -q
  run vmx-clean -q
  # A store that has lost the record adopts the film from its sidecar.
  grep -v '"id":"t/first"' "$VMX_HOME/store.jsonl" >lines
  cp lines "$VMX_HOME/store.jsonl"
  run vmx-clean -q
  run vmx-queue -q set watched=no t/first
  run vmx-rm -q t/first
  run vmx-undo -q
}
use_damaged() {
  printf NOT | dd of="$(vmx-path t/first </dev/null)" bs=1 seek=9000 conv=notrunc,nocreat status=none
  run vmx-verify -q
  run vmx-fetch -q --repair
}
use_entry() {
  run vmx-undo --list --json
  run vmx-undo -q
  run vmx-clean -q
  run vmx-clean -q --free 900T
}
# In a bag with a matching manifest: for a library that knows the episode, and for an empty one.
use_bundled() {
  (cd bag && sha256sum bag-info.txt bagit.txt manifest-sha256.txt vmx-records.jsonl \
    >tagmanifest-sha256.txt)
  run vmx-import -q bag
  run vmx-import -q --verify bag
  run vmx-import --list bag
  VMX_HOME=$place/empty run vmx-import -q bag
  rm -rf empty
}
use_cursor() { run vmx-clean --login; }

# try_field TARGET PATH VALUE: makes one change and checks the reactions of the tools.
try_field() {
  local target=$1 use=use_$1
  fresh
  "find_$target"
  again="TARGETS=$target, field $2 is $3"
  if [ "$line" = 0 ]; then
    changed "$2" "$3" <"$file" >text
  else
    sed -n "${line}p" "$file" | changed "$2" "$3" >one-line
    { head -n $((line - 1)) "$file" && cat one-line && tail -n +$((line + 1)) "$file"; } >text
  fi
  cat text >"$file"
  case $target in
    held) use=use_part ;;
    secret | part | sidecar | entry | cursor | bundled) ;;
    *) use=use_store ;;
  esac
  input=/dev/null
  "$use"
  [ "$target" != sidecar ] || {
    fresh
    cat text >"$file"
    use_damaged
  }
  unharmed
  [ "$use" != use_store ] || {
    fresh
    cat text >"$file"
    run vmx-rm --permanent --yes t/first
  }
}

# Rows on standard input: the tools read the rows that they print.
rows() {
  fresh
  vmx-list --json t/first </dev/null 2>/dev/null >row-list
  vmx-clean --plan --watched --even-kept --foreign </dev/null 2>/dev/null | head -n 1 >row-plan
  vmx-undo --list --json </dev/null 2>/dev/null | head -n 1 >row-undo
  jq -cn '{id: "new/e1", title: "New", show: "new", season: 1, number: 2, date: "2026-05-20",
    want: "none", priority: 1, keep: true, expires: "2027-05-20T00:00:00.000Z",
    parts: [{role: "video", variants: [{height: 720, bitrate: 1, size: 9, duration: 8,
      sources: [{url: "http://127.0.0.1:9/n"}]}]}]}' >row-add
}
try_row() { # KIND PATH VALUE
  fresh
  again="TARGETS=rows, field $2 of a row for $1 is $3"
  changed "$2" "$3" <"row-$1" >input
  input=input
  case $1 in
    add) run vmx-add -q ;;
    list)
      run vmx-add -q
      run vmx-verify -q
      run vmx-queue -q priority 4
      run vmx-fetch -q
      run vmx-rm -q --dry-run
      ;;
    plan) run vmx-clean -q --apply ;;
    undo) run vmx-undo -q ;;
  esac
  input=/dev/null
  unharmed
}

# Settings are in a text file; each key of the manual is tried once.
keys() {
  sed -n '/^\.SH SETTINGS/,$p' "$source_root/man/vmx-config.5" | sed 's/\\-/-/g' |
    sed -nE 's/^(\.B |\\fB)?([a-z]+\.[a-z-]+)(\\fP)?$/\2/p' | sort -u
}
declare -A setting=(
  [zero]=0 [minus]=-1 [max63]=9223372036854775807 [over63]=9223372036854775808 [size]=8388607T
  [size64]=16777216T [days]=106751991167300d [hours]=9223372036854775807h [empty]= [bare]='"'
  [times]=25:99-00:61 [rate]=9223372036854775807@00:00-00:00 [share]=9223372036854775807%
  [control]=$'a\x01b' [bytes]=$'\xff\xfe'
)
setting[long]=$(head -c 1048576 /dev/zero | tr '\0' 9)
try_setting() { # KEY VALUE
  fresh
  again="TARGETS=settings, $1 is $2"
  printf '[%s]\n %s = %s\n' "${1%%.*}" "${1#*.}" "${setting[$2]}" >settings
  export VMX_CONFIG=$place/settings
  is_setting=yes
  input=/dev/null
  run vmx-list --all
  run vmx-fetch -q t/big
  run vmx-verify -q
  run vmx-clean -q
  run vmx-doctor
  is_setting=
  unset VMX_CONFIG
  unharmed
}

targets='header episode waiting alias root progress show host network step secret part held sidecar'
targets=${TARGETS:-$targets entry mark cursor bundled rows settings}
is_setting=
fresh
rows
for target in $targets; do
  case $target in
    rows)
      for kind in list plan undo add; do
        [ -s "row-$kind" ] || complain "no row for $kind"
        while read -r path; do for one in $names; do echo "rows $path $one $kind"; done; done \
          < <(fields <"row-$kind")
      done
      ;;
    settings)
      while read -r path; do
        for one in "${!setting[@]}"; do
          case " ${VALUES:-$one} " in *" $one "*) echo "settings $path $one" ;; esac
        done
      done < <(keys)
      ;;
    *)
      fresh
      "find_$target"
      [ -n "$line" ] && [ -s "$file" ] || complain "nothing to change for $target" >&2
      { if [ "$line" = 0 ]; then cat "$file"; else sed -n "${line}p" "$file"; fi; } | fields |
        while read -r path; do for one in $names; do echo "$target $path $one"; done; done
      ;;
  esac
done >plan
if [ -n "$short" ]; then
  # Changes that once crashed a tool, and a sample of the others.
  awk -v step=$(($(wc -l <plan) / 12 + 1)) '
    /^(header \["(epoch|seq_floor)"\]|episode \["seq"\]) max63$/ || /^part \["total"\] one$/ ||
    /^episode \["parts",0,"size"\] max63$/ || /^sidecar \["nfo","path"\] long$/ ||
    /^settings network.stall-speed size$/ || NR % step == 7' plan >sample && mv sample plan
fi
while read -r target path one kind; do
  case $target in
    rows) try_row "$kind" "$path" "$one" ;;
    settings) try_setting "$path" "$one" ;;
    *) try_field "$target" "$path" "$one" ;;
  esac
done <plan
finish
