# bash completion of moccasin.  Commands, options and their words are asked of
# the program itself, so this never falls behind it.

_moccasin() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
  local program=${COMP_WORDS[0]} command=${COMP_WORDS[1]} words=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    words="$("$program" help 2>/dev/null |
      sed -n '/^commands:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p') --version"
  elif [[ $command == help ]]; then
    words=$("$program" help 2>/dev/null |
      sed -n '/^commands:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p')
  elif [[ $cur == -* ]]; then
    words="$("$program" help "$command" 2>/dev/null |
      sed -n 's/^  .\{4\}\(--[a-z][a-z-]*\).*/\1/p') --help"
  elif [[ $command == generate ]] && ((COMP_CWORD == 2)); then
    words=$("$program" help generate 2>/dev/null |
      sed -n 's/^Kinds: \([^.]*\)\..*/\1/p' | tr -d ,)
  elif [[ $prev == --* ]]; then
    words=$("$program" help "$command" 2>/dev/null |
      sed -n "s/^  .\{4\}$prev \([a-z0-9-]*|[a-z0-9|-]*\).*/\1/p" | tr '|' ' ')
  fi
  if [[ -n $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  fi
}

complete -o filenames -F _moccasin moccasin
