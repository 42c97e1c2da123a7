#!/usr/bin/env bash
# Checks three of the golden results on the other architecture. qemu-user emulates it and runs its Node from npm. Needs
# Debian and root. If the emulation does not run here, reports what was skipped and succeeds. Fails if a result differs.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."

case $(uname -m) in
  aarch64) other=x64 emulator=qemu-x86_64 debian=amd64 libraries=/usr/x86_64-linux-gnu ;;
  x86_64) other=arm64 emulator=qemu-aarch64 debian=arm64 libraries=/usr/aarch64-linux-gnu ;;
  *) echo "Not checked: another architecture than $(uname -m), because none is known to emulate."; exit 0 ;;
esac

skip() {
  echo "Not checked: the results on $other, because $1."
  exit 0
}

folder=$(mktemp -d "${TMPDIR:-/tmp}/almanac-golden.XXXXXX")
trap 'rm -rf "$folder"' EXIT

if [[ ! -x /usr/bin/$emulator || ! -d $libraries/lib ]]; then
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update && apt-get install --yes --no-install-recommends \
    qemu-user "libc6-$debian-cross" "libstdc++6-$debian-cross"; } >"$folder/apt.log" 2>&1 || skip 'qemu-user could not be installed'
fi

version=$(sed -n "s/.*\"node-linux-$other\": \"\(.*\)\".*/\1/p" package.json)
npm pack --silent --pack-destination "$folder" "node-linux-$other@$version" >"$folder/npm.log" 2>&1 ||
  skip "its Node $version could not be downloaded"
tar -xzf "$folder"/node-linux-*.tgz -C "$folder"

node scripts/launch.mjs scripts/golden/strip-types.ts "$folder/project"

# The fast compilers are off, because emulating compiled code costs more time than it saves.
flags=(--no-opt --no-maglev --no-sparkplug --liftoff-only --wasm-lazy-compilation)
# The others take many minutes each under emulation.
requests=(quarterly_growth yearly_short manual)
status=0
timeout 420 "$emulator" -L "$libraries" "$folder/package/bin/node" "${flags[@]}" \
  "$folder/project/scripts/golden/run.mjs" "${requests[@]}" 2>&1 | tee "$folder/run.log" || status=$?
# Only a different result ends its line this way; an error of the emulation may also contain the word.
if grep -q ')  FAILED$' "$folder/run.log"; then exit 1; fi
if (( status != 0 )); then skip "the emulation ended with exit code $status"; fi
echo "Not checked on $other: the other golden requests, which take too long under emulation."
