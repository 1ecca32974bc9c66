#!/bin/sh
# Makes NAME.tar.gz with the tools on PATH: what that version of vmx leaves behind. The stories
# earlier-* read it with the present version, so it is never made anew: make-earlier.sh NAME
set -eu
command -v vmx loopback-origin ffmpeg jq >/dev/null
work=$(mktemp -d)
made=${1:?}
here=$(cd "$(dirname "$0")" && pwd)
cd "$work"
mkdir site
film() { # NAME SECONDS SIZE NOISE
  ffmpeg -nostdin -v error -y -f lavfi -i "testsrc2=s=$3:r=5,hue=h=${1#e}0,noise=alls=$4" -t "$2" \
    -c:v libx264 -crf 40 -movflags +faststart -fflags +bitexact -flags:v +bitexact "site/$1.mp4"
}
for name in e1 e2 e3 e4 e5; do film $name 2 64x36 0; done
film e9 20 160x90 40
printf '1\n00:00:00,500 --> 00:00:01,500\nGood morning\n' >site/e3.en.srt
loopback-origin --root site --port-file port --life 600 \
  --rule '/e9.mp4 etag:"kept" modified:1767225600' \
  --rule '/e9.mp4 cut:40000 times 1' --rule '/e9.mp4 status:503 retry-after:3600 after 1' >log 2>&1 &
server=$!
trap 'kill $server' EXIT
until [ -s port ]; do sleep 0.1; done
export http_proxy=http://127.0.0.1:$(cat port)
O=http://films.invalid
item() { # NUMBER TITLE DAY
  printf '<item><title>%s</title><guid isPermaLink="false">h-%s</guid><pubDate>%s May 2026 10:10:00 GMT</pubDate>' "$2" "$1" "$3"
  printf '<enclosure url="%s/e%s.mp4" length="%s" type="video/mp4"/></item>\n' "$O" "$1" "$(stat -c %s "site/e$1.mp4")"
}
{
  printf '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>Harbour News</title>\n'
  item 1 'The Ant and the Bee' 01
  item 2 'Über Moos' 08
  printf '</channel></rss>\n'
} >site/feed.xml
export HOME=$work VMX_HOME=$work/vmx TZ=UTC
vmx feed add -q --want all "$O/feed.xml"
vmx add -q --id our-films/s01e01 --show 'Our Films' --season 1 --number 1 --title Sunrise \
  --subtitle "en=$O/e3.en.srt" "$O/e3.mp4"
vmx add -q --id our-films/s01e02 --show 'Our Films' --season 1 --number 2 --title Removed "$O/e4.mp4"
vmx add -q --id our-films/old-name --show 'Our Films' --title 'Another Name' "$O/e5.mp4"
vmx fetch -q --all
vmx verify -q
vmx rename -q our-films/old-name our-films/another-name
vmx mark -q watched harbour-news/the-ant-and-the-bee
vmx queue -q set keep=yes our-films/s01e01
vmx export -q --all -o bag.tar
vmx export -q --show our-films -o bag
vmx feed export >feeds.opml
vmx rm -q our-films/s01e02
vmx add -q --id our-films/s01e09 --show 'Our Films' --season 1 --number 9 --title Unfinished "$O/e9.mp4"
vmx fetch -q our-films/s01e09 || true
rm -rf .config .cache
tar -czf "$here/$made.tar.gz" --owner=0 --group=0 --sort=name site vmx bag.tar bag feeds.opml
rm -rf "$work"
