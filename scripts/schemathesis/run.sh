#!/usr/bin/env bash
# Tries the API by its own document: every endpoint, what fits its schema and what does not, all checks on, in chains too. EXAMPLES says how many tries each
# endpoint gets. Ends with 1 where anything is found.
set -euo pipefail
cd "$(dirname "$0")/../.."

st=$(bash scripts/schemathesis/ensure.sh)
svc=$PWD/target/debug/svc
home=$(mktemp -d)
trap 'kill "$server" 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$home"' EXIT

export SVC_TOKEN=schemathesis-0123456789-0123456789-0123
"$svc" serve --data "$home/svc.db" --listen 127.0.0.1:0 --operator-token "$SVC_TOKEN" --secrets-key "$(printf '0a%.0s' {1..32})" 2>"$home/log" &
server=$!
for _ in $(seq 100); do
    SVC_URL=$(sed -n 's/^listening on //p' "$home/log")
    [ -n "$SVC_URL" ] && break
    sleep 0.1
done
[ -n "$SVC_URL" ] || { cat "$home/log" >&2; exit 1; }
export SVC_URL

# Something to find: a product, a subscriber with a bill, and one of each thing that has an id.
SVC_BUSINESS=$("$svc" business create Schemathesis)
export SVC_BUSINESS
"$svc" publish examples/croncloud >/dev/null
subscription=$("$svc" subscription create ada starter --format json | python3 -c 'import json, sys; print(json.load(sys.stdin)["data"]["subscriptionId"])')

cat >"$home/schemathesis.toml" <<TOML
hooks = "$PWD/scripts/schemathesis/hooks.py"
[generation]
# The service takes no text with U+0000, which no schema can say.
allow-x00 = false
[parameters]
business = "$SVC_BUSINESS"
subscription = "$subscription"
plan = "starter"
[checks]
enabled = true
# What fits the schema may still contradict what is (409) or be beyond a rule that no schema can say (422).
positive_data_acceptance.expected-statuses = ["2xx", 401, 403, 404, 409, 422, 503]
# An item that is wrong is refused by itself, in an answer that is 200.
[[operations]]
include-operation-id = "usage"
[operations.checks.negative_data_rejection]
enabled = false
TOML
cd "$home"
"$st" --config-file "$home/schemathesis.toml" run "$SVC_URL/openapi.json" \
    --header "Authorization: Bearer $SVC_TOKEN" --max-examples "${EXAMPLES:-15}" --seed 1 --warnings off --suppress-health-check all --no-color
