#!/usr/bin/env bash
# A Slurm of its own on this machine, for tests: munged, slurmctld and one or more slurmd, all files in one folder. Another
# Slurm of the machine is neither used nor changed. Needs root, slurm-wlm and munge (scripts/setup.sh --slurm).
#   scripts/slurm_private.sh start DIR [NODES]      starts it in DIR (a new folder) with NODES nodes, n1 n2 ... (default 2);
#                                                   `. DIR/env.sh` makes sbatch and the like use it
#   scripts/slurm_private.sh stop DIR               ends every job and daemon of it; DIR keeps the logs
#   scripts/slurm_private.sh run [-n NODES] CMD...  starts it in a temporary folder, runs CMD there, stops it and removes the
#                                                   folder; exit code of CMD, or 1 when a process of a job is left
# DIR/pids/NAME holds the process id of each daemon: munged, slurmctld, n1, n2, ...
set -euo pipefail

usage() { sed -n '2,9s/^# \{0,1\}//p' "$0"; }
fail() { printf 'slurm_private: %s\n' "$1" >&2; exit 1; }

check_machine() {
  [ "$(id -u)" -eq 0 ] || fail 'expected to run as root: slurmd starts jobs as their users'
  local program
  for program in munged slurmctld slurmd sbatch scontrol setpriv; do
    command -v "$program" >/dev/null || fail "$program is not there, expected slurm-wlm and munge (scripts/setup.sh --slurm)"
  done
}

# A port that nobody listens at; the kernel gives none of this range to connections.
free_port() {
  local port
  for _ in $(seq 200); do
    port=$((10000 + RANDOM % 20000))
    grep -qi ":$(printf '%04x' "$port") " /proc/net/tcp /proc/net/tcp6 2>/dev/null || { echo "$port"; return; }
  done
  fail 'no free port'
}

# until_true SECONDS CMD...
until_true() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.05
  done
}

write_configuration() { # DIR NODES
  local dir=$1 nodes=$2 node host memory
  host=$(hostname -s)
  memory=$(awk '/^MemTotal/ { print int($2 / 2048) }' /proc/meminfo)
  cat >"$dir/slurm.conf" <<CONF
ClusterName=private
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool-%n
SlurmctldPidFile=$dir/pids/slurmctld
SlurmdPidFile=$dir/pids/%n
SlurmctldLogFile=$dir/log/slurmctld
SlurmdLogFile=$dir/log/%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_min_interval=100000,batch_sched_delay=0,bf_interval=1
JobCompType=jobcomp/filetxt
JobCompLoc=$dir/log/jobs
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
SlurmdTimeout=5
SlurmctldTimeout=30
KillWait=5
MessageTimeout=10
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
  for node in $(seq "$nodes"); do
    echo "NodeName=n$node NodeHostname=$host NodeAddr=127.0.0.1 Port=$(free_port) CPUs=1 RealMemory=$memory State=UNKNOWN" >>"$dir/slurm.conf"
  done
}

all_nodes_idle() { # NODES
  [ "$(sinfo --noheader --Node --format=%T 2>/dev/null | grep -c '^idle')" -eq "$1" ]
}

start() { # DIR NODES
  local nodes=${2:-2} dir node
  check_machine
  [ ! -e "$1/slurm.conf" ] || fail "$1 holds a Slurm already, expected another folder"
  mkdir -p "$1"
  dir=$(cd "$1" && pwd)
  mkdir -p "$dir"/{munge,state,pids,log}
  dd if=/dev/urandom of="$dir/munge/key" bs=128 count=1 status=none
  chown -R munge: "$dir/munge"
  chmod 700 "$dir/munge/key" && chmod 600 "$dir/munge/key"
  chmod 711 "$dir" "$dir/munge"
  write_configuration "$dir" "$nodes"
  echo "export SLURM_CONF='$dir/slurm.conf' DVE_SLURM_FOLDER='$dir'" >"$dir/env.sh"
  . "$dir/env.sh"
  setpriv --reuid munge --regid munge --clear-groups munged --socket="$dir/munge/socket" --key-file="$dir/munge/key" \
    --pid-file="$dir/munge/pid" --log-file="$dir/munge/log" --seed-file="$dir/munge/seed"
  ln -s ../munge/pid "$dir/pids/munged"
  slurmctld
  for node in $(seq "$nodes"); do slurmd -N "n$node"; done
  until_true 30 all_nodes_idle "$nodes" || { stop "$dir"; fail "no $nodes idle nodes after 30 s: see $dir/log"; }
}

# Ended, or ended and not yet waited for.
gone() { # PID
  local state
  state=$(sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null) || return 0
  [ -z "$state" ] || [ "$state" = Z ]
}
no_jobs() { [ -z "$(squeue --noheader --states=PD,R,CG 2>/dev/null)" ]; }

# Ends a daemon; a pid file whose process is another program by now is not believed.
stop_daemon() { # DIR NAME
  local pid program=$2
  pid=$(cat "$1/pids/$2" 2>/dev/null) || return 0
  case "$2" in n[0-9]*) program=slurmd ;; esac
  if gone "$pid" || [ "$(cat "/proc/$pid/comm" 2>/dev/null)" != "$program" ]; then return 0; fi
  kill "$pid"
  until_true 10 gone "$pid" || kill -9 "$pid"
}

stop() { # DIR
  local dir name
  dir=$(cd "$1" && pwd)
  . "$dir/env.sh"
  if scancel --user=root 2>/dev/null; then until_true 15 no_jobs || true; fi
  for name in $(sed -n 's/^NodeName=\([^ ]*\) .*/\1/p' "$dir/slurm.conf") slurmctld munged; do stop_daemon "$dir" "$name"; done
}

# Processes that this Slurm has started and that are left: "PID COMMAND" each.
left_of() { # DIR
  local process
  for process in /proc/[0-9]*; do
    if grep -qszF "SLURM_CONF=$1/slurm.conf" "$process/environ" && [ "${process#/proc/}" -ne "$BASHPID" ]; then
      echo "${process#/proc/} $(tr '\0' ' ' <"$process/cmdline")"
    fi
  done
}

run() {
  local nodes=2 dir code=0 left
  [ "${1:-}" != -n ] || { nodes=${2:-}; shift 2; }
  [ $# -gt 0 ] || fail 'a command is missing (--help)'
  dir=$(mktemp -d)
  start "$dir" "$nodes"
  trap 'stop "$dir"; rm -rf "$dir"' EXIT
  "$@" || code=$?
  trap - EXIT
  stop "$dir"
  left=$(left_of "$dir")
  rm -rf "$dir"
  [ -z "$left" ] || fail "processes are left: $left"
  exit "$code"
}

case "${1:-}" in
  start|stop) [ $# -ge 2 ] || { usage >&2; exit 2; }; "$@" ;;
  run) shift; run "$@" ;;
  -h|--help) usage ;;
  *) usage >&2; exit 2 ;;
esac
