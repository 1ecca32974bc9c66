# shellcheck shell=bash
# Sourced by torture scripts after stage.sh: the state of a library according to its files, read
# only with jq and find, so that a fault of a tool cannot hide itself.

# records [STORE]: the valid records, one JSON object a line; uncommitted transactions do not count.
records() {
  jq -cnR '
    def apply($line): .live["\($line.kind) \($line.id)"] =
      (if $line.deleted then null else $line end);
    reduce (inputs | fromjson? | objects | select(.kind and .id)) as $line
      ({live: {}, txn: null, open: []};
        if $line.txn then
          (if .txn == $line.txn then . else .txn = $line.txn | .open = [] end)
          | .open += [$line]
          | if $line.commit then
              reduce .open[] as $one (.; apply($one)) | .txn = null | .open = []
            else . end
        else .txn = null | .open = [] | apply($line) end)
    | .live[] | values' "${1:-$VMX_HOME/store.jsonl}"
}

# roots: the folders of media that the store knows, as lines `UUID PATH`.
roots() { records | jq -r 'select(.kind == "root") | "\(.id) \(.path)"'; }

# known_files: the absolute paths of all files that a record or sidecar mentions.
known_files() {
  records | jq -rn '
    [inputs] as $all
    | ($all | map(select(.kind == "root") | {(.id): .path}) | add // {}) as $roots
    | $all[] | select(.kind == "episode") | .parts[]?
    | select(.path and .root)
    | select(.repairs or
        ([.state, .at] | any(. == ("ready", "checked", "damaged", "missing", "removing"))))
    | "\($roots[.root])/\(.path)"'
  local uuid path
  while read -r uuid path; do
    [ ! -d "$path/.vmx/records" ] || find "$path/.vmx/records" -name '*.json' ! -name '.*' \
      -exec jq -r --arg root "$path" '.nfo.path // empty | "\($root)/\(.)",
        "\($root)/\(split("/")[0])/tvshow.nfo"' {} +
  done < <(roots)
}

# unknown_files: the media files below the roots that no record or sidecar mentions.
unknown_files() {
  local uuid path
  while read -r uuid path; do
    # A temporary file that a kill left beside the media is checked by its age, together with the
    # others.
    find "$path" -name '.vmx' -prune -o -type f ! -name '.vmx-*.tmp' -print
  done < <(roots) | sort | comm -23 - <(known_files | sort -u)
}

# drafts: the temporary files that an interrupted replacement may leave, in the home and in the
# roots.
drafts() {
  find "$VMX_HOME" \( -name '.vmx-*.tmp' -o -name 'root-*.json' -path '*/.vmx/*' \
    -o -name 'store.jsonl.1.new' -o -name 'store.jsonl.new' \) -type f
}

# age_drafts: makes temporary and partial files three days old, so that clean removes them.
age_drafts() {
  drafts | tr '\n' '\0' | xargs -0r touch -d '3 days ago'
  find "$VMX_HOME" -path '*/.vmx/*' ! -path '*/.vmx/records/*' ! -name root.json \
    -exec touch -d '3 days ago' {} + 2>/dev/null
}

# trash_is_whole: each entry of the trash has a list, which lists all its files, and belongs to a
# step known to undo or clean; all files listed in the steps that undo offers exist.
trash_is_whole() {
  local uuid path entry step state file listed
  records | jq -r 'select(.kind == "step") | "\(.id) \(.state)"' >steps
  while read -r uuid path; do
    for entry in "$path"/.vmx/trash/*; do
      [ -e "$entry" ] || continue
      if ! step=$(jq -er .step "$entry/entry.json" 2>/dev/null); then
        complain "the trash entry '${entry##*/}' has no list: $(ls -A "$entry" | tr '\n' ' ')"
        continue
      fi
      state=$(awk -v id="$step" '$1 == id { print $2 }' steps)
      case $state in
        done | begun) ;;
        *) complain "the trash entry of '$step' has a step that is '${state:-not there}'" ;;
      esac
      while read -r file; do
        case $file in entry.json | .vmx-*.tmp) continue ;; esac
        listed=$(jq --arg name "$file" '[.files[] | select(.name == $name)] | length' \
          "$entry/entry.json")
        [ "$listed" = 1 ] || complain "'$file' is in the trash of '$step' and $listed times listed"
      done < <(ls -A "$entry")
      [ "$state" = done ] || continue
      while read -r file; do
        [ -e "$entry/$file" ] || complain "'$file' is listed by '$step' and not in the trash"
      done < <(jq -r '.files[].name' "$entry/entry.json")
    done
  done < <(roots)
  while read -r step file; do
    path=$(roots | awk -v id="$file" '$1 == id { sub(/^[^ ]* /, ""); print }')
    [ -d "$path/.vmx/trash/${step//\//\~}" ] || complain "undo offers '$step', which has no trash"
  done < <(records | jq -r 'select(.kind == "step" and .state == "done" and (.permanent | not)
    and (.bytes // 0) > 0) | .id as $id | .roots[]? | "\($id) \(.)"')
}

# The parts of a record that a repeated command may change: numbers, times (also those of the files
# in a bundle), the history, the name of a run, and sizes of files that contain any of these.
plain='
  def run_name: gsub("[0-9]{8}T[0-9]{9}Z-[0-9a-f]{8}(?<file>[/~][0-9a-f]{16})?"; "RUN");
  def plain:
    walk(
      if type == "object" then
        del(.seq, .rev, .before_rev, .when, .trail, .added, .place, .proven, .until, .date,
          .verified, .modified, .lost_at)
        | if has("kind") or has("schema") then del(.at, .txn, .commit, .bytes) else . end
        | if has("by") then del(.at) else . end
          | if (.set | type) == "object" then .set |= map_values(del(.at)) else . end
        | if .kind == "copy" then .episodes |= map(.[:4]) else . end
        | if has("before") then del(.bytes) else . end
        | if has("name") and (.name | endswith(".json")) then del(.size) else . end
      elif type == "string" then run_name
      else . end)
    | if .files then .files |= sort_by(.name) else . end;
  def leaves: paths(type != "object" and type != "array" or length == 0) as $path
    | "\($path | map(tostring) | join(".")) \(getpath($path) | tojson)";'

# record_state: the records of the store without the parts that a repeated command may change, one
# line for each value in them.
record_state() {
  records | jq -r "$plain"'
    select(.kind | IN("header", "progress", "network", "host") | not)
    | plain | "\(.kind) \(.id)" as $record | del(.kind, .id) | "\($record) \(leaves)"' | sort
}

# file_state: lines for each file below the home: its mode, its name, and its digest or, if the file
# contains numbers and times, its other contents. Temporary files are omitted.
file_state() {
  local mode name said
  find "$VMX_HOME" \( -type f -o -type d ! -path '*/.vmx*' \) -printf '%m %P\n' | sort -k 2 |
    while read -r mode name; do
      case $name in
        '' | lock | store.jsonl* | *.vmx-*.tmp | */root-*.json) continue ;;
        store.damaged) said=$(sort -u "$VMX_HOME/$name" | sha256sum | cut -c 1-16) ;;
        *.part.json)
          said=$(jq -csS '.[0] + {held: .[-1].held} | {episode, part, total, held}' \
            "$VMX_HOME/$name" 2>/dev/null)
          ;;
        */records/*.json | */shows/*.json | */trash/*.json)
          said=$(jq -r "$plain plain | leaves" "$VMX_HOME/$name" 2>/dev/null || echo unreadable)
          ;;
        *)
          said=folder
          [ -d "$VMX_HOME/$name" ] || said=$(sha256sum <"$VMX_HOME/$name" | cut -c 1-16)
          ;;
      esac
      while read -r line; do echo "$mode $name $line"; done <<<"$said"
    done | sed -E 's/[0-9]{8}T[0-9]{9}Z-[0-9a-f]{8}([\/~][0-9a-f]{16})?/RUN/g' | sort
}

# whole_state: records and files. core_state: the same without sidecars and NFO files, which may be
# written after the command has exited with status 0.
whole_state() {
  record_state
  file_state
}
core_state() { whole_state | grep -vE '^[0-7]+ .*(\.nfo [0-9a-f]+$|~[^/]*\.json |/shows/[^/]*\.json |/entry\.json )'; }
