/**
 * The guard, as a POSIX shell script. Its arguments are the mark (a unique value of an environment variable), the
 * number of checks whether the server ends by itself, a folder to remove at the end (or an empty string), and the pid
 * and start time of the server. If the guard is started before the server, it reads the pid and start time from its
 * stdin. The stdin of the guard closes when the owner of the server is done or dead.
 *
 * Then the guard waits for the server to end and kills the server's process group. After that it kills, in repeated
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
mark=$1 looks=$2 folder=$3 server=$4 began=$5

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

ancestor=$PPID
ancestors="1|$ancestor"
while [ "$ancestor" -gt 1 ] && look "$ancestor" && [ -n "$parent" ]; do
  ancestor=$parent
  ancestors="$ancestors|$ancestor"
done

[ -n "$server" ] || read -r server began
if [ -n "$server" ] && ! [ -r /proc/self/stat ] && look "$server"; then began=$start; fi
while read -r _; do :; done

lives() { [ -n "$server" ] && look "$server" && [ "$start" = "$began" ] && [ "$state" != Z ]; }
while [ "$looks" -gt 0 ] && lives; do
  sleep 0.02
  looks=$((looks - 1))
done
ours() { [ -n "$server" ] && { ! look "$server" || [ "$start" = "$began" ]; }; }
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
[ -z "$folder" ] || rm -rf -- "$folder"
`;
