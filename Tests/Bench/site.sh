# shellcheck shell=bash
# Sourced by the measurements of fetching: nginx on the loopback interface with $site, and its
# films. Below /late each response begins 20 ms late, below /slow each connection gets 5 MiB/s.
# shellcheck disable=SC2154 # BENCH is of measure.sh
site=$BENCH/site
scratch=$BENCH/fetching-$$
emptied=0
export VMX_HOME=$scratch/library-0
mkdir -p "$site" "$scratch"

# film PATH MIB: makes a film of random bytes with the beginning of an MP4, if it does not exist.
film() {
  [ ! -e "$site/$1" ] || return 0
  mkdir -p "$(dirname "$site/$1")"
  { printf '\000\000\000\040ftypisom\000\000\002\000isomiso2avc1mp41'; head -c "$2" /dev/urandom; } |
    head -c "$2" >"$site/$1.new"
  mv "$site/$1.new" "$site/$1"
}

# films FOLDER COUNT SIZE: makes this many, and sets urls to a file that lists their URLs.
films() {
  local number
  urls=$BENCH/urls
  : >"$urls"
  for ((number = 1; number <= $2; number++)); do
    film "$1/film-$number.mp4" "$3"
    echo "$origin/$1/film-$number.mp4" >>"$urls"
  done
  cat "$site/$1"/* >/dev/null
}

port=$((20000 + $$ % 20000))
origin=http://127.0.0.1:$port
modules=$(nginx -V 2>&1 | sed -n 's/.*--modules-path=\([^ ]*\).*/\1/p')
cat >"$BENCH/nginx.conf" <<CONF
load_module $modules/ngx_http_echo_module.so;
daemon off; worker_processes 1; pid $BENCH/nginx.pid; error_log $BENCH/nginx.log;
user root;
events { }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000;
  client_body_temp_path $BENCH/nginx-1; proxy_temp_path $BENCH/nginx-2;
  fastcgi_temp_path $BENCH/nginx-3; uwsgi_temp_path $BENCH/nginx-4; scgi_temp_path $BENCH/nginx-5;
  types { video/mp4 mp4; }
  server {
    listen 127.0.0.1:$port; root $site;
    location /late/ { rewrite ^/late(/.*) \$1 break; echo_sleep 0.02; echo_exec @film; }
    location @film { }
    location /catalogue/ { try_files \$uri \$uri.json =404; }
    location /slow/ { rewrite ^/slow(/.*) \$1 break; limit_rate 5m; }
  }
}
CONF
[ "$(id -u)" = 0 ] || sed -i '/^user/d' "$BENCH/nginx.conf"
nginx -c "$BENCH/nginx.conf" &
nginx=$!
trap 'kill "$nginx" 2>/dev/null || true; rm -rf "$scratch"' EXIT
until curl -s -o "$BENCH/out" "$origin/"; do kill -0 "$nginx"; sleep 0.05; done

# anew: an empty library, an empty folder for copies, an idle disk. Existing files are only moved
# away: for minutes after the removal of thousands of files, ext4 creates others slowly, and each
# side would pay for the previous one.
anew() {
  emptied=$((emptied + 1))
  VMX_HOME=$scratch/library-$emptied
  copies=$scratch/copies-$emptied
  mkdir -p "$copies"
  sync
}

# all_ready COUNT: aborts the run unless this many episodes are ready.
all_ready() {
  local count
  count=$(vmx-list --state ready --json | wc -l)
  [ "$count" = "$1" ] || { echo "bench: $count of $1 episodes are ready" >&2 && exit 1; }
}
