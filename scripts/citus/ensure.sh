#!/usr/bin/env bash
# Makes a Citus cluster available for the tests and prints its coordinator's URL: the one in SVC_TEST_CITUS_URL, or the one that
# ../shared/citus beside the checkout starts. Where there is neither, or it can't be started, it says so and prints nothing: those stories
# are not run then.
set -euo pipefail

if [ -n "${SVC_TEST_CITUS_URL:-}" ]; then
    echo "$SVC_TEST_CITUS_URL"
    exit 0
fi

root=$(cd "$(dirname "$0")/../.." && pwd)
cluster=${SVC_CITUS_SHARED:-$root/../shared/citus}/cluster.sh
if [ ! -f "$cluster" ]; then
    echo "Citus: not tried, there is no $cluster and SVC_TEST_CITUS_URL names no coordinator" >&2
    exit 0
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! url=$(bash "$cluster" 2>"$log"); then
    echo "Citus: not tried, $cluster could not start a cluster:" >&2
    tail -n 5 "$log" >&2
    exit 0
fi
# Tests make and drop many databases; what they keep need not survive a power cut.
port=${url##*:}
port=${port%%/*}
psql=$(command -v psql || ls /usr/lib/postgresql/*/bin/psql | tail -n 1)
for node in "$port" $((port + 1)) $((port + 2)); do
    for setting in fsync synchronous_commit full_page_writes; do
        "$psql" -X -q "postgres://svc@127.0.0.1:$node/postgres" -c "ALTER SYSTEM SET $setting = off"
    done
    "$psql" -X -q -A -t "postgres://svc@127.0.0.1:$node/postgres" -c "SELECT pg_reload_conf()" >/dev/null
done
echo "$url"
