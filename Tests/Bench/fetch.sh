#!/bin/bash
# One GiB from nginx on the loopback interface, verified and durable, against curl. SIZE in MiB.
# Wall clock, minimum of five, the sides alternate; each starts with an empty library and an idle
# disk. With SHA-256 instructions, the digest is nearly free, so curl alone is the yardstick.
# Without them the yardstick is curl followed by openssl.
. "$(dirname "$0")/measure.sh"
. "$(dirname "$0")/site.sh"
size=${SIZE:-1024}
film "film-$size.mp4" "${size}M"
url=$origin/film-$size.mp4
cat "$site/film-$size.mp4" >/dev/null
digest=$(openssl dgst -sha256 -r "$site/film-$size.mp4" | cut -d ' ' -f 1)

prepare_vmx() {
  anew
  vmx-add -q --id film/one --sha256 "$digest" "$url" </dev/null >/dev/null
}
prepare_curl() { anew; }
prepare_openssl() { anew; }
side_vmx() { vmx-fetch film/one --progress none; }
side_curl() { curl -sf -o "$copies/film" "$url" && sync "$copies/film"; }
side_openssl() { curl -sf -o "$copies/film" "$url" && openssl dgst -sha256 "$copies/film"; }

race "${ROUNDS:-5}" vmx curl openssl
for name in vmx curl openssl; do
  echo "$name: ${least_wall[$name]} ms wall, ${least_cpu[$name]} ms cpu"
done
alone=(most 0.95)
both=(unjudged 'this processor has instructions for SHA-256')
if ! sha_instructions; then
  alone=(unjudged 'this processor has no instructions for SHA-256')
  both=(most 0.97)
fi
what="vmx-fetch of $size MiB, digest, durable"
ratio "$what / curl -o, sync" "${least_wall[vmx]}" "${least_wall[curl]}" "${alone[@]}"
ratio "$what / curl -o, openssl dgst" "${least_wall[vmx]}" "${least_wall[openssl]}" "${both[@]}"

prepare_vmx
peak_anonymous vmx-fetch film/one --progress none
ratio 'anonymous memory of vmx-fetch / 64 MiB' "$peak" 65536 most 1
