//! `svc schema`: the tables of a PostgreSQL database, by their owner.

use super::Place;
use svc_money_tests::stores::{Fresh, FreshPostgres};
use svc_tests::program::block_on;

#[test]
fn the_owner_makes_the_tables_and_a_server_of_another_role_starts_on_them() {
    block_on(async {
        let (place, fresh) = (Place::new(), FreshPostgres::new().await);
        let role = format!("svc_server_{}", std::process::id());
        fresh.alter(&format!("CREATE ROLE {role} LOGIN")).await.unwrap();
        let url = fresh.arguments().pop().unwrap();
        let early = place.run(&["serve", "--listen", "127.0.0.1:0", "--database-url", &fresh.url_of(&role)]);
        assert!(early.stderr.contains("permission denied") && early.code == Some(4), "{early}");
        insta::assert_snapshot!(place.run(&["schema", "apply", "--database-url", &url]), @"
        [stdout]
        the tables are up to date
        [exit status: 0]
        ");
        let apply = ["schema", "apply", "--database-url", &url, "--server-role", &role];
        let told = place.run(&apply).done();
        assert_eq!(told.stdout, format!("the tables are up to date; servers may connect as {role}\n"));
        let refused = place.run(&["schema", "apply", "--database-url", &url, "--server-role", "nobody at all"]);
        assert!(refused.stderr.contains("nobody at all") && refused.code == Some(4), "{refused}");
        super::serve::served(&place, &["--database-url", &fresh.url_of(&role)]);
        fresh.alter(&format!("DROP OWNED BY {role}; DROP ROLE {role}")).await.unwrap();
    });
}
