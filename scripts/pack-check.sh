#!/usr/bin/env bash
# Packs the service, installs it into an empty folder and uses it as an operator would: starts it, creates a key, makes a
# forecast, kills the service, starts it again and reads the forecast. Then starts it with the data of the newest release.
#
#   scripts/pack-check.sh [KEEP]      KEEP: a folder that gets the tarball
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/support/check-service.sh"

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

run_almanac() { "$almanac" "$@"; }

# The two settings that a newcomer sets, and a folder and a port that are free here.
start() {
  PORT=$(find_free_port)
  export PORT ALMANAC_DATA=$1 "${PUBLIC_SETTINGS[@]}"
  : >"$log"
  setsid "$almanac" serve >"$log" 2>&1 &
  service=$!
  origin=http://127.0.0.1:$PORT
  wait_until_ready "$origin" kill -0 "$service"
}

stop() {
  kill -TERM "$service"
  wait_for_end kill -0 -- "-$service"
  wait "$service" || fail "almanac serve ended with code $? after SIGTERM"
  service=''
}

start "$workspace/data"
make_forecast
check_console
kill -KILL -- "-$service"
wait "$service" 2>/dev/null || true
start "$workspace/data"
check_same_forecast
stop

unpack_earlier_data "$workspace/release"
start "$workspace/release"
check_earlier_forecast
stop
