# Completion of vmx for fish. Names of tools, options and values are static words, generated from the
# parsers (Sources/Packaging/describe.sh); only ids, codes and steps are queried from the tools.

function __vmx_tool
    set -l words (commandline -opc)
    set -e words[1]
    while set -q words[1]
        switch $words[1]
            case -C -c
                set -e words[1]
            case '-*'
            case '*'
                echo $words[1]
                return 0
        end
        set -e words[1]
    end
    return 1
end

function __vmx_is
    set -l tool (__vmx_tool)
    and contains -- $tool $argv
end

function __vmx_ids
    vmx list --all --fields id --prefix (commandline -ct) --limit 500 2>/dev/null </dev/null
end

function __vmx_codes
    vmx explain --fields code 2>/dev/null
end

function __vmx_steps
    vmx undo --list --fields id 2>/dev/null </dev/null
end

# Completes the last word of a comma-separated list.
function __vmx_words
    set -l typed (string replace -r '[^,]*$' '' -- (commandline -ct))
    for word in $argv
        echo $typed$word
    end
end

complete -c vmx -f
complete -c vmx -n 'not __vmx_tool' -s C -x -a '(__fish_complete_directories)' -d 'Change to this folder first'
complete -c vmx -n 'not __vmx_tool' -s c -x -d 'Set a setting'
complete -c vmx -n 'not __vmx_tool' -l version -d 'Show the version'
complete -c vmx -n 'not __vmx_tool' -l exec-path -d 'Show the folder of the tools'
complete -c vmx -n 'not __vmx_tool' -l no-pager -d 'Do not use a pager'
complete -c vmx -n 'not __vmx_tool' -l list-cmds -d 'List the tools'
@words@
