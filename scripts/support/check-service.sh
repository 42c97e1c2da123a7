# Functions of the scripts that try an installed service as its users would. A script that sources this file gets
#
#   $checkout    the root of the checkout
#   $workspace   a folder that is removed at the end
#   $log         the output of the service, which is shown if a check fails
#   $service     the process group of the service, if the script starts one; it is ended at the end
#
# and defines run_almanac, which runs a command of the installed service.

readonly START_SECONDS=180
# Longer than the service takes to finish the requests and jobs in flight.
readonly STOP_SECONDS=60

checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
workspace=$(mktemp -d "${TMPDIR:-/tmp}/almanac-check.XXXXXX")
log=$workspace/service.log
service=''

end_service() {
  if [[ -n $service ]]; then kill -KILL -- "-$service" 2>/dev/null || true; fi
}

clean_up() {
  end_service
  rm -rf "$workspace"
}
trap clean_up EXIT

fail() {
  echo "FAILED: $1" >&2
  if [[ -s $log ]]; then tail -n 200 "$log" | sed 's/^/  service | /' >&2; fi
  exit 1
}

# Settings of the developer, or of npm if it runs the script, must not change the outcome. No check needs the network after
# the installation.
forget_settings() {
  local name
  unset DATABASE_URL DATABASE_DIRECT_URL TEST_DATABASE_URL TEST_POOLER_URL HOST PORT SITE_URL NODE_ENV NODE_OPTIONS \
    NODE_COMPILE_CACHE INIT_CWD
  for name in $(compgen -e | grep -E '^(ALMANAC_|npm_(package_|lifecycle_|execpath$|node_execpath$|command$|config_local_prefix$))' || true); do
    unset "$name"
  done
  export ALMANAC_MARKET_PROVIDERS=none ALMANAC_ECONOMIC_PROVIDERS=none
}
forget_settings

find_free_port() {
  node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

field() { node -pe "JSON.parse(require('fs').readFileSync(0)).$1"; }

# The two settings of a service behind a proxy on the same machine, and what the proxy adds to a request.
readonly PUBLIC_SETTINGS=(SITE_URL=https://almanac.example.org ALMANAC_TRUSTED_PROXIES=loopback)
request() { curl -sf -H 'X-Forwarded-Proto: https' "$@"; }

# wait_until_ready ORIGIN COMMAND…: the command fails when the service has ended.
wait_until_ready() {
  local origin=$1 deadline=$((SECONDS + START_SECONDS))
  shift
  until request "$origin/health/ready" >/dev/null; do
    if ! "$@" >/dev/null 2>&1; then fail 'the service ended early'; fi
    if (( SECONDS >= deadline )); then fail "the service was not ready within $START_SECONDS s"; fi
    sleep 0.2
  done
}

# wait_for_end COMMAND…: the command fails when the service has ended.
wait_for_end() {
  local deadline=$((SECONDS + STOP_SECONDS))
  while "$@" >/dev/null 2>&1; do
    if (( SECONDS >= deadline )); then fail "still running $STOP_SECONDS s after SIGTERM"; fi
    sleep 0.2
  done
}

read_forecast() { request -H "Authorization: Bearer $key" "$origin/api/v1/ensemble-forecasts/$id"; }

# Creates an account and a forecast at $origin, and sets $key, $id and $made: the completed forecast as it was read.
make_forecast() {
  local body deadline=$((SECONDS + 180))
  run_almanac user create first@example.org --verified --plan pro >/dev/null
  key=$(run_almanac key create first@example.org | field key)
  body='{"source":{"type":"economic_series","provider":"bundled","series_id":"mauna-loa-co2","value_field":"co2"},"horizon":6,"limit":120}'
  id=$(request -H "Authorization: Bearer $key" -H 'content-type: application/json' "$origin/api/v1/ensemble-forecasts" -d "$body" |
    field data.forecast_id) || fail 'the forecast was not created'
  until [[ $(read_forecast | field data.status) == completed ]]; do
    if (( SECONDS >= deadline )); then fail "the forecast is not completed: $(read_forecast | head -c 500)"; fi
    sleep 0.5
  done
  made=$(read_forecast)
}

check_same_forecast() {
  [[ $(read_forecast) == "$made" ]] || fail 'the forecast differs after the service was killed'
  echo "$id was completed, and is the same after the service was killed and started again."
}

# Writes the data of an earlier build to a folder, and sets $id to a forecast in it.
unpack_earlier_data() {
  id=$(cd "$checkout" && node scripts/launch.mjs scripts/package/unpack-fixture.ts "$1")
}

# Reads the forecast $id with a key of an account in the data of the earlier build.
check_earlier_forecast() {
  key=$(run_almanac key create ada@example.org | field key)
  [[ $(read_forecast | field data.status) == completed ]] || fail "$id of an earlier build cannot be read"
  echo "$id of an earlier build was read."
}

check_console() {
  local style
  style=$(request "$origin/" | grep -o '/assets/console-[A-Z0-9]*\.css' | head -n 1) || fail 'the start page names no stylesheet'
  request -o /dev/null "$origin$style" || fail "the stylesheet $style of the console cannot be read"
}
