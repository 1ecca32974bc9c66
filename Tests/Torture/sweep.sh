#!/bin/bash
# Each command that changes files beside a fetch encounters a fault at each of its system calls:
# kill -9, failing reads and writes, a power cut. Status 0 means that the work is complete;
# otherwise a coded error states the reason. After a repetition of the command, the whole state is
# that of an undisturbed run: records, files, trash and partial files. After verify and clean,
# sidecars and NFO files are the same too.
# SCENES='rm undo' and FAULTS='kill read write power' restrict the run; POINTS=N sets how many calls
# of a scene are tried with each kind of fault (0 for all).
if [ "${VMX_UNSHARED:-}" != yes ] && unshare -m true 2>/dev/null; then
  VMX_UNSHARED=yes exec unshare -m bash "$0" "$@"
fi
. "$(dirname "$0")/support/stage.sh"
. "$source_root/Tests/Torture/support/library.sh"
. "$source_root/Tests/Torture/support/faults.sh"
needs_strace
power=
if [ "${VMX_UNSHARED:-}" = yes ] && make_disk 256; then
  power=power
  export VMX_HOME=$place/disk/vmx
fi
# The home and the output of an export beside it are saved and compared as a whole.
export state=$VMX_HOME VMX_HOME=$VMX_HOME/home

for name_of_film in one two gone moved watched; do film "$name_of_film" 40; done
film big 9000
film local 300
cp site/local.mp4 "local film.mp4"
printf '1\n00:00:01,000 --> 00:00:02,000\nhello\n' >site/two.srt
bundles=$place/bundles
mkdir "$bundles"
sh "$source_root/Tests/Support/movie.sh" "migrated/Show/Show - S01E01 - First.mp4" 40
sh "$source_root/Tests/Support/movie.sh" "migrated/Show/Show - S01E02 - Second.mp4" 5000
cp site/two.srt "migrated/Show/Show - S01E01 - First.en.srt"
start_origin --rule '/slow/* rate:1000000'
mkdir site/slow
cp site/big.mp4 site/slow/big.mp4

known() { # NAME OPTION…: adds an episode whose digest is published
  local film=$1
  shift
  vmx-add -q --id "film/$film" --show Film --title "$film" "$@" \
    --sha256 "$(digest "site/${film##*/}.mp4")" "$url/$film.mp4" </dev/null
}
seed() { rm -rf "$state" && mkdir "$state" && known one && known two --subtitle "en=$url/two.srt" &&
  vmx-fetch -q film/one film/two </dev/null; }
partial() { # leaves film/big with about half of its bytes
  vmx-add -q --id film/big --show Film --title big "$url/slow/big.mp4" </dev/null || return
  vmx-fetch -q film/big </dev/null &
  local pid=$! n=0
  until [ "$(cat "$VMX_HOME"/library/.vmx/partial/*.part 2>/dev/null | wc -c)" -gt 3000000 ] ||
    [ $((n += 1)) -gt 300 ]; do sleep 0.02; done
  kill -TERM "$pid"
  wait "$pid"
  [ -n "$(find "$VMX_HOME" -name '*.part.json')" ]
}
hurt() { # NAME OFFSET: damages the file of an episode
  printf 'NOT THESE' | dd of="$(vmx-path "film/$1" </dev/null)" bs=1 seek="$2" conv=notrunc,nocreat \
    status=none
}
# as_checked ID: the state after a kill between the final name and the record of a fetch.
as_checked() {
  records | jq -c --arg id "$1" 'select(.kind == "episode" and .id == $id)
    | .seq += 1000 | .parts[0].state = "checked" | del(.parts[0].proven)' >line &&
    cat line >>"$VMX_HOME/store.jsonl"
}

prepare_rm() { seed; }
prepare_gone() { seed; }
prepare_undo() { seed && vmx-rm -q film/one film/two </dev/null; }
prepare_rename() { seed; }
prepare_names() { # two episodes that get each other's names, one of them with a subtitle and its own NFO
  seed && printf '%s\n' '{"id":"film/one","title":"two"}' '{"id":"film/two","title":"one"}' |
    vmx-add -q && echo mine >"$VMX_HOME/library/Film/Film - one.nfo"
}
prepare_root() { # two episodes that move to another root, in which a third is
  seed && known gone && vmx-fetch -q --root "$state/other" film/gone </dev/null
}
prepare_lost() { prepare_root && mv "$state/other" "$state/away"; }
prepare_withdrawn() { # removals while the disk was away; one film is on another disk
  prepare_root && mv "$state/other" "$state/away" && mv "$VMX_HOME/library" "$state/library" &&
    { vmx-rm -q film/one film/gone </dev/null || [ $? = 75 ]; } &&
    mv "$state/away" "$state/other" && mv "$state/library" "$VMX_HOME/library"
}
prepare_returned() { # removals that a kill has interrupted while they moved files
  seed && { strace -f -qq -o /dev/null -e 'trace=rename,renameat,renameat2' \
    -e 'inject=rename,renameat,renameat2:signal=KILL:when=4' \
    vmx-rm -q film/one film/two </dev/null || true; } 2>/dev/null &&
    records | jq -e 'select(.kind == "step" and .state == "begun")' >/dev/null
}
prepare_move() { seed && partial; }
prepare_resume() { seed && partial; }
prepare_cancel() { seed && partial && known watched && vmx-fetch -q film/watched </dev/null &&
  as_checked film/watched; }
prepare_file() { seed; }
prepare_three() { seed && known gone && known moved && known watched; }
prepare_verify() {
  seed && known gone && known moved && known big && vmx-fetch -q </dev/null && hurt big 5000000 &&
    rm "$(vmx-path film/gone </dev/null)" &&
    mv "$(vmx-path film/moved </dev/null)" "$VMX_HOME/library/elsewhere.mp4"
}
prepare_repair() { seed && known big && vmx-fetch -q film/big </dev/null && hurt big 5000000 &&
  { vmx-verify -q film/big </dev/null || true; }; }
prepare_cut() { # an episode of two films in one file, with a subtitle
  seed && cat migrated/Show/*E01*.mp4 migrated/Show/*E02*.mp4 >"$bundles/joined.mp4" &&
    cp site/two.srt "$bundles/joined.en.srt" &&
    { vmx-add -q --id film/joined --show Film --title Joined \
      "$bundles/joined.mp4" </dev/null || true; } && [ "$(vmx-list --state damaged </dev/null)" ]
}
prepare_clean() {
  seed && known gone && known moved && known watched && vmx-fetch -q </dev/null &&
    vmx-queue -q set watched=yes film/watched </dev/null &&
    rm "$(vmx-path film/gone </dev/null)" &&
    mv "$(vmx-path film/moved </dev/null)" "$VMX_HOME/library/elsewhere.mp4" &&
    mkdir -p "$VMX_HOME/library/Empty/deeper" && echo mine >"$VMX_HOME/library/mine.txt"
}
prepare_compact() {
  seed && vmx-queue -q priority 1 film/one </dev/null &&
    awk 'BEGIN { text = "x"; while (length(text) < 60000) text = text text
      for (n = 1; n <= 60; n++)
        printf "{\"kind\":\"stats\",\"id\":\"long\",\"seq\":%d,\"at\":\"%s\",\"text\":\"%s\"}\n",
          n + 900, "2026-11-21T05:04:00.404Z", text }' >>"$VMX_HOME/store.jsonl"
}
prepare_mend() {
  local alias='{"kind":"alias","id":"%s","seq":%s,"at":"2026-11-21T05:04:00.404Z","to":"%s"}\n'
  seed && {
    echo 'no JSON'
    tail -n 1 "$VMX_HOME/store.jsonl"
    # shellcheck disable=SC2059 # the format is ours
    printf "$alias$alias" c/1 901 c/2 c/2 902 c/1
  } >>"$VMX_HOME/store.jsonl"
}

# A bundle and a folder are beside the home, so that they are compared as well.
prepare_export() { seed; }
prepare_folder() { seed; }
prepare_update() {
  seed && known gone && known moved && vmx-fetch -q </dev/null && known watched &&
    vmx-export -q --all -o "$state/bag" </dev/null &&
    vmx-rm -q --permanent --yes film/gone </dev/null &&
    known moved --title Elsewhere && vmx-fetch -q </dev/null
}
prepare_import() {
  seed && known gone && known big && vmx-fetch -q </dev/null &&
    vmx-export -q --all -o "$bundles/all.tar" --force </dev/null && rm -rf "$VMX_HOME" && known one &&
    vmx-fetch -q film/one </dev/null
}
prepare_mended() {
  seed && known big && vmx-fetch -q film/big </dev/null &&
    vmx-export -q --all -o "$bundles/mend.zip" --force </dev/null && hurt big 5000000 &&
    { vmx-verify -q film/big --json </dev/null >damage || true; }
}

# Two episodes of another program, one of them with a subtitle, beside the home.
prepare_copied() {
  seed && cp -a migrated "$state/old" && (cd "$state" && find old -type f -exec sha256sum {} +) >sums
}
prepare_taken() { prepare_copied; }
prepare_placed() { prepare_copied; }
# The undo names the run: without a name, a second one would undo the removals of the first.
migrated() { # --move | --in-place
  prepare_copied && vmx-migrate -q "$1" "$state/old" </dev/null &&
    vmx-undo --list --json </dev/null | jq -r 'select(.tool == "migrate").id' | head -n 1 >run &&
    [ -s run ]
}
prepare_untaken() { migrated --move; }
prepare_unplaced() { migrated --in-place; }

# An episode with marks whose record in a bundle has other bytes.
prepare_replaced() {
  seed && vmx-export -q --all -o "$bundles/other.tar" --force </dev/null && rm -rf "$VMX_HOME" &&
    vmx-add -q --id film/one --show Film --title one "$url/gone.mp4" </dev/null &&
    vmx-fetch -q film/one </dev/null && vmx-mark -q watched film/one </dev/null &&
    vmx-queue -q set keep=yes film/one </dev/null
}
prepare_feed() { # a feed of two items, of which none is known
  seed && cat >site/feed.xml <<END
<rss version="2.0"><channel><title>Feed</title>
<item><title>A</title><guid>a</guid><enclosure url="$url/gone.mp4" type="video/mp4"/></item>
<item><title>B</title><guid>b</guid><enclosure url="$url/moved.mp4" type="video/mp4"/></item>
</channel></rss>
END
}

# A loan whose film is here, and its provider.
start_provider() {
  [ -z "$provider" ] || return 0
  "$built/licence-backend" --log "$place/provider.log" --life 3600 >"$place/provider.port" &
  provider=$!
  until [ -s "$place/provider.port" ]; do
    kill -0 "$provider" || return
    sleep 0.02
  done
  backend=http://127.0.0.1:$(head -n 1 "$place/provider.port")
}
issue() { # makes the loan new at the provider
  curl -fs "$backend/control/issue?id=loan&end=2100-01-01T00:00:00Z" >/dev/null
}
prepare_licence() { seed && start_provider && issue && curl -fs "$backend/licenses/loan" >loan.lcpl; }
prepare_lend() {
  prepare_licence && vmx-add -q --licence loan.lcpl --id film/loan --show Film --title Loan \
    "local film.mp4" </dev/null
}

command_rm=(vmx-rm -q film/one film/two)
command_gone=(vmx-rm -q --permanent --yes film/one film/two)
command_undo=(vmx-undo -q)
command_rename=(vmx-rename -q film/one film/first)
command_names=(vmx-clean -q --rename)
# Not -q, which does not report an episode that waits for space.
command_root=(sh -c 'exec vmx-clean --move-to "$state/other"')
command_lost=(sh -c 'exec vmx-clean -q --yes --lost "$state/other"')
command_withdrawn=(vmx-queue -q add film/one film/gone)
command_returned=(sh -c 'vmx-queue -q add film/one film/two && exec vmx-fetch film/one film/two')
command_move=(vmx-rename -q film/big film/large)
command_resume=(vmx-fetch -q film/big)
command_cancel=(vmx-queue -q cancel film/big film/watched)
command_file=(vmx-add -q --id film/local --show Film --title Local "local film.mp4")
command_three=(sh -c 'vmx-fetch -q & one=$!; vmx-fetch -q & two=$!; vmx-fetch -q; status=$?
  wait $one || status=$?; wait $two || status=$?; exit $status')
command_verify=(vmx-verify -q)
command_repair=(vmx-fetch -q --repair)
command_cut=(vmx-verify -q --repair film/joined)
command_clean=(vmx-clean -q --watched --foreign)
command_compact=(vmx-queue -q priority 7 film/one)
command_export=(sh -c 'exec vmx-export -q --all --force -o "$state/all.tar"')
command_folder=(sh -c 'exec vmx-export -q --all -o "$state/bag"')
command_update=(sh -c 'exec vmx-export -q --all --delete -o "$state/bag"')
command_import=(vmx-import -q "$bundles/all.tar")
command_mended=(sh -c "exec vmx-import -q --repair '$bundles/mend.zip' <'$place/damage'")
command_copied=(sh -c 'exec vmx-migrate -q --copy "$state/old"')
command_taken=(sh -c 'exec vmx-migrate -q --move "$state/old"')
command_placed=(sh -c 'exec vmx-migrate -q --in-place "$state/old"')
command_untaken=(sh -c "exec vmx-undo \$(cat '$place/run')")
command_unplaced=("${command_untaken[@]}")
command_licence=(vmx-add -q --licence loan.lcpl --id film/loan --show Film --title Loan
  "local film.mp4")
# Each run returns a loan that is new at the provider; a repetition returns the same one.
command_lend=(sh -c "exec vmx-licence -q return film/loan --yes")
command_replaced=(vmx-import -q --on-conflict replace "$bundles/other.tar")
command_feed=(sh -c "vmx-feed add -q --want all $url/feed.xml; vmx-feed update -q --all && exec vmx-fetch")
command_mend=(vmx-doctor -q --mend)

fresh() {
  rm -rf "$state" && cp -a "prepared-$scene" "$state"
  [ "$scene" != lend ] || issue
  [ -z "$power" ] || sync -f "$state"
}
again_run() { "${command[@]}" </dev/null; }
settle() {
  age_drafts
  vmx-verify -q </dev/null >out 2>err
  attempt 0 vmx-clean -q
}

# A repeated migration may add an undo entry of its own. Damaged lines and copies that a power cut
# leaves are put aside, since only the next record flushes them; they are ignored here. Sources are
# a part of the state of a migration, and a folder that became a root has another UUID each time.
of_scene() {
  local root
  case $scene in
    copied | taken | placed | untaken | unplaced)
      root=$(jq -r .root "$state/old/.vmx/root.json" 2>/dev/null)
      {
        grep -vE '^(step |[0-7]+ (store\.damaged|library/\.vmx/partial/[^ ]*\.aside) )' |
          grep -vE '^[0-7]+ library/\.vmx/trash/[^ ]*/entry\.json row\.untouched '
        (cd "$state" && find old -type f ! -path '*/.vmx/*' ! -name '*.nfo' -exec sha256sum {} +)
      } | sed "s/${root:-no root}/ROOT/g" | sort
      ;;
    # A kill may leave an empty folder, which clean removes when it is old.
    root) grep -v '^[0-7]* library/Film folder$' ;;
    # A file that a kill left renamed and unrecorded has no undo step, and is found by its digest.
    # An interrupted cut is undone, which is another step, and so is the rest of an import.
    names | cut | replaced) grep -v '^step ' ;;
    # The time at which the feed was first read. After a kill, verify writes the sidecar, without
    # the version of the source.
    # The provider issues the loan anew for each run, with the times of that run.
    licence | lend) grep -vE '^licence film/loan (seen|changed|ends|backend\.(licence_changed|since)) |^episode film/loan expires |^step RUN/film/loan before\.(expires|parts\.1\.sha256) |^[0-7]+ (store\.damaged|secrets\.jsonl) ' ;;
    feed | returned) grep -vE '^feed feed (begun|changed) |^[0-7]+ store\.damaged | segments\.video\.(etag|last_modified|source) ' ;;
    *) cat ;;
  esac
}
# nothing_lost: each source of a migration is unchanged, or its bytes are in the library.
nothing_lost() {
  local sum name
  find "$state" -type f ! -path '*/.vmx/partial/*' -exec sha256sum {} + | cut -d ' ' -f 1 >have
  while read -r sum name; do
    grep -q "$sum" have || complain "the bytes of '$name' are lost"
  done <sums
}

# compare NAME: compares the current state with that of the undisturbed run.
compare() {
  "$1_state" | of_scene >now
  cmp -s "$scene.$1" now && return
  diff "$scene.$1" now | grep '^[<>]' | cut -c 1-300 >out
  : >err
  complain "the $1 state is another one than without the fault ($2)"
  return 1
}

# prepare_scene: prepares the library before the command, and its states after it; $usual is its
# status.
prepare_scene() {
  again="preparing $scene"
  declare -gn command="command_$scene"
  "prepare_$scene" >out 2>err || {
    complain "cannot prepare '$scene'"
    return 1
  }
  cp -a "$state" "prepared-$scene"
  fresh
  again_run >out 2>err
  usual=$?
  core_state | of_scene >"$scene.core"
  again_run >out 2>err
  twice=$?
  compare core 'the same command twice' || return
  settle
  whole_state | of_scene >"$scene.whole"
}

# after_fault KIND STATUS: checks the state after a fault.
after_fault() {
  local kind=$1 status=$2
  case $kind:$status in
    kill:* | power:*) ;;
    *:0)
      # Beside completed work, other work may be waiting; a coded error then reports it.
      grep -q 'error\[[a-z-]*\]: ' err || compare core 'status 0' || return
      ;;
    # What waits is no error: -q says nothing.
    *:75) ;;
    *:1 | *:6[569] | *:7[34])
      grep -q 'error\[[a-z-]*\]: ' err || grep -qw problem out ||
        complain "status $status without a coded error"
      ;;
    *) complain "ended with $status" ;;
  esac
  [ "$scene" = mend ] || store_reads || return
  case $scene in
    copied | taken | placed | untaken | unplaced)
      nothing_lost
      # Recorded files have their bytes: a fetch publishes them, which leaves less work to the next
      # run. A power cut may have destroyed bytes that the source still has.
      local allowed=0
      [ "$kind" != power ] || allowed='0 1 65 74'
      [ $((tried % 2)) = 0 ] || attempt "$allowed" vmx-fetch -q || return
      ;;
  esac
  attempt "0 $usual $twice" again_run || return
  compare core 'after the same command again' || return
  settle
  compare whole 'after verify and clean'
  left=$(drafts)
  [ -z "$left" ] || complain "drafts that clean leaves: $left"
}

# strike KIND CALL N FAULT: runs the command with one fault, and checks the result.
strike() {
  local kind=$1 call=$2 when=$3 fault=$4 status
  fresh
  tried=$((tried + 1))
  again="SCENES=$scene: $call number $when with $fault of: ${command[*]}"
  [ "$kind" != power ] || again="$again, then a power cut"
  { strace -f -qq -o /dev/null -e "trace=$call" -e "inject=$call:$fault:when=$when" \
    "${command[@]}" >out 2>err </dev/null; } 2>/dev/null
  status=$?
  # The first calls of a thread may belong to the loader in another thread.
  [ "$status" != 127 ] || return 0
  if [ "$kind" = power ]; then
    cut_power && restore_power || { complain 'the power cannot be cut' && finish; }
  fi
  after_fault "$kind" "$status"
}

most=${POINTS:-}
[ -n "$most" ] || { [ -n "$short" ] && most=1 || most=12; }
[ "$most" != 0 ] || most=1000000
scenes='rm gone undo rename names root lost withdrawn returned move resume cancel file three verify'
scenes="$scenes repair cut clean compact mend export folder update import replaced mended copied taken"
scenes="$scenes placed untaken unplaced feed licence lend"
[ -z "$short" ] || scenes='gone undo names move cancel verify cut mend export update import taken placed'
scenes=${SCENES:-$scenes}
read -ra kinds <<<"${FAULTS:-kill write read $power}"
turn=0
for scene in $scenes; do
  prepare_scene || continue
  fresh
  calls_below "$changing_calls" "$place" "${command[@]}" >"$scene.changing"
  fresh
  calls_below "$reading_calls" "$state|/proc/self" "${command[@]}" >"$scene.reading"
  [ "$(wc -l <"$scene.changing")" -gt 2 ] || complain "$scene: no calls found"
  turn=$((turn + 1))
  for kind in "${kinds[@]}"; do
    turn=$((turn + 1))
    # In the short form, each scene encounters one kind of fault, in rotation.
    [ -z "$short" ] || [ -n "${FAULTS:-}" ] || [ $((turn % ${#kinds[@]})) = 0 ] || continue
    list=$scene.changing
    [ "$kind" != read ] || list=$scene.reading
    errors=signal=KILL
    case $kind in
      write) errors='error=ENOSPC error=EIO' ;;
      read) errors='error=EIO error=EACCES' ;;
    esac
    [ "$scene:$kind" != three:read ] || continue
    n=0
    while read -r call when; do
      n=$((n + 1))
      # In a sample, the two errors alternate.
      fault=$errors
      [ "$most" = 1000000 ] || fault=$(cut -d ' ' -f $((n % 2 + 1)) <<<"$errors")
      for one in $fault; do strike "$kind" "$call" "$when" "$one"; done
    done < <(sample "$most" <"$list")
    if [ "$kind" = power ]; then
      fresh
      tried=$((tried + 1))
      again="SCENES=$scene: a power cut behind the status of: ${command[*]}"
      again_run >out 2>err
      status=$?
      cut_power && restore_power || { complain 'the power cannot be cut' && finish; }
      [ "$status" = 0 ] && ! compare core 'status 0, then a power cut' || after_fault power "$status"
    fi
  done
  rm -rf "prepared-$scene"
done
finish
