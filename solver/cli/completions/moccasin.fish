# fish completion of moccasin; see moccasin.bash.

function __moccasin_commands
    moccasin help 2>/dev/null |
        sed -n '/^commands:/,/^$/s/^  \([a-z][a-z-]*\)  *\(.*\)/\1\t\2/p'
end

function __moccasin_options
    set -l words (commandline -opc)
    test (count $words) -ge 2; or return
    moccasin help $words[2] 2>/dev/null |
        sed -n 's/^  .\{4\}\(--[a-z][a-z-]*\).*/\1/p'
end

function __moccasin_words
    set -l words (commandline -opc)
    test (count $words) -ge 3; or return
    moccasin help $words[2] 2>/dev/null |
        sed -n "s/^  .\{4\}$words[-1] \([a-z0-9-]*|[a-z0-9|-]*\).*/\1/p" |
        tr '|' '\n'
end

function __moccasin_kinds
    set -l words (commandline -opc)
    test "$words[2]" = generate -a (count $words) -eq 2; or return
    moccasin help generate 2>/dev/null |
        sed -n 's/^Kinds: \([^.]*\)\..*/\1/p' | string split ', '
end

complete -c moccasin -n __fish_use_subcommand -f -a '(__moccasin_commands)'
complete -c moccasin -n '__fish_seen_subcommand_from help' -f \
    -a '(__moccasin_commands)'
complete -c moccasin -n 'string match -q -- "-*" (commandline -ct)' -f \
    -a '(__moccasin_options)'
complete -c moccasin -n 'test -n "$(__moccasin_kinds)"' -f \
    -a '(__moccasin_kinds)'
complete -c moccasin -n 'test -n "$(__moccasin_words)"' -f \
    -a '(__moccasin_words)'
