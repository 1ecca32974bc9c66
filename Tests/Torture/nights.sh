#!/bin/bash
# Years of a library, night by night: feeds grow, servers fail, the user has second thoughts, the
# disk, the home and the clock are not those of the night before. After every fifth night nothing is
# disturbed, and the library must be as the user has said: each film once, with published bytes,
# removed ones gone, marks and titles as they were given last.
# YEARS=N, NIGHTS=N and SEED=N choose how much and what happens; ONLY='restored clock' limits the
# events to these. Each year is the same for the same seed, but for the moments of kills.
. "$(dirname "$0")/support/stage.sh"
. "$source_root/Tests/Torture/support/nights.sh"
nights=${NIGHTS:-60}
years=${YEARS:-3}
seed=${SEED:-1}
if [ -n "$short" ]; then
  nights=${NIGHTS:-10}
  years=${YEARS:-1}
fi
needs_fake_clock

# happens EVENT PERCENT: whether an event of this year happens now.
happens() {
  local draw=$((RANDOM % 100))
  [ -z "${ONLY:-}" ] || case " $ONLY " in *" $1 "*) ;; *) return 1 ;; esac
  [ "$draw" -lt "$2" ]
}

# The evening: the user changes what is there.
evening() {
  local token id
  clock_at 20:00
  look
  for event in rm undo watched unwatched keep title; do
    happens "$event" 20 && pick_ready || continue
    note "$event $token"
    case $event in
      rm)
        run '0 75' vmx-rm -q "$id"
        removed[$token]=$night
        ;;
      undo)
        run '0 75' vmx-rm -q "$id"
        run 0 vmx-undo -q
        ;;
      watched) run 0 vmx-mark -q watched "$id" && watched[$token]=true ;;
      unwatched) run 0 vmx-mark -q unwatched "$id" && watched[$token]=false ;;
      keep) run 0 vmx-queue -q set keep=yes "$id" && kept[$token]=true ;;
      title)
        echo "{\"id\":\"$id\",\"title\":\"Own words for $token\"}" >rows
        input=rows
        run 0 vmx-add -q && titled[$token]="Own words for $token"
        input=/dev/null
        ;;
    esac
  done
  if happens again 15 && pick_removed; then
    note "again $token"
    run 0 vmx-queue -q add "$id" && unset "removed[$token]" && again[$token]=$night
  fi
}

# What the servers do this night; sets the rules of the origin.
weather() {
  local show token
  rules=('/*.mp4 rate:4000000')
  for show in "${shows[@]}"; do
    if [ $((RANDOM % 100)) -lt "${pace[$show]}" ]; then issue "$show"; fi
  done
  show=${shows[RANDOM % 2]}
  token=$show-${issues[$show]}
  if happens replaced 8; then
    note "replaced $token"
    replace "$token"
  fi
  if happens corrected 8; then
    note "corrected $token"
    heading[$token]="Part $token, corrected"
    write_feed "$show"
  fi
  if happens moved 3; then
    note "moved $show"
    move_feed "$show"
  fi
  if happens gone 4; then
    gone[$show]=$((night + 1 + RANDOM % 3))
    note "gone $show until ${gone[$show]}"
  fi
  if happens cut 10; then
    note cut
    rules+=("/*.mp4 cut:$((1000 + RANDOM % 9000)) times 2")
    excuse_recent
  fi
  if happens refused 6; then
    note refused
    rules+=('/* status:503')
  fi
}

# What the machine does this night; sets $wrong_clock for a night with one.
machine() {
  wrong_clock=
  if [ -n "$away" ]; then
    [ "$night" -lt "$away" ] || plug_in
  elif happens unplugged 6; then
    unplug $((night + 1 + RANDOM % 3))
  elif happens restored 7 && [ "${#backups[@]}" -gt 2 ]; then
    restore_home $((1 + RANDOM % 2))
  fi
  if happens clock 6; then
    wrong_clock=$((RANDOM % 2 ? 300 : day + 365 * 86400))
    note "clock at $wrong_clock"
  fi
}

# The timer of the night.
nightly() {
  run '0 1 69 75' vmx-feed update --all -q
  run '0 1 69 75' vmx-fetch --due -q --max-time 8s
  run '0 74 75' vmx-clean -q
}

disturbed() {
  clock_at 04:00
  if [ -n "$wrong_clock" ]; then moment=$wrong_clock; fi
  if happens kill 10; then
    note kill
    run '0 1 69 75' vmx-feed update --all -q
    killed vmx-fetch --due -q
    excuse_recent
  fi
  if happens together 8; then
    note together
    together
    excuse_recent
  fi
  nightly
}

# review: the promises, after a night without disturbance.
review() {
  local show token n
  rules=()
  begin_origin
  clock_at 12:00
  nightly
  clock_at 12:30
  nightly
  look
  for show in "${shows[@]}"; do
    if [ "$show" = "$limited" ]; then
      [ -n "${gone[$show]:-}" ] || review_limited "$show"
      continue
    fi
    for ((n = 1; n <= issues[$show]; n++)); do
      token=$show-$n
      [ -n "${gone[$show]:-}" ] && [ -z "${ids[$token]:-}" ] || review_film "$token"
    done
  done
  run 0 vmx-verify --all -q || broken "verify ended with $status"
  run 0 vmx-doctor || broken "doctor ended with $status"
}

for ((year = 1; year <= years; year++)); do
  RANDOM=$seed
  again="SEED=$seed YEARS=1 NIGHTS=$nights $0"
  begin_year
  for ((night = 1; night <= nights; night++)); do
    evening
    next_day
    weather
    machine
    begin_origin
    disturbed
    back_up
    [ $((night % 5)) != 0 ] || [ -n "$away" ] || review
    tried=$((tried + 1))
  done
  seed=$((seed + 1))
done
finish
