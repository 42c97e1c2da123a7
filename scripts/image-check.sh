#!/usr/bin/env bash
# Builds the image of the service and runs it as an operator would: read-only, without privileges, with a volume and the two
# settings of a newcomer. Makes a forecast, kills the container, reads the forecast after the next start, and starts the
# image with the data of an earlier build. Also builds the image for the other architecture, which cannot be run here.
#
# Needs Debian and root; installs mmdebstrap and podman. If no container can be run here, says so and succeeds.
#
#   scripts/image-check.sh             both architectures
#   scripts/image-check.sh --twice     builds the image of this machine again instead, and compares the digests
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/support/check-service.sh"

# The image on a disk, uncompressed. It is a bound on surprises, not a target.
readonly MAX_MEGABYTES=600

if ! dpkg-query --show mmdebstrap podman runc >"$workspace/dpkg.log" 2>&1; then
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update && apt-get install --yes --no-install-recommends mmdebstrap podman runc; } >"$workspace/apt.log" 2>&1 ||
    fail "mmdebstrap, podman and runc could not be installed: $(tail -n 3 "$workspace/apt.log")"
fi

cd "$checkout"
case $(uname -m) in
  x86_64) arch=x64 other=arm64 ;;
  aarch64) arch=arm64 other=x64 ;;
  *) echo "Not checked: the image on $(uname -m), which it is not built for."; exit 0 ;;
esac
if [[ ${1:-} == --twice ]]; then other=$arch; fi

build() {
  mkdir -p "$workspace/$1"
  npm run -s image -- --arch "$2" "$workspace/$1" 2>"$workspace/$1.log" || { cat "$workspace/$1.log" >&2; return 1; }
}
build second "$other" >"$workspace/second.out" &
second_build=$!
archive=$(build first "$arch") || fail 'the image could not be built'
wait "$second_build" || fail "the image for $other could not be built"
cat "$workspace/first.log"
second=$(tail -n 1 "$workspace/second.out")
if [[ $other == "$arch" ]]; then
  cmp "$archive" "$second" || fail 'two builds of the same commit differ'
  echo "Two builds gave the same file: $(sha256sum <"$archive")"
else
  echo "$(basename "$second") was built, and was not run."
fi

containers=(podman --root "$workspace/storage" --runroot "$workspace/run" --cgroup-manager cgroupfs --events-backend file --runtime runc)
# podman would raise limits, which needs a privilege that a virtual machine may lack.
limits=(--ulimit "nofile=$(ulimit -Sn):$(ulimit -Sn)" --ulimit nproc=4096:4096)
end_service() {
  "${containers[@]}" rm --all --force >/dev/null 2>&1 || true
  "${containers[@]}" rmi --all --force >/dev/null 2>&1 || true
}
if ! "${containers[@]}" run --rm "${limits[@]}" --network=host --rootfs /:O /bin/true >"$workspace/podman.log" 2>&1; then
  echo "Not run: the image, because podman cannot run a container here: $(tail -n 1 "$workspace/podman.log")"
  exit 0
fi

"${containers[@]}" load --quiet --input "$archive" >/dev/null
image=almanac:$(node -p "require('./package.json').version")
megabytes=$(( $("${containers[@]}" image inspect --format '{{.Size}}' "$image") / 1000000 ))
(( megabytes <= MAX_MEGABYTES )) || fail "the image has $megabytes MB, more than $MAX_MEGABYTES MB"
echo "$image: $megabytes MB"

run_almanac() { "${containers[@]}" exec almanac almanac "$@"; }
is_running() { [[ $("${containers[@]}" inspect --format '{{.State.Running}}' almanac) == true ]]; }

# start VOLUME: a name or a folder
start() {
  local port settings
  port=$(find_free_port)
  origin=http://127.0.0.1:$port
  settings=("${PUBLIC_SETTINGS[@]}" "PORT=$port" ALMANAC_MARKET_PROVIDERS=none ALMANAC_ECONOMIC_PROVIDERS=none)
  "${containers[@]}" run --detach --name almanac --pull=never "${limits[@]}" --network=host --read-only --read-only-tmpfs=false \
    --tmpfs=/tmp --cap-drop=ALL --security-opt=no-new-privileges --volume "$1:/var/lib/almanac" "${settings[@]/#/--env=}" \
    "$image" >/dev/null
  await_health
}

# The health check that Docker reads from the image; podman ignores it.
health_check=$(tar --extract --to-stdout --file "$archive" manifest.json | field 'at(0).Config')
health_check=$(tar --extract --to-stdout --file "$archive" "$health_check" | field 'config.Healthcheck.Test.at(-1)')
await_health() {
  wait_until_ready "$origin" is_running
  "${containers[@]}" exec almanac node -e "$health_check" || fail 'the health check of the image fails'
}

stop() {
  "${containers[@]}" stop --time "$STOP_SECONDS" almanac >/dev/null
  [[ $("${containers[@]}" inspect --format '{{.State.ExitCode}}' almanac) == 0 ]] || fail 'the container did not end by itself after SIGTERM'
  "${containers[@]}" rm almanac >/dev/null
}

start data
cat >"$workspace/inside.cjs" <<'JS'
const { readFileSync, writeFileSync, statSync } = require('node:fs');
const status = readFileSync('/proc/self/status', 'utf8');
const findings = [];
if (process.getuid() === 0) findings.push('the user is root');
if (!/^CapEff:\s*0+$/m.test(status)) findings.push('the process has capabilities');
for (const folder of ['/', '/etc', '/opt/almanac', '/usr/bin']) {
  try {
    writeFileSync(`${folder}/written`, '');
    findings.push(`${folder} is writable`);
  } catch (error) {
    if (error.code !== 'EROFS') findings.push(`${folder}: ${error.code}`);
  }
}
if (statSync('/var/lib/almanac').mode & 0o077) findings.push('others can read /var/lib/almanac');
if (findings.length > 0) throw new Error(findings.join('; '));
JS
"${containers[@]}" exec -i almanac node - <"$workspace/inside.cjs" || fail 'the container has more rights than it needs'
if "${containers[@]}" exec almanac /bin/sh -c true 2>/dev/null; then fail 'the image has a shell'; fi
make_forecast
check_console
"${containers[@]}" kill --signal=KILL almanac >/dev/null
wait_for_end is_running
"${containers[@]}" start almanac >/dev/null
await_health
check_same_forecast
stop

unpack_earlier_data "$workspace/earlier"
chown -R 10001:10001 "$workspace/earlier"
chmod 711 "$workspace"
start "$workspace/earlier"
check_earlier_forecast
stop
