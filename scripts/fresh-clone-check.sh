#!/usr/bin/env bash
# Follows the README as a newcomer would: in a clone of the committed state, with Node 20, without node_modules or
# PostgreSQL. Runs "npm test", then "npm start", the curl command that it prints, and the commands of the README's tour.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/support/check-service.sh"

clone=$workspace/almanac

# Installed packages put a newer "node" into their .bin folders; the check must use Node 20.
outside_path=''
node_20_folder=''
IFS=: read -ra path_folders <<<"$PATH"
for folder in "${path_folders[@]}"; do
  if [[ $folder == */node_modules/.bin || $folder == */node-gyp-bin ]]; then continue; fi
  outside_path+=${outside_path:+:}$folder
  if [[ -z $node_20_folder && -x $folder/node && $("$folder/node" --version) == v20.* ]]; then node_20_folder=$folder; fi
done
export PATH=${node_20_folder:+$node_20_folder:}$outside_path
if [[ -z $node_20_folder ]]; then echo 'Node 20 is not installed; using the installed Node.'; fi
echo "node $(node --version), npm $(npm --version 2>/dev/null)"

if [[ -n $(git -C "$checkout" status --porcelain 2>/dev/null) ]]; then
  echo 'The checkout has uncommitted changes; the clone does not include them.'
fi
# A checkout mounted into a container often belongs to another user, which git refuses by default.
printf '[safe]\n\tdirectory = *\n' >"$workspace/gitconfig"
GIT_CONFIG_GLOBAL=$workspace/gitconfig git clone --quiet --local "$checkout" "$clone"
cd "$clone"
if [[ -e node_modules ]]; then fail 'node_modules is committed'; fi

echo '--- npm test'
npm test

echo '--- npm start'
port=$(find_free_port)
# The loop below reads the log, possibly before the background job has created it.
: >"$log"
# In its own process group, so that everything it started can be ended if a check fails.
PORT=$port ALMANAC_DATA=$workspace/data setsid npm start >"$log" 2>&1 &
service=$!

deadline=$((SECONDS + START_SECONDS))
until grep -q '^API key: ' "$log" && grep -q '^curl ' "$log"; do
  if ! kill -0 "$service" 2>/dev/null; then fail 'npm start ended early'; fi
  if (( SECONDS >= deadline )); then fail "npm start printed no API key and curl command within $START_SECONDS s"; fi
  sleep 0.2
done

curl_line=$(grep -m 1 '^curl ' "$log")
body=$(bash -c "$curl_line") || fail "the printed curl command failed: $curl_line"
if [[ $body != *'"data"'* ]]; then fail "the response to the printed curl command has no data: ${body:0:500}"; fi
echo "Response to the printed curl command: ${body:0:200}"

start_page=$(curl -sf "http://127.0.0.1:$port/") || fail 'the start page cannot be opened'
style=$(grep -o '/assets/console-[A-Z0-9]*\.css' <<<"$start_page") || fail 'the start page names no stylesheet'
curl -sf -o "$workspace/console.css" "http://127.0.0.1:$port$style" || fail "the stylesheet $style cannot be read"
echo "The start page and its stylesheet ($(wc -c <"$workspace/console.css") bytes) were read."

echo '--- the commands of the README'
node scripts/readme-commands.mjs | sed "s/127.0.0.1:8080/127.0.0.1:$port/g; s#data/demo-api-key#$workspace/data/demo-api-key#" >"$workspace/tour.sh"
ALMANAC_DATA=$workspace/data bash -eu "$workspace/tour.sh" >"$workspace/tour.log" 2>&1 ||
  fail "a command of the README failed: $(tail -n 5 "$workspace/tour.log")"
for expected in '"email":"demo@almanac.local"' 'us-unemployment-by-industry' '"value":27.1' '^2020-03-01T' '"credits":28' \
  'ef_[0-9A-Z]\{26\}$' '^event: completed' '^2020-05-31T' '^exact$' '"valid":true' '^200 image/png' '^2021-04-30T' \
  '"relative_wql":null' '"definition":' '"symbol":"^GSPC"' 'SCOPE_DENIED' 'unknown field' 'ada@example.org' \
  'code_challenge_methods_supported'; do
  grep -q -- "$expected" "$workspace/tour.log" || fail "the README's commands did not print: $expected"
done
echo 'Every command of the README printed what the README shows.'

kill -TERM "$service"
wait_for_end kill -0 "$service"
wait "$service" || fail "npm start ended with code $? after SIGTERM"
# npm can end before the service does.
if kill -0 -- "-$service" 2>/dev/null; then fail 'processes are still running after npm start has ended'; fi
service=''
echo 'Stopped cleanly.'
