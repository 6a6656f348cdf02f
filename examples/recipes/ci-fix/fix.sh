# sh ci/fix.sh <folder for the results> npm test
# For any CI. Writes report.json and fix.patch to the folder, which is outside of the checkout, and exits as the report says.
set -eu
out=$1
mkdir -p "$out"
CODEX_HOME=$(mktemp -d)
export CODEX_HOME
trap 'rm -rf "$CODEX_HOME"' EXIT
# The key reaches Codex through stdin, and no program that runs later has it in its environment.
printenv OPENAI_API_KEY | npx codex login --with-api-key
unset OPENAI_API_KEY
code=0
node ci/main.js "$@" > "$out/report.json" || code=$?
cat "$out/report.json"
exit "$code"
