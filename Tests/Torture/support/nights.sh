# shellcheck shell=bash
# Sourced by nights.sh after stage.sh: the world of a library over months (feeds, films, an origin
# whose clock is that of the night, a disk, backups of the home), and what the user has said.

shows=(daily weekly windowed)
# The chance in percent of a new episode a night, and the show of which only two are wanted.
declare -A pace=([daily]=80 [weekly]=30 [windowed]=40)
limited=windowed
# The feeds name a port that each night needs again: one that the kernel gives to no other socket.
port=$((10000 + $$ % 20000))

# needs_fake_clock: sets $faketime to the library that gives a process another clock.
needs_fake_clock() {
  faketime=$(ls /usr/lib/*/faketime/libfaketimeMT.so.1 2>/dev/null | head -n 1)
  [ -n "$faketime" ] || {
    echo "$suite: $name: there is no libfaketime (package faketime)"
    exit 1
  }
  export TZ=UTC VMX_NETWORK_RESPONSE_TIMEOUT=5s VMX_NETWORK_STALL_TIME=4s
}

# note WHAT: records an event, for the message of a broken promise.
note() { history="$history $night:${1// /_}"; }

# broken WHAT: reports a broken promise, with the last events; each kind once a year.
broken() {
  local kind=${1%% *}
  [ -z "${reported[$kind]:-}" ] || return 0
  reported[$kind]=yes
  complain "night $night: $1 after${history: -300}"
}

clock_at() { moment=$((day + (10#${1%:*} * 60 + 10#${1#*:}) * 60)); }
next_day() { day=$((day + 86400)); }

# run STATUSES COMMAND…: runs the command at $moment, which goes on by some seconds; $input is its
# input. Sets $status.
run() {
  local allowed=$1 at
  shift
  moment=$((moment + 7))
  printf -v at '@%(%F %T)T' "$moment"
  timeout -s KILL 120 env LD_PRELOAD="$faketime" NO_FAKE_STAT=1 FAKETIME="$at" "$@" \
    <"${input:-/dev/null}" >out 2>err
  status=$?
  case " $allowed " in *" $status "*) return 0 ;; esac
  broken "command '$*' ended with $status: $(head -c 200 err)"
  return 1
}

# killed COMMAND…: runs the command and kills it within half a second.
killed() {
  local at
  printf -v at '@%(%F %T)T' "$moment"
  LD_PRELOAD=$faketime NO_FAKE_STAT=1 FAKETIME=$at timeout -s KILL "0.$((100 + RANDOM % 400))" \
    "$@" </dev/null >/dev/null 2>&1
}

# together: five tools at once.
together() {
  local at pid pids=()
  printf -v at '@%(%F %T)T' "$moment"
  for command in 'vmx-fetch --due -q' 'vmx-fetch --due -q' 'vmx-clean -q' 'vmx-verify --all -q' \
    'vmx-feed update --all -q'; do
    # shellcheck disable=SC2086 # a command and its options
    timeout -s KILL 120 env LD_PRELOAD="$faketime" NO_FAKE_STAT=1 FAKETIME="$at" $command \
      </dev/null >/dev/null 2>"err.${#pids[@]}" &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do
    wait "$pid"
    status=$?
    [ "$status" -lt 128 ] && [ "$status" != 70 ] || broken "command of five ended with $status"
  done
}

begin_origin() {
  local at rule options=()
  end_origin
  printf -v at '@%(%F %T)T' "$((day + 4 * 3600))"
  for show in "${!gone[@]}"; do
    if [ "$night" -ge "${gone[$show]}" ]; then
      unset "gone[$show]"
    else
      rules+=("/*/$show.xml status:404")
    fi
  done
  for show in "${!moved[@]}"; do
    rules+=("/first/$show.xml redirect:301:/${moved[$show]}/$show.xml")
  done
  for rule in "${rules[@]}"; do options+=(--rule "$rule"); done
  rm -f port
  # The library adds to the environment when a process starts, and Swift then finds no arguments; a
  # second start finds what it has added.
  # shellcheck disable=SC2016 # the inner shell expands it
  env LD_PRELOAD="$faketime" NO_FAKE_STAT=1 FAKETIME="$at" sh -c 'exec "$@"' sh \
    "$built/loopback-origin" --root site --log origin.log --port "$port" --port-file port \
    --life 86000 "${options[@]}" >/dev/null 2>&1 &
  origin=$!
  disown
  until [ -s port ]; do
    kill -0 "$origin" 2>/dev/null || exit 1
    sleep 0.01
  done
  url=http://127.0.0.1:$port
}
end_origin() {
  [ -z "$origin" ] || kill -KILL "$origin" 2>/dev/null
  origin=
}

# issue SHOW: publishes its next episode.
issue() {
  local token
  issues[$1]=$((${issues[$1]:-0} + 1))
  token=$1-${issues[$1]}
  heading[$token]="Part $token"
  dates[$token]=$day
  replace "$token"
  write_feed "$1"
}

# replace TOKEN: publishes new bytes of a film.
replace() {
  film "$1" $((4 + RANDOM % 40))
  digests[$1]="${digests[$1]:-} $(digest "site/$1.mp4")"
}

# write_feed SHOW: the document, newest first, at all its addresses.
write_feed() {
  local n token at
  {
    echo "<rss version='2.0'><channel><title>$1</title>"
    for ((n = issues[$1]; n > 0; n--)); do
      token=$1-$n
      printf -v at '%(%a, %d %b %Y 06:00:00 GMT)T' "${dates[$token]}"
      echo "<item><title>${heading[$token]}</title><guid>$token</guid><pubDate>$at</pubDate>"
      echo "<enclosure url='$url/$token.mp4' type='video/mp4'/></item>"
    done
    echo '</channel></rss>'
  } >document
  mkdir -p site/first "site/${moved[$1]:-first}"
  cp document "site/${moved[$1]:-first}/$1.xml"
}
move_feed() {
  moved[$1]=moved$night
  write_feed "$1"
}

unplug() {
  note unplugged
  away=$1
  mv "$disk" "$place/elsewhere"
  mkdir "$disk"
}
# plug_in: the disk returns, sometimes at another mount point.
plug_in() {
  away=
  rmdir "$disk"
  if happens elsewhere 40; then
    if [ "$disk" = "$place/disk-a" ]; then disk=$place/disk-b; else disk=$place/disk-a; fi
    configure
  fi
  note "plugged in at ${disk##*/}"
  mv "$place/elsewhere" "$disk"
}
configure() {
  mkdir -p "$HOME/.config/vmx"
  printf '[library]\n  root = %s/films\n' "$disk" >"$HOME/.config/vmx/config"
}

back_up() {
  cp -a "$VMX_HOME" "backup-$night"
  backups+=("$night")
  [ "${#backups[@]}" -le 4 ] || {
    rm -rf "backup-${backups[0]}"
    backups=("${backups[@]:1}")
  }
}
# restore_home N: the home of N nights before the last one.
restore_home() {
  local from=${backups[${#backups[@]} - 1 - $1]} token
  note "home of $from"
  rm -rf "$VMX_HOME"
  cp -a "backup-$from" "$VMX_HOME"
  for token in "${!dates[@]}"; do excused[$token]=$((${excused[$token]:-0} + 1)); done
  # A request leaves no trace beside the media before it is fetched.
  for token in "${!again[@]}"; do
    [ "${again[$token]}" -le "$from" ] || uncertain[$token]=yes
  done
}

# excuse_recent: the newest films of each show may be transferred once more.
excuse_recent() {
  local show n
  for show in "${shows[@]}"; do
    for ((n = issues[$show]; n > 0 && n > issues[$show] - 6; n--)); do
      excused[$show-$n]=$((${excused[$show-$n]:-0} + 1))
    done
  done
}

# look: reads the list into the arrays ids, states, facts and copies.
look() {
  local token id state seen keep path words
  ids=() states=() facts=() copies=()
  run 0 vmx-list --all --json || return
  while IFS=$'\t' read -r token id state seen keep path words; do
    ids[$token]=$id
    states[$token]=$state
    facts[$token]="$seen"$'\t'"$keep"$'\t'"$path"$'\t'"$words"
    [ "$state" = removed ] || copies[$token]=$((${copies[$token]:-0} + 1))
  done < <(jq -r 'select(.title) | [(.title | capture("(?<token>[a-z]+-[0-9]+)").token), .id,
    .state, .watched // false, .keep // false, (.parts[0].path // "-"), .title] | @tsv' out)
}
# pick_ready, pick_removed: set $token and $id to one that is ready, or removed by the user.
pick_ready() {
  local all=() one
  for one in "${!states[@]}"; do
    [ "${states[$one]}" != ready ] || [ "${one%-*}" = "$limited" ] || [ -n "${removed[$one]:-}" ] ||
      all+=("$one")
  done
  pick "${all[@]}"
}
pick_removed() { pick "${!removed[@]}"; }
pick() {
  [ "$#" -gt 0 ] || return 1
  token=$(printf '%s\n' "$@" | sort -V | sed -n "$((RANDOM % $# + 1))p")
  id=${ids[$token]:-}
  [ -n "$id" ]
}

# review_limited SHOW: exactly the newest two are there.
review_limited() {
  local want=() have=() token n
  for ((n = issues[$1] - 1; n <= issues[$1]; n++)); do want+=("$1-$n"); done
  for token in "${!states[@]}"; do
    [ "${token%-*}" != "$1" ] || [ "${states[$token]}" != ready ] || have+=("$token")
  done
  [ "$(printf '%s\n' "${want[@]}" | sort)" = "$(printf '%s\n' "${have[@]}" | sort)" ] ||
    broken "limit of $1: ${have[*]} instead of ${want[*]}"
}

# review_film TOKEN: what the user has said of it holds.
review_film() {
  local token=$1 seen keep path words found count
  [ -z "${uncertain[$token]:-}" ] || return 0
  [ "${copies[$token]:-0}" -le 1 ] || broken "twice $token has ${copies[$token]} records"
  if [ -n "${removed[$token]:-}" ]; then
    [ "${states[$token]:-}" != ready ] || broken "returned $token was removed"
    return
  fi
  if [ "${states[$token]:-}" != ready ]; then
    broken "lost $token is ${states[$token]:-not listed}"
    return
  fi
  IFS=$'\t' read -r seen keep path words <<<"${facts[$token]}"
  found=$(digest "$path" 2>/dev/null)
  case " ${digests[$token]} " in
    *" $found "*) ;;
    *) broken "bytes $token has others than its server: $path" ;;
  esac
  [ "$seen" = "${watched[$token]:-false}" ] || broken "watched $token is $seen"
  [ "$keep" = "${kept[$token]:-false}" ] || broken "keep $token is $keep"
  [ -z "${titled[$token]:-}" ] || [ "$words" = "${titled[$token]}" ] ||
    broken "title $token is '$words'"
  count=$(grep -c "\"path\":\"/$token.mp4\".*\"from\":0,.*\"ended\":\"whole\"" origin.log)
  set -- ${digests[$token]}
  [ "$count" -le $(($# + ${excused[$token]:-0})) ] || broken "transfers $token came $count times"
}

# begin_year: an empty library that follows the shows, at the start of a year.
begin_year() {
  local show array
  for array in issues heading dates digests gone moved removed again watched kept titled excused \
    uncertain reported ids states facts copies; do
    unset "$array"
    declare -gA "$array=()"
  done
  rm -rf "$VMX_HOME" disk-? elsewhere backup-* site "$HOME" origin.log
  mkdir -p site "$HOME"
  night=0 history= away= backups=() rules=() wrong_clock= input=
  # 2028-01-01: the times of the files stay those of the real clock.
  day=1830297600
  disk=$place/disk-a
  mkdir "$disk"
  configure
  begin_origin
  for show in "${shows[@]}"; do
    issue "$show"
    issue "$show"
    if [ "$show" = "$limited" ]; then
      set -- --want latest:2 --keep-last 2
    else
      set -- --want all
    fi
    clock_at 04:00
    run 0 vmx-feed add -q "$@" "$url/first/$show.xml"
  done
  run 0 vmx-fetch -q --due
  back_up
}
