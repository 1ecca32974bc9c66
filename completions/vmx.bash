# Completion of vmx for bash. Names of tools, options and values are static words, generated from the
# parsers (Sources/Packaging/describe.sh); only ids, shows, seasons, codes, steps, plugins and aliases are queried from
# the tools.

# Sets `words` to the options of a tool, to the values of an option, to its operands, to the names of
# settings, or to the values of one.
_vmx_words() { # TOOL:[OPTION | operand] | settings | parameters | value:SETTING
  case $1 in
@words@
    *) return 1 ;;
  esac
}

_vmx_tools() { # CUR
  local words
  _vmx_words tools
  words+=" help $("$vmx" --list-cmds=others,aliases 2>/dev/null </dev/null)"
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$1" | sort -u)
}

# Offers names of files, or with `-d` of folders: bash quotes the chosen name, and appends a slash to a
# folder.
_vmx_files() { # -f|-d CUR
  local IFS=$'\n'
  # Fails outside of a completion, as in tests.
  compopt -o filenames 2>/dev/null
  # A word with a leading quote or a backslash is as typed on the command line; the name is the word
  # after the shell's expansion. A leading tilde means the home folder.
  local word=$2
  case $word in
    [\"\']*) word=${word:1} ;;
    *\\*) word=${word//\\/} ;;
  esac
  [[ $word != "~/"* ]] || word=$HOME/${word#"~/"}
  mapfile -t COMPREPLY < <(compgen "$1" -- "$word")
}

_vmx_shows() { # CUR
  "$vmx" list --all --fields show --prefix "$1" 2>/dev/null </dev/null | sort -u
}

# Offers matches: words, also for the last one of a comma-separated list, or the output of a tool.
_vmx_offer() { # CUR
  local head=
  case $words in
    @ids | @episodes)
      # A show stands for its episodes. The library filters by the typed prefix and returns at most 500
      # ids.
      mapfile -t COMPREPLY < <(
        [[ $words == @ids || $1 == */* ]] || _vmx_shows "$1"
        "$vmx" list --all --fields id --prefix "$1" --limit 500 2>/dev/null </dev/null
      )
      return
      ;;
    @files) _vmx_files -f "$1" && return ;;
    @folders) _vmx_files -d "$1" && return ;;
    @shows) words=$(_vmx_shows "${1##*,}") ;;
    @seasons)
      words=$("$vmx" list --all --fields season "${shows[@]}" 2>/dev/null </dev/null | sort -nu)
      ;;
    @codes) words=$("$vmx" explain --fields code 2>/dev/null) ;;
    @steps) words=$("$vmx" undo --list --fields id 2>/dev/null </dev/null) ;;
    @none) return ;;
  esac
  if [[ $1 == *,* ]]; then
    head=${1%,*},
    local left= word
    # A word that the list has is not offered again.
    for word in $words; do
      [[ ,$head == *,"$word",* ]] || left+=" $word"
    done
    words=$left
  fi
  mapfile -t COMPREPLY < <(compgen -P "$head" -W "$words" -- "${1##*,}")
}

# Sets `words` to names of settings: known ones, those of the host that the typed word names, and those
# that the user has set.
_vmx_settings() { # settings|parameters CUR
  local key
  _vmx_words "$1"
  for key in $words; do
    [[ $2 != host.?*.* || $key != host.NAME.* ]] || words+=" ${2%.*}.${key##*.}"
  done
  [[ $1 != settings ]] || words+=" $("$vmx" config list --fields key 2>/dev/null </dev/null)"
}

# Sets `words` to the values of a setting.
_vmx_values() { # SETTING
  case $1 in
    host.*.*) _vmx_words "value:host.NAME.${1##*.}" ;;
    *) _vmx_words "value:$1" ;;
  esac || words=@none
}

# Sets `words` to the settings or values that follow the request of `vmx config`.
_vmx_config() { # CUR, and the words before it
  local cur=$1 operands=() word
  shift
  for word; do
    [[ $word == -* ]] || operands+=("$word")
  done
  words=@none
  case ${#operands[@]}:${operands[0]-} in
    1:get | 1:set | 1:unset | 1:explain) _vmx_settings settings "$cur" ;;
    2:set) _vmx_values "${operands[1]}" ;;
  esac
}

# Sets `words` to what follows the request of a tool; leaves the requests there if none is typed.
_vmx_operands() { # TOOL, and the words before the typed one
  local operands=() tool=$1 word
  shift
  for word; do
    [[ $word == -* ]] || operands+=("$word")
  done
  case ${#operands[@]}:$tool:${operands[0]-} in
    0:*) ;;
    1:queue:priority) words="10 5 1 0 -1 -5" ;;
    1:queue:set)
      words="keep=yes keep=no watched=yes watched=no metered-ok=yes metered-ok=no"
      ;;
    *) words=@episodes ;;
  esac
}

_vmx() {
  local cur=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local vmx=vmx tool="" index=1 words
  COMPREPLY=()
  # bash makes words of their own of `--output`, `=` and the value, unless the user has removed `=` from
  # COMP_WORDBREAKS.
  local joined=
  if [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  elif [[ $cur == = ]]; then
    cur=
  elif [[ $cur == --*=* ]]; then
    previous=${cur%%=*} joined=${cur%%=*}= cur=${cur#*=}
  fi
  words=${COMP_WORDS[0]##*/}
  if [[ $words == vmx-* ]]; then
    tool=${words#vmx-}
  else
    vmx=${COMP_WORDS[0]}
  fi
  local setting=
  while [[ -z $tool && $index -lt $COMP_CWORD ]]; do
    case ${COMP_WORDS[index]} in
      -C) index=$((index + 1)) ;;
      -c)
        index=$((index + 1))
        # bash splits a setting and its value into words of their own, as above.
        setting=${COMP_WORDS[index]}
        while [[ ${COMP_WORDS[index + 1]-} == [=:] ]]; do index=$((index + 2)); done
        [[ $index -ge $COMP_CWORD ]] || setting=
        ;;
      -*) ;;
      *) tool=${COMP_WORDS[index]} ;;
    esac
    index=$((index + 1))
  done
  if [[ -z $tool ]]; then
    case $previous:$cur in
      -C:*) _vmx_files -d "$cur" ;;
      -c:*=*)
        joined=${cur%%=*}= cur=${cur#*=}
        _vmx_values "${joined%=}"
        _vmx_offer "$cur"
        COMPREPLY=("${COMPREPLY[@]/#/$joined}")
        ;;
      -c:*)
        compopt -o nospace 2>/dev/null
        _vmx_settings parameters "$cur"
        mapfile -t COMPREPLY < <(compgen -S = -W "$words" -- "$cur")
        ;;
      "$setting":*)
        _vmx_values "$setting"
        _vmx_offer "$cur"
        ;;
      *:-*)
        words="--version --no-pager --exec-path --list-cmds --help --all -C -c -a"
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
        ;;
      *) _vmx_tools "$cur" ;;
    esac
    return
  fi
  if [[ $tool == help ]]; then
    _vmx_tools "$cur"
    return
  fi
  if [[ $previous == -* ]] && _vmx_words "$tool:$previous"; then
    # The seasons of the shows that are named.
    local shows=() at
    for ((at = index; at + 1 < COMP_CWORD; at++)); do
      [[ ${COMP_WORDS[at]} != --show ]] || shows+=(--show "${COMP_WORDS[at + 1]}")
    done
  elif [[ $cur == -* ]]; then
    _vmx_words "$tool:"
  elif [[ $tool == config && $COMP_CWORD -gt $index ]]; then
    _vmx_config "$cur" "${COMP_WORDS[@]:index:COMP_CWORD-index}"
  else
    _vmx_words "$tool:operand" || words=@files
    # The request is the first operand; ids follow.
    [[ $words == @* ]] || _vmx_operands "$tool" "${COMP_WORDS[@]:index:COMP_CWORD-index}"
  fi
  _vmx_offer "$cur"
  [[ -z $joined ]] || COMPREPLY=("${COMPREPLY[@]/#/$joined}")
}

complete -F _vmx vmx $(_vmx_words tools && printf 'vmx-%s ' $words)
