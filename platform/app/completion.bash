
# Behind the tables above: completes commands, options and their values. A value's name (NAME|FILE, KEY=VALUE, ..) says
# what completes it: see manual.h.
_dve_sim_words() {
  mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$1" -- "$2")
}

_dve_sim_paths() {
  mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen "$1" -- "$2")
  compopt -o filenames 2>/dev/null
}

# readline replaces what stands behind the last = of a word.
_dve_sim_setting() {
  if [[ $1 == *=* ]]; then
    _dve_sim_words "$(_dve_sim_choices "${1%%=*}")" "${1#*=}"
  else
    _dve_sim_words "$_dve_sim_keys" "$1"
    COMPREPLY=("${COMPREPLY[@]/%/=}")
    compopt -o nospace 2>/dev/null
  fi
}

_dve_sim_value() {
  case $1 in
    NAME) _dve_sim_words "$_dve_sim_generations" "$2" ;;
    'NAME|FILE')
      _dve_sim_words "$_dve_sim_generations" "$2"
      _dve_sim_paths -f "$2"
      ;;
    'DIR|NETWORK')
      _dve_sim_words "$_dve_sim_networks" "$2"
      _dve_sim_paths -f "$2"
      ;;
    DIR) _dve_sim_paths -d "$2" ;;
    FILE | 'DIR|FILE') _dve_sim_paths -f "$2" ;;
    *=FILE) [[ $2 != *=* ]] || _dve_sim_paths -f "${2##*=}" ;;
    KEY=VALUE) _dve_sim_setting "$2" ;;
    *[!a-z0-9\|]*) ;;
    *) _dve_sim_words "${1//|/ }" "$2" ;;
  esac
}

_dve_sim() {
  COMPREPLY=()
  local line=${COMP_LINE:0:COMP_POINT} word='' before kind command
  local -a words
  read -ra words <<<"$line"
  if [[ $line != *[[:space:]] ]]; then
    word=${words[-1]}
    unset 'words[-1]'
  fi
  command=${words[1]:-}
  if [[ -z $command ]]; then
    _dve_sim_words "$_dve_sim_commands --help --version" "$word"
    return
  fi
  before=${words[-1]}
  if [[ $word == --*=* ]]; then
    before=${word%%=*}
    word=${word#*=}
  fi
  kind=$(_dve_sim_kind "$command $before")
  if [[ -n $kind ]]; then
    _dve_sim_value "$kind" "$word"
  elif [[ $word == -* ]]; then
    _dve_sim_words "$(_dve_sim_options "$command")" "$word"
  else
    _dve_sim_value "$(_dve_sim_kind "$command")" "$word"
  fi
}
complete -F _dve_sim dve-sim
