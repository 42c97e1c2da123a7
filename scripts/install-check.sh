#!/usr/bin/env bash
# Follows "A fresh Debian server" of docs/install.md: runs its commands in an empty Debian with systemd, and uses the service
# through its proxy by https. Then runs the commands for PostgreSQL. Needs Debian and root; installs mmdebstrap and
# systemd-nspawn. If no Debian can be booted here, says so and succeeds.
#
# The commands that fetch packages run before the boot, because the booted Debian has no network. Its names are in
# /etc/hosts, and Caddy signs the certificate itself.
set -euo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/support/check-service.sh"

readonly BOOT_SECONDS=120 NAME=almanac.example.org

if ! dpkg-query --show mmdebstrap systemd-container >"$workspace/dpkg.log" 2>&1; then
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update && apt-get install --yes --no-install-recommends mmdebstrap systemd-container; } >"$workspace/apt.log" 2>&1 ||
    fail "mmdebstrap and systemd-container could not be installed: $(tail -n 3 "$workspace/apt.log")"
fi

# block NUMBER: the commands of a block of the section
block() {
  awk -v wanted="$1" '/^## /{ inside = $0 == "## A fresh Debian server" } inside && /^```/{ open = !open; count += open; next }
    inside && open && count == wanted' "$checkout/docs/install.md"
}
commands=$(block 1)
postgres_commands=$(block 2)
# A command can have several lines.
count=$(grep -cv '\\$' <<<"$commands")
(( count == 10 )) || fail "the page has $count commands, not ten"

cd "$checkout"
tarball=$(npm run -s package -- "$workspace")
root=$workspace/debian
mmdebstrap --quiet --mode=root --variant=minbase --include=systemd-sysv,dbus,curl bookworm "$root" >"$workspace/mmdebstrap.log" 2>&1 ||
  fail "mmdebstrap failed: $(tail -n 3 "$workspace/mmdebstrap.log")"
cp "$tarball" "$root/root/"
printf '127.0.0.1 localhost %s\n' "$NAME" >"$root/etc/hosts"

fetching() { grep -E '^DOMAIN=|apt-get install|npm install' <<<"$1"; }
{ echo 'set -eux'; fetching "$commands"; fetching "$postgres_commands"; } >"$root/root/fetch.sh"
{ echo 'set -eux'; echo 'cd /opt/almanac'; grep -vE 'apt-get install|npm install' <<<"$commands"; } >"$root/root/install.sh"
{ echo 'set -eux'; grep -vE 'apt-get install' <<<"$postgres_commands"; } >"$root/root/postgres.sh"
# This machine may reach the registry of npm through a proxy with a certificate of its own.
cp /etc/ssl/certs/ca-certificates.crt "$root/root/certificates.crt"
fetch_settings=(DEBIAN_FRONTEND=noninteractive NODE_EXTRA_CA_CERTS=/root/certificates.crt
  "npm_config_registry=$(npm config get registry --loglevel=error)")
systemd-nspawn --quiet --register=no --keep-unit --directory="$root" --pipe "${fetch_settings[@]/#/--setenv=}" \
  /bin/bash /root/fetch.sh </dev/null >"$log" 2>&1 || fail 'the packages could not be installed'
echo "Fetched: $(du -sm "$root" | cut -f 1) MB in all"

nspawn=''
end_service() { if [[ -n $nspawn ]]; then kill -TERM "$nspawn" 2>/dev/null && wait "$nspawn" || true; fi; }
systemd-nspawn --quiet --boot --private-network --register=no --keep-unit --link-journal=no --directory="$root" --console=pipe \
  </dev/null >"$workspace/boot.log" 2>&1 &
nspawn=$!
inside() {
  local leader
  leader=$(pgrep --parent "$nspawn" | head -n 1)
  [[ -n $leader ]] && nsenter --target "$leader" --mount --uts --ipc --net --pid --root --wd \
    env --ignore-environment HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
}
deadline=$((SECONDS + BOOT_SECONDS))
until [[ $(inside systemctl is-system-running 2>/dev/null) =~ ^(running|degraded)$ ]]; do
  if ! kill -0 "$nspawn" 2>/dev/null || (( SECONDS >= deadline )); then
    echo "Not run: the commands after the packages, because no Debian can be booted here: $(tail -n 1 "$workspace/boot.log")"
    exit 0
  fi
  sleep 0.5
done

fail_with_journal() {
  inside journalctl --no-pager --lines=50 --unit='almanac*' >>"$log" 2>&1 || true
  fail "$1"
}

inside bash /root/install.sh </dev/null >"$log" 2>&1 || fail_with_journal 'a command of the page failed'
echo 'The ten commands of the page succeeded.'
grep -o '{"id":"usr_[^}]*}' "$log"
inside bash -c 'sed -i "1i { local_certs }" /etc/caddy/Caddyfile; sed -i "s/^{ local_certs }/{\n\tlocal_certs\n}/" /etc/caddy/Caddyfile; systemctl restart caddy'

origin=https://$NAME
request() { inside curl -sf --cacert /var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt "$@"; }
unit_is_active() { [[ $(inside systemctl is-active almanac.service) != failed ]]; }
# The last of the ten commands, with another command of the service.
last_command=$(grep -A 1 '^systemd-run ' <<<"$commands" | tr -d '\\\n')
read -ra words <<<"${last_command%%almanac.mjs *}almanac.mjs"
run_almanac() { inside "${words[@]}" "$@" </dev/null 2>/dev/null; }

wait_until_ready "$origin" unit_is_active
inside curl -s -o /dev/null -w '%{http_code} %{redirect_url}' "http://$NAME/docs" >"$workspace/redirect"
[[ $(<"$workspace/redirect") == "308 $origin/docs" ]] || fail "http is not redirected to https: $(<"$workspace/redirect")"
make_forecast
check_console
request -N --max-time 60 -H "Authorization: Bearer $key" "$origin/api/v1/ensemble-forecasts/$id/events" >"$workspace/events" ||
  fail 'the stream of events did not end'
grep -q '^event: completed' "$workspace/events" || fail 'the stream of events has no completion'
echo 'The service answers by https, redirects http, and streams events.'

inside systemctl kill --signal=KILL almanac.service
deadline=$((SECONDS + START_SECONDS))
while [[ $(inside systemctl show --property=NRestarts --value almanac.service) == 0 ]]; do
  if (( SECONDS >= deadline )); then fail 'systemd did not restart the service'; fi
  sleep 0.5
done
wait_until_ready "$origin" unit_is_active
check_same_forecast

inside systemctl start almanac-backup.service || fail "the backup failed: $(inside journalctl --unit=almanac-backup --no-pager | tail -n 5)"
echo "Backup: $(inside sh -c 'ls -l /var/backups/almanac/*.backup')"
[[ $(inside systemctl is-active almanac-backup.timer) == active ]] || fail 'the timer of the backup is not active'

inside systemctl start postgresql
inside bash /root/postgres.sh </dev/null >"$log" 2>&1 || fail 'a command for PostgreSQL failed'
inside systemctl restart almanac.service almanac-worker.service
wait_until_ready "$origin" unit_is_active
make_forecast
[[ $(inside systemctl is-active almanac-worker.service) == active ]] || fail 'the worker is not active'
[[ $(inside runuser --user postgres -- psql --tuples-only --no-align --command 'SELECT count(*) FROM forecast' almanac) == 1 ]] ||
  fail 'the forecast is not in PostgreSQL'
echo "$id was completed on PostgreSQL."
inside systemctl stop almanac.service almanac-worker.service
