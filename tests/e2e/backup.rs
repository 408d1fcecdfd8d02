//! Backups that are restored: taken while usage comes in, audited, and sent to again.

use serde_json::json;
use std::process::Command;
use svc_money_tests::stores::{Fresh, FreshPostgres};
use svc_tests::api::{Api, Business, ONE_PLAN, OPERATOR, Server};
use svc_tests::program::{block_on, svc};

/// Items that come before the backup, and while it is taken.
const ITEMS: u32 = 40;

async fn report(business: &Business, number: u32) -> String {
    let item = json!({ "id": format!("i{number}"), "subject": "ada", "meter": "tokens", "units": 1 });
    let results = business.usage(json!([item])).await;
    results[0]["status"].as_str().unwrap().to_owned()
}

/// Fills a server, takes a backup while more comes in, restores it, and sends everything again.
async fn drill(server: Server, back_up: impl FnOnce() -> Vec<String>) {
    let business = Api::new(&server).business(ONE_PLAN).await;
    let token = business.subscribe("ada", "basic").await;
    for number in 0..ITEMS {
        assert_eq!(report(&business, number).await, "accepted");
    }
    let coming = async {
        for number in ITEMS..2 * ITEMS {
            assert_eq!(report(&business, number).await, "accepted");
        }
    };
    let (arguments, ()) = tokio::join!(async { tokio::task::block_in_place(back_up) }, coming);
    let billed = business.preview(&token).await.body["totals"].clone();
    drop(server);
    let restored = Server::start_with(&arguments);
    let business = Business { api: Api::new(&restored), ..business };
    let audit = business.api.get(OPERATOR, &format!("{}/ledger/audit", business.root)).await.expect(200);
    assert_eq!(audit.body["findings"], json!([]));
    let mut known = 0;
    for number in 0..2 * ITEMS {
        let status = report(&business, number).await;
        known += u32::from(status == "duplicate");
        assert!(
            status == "duplicate" || number >= ITEMS,
            "what was there before the backup is in it: {number} {status}"
        );
    }
    assert!(known >= ITEMS, "{known}");
    assert_eq!(business.preview(&token).await.body["totals"], billed, "the bill is what it was");
}

#[test]
fn a_copy_of_the_embedded_database_is_restored() {
    block_on(async {
        let folder = tempfile::tempdir().unwrap();
        let [data, copy] = ["svc.db", "copy.db"].map(|name| folder.path().join(name).display().to_string());
        let server = Server::start_with(&["--data".to_owned(), data.clone()]);
        let to = copy.clone();
        drill(server, move || {
            let done = Command::new(svc()).args(["backup", &to, "--data", &data]).output().unwrap();
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&to).unwrap().permissions());
            assert_eq!(mode & 0o777, 0o600);
            let again = Command::new(svc()).args(["backup", &to, "--data", &data]).output().unwrap();
            assert_eq!(again.status.code(), Some(5), "a copy that is there is left as it is");
            let nothing =
                Command::new(svc()).args(["backup", &format!("{to}.2"), "--data", "/nowhere.db"]).output().unwrap();
            assert_eq!(nothing.status.code(), Some(4));
            vec!["--data".to_owned(), to]
        })
        .await;
    });
}

#[test]
fn a_dump_of_postgresql_is_restored() {
    block_on(async {
        let (fresh, other) = (FreshPostgres::new().await, FreshPostgres::new().await);
        let [from, to] = [&fresh, &other].map(|fresh| fresh.arguments().pop().unwrap());
        let server = Server::start_with(&fresh.arguments());
        drill(server, move || {
            let dump = format!("pg_dump {from:?} | psql -q -v ON_ERROR_STOP=1 {to:?} > /dev/null");
            let done = Command::new("bash").args(["-o", "pipefail", "-c", &dump]).output().unwrap();
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            other.arguments()
        })
        .await;
    });
}
