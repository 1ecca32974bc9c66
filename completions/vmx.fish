# Completion of vmx for fish. Names of tools, options and values are static words, generated from the
# parsers (Sources/Packaging/describe.sh); only ids, shows, seasons, codes, steps, plugins and aliases are queried from
# the tools.

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

# The words before the typed one that are neither options nor before the tool.
function __vmx_operands
    set -l words (commandline -opc)
    set -l tool (__vmx_tool)
    while set -q words[1]; and test $words[1] != "$tool"
        set -e words[1]
    end
    string match -v -- '-*' $words[2..-1]
end

# Prints the requests of a tool, or what follows one.
function __vmx_request
    set -l operands (__vmx_operands)
    # An empty list would leave nothing of the word.
    set -l request "$operands[1]"
    switch (count $operands):(__vmx_tool):$request
        case '0:*'
            printf '%s\n' $argv
        case 1:queue:priority
            printf '%s\n' 10 5 1 0 -1 -5
        case 1:queue:set
            printf '%s\n' keep=yes keep=no watched=yes watched=no metered-ok=yes metered-ok=no
        case '*'
            __vmx_episodes
    end
end

function __vmx_shows
    set -l typed (commandline -ct | string replace -r '^--[^=]*=' '')
    vmx list --all --fields show --prefix "$typed" 2>/dev/null </dev/null | sort -u
end

# Prints shows, which stand for their episodes, and ids.
function __vmx_episodes
    string match -q '*/*' -- (commandline -ct); or __vmx_shows
    __vmx_ids
end

# Prints the seasons of the shows that are named.
function __vmx_seasons
    set -l shows
    set -l words (commandline -opc)
    for at in (seq (count $words))
        test $words[$at] = --show; and set -a shows --show $words[(math $at + 1)]
    end
    vmx list --all --fields season $shows 2>/dev/null </dev/null | sort -nu
end

function __vmx_codes
    vmx explain --fields code 2>/dev/null
end

function __vmx_steps
    vmx undo --list --fields id 2>/dev/null </dev/null
end

# Prints names with their descriptions after a tab.
function __vmx_plugins
    vmx plugin list --usable --fields name,summary 2>/dev/null </dev/null
end

# Completes the last word of a comma-separated list, with words that it does not have.
function __vmx_words
    set -l typed (string replace -r '[^,]*$' '' -- (commandline -ct))
    set -l listed (string split , -- $typed)
    for word in $argv
        contains -- $word $listed; or echo $typed$word
    end
end

# Prints names of settings: those of the given function, and those of the host that the typed word
# names.
function __vmx_setting_names
    set -l names ($argv[1])
    printf '%s\n' $names
    set -l host (string match -r '^host\..+(?=\.)' -- (commandline -ct))
    and string replace 'host.NAME' $host -- (string match 'host.NAME.*' -- $names)
end

function __vmx_setting_values
    __vmx_values (string replace -r '^host\..*\.' 'host.NAME.' -- $argv[1])
end

# Prints the requests of `vmx config`, or the settings or values that follow one.
function __vmx_config
    set -l operands (__vmx_operands)
    # An empty list would leave nothing of the word.
    set -l request "$operands[1]"
    switch (count $operands):$request
        case '0:'
            printf '%s\n' $argv
        case 1:get 1:set 1:unset 1:explain
            __vmx_setting_names __vmx_settings
            vmx config list --fields key 2>/dev/null </dev/null
        case 2:set
            __vmx_setting_values $operands[2]
    end
end

# Prints settings and values for `-c`.
function __vmx_pairs
    set -l typed (commandline -ct)
    if string match -q '*=*' -- $typed
        set -l setting (string replace -r '=.*' '' -- $typed)
        for value in (__vmx_setting_values $setting)
            echo $setting=$value
        end
    else
        for setting in (__vmx_setting_names __vmx_parameters)
            echo $setting=
        end
    end
end

complete -c vmx -f
complete -c vmx -n 'not __vmx_tool' -s C -x -a '(__fish_complete_directories)' -d 'Change to this folder first'
complete -c vmx -n 'not __vmx_tool' -s c -x -a '(__vmx_pairs)' -d 'Set a setting'
complete -c vmx -n 'not __vmx_tool' -l version -d 'Show the version'
complete -c vmx -n 'not __vmx_tool' -l exec-path -d 'Show the folder of the tools'
complete -c vmx -n 'not __vmx_tool' -l no-pager -d 'Do not use a pager'
complete -c vmx -n 'not __vmx_tool' -l list-cmds -d 'List the tools'
complete -c vmx -n 'not __vmx_tool' -l all -s a -d 'List all tools, plugins and aliases'
complete -c vmx -n 'not __vmx_tool' -a '(__vmx_plugins)'
complete -c vmx -n '__vmx_is help' -a '(__vmx_plugins)'
@words@
