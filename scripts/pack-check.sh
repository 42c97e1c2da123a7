#!/usr/bin/env bash
# Packs the service, installs it into an empty folder and uses it as an operator would: starts it, creates a key, makes a
# forecast, kills the service, starts it again and reads the forecast. Then starts it with the data of the newest release.
#
#   scripts/pack-check.sh [KEEP]      KEEP: a folder that gets the tarball
set -euo pipefail

readonly START_SECONDS=120 STOP_SECONDS=60

checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
workspace=$(mktemp -d "${TMPDIR:-/tmp}/almanac-pack.XXXXXX")
log=$workspace/service.log
service=''

clean_up() {
  if [[ -n $service ]]; then kill -KILL -- "-$service" 2>/dev/null || true; fi
  rm -rf "$workspace"
}
trap clean_up EXIT

fail() {
  echo "FAILED: $1" >&2
  if [[ -s $log ]]; then sed 's/^/  almanac serve | /' "$log" >&2; fi
  exit 1
}

# Settings of the developer must not change the outcome.
unset DATABASE_URL DATABASE_DIRECT_URL HOST PORT SITE_URL NODE_ENV NODE_OPTIONS NODE_COMPILE_CACHE INIT_CWD
for name in $(compgen -e | grep '^ALMANAC_' || true); do unset "$name"; done
export ALMANAC_MARKET_PROVIDERS=none ALMANAC_ECONOMIC_PROVIDERS=none

cd "$checkout"
tarball=$(npm run -s package -- "${1:-$workspace}")
unwanted=$(tar --list --file "$tarball" |
  grep -E '\.test\.|\.ts$|^package/(test|bench|training|client|clients|src|node_modules|\.git|\.ci)(/|$)|^package/web/(src|styles)' || true)
if [[ -n $unwanted ]]; then fail "the tarball has files of developers: ${unwanted:0:500}"; fi
echo "$(basename "$tarball"): $(tar --list --file "$tarball" | wc -l) files, $(stat --format=%s "$tarball") bytes"

mkdir "$workspace/empty"
cd "$workspace/empty"
npm install "$tarball" --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error
if [[ -e node_modules/typescript || -e node_modules/esbuild ]]; then fail 'development packages were installed'; fi
# The packages that both have in node_modules itself must be those of the lock file.
node - "$checkout/package-lock.json" node_modules/.package-lock.json <<'JS' || fail 'other versions than those of the lock file were installed'
const [locked, installed] = process.argv.slice(2).map((file) => JSON.parse(require('node:fs').readFileSync(file, 'utf8')).packages);
const direct = Object.keys(installed).filter((folder) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(folder) && folder !== 'node_modules/almanac');
const others = direct.filter((folder) => locked[folder]?.version !== installed[folder].version);
console.log(`${direct.length} packages, ${others.length} in another version than locked ${others.join(' ')}`);
process.exitCode = direct.length > 150 && others.length === 0 ? 0 : 1;
JS
almanac=$PWD/node_modules/.bin/almanac
[[ $("$almanac" version) == *'"'"$(node -p "require('$checkout/package.json').version")"'"'* ]] || fail 'almanac version prints another version'

start() {
  PORT=$(node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
  export PORT ALMANAC_DATA=$1
  : >"$log"
  setsid "$almanac" serve >"$log" 2>&1 &
  service=$!
  local deadline=$((SECONDS + START_SECONDS))
  until curl -sf "http://127.0.0.1:$PORT/health/ready" >/dev/null; do
    if ! kill -0 "$service" 2>/dev/null; then fail 'almanac serve ended early'; fi
    if (( SECONDS >= deadline )); then fail "the service was not ready within $START_SECONDS s"; fi
    sleep 0.2
  done
  api=http://127.0.0.1:$PORT/api
}

stop() {
  kill -TERM "$service"
  local deadline=$((SECONDS + STOP_SECONDS))
  while kill -0 -- "-$service" 2>/dev/null; do
    if (( SECONDS >= deadline )); then fail "still running $STOP_SECONDS s after SIGTERM"; fi
    sleep 0.2
  done
  wait "$service" || fail "almanac serve ended with code $? after SIGTERM"
  service=''
}

field() { node -pe "JSON.parse(require('fs').readFileSync(0)).$1"; }

start "$workspace/data"
key=$("$almanac" key create demo@almanac.local | field key)
body='{"source":{"type":"economic_series","provider":"bundled","series_id":"mauna-loa-co2","value_field":"co2"},"horizon":6,"limit":120}'
id=$(curl -sf -H "Authorization: Bearer $key" -H 'content-type: application/json' "$api/v1/ensemble-forecasts" -d "$body" | field data.forecast_id) ||
  fail 'the forecast was not created'
read_forecast() { curl -sf -H "Authorization: Bearer $key" "$api/v1/ensemble-forecasts/$id"; }
deadline=$((SECONDS + 180))
until [[ $(read_forecast | field data.status) == completed ]]; do
  if (( SECONDS >= deadline )); then fail "the forecast is not completed: $(read_forecast | head -c 500)"; fi
  sleep 0.5
done
made=$(read_forecast)
style=$(curl -sf "http://127.0.0.1:$PORT/" | grep -o '/assets/console-[A-Z0-9]*\.css' | head -n 1)
curl -sf -o /dev/null "http://127.0.0.1:$PORT$style" || fail 'the stylesheet of the console cannot be read'

kill -KILL -- "-$service"
wait "$service" 2>/dev/null || true
start "$workspace/data"
[[ $(read_forecast) == "$made" ]] || fail 'the forecast differs after the service was killed'
stop
echo "$id was completed, and is the same after the service was killed and started again."

public=$(cd "$checkout" && node scripts/launch.mjs scripts/package/unpack-fixture.ts "$workspace/release")
start "$workspace/release"
key=$("$almanac" key create ada@example.org | field key)
id=$public
[[ $(read_forecast | field data.status) == completed ]] || fail "$public of the newest release cannot be read"
stop
echo "$public of the newest release was read."
