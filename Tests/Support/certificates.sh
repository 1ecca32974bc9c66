#!/bin/sh
# Makes a certificate for the origin and the CA that signed it: certificates.sh FOLDER [NAME
# [DAYS]]. NAME is its subject alternative name, such as IP:127.0.0.1 or DNS:other.example. A
# negative DAYS makes an expired certificate. The files in FOLDER are ca.pem, origin.pem and
# origin.key.
set -eu
folder=$1 name=${2:-IP:127.0.0.1} days=${3:-2}
mkdir -p "$folder"
cd "$folder"
key='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
{
  # shellcheck disable=SC2086 # words
  openssl req -x509 $key -keyout ca.key -out ca.pem -days 2 -subj '/CN=CA of a test'
  # shellcheck disable=SC2086
  openssl req $key -keyout origin.key -out origin.csr -subj '/CN=origin'
  echo "subjectAltName = $name" >extensions
  openssl x509 -req -in origin.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days "$days" \
    -extfile extensions -out origin.pem
} 2>log || {
  cat log >&2
  exit 1
}
rm log
