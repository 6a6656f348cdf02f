/** How often the work commits. */
export const PARTS = 4;

/**
 * The work of an agent on an issue, as a shell script with the ledger and the length of a pause as its arguments. It
 * commits pairs of files that have the name of this run of the script. Meanwhile, a program of its own session writes to
 * the workspace all the time, as a development server would: if a fleet is killed, this program must end, too. The
 * script writes to the ledger whether the workspace was clean at its start, and whether another run has written there.
 */
export const WORK = `
ledger=$1 pause=$2 issue=$(basename "$PWD")
say() {
  read -r up _ </proc/uptime
  echo "$up $1 $issue $$ - $2" >>"$ledger"
}
read -r up _ </proc/uptime
run="$$-$up"
say command "$run"
[ -z "$(git status --porcelain)" ] || say dirty "$(git status --porcelain | tr '\\n' ' ')"
setsid sh -c 'while :; do echo "$0" >>scratch; sleep 0.05; done' "$run" &
for part in 1 2 3 4; do
  echo "$run" >"$part.a"
  sleep "$pause"
  echo "$run" >"$part.b"
  git add "$part.a" "$part.b" && git commit --quiet --allow-empty --message "$part $run"
  sleep "$pause"
done
others=$(grep -vxF -e "$run" scratch | sort -u | tr '\\n' ' ')
[ -z "$others" ] || say mixed "$others"
kill -s KILL "$!"
wait "$!" 2>/dev/null
rm -f scratch
say committed "$run"
`;
