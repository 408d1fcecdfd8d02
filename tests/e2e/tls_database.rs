//! TLS to PostgreSQL: every `sslmode`, against a real server that speaks it and one that does not.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};
use svc_store::postgres::Postgres;
use svc_tests::certificates::Authority;
use svc_tests::program::{block_on, root, svc};
use tokio_postgres::NoTls;

static NEXT: AtomicU32 = AtomicU32::new(0);

/// A PostgreSQL server of its own that speaks TLS as `db.test`. Dropped, it ends.
struct Database {
    folder: tempfile::TempDir,
    port: u16,
}

impl Database {
    fn start(authority: &Authority) -> Database {
        let folder = tempfile::Builder::new().prefix("svc-tls-database").tempdir_in("/tmp").unwrap();
        // The server's user goes through it.
        let open = std::os::unix::fs::PermissionsExt::from_mode(0o711);
        std::fs::set_permissions(folder.path(), open).unwrap();
        authority.sign(&["db.test"]).write(folder.path());
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let started = Command::new("bash")
            .arg(root().join("scripts/postgres/ensure.sh"))
            .env_remove("SVC_TEST_DATABASE_URL")
            .env("SVC_TEST_POSTGRES_PORT", port.to_string())
            .env("SVC_TEST_POSTGRES_HOME", folder.path().join("data"))
            .env("SVC_TEST_POSTGRES_TLS", folder.path())
            .stderr(std::process::Stdio::null())
            .output()
            .unwrap();
        assert!(started.status.success(), "{started:?}");
        Database { folder, port }
    }

    /// Its address for this user by the name in its certificate, with these options.
    fn address(&self, user: &str, options: &str) -> String {
        format!("host=db.test hostaddr=127.0.0.1 port={} dbname=postgres user={user} {options}", self.port)
    }

    fn roots(&self, authority: &Authority) -> String {
        authority.write(self.folder.path().join("roots.pem"))
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let pid = std::fs::read_to_string(self.folder.path().join("data/postmaster.pid")).unwrap_or_default();
        if let Some(pid) = pid.lines().next() {
            let _ended = Command::new("kill").args(["-QUIT", pid]).status();
        }
        while Path::new(&self.folder.path().join("data/postmaster.pid")).exists() {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
}

fn refused(address: &str) -> String {
    block_on(async {
        Postgres::connect(address).await.err().unwrap_or_else(|| panic!("{address} is let in")).to_string()
    })
}

/// Whether each connection of a store at this address speaks TLS.
fn speaks_tls(database: &Database, address: &str) -> bool {
    block_on(async {
        // The connections of the store before may not be gone yet.
        let name = format!("svc_{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let named = match address.starts_with("postgres://") {
            true => format!("{address}&application_name={name}"),
            false => format!("{address} application_name={name}"),
        };
        let store = Postgres::connect(&named).await.unwrap_or_else(|error| panic!("{address}: {error}"));
        let plain = database.address("svc", "sslmode=disable");
        let (client, connection) = tokio_postgres::connect(&plain, NoTls).await.unwrap();
        tokio::spawn(connection);
        let own = "SELECT bool_and(ssl), count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = $1";
        let row = client.query_one(own, &[&name]).await.unwrap();
        assert!(row.get::<_, i64>(1) > 0);
        drop(store);
        row.get(0)
    })
}

#[test]
fn a_database_is_spoken_to_as_its_address_says() {
    let (ours, others) = (Authority::new("ours"), Authority::new("others"));
    let database = Database::start(&ours);
    let roots = database.roots(&ours);
    let wrong = others.write(database.folder.path().join("others.pem"));
    let to = |options: &str| database.address("svc", options);
    for (options, has_tls) in [
        ("sslmode=disable", false),
        ("sslmode=prefer", true),
        ("sslmode=require", true),
        (&format!("sslmode=verify-ca sslrootcert={roots}"), true),
        (&format!("sslmode=verify-full sslrootcert={roots}"), true),
        (&format!("sslrootcert={roots}"), true),
    ] {
        assert_eq!(speaks_tls(&database, &to(options)), has_tls, "{options}");
    }
    // Other roots, other names.
    for options in [
        format!("sslmode=verify-full sslrootcert={wrong}"),
        format!("sslmode=verify-ca sslrootcert={wrong}"),
        format!("sslmode=require sslrootcert={wrong}"),
        "sslmode=verify-full".to_owned(),
    ] {
        let why = refused(&to(&options));
        assert!(why.contains("UnknownIssuer"), "{options}: {why}");
    }
    let by_address = |options: &str| format!("postgres://svc@127.0.0.1:{}/postgres?{options}", database.port);
    let why = refused(&by_address(&format!("sslmode=verify-full&sslrootcert={roots}")));
    assert!(why.contains("not valid for name") && why.contains("db.test"), "{why}");
    assert!(speaks_tls(&database, &by_address(&format!("sslmode=verify-ca&sslrootcert={roots}"))));
    let why = refused(&to("sslmode=verify-full sslrootcert=/nowhere.pem"));
    assert!(why.contains("/nowhere.pem can't be read"), "{why}");
}

/// A password's proof is bound to the server's certificate (SCRAM-SHA-256-PLUS).
#[test]
fn a_password_is_proven_over_this_connection_alone() {
    let ours = Authority::new("ours");
    let database = Database::start(&ours);
    let roots = database.roots(&ours);
    block_on(async {
        let plain = database.address("svc", "sslmode=disable");
        let (client, connection) = tokio_postgres::connect(&plain, NoTls).await.unwrap();
        tokio::spawn(connection);
        client.batch_execute("CREATE ROLE prover LOGIN SUPERUSER PASSWORD 'open sesame'").await.unwrap();
    });
    let proven = |password: &str| {
        let options = format!("password='{password}' channel_binding=require sslmode=verify-full sslrootcert={roots}");
        database.address("prover", &options)
    };
    assert!(speaks_tls(&database, &proven("open sesame")));
    let why = refused(&proven("open simsim"));
    assert!(why.contains("password authentication failed"), "{why}");
}

/// How `svc serve` ends with this database.
fn serve(url: &str) -> (Output, String) {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(svc());
    command.args(["serve", "--listen", "127.0.0.1:0", "--database-url", url]).env_clear().current_dir(folder.path());
    let told = command.output().unwrap();
    let text = String::from_utf8(told.stderr.clone()).unwrap();
    (told, text)
}

/// This address is every one of the machine's, and not loopback's alone.
#[test]
fn nothing_goes_to_another_machine_in_the_clear() {
    let server = std::env::var("SVC_TEST_DATABASE_URL").expect("SVC_TEST_DATABASE_URL names a server without TLS");
    let elsewhere = server.replace("127.0.0.1", "0.0.0.0");
    assert_ne!(server, elsewhere);
    for options in ["", "?sslmode=prefer", "?sslmode=require"] {
        let (told, text) = serve(&format!("{elsewhere}{options}"));
        assert_eq!(told.status.code(), Some(4), "{text}");
        assert!(text.contains("server does not support TLS") && text.contains("sslmode=disable"), "{options}: {text}");
    }
    // Where it is written, it is done, and said.
    let (told, text) =
        serve(&format!("{}?sslmode=disable", elsewhere.replace("/postgres", "/there_is_no_such_database")));
    assert_eq!(told.status.code(), Some(4), "{text}");
    assert!(text.contains("spoken to in the clear, as its address says"), "{text}");
    assert!(text.contains("does not exist"), "{text}");
}
