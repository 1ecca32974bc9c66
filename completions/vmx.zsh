#compdef vmx -p vmx-*
# Completion of vmx for zsh. Names of tools, options and values are static words, generated from the
# parsers (Sources/Packaging/describe.sh); only ids, codes and steps are queried from the tools.

typeset -ga _vmx_names
@words@

_vmx_ids() {
  local -a ids
  ids=(${(f)"$(vmx list --all --fields id --prefix "$PREFIX" --limit 500 2>/dev/null </dev/null)"})
  compadd -a ids
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

_vmx_tools() {
  _describe tool _vmx_names
  compadd -- ${${(k)commands[(I)vmx-*]}#vmx-}
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
  _arguments -C '*-C[change to this folder first]:folder:_files -/' '*-c[set a setting]:key=value:' \
    '--version[show the version]' '--no-pager[do not use a pager]' '--exec-path=-[folder of the tools]:folder:_files -/' \
    '--list-cmds=-[list tools]:groups:' '(-h --help)'{-h,--help}'[show help]' \
    '1:tool:_vmx_tools' '*::argument:->tool'
  [[ $state == tool ]] && _vmx_tool $line[1]
}

_vmx "$@"
