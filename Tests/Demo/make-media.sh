#!/bin/sh
# Makes the small library that `make demo` fetches: four episodes of moving pictures with sound,
# subtitles and posters, all drawn by ffmpeg's own sources, and the catalogue that names them.
# What it made is committed; run it again only to change the films.
# Needs Debian's ffmpeg and fonts-dejavu-core. Writes into media/ beside it.
set -eu
cd "$(dirname "$0")/media"
font=/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf

# film NAME TITLE CRF PICTURE SOUND: ten seconds, 320x180, H.264 and AAC, and a poster of it.
film() {
  title="drawtext=fontfile=$font:text='$2':fontcolor=white:fontsize=22:borderw=2:x=(w-tw)/2:y=h-44"
  ffmpeg -nostdin -v error -y -filter_complex \
    "$4,fps=12,format=yuv420p,$title:alpha='if(lt(t,3),1,max(0,4-t))'[v];$5,volume=0.3[a]" \
    -map '[v]' -map '[a]' -t 10 -c:v libx264 -preset veryslow -crf "$3" -g 60 -bf 2 \
    -c:a aac -ac 1 -ar 22050 -b:a 12k -movflags +faststart -fflags +bitexact \
    -flags:v +bitexact -flags:a +bitexact -metadata title="$2" "$1.mp4"
  ffmpeg -nostdin -v error -y -ss 2 -i "$1.mp4" -frames:v 1 -q:v 9 -flags:v +bitexact "$1.jpg"
}

# subtitles FILE LINE…: one line every three seconds, as SRT or WebVTT by the name.
subtitles() {
  file=$1 start=0 number=1 mark=,
  shift
  case $file in *.vtt) mark=. && printf 'WEBVTT\n\n' ;; esac >"$file"
  for line in "$@"; do
    printf '%d\n00:00:%02d%s500 --> 00:00:%02d%s000\n%s\n\n' \
      "$number" "$start" "$mark" $((start + 3)) "$mark" "$line" >>"$file"
    start=$((start + 3)) number=$((number + 1))
  done
}

film s01e01 'Sunrise' 27 \
  'gradients=s=320x180:r=12:seed=7:c0=0x10205a:c1=0xf08a3c:c2=0xf4d58d:nb_colors=3:speed=0.03' \
  'sine=f=196:r=22050[s];sine=f=294:r=22050[t];[s][t]amix=2'
film s01e02 'Life, a Game' 44 \
  'life=s=40x23:r=4:seed=3:ratio=0.3:mold=20:death_color=0x203060:life_color=0xe0f060,scale=320:180:flags=bilinear' \
  'sine=f=220:b=2:r=22050'
film s01e03 'Deep Zoom' 42 \
  'mandelbrot=s=320x180:r=12:start_scale=1.6:end_scale=0.1:end_pts=120:maxiter=400' \
  'sine=f=262:r=22050,vibrato=f=2:d=0.6'
film 2026-05-20 'Test Card' 36 \
  'testsrc=s=320x180:r=12' \
  'sine=f=330:b=4:r=22050'

subtitles s01e01.en.srt 'First there is only dark blue.' 'Then orange finds the edge.' \
  'And soon it is day.'
subtitles s01e01.de.srt 'Zuerst ist nur dunkles Blau.' 'Dann findet Orange den Rand.' \
  'Und bald ist es Tag – schön.'
subtitles s01e02.en.vtt 'Two neighbours, and you stay.' 'Three, and you are born.' \
  'All the rest is loneliness, or a crowd.'
subtitles s01e03.en.srt 'Nearer.' 'Nearer still.' 'It never ends, but the film does.'

# part ROLE FILE [LANG]: one part of a line of the catalogue.
part() {
  printf '{"role":"%s"%s,"url":"@ORIGIN@/%s","sha256":"%s","size":%d}' "$1" \
    "${3:+,\"lang\":\"$3\"}" "$2" "$(sha256sum "$2" | cut -c-64)" "$(stat -c %s "$2")"
}

{
  printf '{"id":"small-wonders/s01e01","show":"Small Wonders","season":1,"number":1,"title":"Sunrise","parts":[%s,%s,%s,%s]}\n' \
    "$(part video s01e01.mp4)" "$(part subtitle s01e01.en.srt en)" \
    "$(part subtitle s01e01.de.srt de)" "$(part image s01e01.jpg)"
  printf '{"id":"small-wonders/s01e02","show":"Small Wonders","season":1,"number":2,"title":"Life: a Game","parts":[%s,%s,%s]}\n' \
    "$(part video s01e02.mp4)" "$(part subtitle s01e02.en.vtt en)" "$(part image s01e02.jpg)"
  printf '{"id":"small-wonders/s01e03","show":"Small Wonders","season":1,"number":3,"title":"Deep Zoom","parts":[%s,%s,%s]}\n' \
    "$(part video s01e03.mp4)" "$(part subtitle s01e03.en.srt en)" "$(part image s01e03.jpg)"
  printf '{"id":"daily-test/2026-05-20","show":"Daily Test","date":"2026-05-20","title":"Test Card","parts":[%s,%s]}\n' \
    "$(part video 2026-05-20.mp4)" "$(part image 2026-05-20.jpg)"
} >catalogue.jsonl
