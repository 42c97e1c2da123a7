#!/usr/bin/env bash
# Runs a command with TEST_DATABASE_URL set to a temporary PostgreSQL server:
#
#   scripts/with-postgres.sh npm test
#   scripts/with-postgres.sh --pgbouncer npm test
#
# With --pgbouncer, TEST_POOLER_URL leads to the server through PgBouncer in transaction mode, and databases that tests open
# in their own process use it.
#
# The cluster is in a temporary folder, which is removed when the command ends. fsync is off, because it protects only
# against power loss, which no test simulates; committed data survives killed processes without it. With fsync, every
# test would wait for the disk several times, because each creates and drops a database.
set -euo pipefail

with_pgbouncer=false
if [[ ${1-} == --pgbouncer ]]; then
  with_pgbouncer=true
  shift
fi
if (( $# == 0 )); then
  echo "Usage: $0 [--pgbouncer] COMMAND [ARGS...]" >&2
  exit 64
fi
if $with_pgbouncer && ! pgbouncer=$(PATH=$PATH:/usr/sbin command -v pgbouncer); then
  echo 'PgBouncer is not installed. On Debian or Ubuntu: apt-get install pgbouncer' >&2
  exit 69
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

pgbouncer_pid=''
stop_cluster() {
  if [[ -n $pgbouncer_pid ]]; then kill "$pgbouncer_pid" 2>/dev/null || true; fi
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

if $with_pgbouncer; then
  # PgBouncer refuses to run as root.
  pgbouncer_user=()
  if (( EUID == 0 )); then pgbouncer_user=(-u postgres); fi
  echo '"postgres" ""' >"$cluster/pgbouncer-users.txt"
  for attempt in 1 2 3; do
    pooler_port=$(free_port)
    # Fewer connections than clients, so that they are shared, but enough for tests that hold several transactions open.
    cat >"$cluster/pgbouncer.ini" <<CONFIGURATION
[databases]
* = host=127.0.0.1 port=$port
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $pooler_port
unix_socket_dir =
auth_type = trust
auth_file = $cluster/pgbouncer-users.txt
pool_mode = transaction
default_pool_size = 6
max_client_conn = 1000
CONFIGURATION
    chmod a+r "$cluster/pgbouncer.ini" "$cluster/pgbouncer-users.txt"
    "$pgbouncer" "${pgbouncer_user[@]}" "$cluster/pgbouncer.ini" >"$cluster/pgbouncer.log" 2>&1 &
    pgbouncer_pid=$!
    while kill -0 "$pgbouncer_pid" 2>/dev/null && ! grep -q 'process up' "$cluster/pgbouncer.log"; do sleep 0.05; done
    if kill -0 "$pgbouncer_pid" 2>/dev/null; then
      break
    elif (( attempt == 3 )); then
      cat "$cluster/pgbouncer.log" >&2
      exit 70
    fi
  done
  export TEST_POOLER_URL="postgres://postgres@127.0.0.1:$pooler_port/postgres"
fi

"$@"
