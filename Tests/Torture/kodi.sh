#!/bin/bash
# A real Kodi reads a library of 500 episodes: seasons, specials, an own numbering, days, two of one day,
# titles of other alphabets. It shows each with the show, season, number, title, plot and picture that
# vmx list tells. Then its marks, ratings and ids go by its export to vmx and to a second Kodi.
#
# VMX_TEST_KODI names the folder of a Debian 12 with kodi, xvfb and sqlite3; the default is made by
# debootstrap, from the registry of which apt on this machine has its packages (about 300 MB).
if [ "${VMX_UNSHARED:-}" != yes ]; then
  if unshare -m true 2>/dev/null; then
    VMX_UNSHARED=yes exec unshare -m bash "$0" "$@"
  fi
  echo 'torture: kodi: skipped: no mount namespace without root'
  exit 0
fi
. "$(dirname "$0")/support/stage.sh"
export PATH="$tools:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin" TZ=UTC
export LC_ALL=C.UTF-8
[ -z "$short" ] || [ -n "${VMX_TEST_KODI:-}" ] || skip 'only in the long form'
for program in curl jq; do command -v "$program" >/dev/null || skip "no $program"; done

# 1. A Debian with Kodi, in memory. A registry that cannot be reached is no failure.
root=${VMX_TEST_KODI:-$place/root}
inside() { # COMMAND…: as root in the Debian
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root \
    DEBIAN_FRONTEND=noninteractive "$@"
}
player=
screen=
end_kodi() {
  if [ -n "$player" ]; then
    ask Application.Quit >/dev/null 2>&1
    for _ in $(seq 100); do kill -0 "$player" 2>/dev/null && sleep 0.1; done
    kill -KILL -- "-$player" 2>/dev/null
  fi
  [ -z "$screen" ] || kill "$screen" 2>/dev/null
  player='' screen=''
}
trap 'end_kodi; umount -R "$root$place" "$root/proc" 2>/dev/null; [ -n "${VMX_TEST_KODI:-}" ] ||
  umount -R "$root" 2>/dev/null; leave' EXIT
if [ -z "${VMX_TEST_KODI:-}" ]; then
  command -v debootstrap >/dev/null || skip 'no debootstrap'
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' \
    2>/dev/null | head -n 1)
  mkdir "$root"
  mount -t tmpfs -o size=3g,mode=755 tmpfs "$root" || skip 'no tmpfs'
  timeout 600 debootstrap --variant=minbase bookworm "$root" \
    "${mirror:-http://deb.debian.org/debian}" >bootstrap 2>&1 ||
    skip "debootstrap got no Debian 12 from the registry of apt: $(tail -n 1 bootstrap)"
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
fi
mount -t proc proc "$root/proc" || skip 'no proc in a chroot'
[ -x "$root/usr/bin/kodi" ] ||
  inside apt-get install -qy --no-install-recommends kodi xvfb sqlite3 >out 2>err ||
  skip "the registry of apt has no Kodi: $(tail -n 1 err)"
# Kodi sees the files under the paths that vmx prints.
mkdir -p "$root$place"
mount --bind "$place" "$root$place" || skip 'no bind mount'

# 2. The library.
mkdir -p site
cp "$source_root/Tests/Demo/media/s01e01.jpg" site/p.jpg
for n in $(seq 500); do film "$n" 4; done
start_origin
jq -nc --arg url "$url" '
  def file($n): {parts: [{role: "video", url: "\($url)/\($n).mp4"},
    {role: "image", url: "\($url)/p.jpg?\($n)"}], summary: "Plot \($n): <Ärger> & mehr\nin 2 lines"};
  (range(240) | {show: "Übermut & Söhne", season: (. / 30 | floor + 1), number: (. % 30 + 1),
    title: "Folge \(.) – „Ärger“", duration_ms: 1800000} + file(. + 1)),
  (range(10) | {show: "Übermut & Söhne", season: 0, number: (. + 1), title: "Extra \(.)"} + file(. + 241)),
  (range(50) | {show: "日本の番組", number: (. + 1), title: "第\(. + 1)話"} + file(. + 251)),
  (range(200) | {show: "Daily News", title: "News \(.)", tvmaze: (. + 7000),
    duration_ms: 1800000,
    date: ((if . == 199 then 128 else . end) * 86400 + 1704067200 | strftime("%Y-%m-%d"))}
    + file(. + 301)) | if .title == "News 5" then del(.duration_ms) else . end' >rows
attempt 0 sh -c 'vmx-add -q --json <rows'
attempt 0 vmx-fetch -q --due
library=$VMX_HOME/library

# told: what vmx tells of each episode, by path. shown: what Kodi shows.
told() {
  vmx-list --all --json --fields path,show_title,season,number,date,title,summary,watched,position_ms \
    </dev/null | jq -r '[.path, .show_title] + (if .number == null and .date then
      (.date | split("-") | [.[0], (.[1] + .[2])] | map(tonumber | tostring))
      else [(.season // 1 | tostring), (.number | tostring)] end)
      + [.title, (.summary | gsub("\\s+"; " ")), "picture", (.watched | tostring),
        ((.position_ms // 0) / 1000 | floor | tostring)] | @tsv' | sort
}
shown() {
  ask VideoLibrary.GetEpisodes '{"properties": ["file", "showtitle", "season", "episode", "title", "plot",
    "art", "playcount", "resume", "userrating", "uniqueid", "writer", "director"]}' >shown.json
  jq -r '.result.episodes[] | [.file, .showtitle, (.season | tostring), (.episode | tostring), .title,
    (.plot | gsub("\\s+"; " ")), (if .art.thumb then "picture" else "no picture" end),
    (.playcount > 0 | tostring), (.resume.position | floor | tostring)] | @tsv' shown.json | sort
}
ask() { # METHOD [PARAMETERS]
  curl -fs --max-time 60 -H 'Content-Type: application/json' "http://127.0.0.1:$port/jsonrpc" \
    --data "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"$1\",\"params\":${2:-{\}}}"
}
until_true() { # SECONDS COMMAND…: another program tells nothing of its progress but on request
  local left=$(($1 * 5))
  shift
  until "$@"; do
    left=$((left - 1))
    [ "$left" -gt 0 ] || return 1
    sleep 0.2
  done
}
is_scanned() {
  ask XBMC.GetInfoBooleans '{"booleans": ["Library.IsScanningVideo"]}' |
    jq -e '.result["Library.IsScanningVideo"] == false' >/dev/null &&
    ask VideoLibrary.GetEpisodes | jq -e '.result.limits.total == 500' >/dev/null
}

# begin_kodi NAME: a Kodi without a library of its own scans that of vmx.
begin_kodi() {
  local data=$place/$1/.kodi/userdata
  port=$((20000 + RANDOM % 20000))
  mkdir -p "$data/Database"
  cat >"$data/advancedsettings.xml" <<END
<advancedsettings><services><webserver>true</webserver><webserverport>$port</webserverport>
<webserverauthentication>false</webserverauthentication></services>
<videolibrary><importwatchedstate>true</importwatchedstate>
<importresumepoint>true</importresumepoint></videolibrary></advancedsettings>
END
  cat >"$data/sources.xml" <<END
<sources><video><source><name>vmx</name><path>$library/</path></source></video></sources>
END
  rm -f display
  chroot "$root" /usr/bin/Xvfb -displayfd 1 -nolisten tcp -screen 0 640x480x24 >display 2>/dev/null &
  screen=$!
  until_true 20 test -s display || skip 'no display'
  setsid chroot "$root" env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 TZ=UTC "HOME=$place/$1" \
    "DISPLAY=:$(cat display)" LIBGL_ALWAYS_SOFTWARE=1 \
    kodi --standalone --windowing=x11 --audio-backend=null >"$1.log" 2>&1 &
  player=$!
  until_true 90 ask JSONRPC.Ping >/dev/null || skip "Kodi does not answer: $(tail -n 1 "$1.log")"
  inside sqlite3 "$data"/Database/MyVideos*.db "insert into path(strPath, strContent, strScraper,
    strHash, scanRecursive, useFolderNames, strSettings, noUpdate, exclude, allAudio) values(
    '$library/', 'tvshows', 'metadata.local', '', 0, 0, '<settings version=\"2\"></settings>', 0, 0, 0)" ||
    complain 'Kodi has another database'
  ask VideoLibrary.Scan >/dev/null
  until_true 180 is_scanned || complain 'Kodi does not show 500 episodes'
}
compare() { # WHEN
  told >told
  shown >shown
  tried=$((tried + 1))
  [ "$(wc -l <told)" = 500 ] || complain "$1: vmx has $(wc -l <told) episodes"
  diff told shown >out || complain "$1: Kodi shows something else"
}

# 3. The first scan.
begin_kodi first
compare 'the first scan'
ask VideoLibrary.GetTVShows '{"properties": ["year", "art"]}' >out
# A show without any day has the year 1970 in Kodi.
jq -e '.result.tvshows | map([.label, .year]) | sort == [["Daily News", 2024], ["Übermut & Söhne", 1970],
  ["日本の番組", 1970]]' out >/dev/null || complain 'other shows'

# 4. Kodi plays, rates and identifies three, exports over the files of vmx, and vmx imports the marks.
number_of() { jq -r --arg title "$1" '.result.episodes[] | select(.title == $title).episodeid' shown.json; }
now=$(date '+%F %T')
change() { # TITLE DETAILS
  ask VideoLibrary.SetEpisodeDetails "{\"episodeid\": $(number_of "$1"), $2}" |
    jq -e '.result == "OK"' >/dev/null || complain "Kodi does not change '$1'"
}
change 'Extra 1' "\"playcount\": 3, \"lastplayed\": \"$now\", \"userrating\": 8,
  \"uniqueid\": {\"tvdb\": \"99\"}, \"writer\": [\"W\"], \"director\": [\"D\"]"
change 'News 5' "\"lastplayed\": \"$now\", \"resume\": {\"position\": 600, \"total\": 1800},
  \"userrating\": 7"
change 第3話 "\"playcount\": 1, \"lastplayed\": \"$now\", \"userrating\": 6"
ask VideoLibrary.Export '{"options": {"overwrite": true, "images": false, "actorthumbs": false}}' >/dev/null
is_exported() {
  [ "$(grep -rl --include='*.nfo' '<dateadded>' "$library" | wc -l)" -ge 500 ]
}
until_true 120 is_exported || complain 'Kodi has not exported its library'
end_kodi
attempt 0 vmx-mark --from nfo -q --all
vmx-list --all --json --fields title,watched,position_ms </dev/null |
  jq -sc 'map(select(.watched or .position_ms) | [.title, .watched, .position_ms]) | sort' >out
[ "$(cat out)" = '[["Extra 1",true,null],["News 5",false,600000],["第3話",true,null]]' ] ||
  complain 'vmx has other marks than Kodi'

# 5. vmx marks others and the same, and every file is written again. A second Kodi, which knows only the
# files, has all of it.
id_of() { vmx-list --all --json </dev/null | jq -r --arg title "$1" 'select(.title == $title).id'; }
attempt 0 vmx-mark watched -q "$(id_of 'News 6')" "$(id_of 'Extra 1')"
attempt 0 vmx-mark position -q --at 5:00 "$(id_of 'News 7')" "$(id_of 'News 5')"
attempt 0 vmx-mark unwatched -q "$(id_of 第3話)"
attempt 0 vmx-verify -q --all
begin_kodi second
compare 'the second scan'
kept() { # TITLE CONDITION
  tried=$((tried + 1))
  jq -e --arg title "$1" ".result.episodes[] | select(.title == \$title) | $2" shown.json >out ||
    complain "Kodi has lost something of '$1'"
}
kept 'Extra 1' '.playcount == 3 and .userrating == 8 and .uniqueid.tvdb == "99" and .writer == ["W"]
  and .director == ["D"]'
kept 'News 5' '.resume.position == 300 and .userrating == 7 and .uniqueid.tvmaze == "7005"'
kept 'News 6' '.playcount == 1'
kept 'News 7' '.resume.position == 300'
kept 第3話 '.playcount == 0 and .userrating == 6'
end_kodi
finish
