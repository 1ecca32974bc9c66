#!/bin/bash
# One GiB from nginx on the loopback, digest proven and durable, against curl. SIZE in MiB.
# Wall clock, least of five, the sides in turns; each begins with an empty library and a clean disk.
. "$(dirname "$0")/measure.sh"
size=${SIZE:-1024}
export VMX_HOME=$BENCH/fetching
site=$BENCH/site
mkdir -p "$site"
film=$site/film-$size.mp4
if [ ! -e "$film" ]; then
  # The beginning of an MP4, so that it passes for one.
  { printf '\000\000\000\040ftypisom\000\000\002\000isomiso2avc1mp41'; head -c "${size}M" /dev/urandom; } |
    head -c "${size}M" >"$film.new"
  mv "$film.new" "$film"
fi
cat "$film" >/dev/null
digest=$(openssl dgst -sha256 -r "$film" | cut -d ' ' -f 1)

port=$((20000 + $$ % 20000))
cat >"$BENCH/nginx.conf" <<CONF
daemon off; worker_processes 1; pid $BENCH/nginx.pid; error_log $BENCH/nginx.log;
user root;
events { }
http {
  access_log off; sendfile on; tcp_nopush on;
  client_body_temp_path $BENCH/nginx-1; proxy_temp_path $BENCH/nginx-2;
  fastcgi_temp_path $BENCH/nginx-3; uwsgi_temp_path $BENCH/nginx-4; scgi_temp_path $BENCH/nginx-5;
  types { video/mp4 mp4; }
  server { listen 127.0.0.1:$port; root $site; }
}
CONF
[ "$(id -u)" = 0 ] || sed -i '/^user/d' "$BENCH/nginx.conf"
nginx -c "$BENCH/nginx.conf" &
nginx=$!
trap 'kill "$nginx" 2>/dev/null || true; rm -rf "$VMX_HOME" "$BENCH/copy"' EXIT
url=http://127.0.0.1:$port/${film##*/}
until curl -sfI "$url" >/dev/null; do kill -0 "$nginx"; sleep 0.05; done

anew() {
  rm -rf "$VMX_HOME" "$BENCH/copy"
  sync
}
prepare_vmx() {
  anew
  vmx-add -q --id film/one --sha256 "$digest" "$url" </dev/null >/dev/null
}
prepare_curl() { anew; }
prepare_openssl() { anew; }
side_vmx() { vmx-fetch film/one --progress none; }
side_curl() { curl -sf -o "$BENCH/copy" "$url" && sync "$BENCH/copy"; }
side_openssl() { curl -sf -o "$BENCH/copy" "$url" && openssl dgst -sha256 "$BENCH/copy"; }

race "${ROUNDS:-5}" vmx curl openssl
for name in vmx curl openssl; do
  echo "$name: ${least_wall[$name]} ms wall, ${least_cpu[$name]} ms cpu"
done
what="vmx-fetch of $size MiB, digest, durable"
ratio "$what / curl -o, sync" "${least_wall[vmx]}" "${least_wall[curl]}" most "${BUDGET:-1.15}"
ratio "$what / curl -o, openssl dgst" "${least_wall[vmx]}" "${least_wall[openssl]}" most 1

prepare_vmx
peak_anonymous vmx-fetch film/one --progress none
ratio 'anonymous memory of vmx-fetch / 64 MiB' "$peak" 65536 most 1
