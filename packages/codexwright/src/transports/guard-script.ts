/**
 * The guard, as a POSIX shell script. Its arguments are the mark (a unique value of an environment variable), the
 * number of checks whether the server ends by itself, a folder to remove at the end (or an empty string), the end of the
 * server's lease (or an empty string), and the pid and start time of the server. The guard reads lines from its stdin:
 * `server <pid> <start time>` if it was started before the server, and `lease <end>` when the lease is renewed. The stdin
 * of the guard closes when the owner of the server is done or dead.
 *
 * If there is a lease, a subshell, the timer, waits for its end. The shell has no `read` with a time limit, so a renewal
 * starts a new timer and then ends the old one. The timer does not need the guard's stdin, so it works while the owner is
 * stopped. The end is a time on a clock, not a duration, so a renewal that arrives late does not make the lease longer.
 * The timer sleeps at most a second at once, because `sleep` does not count the time in which the machine sleeps. If the
 * guard was killed, its timer ends too, because the owner starts another guard; but if the owner is stopped or dead, the
 * timer stays. A clock that cannot be read counts as the end of the lease.
 *
 * When its stdin closes, the guard waits for the server to end and kills the server's process group. After that it kills, in repeated
 * passes, every process that has the mark in its environment or is in the server's session (Codex does not pass the
 * mark to MCP servers). It stops when two passes in a row find no such process.
 *
 * There are two moments in which a pass cannot recognise a process: during `exec`, when its command line and
 * environment are empty, and while Codex prepares a command in a process without environment
 * (`--codex-run-as-process-setup`). The parent of such a process was the server, which is dead, so its parent is now
 * the owner or one of the owner's ancestors. The guard does not kill such a process, because it may belong to another
 * program. Instead, the guard repeats the pass until no such process is younger than the server.
 *
 * The system reuses pids. So the owner reads the start time of the server, because a replacement guard may start after
 * the server has ended. The guard kills the group and the session of the server only if the server's pid is free or
 * still has that start time. It checks the mark or the session again immediately before each kill.
 */
export const GUARD_SCRIPT = `
trap '' HUP INT QUIT TERM
export LC_ALL=C
mark=$1 looks=$2 folder=$3 deadline=$4 server=$5 began=$6
timer=

look() {
  state= parent= session= start=
  if [ -r /proc/self/stat ]; then
    line=
    while read -r part; do line="$line $part"; done <"/proc/$1/stat" || return 1
    [ -n "$line" ] || return 1
    set -- \${line##*") "}
    state=$1 parent=$2 session=$4 start=\${20}
  else
    start=$(ps -o lstart= -p "$1")
    [ -n "$start" ]
  fi
}

lives() { [ -n "$server" ] && look "$server" && [ "$start" = "$began" ] && [ "$state" != Z ]; }
ours() { [ -n "$server" ] && { ! look "$server" || [ "$start" = "$began" ]; }; }

sweep() {
  if ours; then kill -s KILL -- "-$server"; fi
  clean=0
  passes=200
  while [ "$clean" -lt 2 ] && [ "$passes" -gt 0 ]; do
    passes=$((passes - 1))
    clean=$((clean + 1))
    kin=
    for file in $(grep -lszE -e "^$mark$" -e "[)] [^ZX] ($ancestors) " /proc/[0-9]*/environ /proc/[0-9]*/stat); do
      process=\${file%/*}
      case $file in
      */stat) kin="$kin $process/cmdline" ;;
      *)
        if grep -qszxF -e "$mark" "$file"; then
          kill -s KILL "\${process#/proc/}"
          clean=0
        fi
        ;;
      esac
    done
    if ours; then
      for file in $(grep -lsE -e "[)] [^ZX] [0-9]+ [0-9]+ $server " /proc/[0-9]*/stat); do
        process=\${file%/stat}
        if look "\${process#/proc/}" && [ "$session" = "$server" ]; then
          kill -s KILL "\${process#/proc/}"
          clean=0
        fi
      done
    fi
    for file in \${kin:+$(grep -Lsv -e '-[-]codex-run-as-process-setup' $kin)}; do
      process=\${file%/*}
      look "\${process#/proc/}" && [ "$state" != Z ] && [ "$start" -ge "\${began:-0}" ] && clean=0
    done
    [ "$clean" -gt 0 ] || sleep 0.02
  done
}

clock() {
  up=
  if [ -r /proc/uptime ]; then
    read -r up _ </proc/uptime
  else
    up=$(date +%s).00
  fi
  case $up in
  [0-9]*.[0-9][0-9]) now=$((\${up%.*} * 100 + 1\${up#*.} - 100)) ;;
  *) now=$deadline ;;
  esac
}

forsaken() {
  if look "$$" && [ "$start" = "$guard" ]; then return 1; fi
  look "$PPID" && [ "$start" = "$owner" ] && case $state in [TtZX]) false ;; esac
}

await() {
  nap=
  trap '[ -z "$nap" ] || kill -s KILL "$!"; exit 0' USR1
  while clock && [ "$now" -lt "$deadline" ]; do
    if forsaken; then exit; fi
    rest=$((deadline - now))
    [ "$rest" -le 100 ] || rest=100
    hundredths=$((rest % 100 + 100))
    nap=1
    sleep "$((rest / 100)).\${hundredths#1}" &
    wait "$!"
  done
  trap '' USR1
  if ! forsaken; then sweep; fi
}

disarm() {
  [ -n "$1" ] || return 0
  kill -s USR1 "$1"
  kill -s CONT "$1"
  wait "$1"
}

arm() {
  [ -n "$deadline" ] || return 0
  last=$timer
  await </dev/null &
  timer=$!
  disarm "$last"
}

look "$PPID"
owner=$start
look "$$"
guard=$start
ancestor=$PPID
ancestors="1|$ancestor"
arm
while [ "$ancestor" -gt 1 ] && look "$ancestor" && [ -n "$parent" ]; do
  ancestor=$parent
  ancestors="$ancestors|$ancestor"
done

meet() {
  if [ -n "$server" ] && ! [ -r /proc/self/stat ] && look "$server"; then began=$start; fi
}
meet
while read -r word value more; do
  case $word in
  server)
    server=$value began=$more
    meet
    ;;
  lease) deadline=$value ;;
  esac
  arm
done

while [ "$looks" -gt 0 ] && lives; do
  sleep 0.02
  looks=$((looks - 1))
done
disarm "$timer"
sweep
[ -z "$folder" ] || rm -rf -- "$folder"
`;
