# shellcheck shell=bash
# Sourced by sweep.sh: its scenes. `prepare_NAME` makes the state of a scene below $state, and
# `command_NAME` is the command that encounters the faults.

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
