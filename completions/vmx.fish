# Completion of vmx for fish. Names of tools, options and values are static words; only ids are
# asked of the library, which filters them by what was typed and gives 500 at most.

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

function __vmx_fields
    set -l typed (string replace -r '[^,]*$' '' -- (commandline -ct))
    for field in id rev title show season number date duration_ms language summary want state code reason until \
            lacks show_title priority place after keep watched expires added removal metered_ok work parts path size held due rank
        echo $typed$field
    end
end

complete -c vmx -f
complete -c vmx -n 'not __vmx_tool' -s C -x -a '(__fish_complete_directories)' -d 'Go to this folder first'
complete -c vmx -n 'not __vmx_tool' -s c -x -d 'Set a setting'
complete -c vmx -n 'not __vmx_tool' -l version -d 'Show the version'
complete -c vmx -n 'not __vmx_tool' -l exec-path -d 'Show the folder of the tools'
complete -c vmx -n 'not __vmx_tool' -l list-cmds -d 'List the tools'
complete -c vmx -n 'not __vmx_tool' -a add -d 'Put episodes into the library'
complete -c vmx -n 'not __vmx_tool' -a cancel -d 'Give up what is unfinished'
complete -c vmx -n 'not __vmx_tool' -a clean -d 'Bring store and disks into step, and make room'
complete -c vmx -n 'not __vmx_tool' -a doctor -d 'Tell what is wrong with the library, and mend it'
complete -c vmx -n 'not __vmx_tool' -a explain -d 'Explain an error code'
complete -c vmx -n 'not __vmx_tool' -a fetch -d 'Bring wanted episodes to disk, whole and proven'
complete -c vmx -n 'not __vmx_tool' -a help -d 'Tell of the tools, or of one'
complete -c vmx -n 'not __vmx_tool' -a list -d 'List the episodes kept in the library'
complete -c vmx -n 'not __vmx_tool' -a path -d "Print where an episode's file is"
complete -c vmx -n 'not __vmx_tool' -a pause -d 'Put episodes on hold'
complete -c vmx -n 'not __vmx_tool' -a queue -d 'Say what is wanted, and in which order'
complete -c vmx -n 'not __vmx_tool' -a rename -d 'Give an episode another id'
complete -c vmx -n 'not __vmx_tool' -a resume -d 'Let what is on hold go on'
complete -c vmx -n 'not __vmx_tool' -a retry -d 'Try again what failed'
complete -c vmx -n 'not __vmx_tool' -a rm -d 'Remove episodes, their files into the trash'
complete -c vmx -n 'not __vmx_tool' -a show -d 'Show one episode in full, and what it waits for'
complete -c vmx -n 'not __vmx_tool' -a states -d 'Print the diagram of states'
complete -c vmx -n 'not __vmx_tool' -a status -d 'Show what every fetcher is doing, and what waits'
complete -c vmx -n 'not __vmx_tool' -a verify -d 'Prove the files of the library against their digests'
complete -c vmx -n 'not __vmx_tool' -a undo -d 'Take back what rm and clean did last'
complete -c vmx -n '__vmx_is help' -a 'add clean doctor explain fetch list path queue rename rm show states status undo verify'

set -l every 'not __vmx_is help; and __vmx_tool'
complete -c vmx -n $every -l json -d 'Print JSON Lines'
complete -c vmx -n $every -l color -x -a 'auto always never' -d 'When to use colours'
complete -c vmx -n $every -s q -l quiet -d 'Print no notes'
complete -c vmx -n $every -s v -l verbose -d 'Tell more'
complete -c vmx -n $every -s h -l help -d 'Show help'
complete -c vmx -n $every -l version -d 'Show the version'

set -l form '__vmx_is add clean doctor explain fetch list rm status undo verify queue pause resume cancel retry'
complete -c vmx -n $form -l fields -x -a '(__vmx_fields)' -d 'Only these fields'
complete -c vmx -n $form -l format -x -d 'Print by a template'
complete -c vmx -n '__vmx_is add clean doctor explain fetch list path rm status undo verify queue pause resume cancel retry' -s 0 -l null -d 'End rows with NUL'

set -l filters '__vmx_is clean fetch list rm verify queue pause resume cancel retry'
complete -c vmx -n '__vmx_is add clean fetch list rm verify queue pause resume cancel retry' -l show -x -d 'Show'
complete -c vmx -n '__vmx_is add clean fetch list rm verify queue pause resume cancel retry' -l season -x -d 'Season'
complete -c vmx -n '__vmx_is add clean fetch list rm verify queue pause resume cancel retry' -l number -x -d 'Number'
complete -c vmx -n $filters -l state -x -d 'Only this state' -a 'new queued probed partial complete checked ready waiting failed missing damaged expired revoked removing removed'
complete -c vmx -n '__vmx_is add clean fetch list rm verify queue pause resume cancel retry' -l want -x -a 'fetch hold none gone' -d 'What is wanted'
complete -c vmx -n $filters -l due -d 'Only what is due'
complete -c vmx -n $filters -l failed -d 'Only what failed'
complete -c vmx -n $filters -l lacking -x -a 'subtitle image metadata key' -d 'Only what lacks this part'
complete -c vmx -n $filters -l unproven -x -d 'Only what was not proven for so long'
complete -c vmx -n $filters -l kept -d 'Only what is kept'
complete -c vmx -n $filters -l no-kept -d 'Only what is not kept'
complete -c vmx -n $filters -l watched -d 'Only what was watched'
complete -c vmx -n $filters -l no-watched -d 'Only what was not watched'
complete -c vmx -n $filters -l all -d 'Every episode'

complete -c vmx -n '__vmx_is add fetch' -l root -x -a '(__fish_complete_directories)' -d 'Put new media below this folder'
complete -c vmx -n '__vmx_is add clean doctor fetch rename rm undo verify queue pause resume cancel retry' -l lock-timeout -x -d 'Wait at most so long for a lock'
complete -c vmx -n '__vmx_is add' -F
complete -c vmx -n '__vmx_is add' -l id -x -d 'Give this id'
complete -c vmx -n '__vmx_is add' -l to -x -a '(__vmx_ids)' -d 'Add the URLs to this episode'
complete -c vmx -n '__vmx_is add' -l replace -d 'In place of the failed sources'
complete -c vmx -n '__vmx_is add' -l date -x -d 'Day of first showing'
complete -c vmx -n '__vmx_is add' -l title -x -d 'Title'
complete -c vmx -n '__vmx_is add' -l sha256 -x -d 'Published digest'
complete -c vmx -n '__vmx_is add' -l size -x -d 'Published bytes'
complete -c vmx -n '__vmx_is add' -l duration -x -d 'How long it plays, as published'
complete -c vmx -n '__vmx_is add' -l language -x -d 'Main language'
complete -c vmx -n '__vmx_is add' -l subtitle -x -d 'Subtitles, lang=url'
complete -c vmx -n '__vmx_is add' -l image -x -d 'A picture'
complete -c vmx -n '__vmx_is add' -l require -x -a 'subtitle image metadata key' -d 'Not ready without these parts'
complete -c vmx -n '__vmx_is fetch' -l quality -x -a 'first best smallest 1080p 720p 480p' -d 'Which of several files'
complete -c vmx -n '__vmx_is fetch' -l only -x -a 'video subtitle image metadata key' -d 'Only these parts'
complete -c vmx -n '__vmx_is fetch' -l missing -d 'Only what lacks such a part'
complete -c vmx -n '__vmx_is fetch' -l repair -d 'Only bring back what is damaged or missing'
complete -c vmx -n '__vmx_is fetch' -l from -r -F -d 'A copy to take intact bytes from'
complete -c vmx -n '__vmx_is fetch' -s j -l jobs -x -d 'Transfers at once'
complete -c vmx -n '__vmx_is fetch' -s x -l connections -x -d 'Connections for one part'
complete -c vmx -n '__vmx_is fetch' -l progress -x -a 'auto json none' -d 'Show progress'
complete -c vmx -n '__vmx_is fetch' -l checksums -d 'Look for a digest beside each URL'
complete -c vmx -n '__vmx_is fetch' -l no-checksums -d 'Do not look for digests beside URLs'
complete -c vmx -n '__vmx_is fetch' -l wait -d 'Sit through waits'
complete -c vmx -n '__vmx_is fetch' -l allow-metered -d 'Use a metered network'
complete -c vmx -n '__vmx_is fetch' -l limit-rate -x -d 'Bytes a second'
complete -c vmx -n '__vmx_is fetch' -l max-bytes -x -d 'End after so many bytes'
complete -c vmx -n '__vmx_is fetch' -l max-time -x -d 'End after so long'
complete -c vmx -n '__vmx_is fetch' -l nice -d 'Give way on the CPU'
complete -c vmx -n '__vmx_is fetch' -l idle -d 'Use the disk only while no other does'
complete -c vmx -n '__vmx_is fetch' -l notify -d 'Tell the desktop how it ended'
complete -c vmx -n '__vmx_is fetch' -l no-notify -d 'Do not tell the desktop'
complete -c vmx -n '__vmx_is list' -l sort -x -a '(__vmx_fields)' -d 'Sort by this field'
complete -c vmx -n '__vmx_is list' -l prefix -x -d 'Only ids that begin so'
complete -c vmx -n '__vmx_is list' -l limit -x -d 'At most so many'
complete -c vmx -n '__vmx_is list' -l follow -d 'Go on with what changes'
complete -c vmx -n '__vmx_is list' -l history -d 'What happened'
complete -c vmx -n '__vmx_is list' -l since -x -d 'Of the history, only since then'
complete -c vmx -n '__vmx_is path' -l part -x -a 'video subtitle image metadata key' -d 'The part'
complete -c vmx -n '__vmx_is queue' -l first -d 'Move before all that is wanted'
complete -c vmx -n '__vmx_is queue' -l last -d 'Move behind all that is wanted'
complete -c vmx -n '__vmx_is queue' -l before -x -a '(__vmx_ids)' -d 'Move before this episode'
complete -c vmx -n '__vmx_is queue' -l install-timer -d 'Let systemd or cron fetch each hour'
complete -c vmx -n '__vmx_is queue' -l uninstall -d 'Take that timer away'
complete -c vmx -n '__vmx_is queue' -l none -d 'Wait for no other episode'
complete -c vmx -n '__vmx_is queue pause resume cancel retry' -l dry-run -d 'Only tell what would be done'
complete -c vmx -n '__vmx_is queue' -a 'list add drop pause resume cancel retry move priority after set'
complete -c vmx -n '__vmx_is rm' -l permanent -d 'Delete the files at once'
complete -c vmx -n '__vmx_is rm' -l forget -d 'Remove the record too'
complete -c vmx -n '__vmx_is rm undo' -s n -l dry-run -d 'Only tell what would be done'
complete -c vmx -n '__vmx_is rm' -s y -l yes -d 'Do not ask'
complete -c vmx -n '__vmx_is undo' -l list -d 'List what can be taken back'
complete -c vmx -n '__vmx_is undo' -x -a '(vmx undo --list --fields id 2>/dev/null </dev/null)'
complete -c vmx -n '__vmx_is show' -l why -d 'Only what it waits for'
complete -c vmx -n '__vmx_is states' -l format -x -a 'plantuml mermaid json' -d 'The language'
complete -c vmx -n '__vmx_is status' -l live -d 'Redraw in place'
complete -c vmx -n '__vmx_is status' -l follow -d 'Go on with events'
complete -c vmx -n '__vmx_is status' -l disk -d 'What the folders of media take and leave'
complete -c vmx -n '__vmx_is verify' -l stalest -d 'The whole library'
complete -c vmx -n '__vmx_is verify' -l budget -x -d 'Begin no more after so many bytes'
complete -c vmx -n '__vmx_is verify' -l deadline -x -d 'Begin no more after so long'
complete -c vmx -n '__vmx_is verify' -l quick -d 'Only existence and size'
complete -c vmx -n '__vmx_is verify' -l structure -d 'Walk containers too'
complete -c vmx -n '__vmx_is verify' -l probe -d 'Ask ffprobe how long tracks play'
complete -c vmx -n '__vmx_is verify' -l checksums -d 'Print recorded digests'
complete -c vmx -n '__vmx_is verify' -s j -l jobs -x -d 'Files read at once'
complete -c vmx -n '__vmx_is verify' -s n -l dry-run -d 'Record nothing'
complete -c vmx -n '__vmx_is clean' -l keep-last -x -d 'Of each show keep so many'
complete -c vmx -n '__vmx_is clean' -l older-than -x -d 'What has been here for so long'
complete -c vmx -n '__vmx_is clean' -l free -x -d 'Make room until so much is free'
complete -c vmx -n '__vmx_is clean' -l unwatched -d 'With --free also what was not watched'
complete -c vmx -n '__vmx_is clean' -s y -l yes -d 'Do not ask'
complete -c vmx -n '__vmx_is clean' -l foreign -d 'Move what no record names to the trash'
complete -c vmx -n '__vmx_is clean' -l root -x -a '(__fish_complete_directories)' -d 'Only this root'
complete -c vmx -n '__vmx_is clean' -l even-kept -d 'Also what is to be kept'
complete -c vmx -n '__vmx_is clean' -l even-favourites -d 'Also favourite shows'
complete -c vmx -n '__vmx_is clean' -l plan -d 'Print the steps only'
complete -c vmx -n '__vmx_is clean' -l apply -d 'Do the steps of a plan'
complete -c vmx -n '__vmx_is clean' -s n -l dry-run -d 'Only tell what would be done'
complete -c vmx -n '__vmx_is clean' -l login -d 'Do the errands at login'
complete -c vmx -n '__vmx_is clean' -l install-login -d 'Let the session do so'
complete -c vmx -n '__vmx_is clean' -l uninstall -d 'Take that away'
complete -c vmx -n '__vmx_is clean' -l check -d 'Tell whether it is in force'
complete -c vmx -n '__vmx_is doctor' -l mend -d 'Mend what can be mended'
complete -c vmx -n '__vmx_is doctor' -s n -l dry-run -d 'Only tell what would be mended'
complete -c vmx -n '__vmx_is doctor' -l report -d 'Print a text that may be sent'
complete -c vmx -n '__vmx_is explain' -a '(vmx explain --fields code 2>/dev/null)'
complete -c vmx -n '__vmx_is fetch list path rename rm show status verify queue pause resume cancel retry' -a '(__vmx_ids)'
