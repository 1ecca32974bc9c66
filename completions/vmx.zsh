#compdef vmx -p vmx-*
# Completion of vmx for zsh. Names of tools, options and values are static words, generated from the
# parsers (Sources/Packaging/describe.sh); only ids, shows, seasons, codes, steps, plugins and aliases are queried from
# the tools.

typeset -ga _vmx_names _vmx_settings _vmx_parameters
@words@

_vmx_ids() {
  local -a ids
  ids=(${(f)"$(vmx list --all --fields id --prefix "$PREFIX" --limit 500 2>/dev/null </dev/null)"})
  compadd -a ids
}

_vmx_shows() {
  local -aU shows
  shows=(${(f)"$(vmx list --all --fields show --prefix "$PREFIX" 2>/dev/null </dev/null)"})
  compadd -a shows
}

# Offers shows, which stand for their episodes, and ids.
_vmx_episodes() {
  [[ $PREFIX == */* ]] || _vmx_shows
  _vmx_ids
}

# Offers the seasons of the shows that are named.
_vmx_seasons() {
  local -aU seasons
  local -a shows
  integer at
  for ((at = 2; at + 1 < CURRENT; at++)); do
    [[ $words[at] != --show ]] || shows+=(--show $words[at+1])
  done
  seasons=(${(f)"$(vmx list --all --fields season $shows 2>/dev/null </dev/null)"})
  compadd -a seasons
}

# Offers what follows the request of a tool.
_vmx_operands() {
  local -a operands
  operands=(${words[2,CURRENT-1]:#-*})
  case $#operands:${words[1]#vmx-}:$operands[1] in
    1:queue:priority) compadd -- 10 5 1 0 -1 -5 ;;
    1:queue:set) compadd -- {keep,watched,metered-ok}={yes,no} ;;
    *) _vmx_episodes ;;
  esac
}

_vmx_codes() {
  local -a codes
  codes=(${(f)"$(vmx explain --fields code 2>/dev/null)"})
  compadd -a codes
}

_vmx_steps() {
  local -a steps
  steps=(${(f)"$(vmx undo --list --fields id 2>/dev/null </dev/null)"})
  compadd -a steps
}

# Offers names of settings: the given ones, and those of the host that the typed word names.
_vmx_setting_names() {
  local -a names
  names=($@)
  [[ $PREFIX != host.?*.* ]] || names+=(${PREFIX%.*}.${^${(M)@:#host.NAME.*}##*.})
  [[ $argv[1] != $_vmx_settings[1] || $#argv -ne $#_vmx_settings ]] ||
    names+=(${(f)"$(vmx config list --fields key 2>/dev/null </dev/null)"})
  compadd $_vmx_suffix -a names
}

_vmx_setting_values() {
  case $1 in
    host.*.*) _vmx_values host.NAME.${1##*.} ;;
    *) _vmx_values $1 ;;
  esac
}

# Offers the settings or values that follow the request of `vmx config`.
_vmx_config() {
  local -a operands _vmx_suffix
  operands=(${words[2,CURRENT-1]:#-*})
  case $#operands:$operands[1] in
    1:(get|set|unset|explain)) _vmx_setting_names $_vmx_settings ;;
    2:set) _vmx_setting_values $operands[2] ;;
  esac
}

# Offers the setting and the value of `-c`.
_vmx_parameter() {
  local -a _vmx_suffix
  if compset -P 1 '*='; then
    _vmx_setting_values ${${IPREFIX%=}##*[[:space:]]}
  else
    _vmx_suffix=(-S =)
    _vmx_setting_names $_vmx_parameters
  fi
}

_vmx_tools() {
  _describe tool _vmx_names
  local -a found
  # A line is a name, a tab and a summary.
  found=(${${(f)"$(vmx plugin list --usable --fields name,summary 2>/dev/null </dev/null)"}/$'\t'/:})
  (( $#found )) && _describe plugin found
}

_vmx_tool() {
  case $1 in
    help) _vmx_tools ;;
    *) _vmx_arguments $1 || _files ;;
  esac
}

_vmx() {
  local curcontext=$curcontext state line
  if [[ $service == vmx-* ]]; then
    _vmx_tool ${service#vmx-}
    return
  fi
  _arguments -C '*-C[change to this folder first]:folder:_files -/' '*-c[set a setting]:key=value:_vmx_parameter' \
    '--version[show the version]' '--no-pager[do not use a pager]' '--exec-path=-[folder of the tools]:folder:_files -/' \
    '--list-cmds=-[list tools]:groups:' '(-h --help)'{-h,--help}'[show help]' '(-a --all)'{-a,--all}'[list all tools, plugins and aliases]' \
    '1:tool:_vmx_tools' '*::argument:->tool'
  [[ $state == tool ]] && _vmx_tool $line[1]
}

_vmx "$@"
