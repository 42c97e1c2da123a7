#!/usr/bin/env bash
# Runs a command with TEST_DATABASE_URL set to a temporary PostgreSQL server:
#
#   scripts/with-postgres.sh npm test
#
# The cluster is in a temporary folder, which is removed when the command ends. fsync is off, because it protects only
# against power loss, which no test simulates; committed data survives killed processes without it. With fsync, every
# test would wait for the disk several times, because each creates and drops a database.
set -euo pipefail

if (( $# == 0 )); then
  echo "Usage: $0 COMMAND [ARGS...]" >&2
  exit 64
fi

newest_debian_bin=$(compgen -G '/usr/lib/postgresql/*/bin' | sort -V | tail -n 1 || true)
if [[ -x $newest_debian_bin/initdb ]]; then
  postgres_bin=$newest_debian_bin
elif initdb_on_path=$(command -v initdb); then
  postgres_bin=$(dirname "$initdb_on_path")
else
  echo 'PostgreSQL is not installed. On Debian or Ubuntu: apt-get install postgresql' >&2
  exit 69
fi

cluster=$(mktemp -d "${TMPDIR:-/tmp}/almanac-postgres.XXXXXX")

# PostgreSQL refuses to run as root, and its programs print warnings in a working folder that they cannot enter.
as_database_owner() {
  if (( EUID == 0 )); then
    (cd "$cluster" && runuser -u postgres -- "$@")
  else
    (cd "$cluster" && "$@")
  fi
}

stop_cluster() {
  # The data is no longer needed, so there is no reason to wait for clients to disconnect.
  as_database_owner "$postgres_bin/pg_ctl" stop --pgdata="$cluster/data" --mode=immediate --silent >/dev/null 2>&1 || true
  rm -rf "$cluster"
}
trap stop_cluster EXIT

if (( EUID == 0 )); then chown postgres "$cluster"; fi

as_database_owner "$postgres_bin/initdb" --pgdata="$cluster/data" --username=postgres --auth=trust \
  --encoding=UTF8 --locale=C.UTF-8 >"$cluster/initdb.log" 2>&1 || { cat "$cluster/initdb.log" >&2; exit 70; }

free_port() {
  node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

# Another process may take the free port before the server listens on it, so up to three attempts are made.
for attempt in 1 2 3; do
  port=$(free_port)
  if as_database_owner "$postgres_bin/pg_ctl" start --pgdata="$cluster/data" --log="$cluster/data/server.log" --wait --silent \
    --options="-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=$cluster -c max_connections=200 -c fsync=off"; then
    break
  elif (( attempt == 3 )); then
    cat "$cluster/data/server.log" >&2
    exit 70
  fi
done

export TEST_DATABASE_URL="postgres://postgres@127.0.0.1:$port/postgres"
"$@"
