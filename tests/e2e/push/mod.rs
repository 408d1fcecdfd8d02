//! Built on push: a forge tells of a push, and within a second the commit carries what became of it.

mod fetch;
mod git;
mod hook;
mod kill;
mod order;
mod page;
mod way;

use svc_tests::api::{ONE_PLAN, Server};
use svc_tests::forge::{Dialect, TestForge};
use svc_tests::hooked::{Hooked, serve};
use svc_tests::repository::Repository;

/// A repository with one commit, a forge that serves it, and a business whose source it is.
struct Scene {
    repository: Repository,
    forge: TestForge,
    server: Server,
    hooked: Hooked,
    first: String,
    _data: Option<tempfile::TempDir>,
}

impl Scene {
    async fn new(dialect: Dialect) -> Scene {
        let data = tempfile::tempdir().unwrap();
        let arguments = ["--data".to_owned(), data.path().join("svc.db").display().to_string()];
        Scene { _data: Some(data), ..Scene::on(&arguments, dialect).await }
    }

    async fn on(arguments: &[String], dialect: Dialect) -> Scene {
        let repository = Repository::new();
        let first = repository.product(ONE_PLAN, "first");
        let forge = TestForge::start(repository.path()).await;
        let server = serve(arguments);
        let hooked = Hooked::new(&server, &forge, dialect, "").await;
        Scene { repository, forge, server, hooked, first, _data: None }
    }

    /// Commits the product with another fee.
    fn price(&self, cents: u32) -> String {
        self.repository.product(&ONE_PLAN.replace("1900", &cents.to_string()), &format!("fee of {cents}"))
    }

    /// The fee of the active release, in cents.
    async fn active_price(&self) -> Option<u64> {
        let active = self.hooked.active().await;
        active.body["ir"]["plans"][0]["recurringFeeCents"].as_u64()
    }
}
