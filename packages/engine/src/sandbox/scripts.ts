/**
 * Closes every descriptor that the server inherited from its own parent, because a folder that is open outside the
 * sandbox leads out of it. Then it opens the seccomp filter as descriptor 9 and starts bwrap. The first argument is the
 * filter's path. If a step fails, the shell exits.
 *
 * `exec 10>&-` is not portable: only bash closes descriptors above 9.
 */
export const START: string = `more=
for file in /proc/self/fd/*; do
  n=\${file##*/}
  case "$n" in [0129]) continue ;; "*") exit 126 ;; esac
  if [ ! -L "$file" ]; then continue; fi
  case "$n" in ?) eval "exec $n>&-" ;; *) more="$more exec $n>&-;" ;; esac
done
exec 9<"$1" || exit 126
shift
if [ -z "$more" ]; then exec "$@"; fi
if [ -n "$BASH_VERSION" ]; then eval "$more"; exec "$@"; fi
exec /bin/bash -c "$more"' exec "$@"' codexwright "$@"`;

/**
 * The same in a terminal: keys such as Ctrl-C send signals to bwrap as well. It ignores them, and the command gets its
 * own defaults back.
 */
export const START_IN_TERMINAL: string = `trap "" INT QUIT TSTP
${START}`;

/**
 * The first program in the sandbox compares the writable mounts with the planned ones, and then starts the command. bwrap
 * mounts by path, so a folder that another command replaces at that moment could be mounted instead.
 *
 * Arguments: the lines "device root" of planned mounts, the devices of the host, then the command.
 */
export const VERIFY_AND_RUN: string = `unset -f read printf
n='
'
s=
while read -r id parent device root point options rest; do
  s=1
  case "$options" in rw | rw,*) ;; *) continue ;; esac
  case "$point" in
    /dev/null | /dev/zero | /dev/full | /dev/random | /dev/urandom | /dev/tty | /dev/console) continue ;;
    /dev | /dev/pts) case "$2" in *"$n$device$n"*) ;; *) continue ;; esac ;;
  esac
  case "$1" in *"$n$device $root$n"*) continue ;; esac
  printf 'codexwright: the command was not run: %s is writable in its sandbox, but should not be\\n' "$point" >&2
  exit 126
done </proc/self/mountinfo || exit 126
if [ -z "$s" ]; then exit 126; fi
shift 2
exec "$@"`;
