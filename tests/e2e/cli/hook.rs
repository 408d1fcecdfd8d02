//! `svc hook`: the repository that a product is pushed to, and what its forge delivered.

use super::Shop;
use serde_json::json;
use svc_tests::forge::Dialect;
use svc_tests::hooked::{Hooked, NOWHERE, REPOSITORY, told};

const TOKEN: [&str; 2] = ["--forge-token", "a-token-of-the-forge"];

#[test]
fn a_repository_is_named_shown_and_taken_away() {
    let shop = Shop::open();
    let github = ["hook", "add", "--forge", "github", "--repository", "ada/jobs", "--secret", "a-secret-of-our-own"];
    insta::assert_snapshot!(shop.deploy(&[&github[..], &TOKEN].concat()), @"
    [stdout]
    repository  ada/jobs at https://api.github.com (github)
    folder      the repository's root
    published   the repository's default branch
    hook        <service>/hooks/git/<biz 1>
    secret      a-secret-of-our-own  (shown once)

    In the repository, Settings > Webhooks: the URL above as payload URL, application/json, the secret, just the
    push event.
    [exit status: 0]
    ");
    let gitlab = [
        "hook",
        "add",
        "--forge",
        "gitlab",
        "--repository",
        "group/sub/jobs",
        "--api-base",
        "https://git.example.com/api/v4",
    ];
    let more = ["--folder", "shop", "--branch", "release", "--secret", "a-secret-of-our-own"];
    insta::assert_snapshot!(shop.deploy(&[&gitlab[..], &more, &TOKEN].concat()), @"
    [stdout]
    repository  group/sub/jobs at https://git.example.com/api/v4 (gitlab)
    folder      shop
    published   release
    hook        <service>/hooks/git/<biz 1>
    secret      a-secret-of-our-own  (shown once)

    In the project, Settings > Webhooks: the URL above, the secret as signing token (or as secret token, where
    GitLab has no signing tokens yet), trigger on push events.
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.deploy(&["hook", "show"]), @"
    [stdout]
    repository  group/sub/jobs at https://git.example.com/api/v4 (gitlab)
    folder      shop
    published   release
    hook        <service>/hooks/git/<biz 1>
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.deploy(&["hook", "rotate", "--secret", "another-secret-of-ours"]), @"
    [stdout]
    repository  group/sub/jobs at https://git.example.com/api/v4 (gitlab)
    folder      shop
    published   release
    hook        <service>/hooks/git/<biz 1>
    former secret is taken until <moment>
    secret      another-secret-of-ours  (shown once)

    In the project, Settings > Webhooks: the URL above, the secret as signing token (or as secret token, where
    GitLab has no signing tokens yet), trigger on push events.
    [exit status: 0]
    ");
    let shown = shop.deploy(&["hook", "show", "--format", "json"]).json();
    assert!(shown["data"].get("secret").is_none() && shown["data"].get("token").is_none(), "{shown:#}");
    insta::assert_snapshot!(shop.deploy(&["hook", "remove", "--yes"]), @"
    [stdout]
    removed; remove the hook at the forge too
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.deploy(&["hook", "show"]), @"
    [stderr]
    svc: NOT_FOUND: this business has no source
    [exit status: 5]
    ");
}

#[test]
fn what_is_not_of_its_form_is_refused_by_name() {
    let shop = Shop::open();
    let add = |forge: &str, repository: &str, more: &[&str]| {
        shop.deploy(&[&["hook", "add", "--forge", forge, "--repository", repository], more, &TOKEN].concat())
    };
    insta::assert_snapshot!(add("github", "jobs", &[]), @"
    [stderr]
    svc: REPOSITORY_FORM: the repository is named OWNER/NAME
    [exit status: 1]
    ");
    insta::assert_snapshot!(add("gitea", "ada/jobs", &[]), @"
    [stderr]
    svc: API_BASE: the forge's API base is needed for gitea: https://HOST/api/v1
    [exit status: 1]
    ");
    insta::assert_snapshot!(add("gitea", "ada/jobs", &["--api-base", "http://10.0.0.1/api/v1"]), @"
    [stderr]
    svc: API_BASE: the forge's API base begins with https://; http:// is for hosts that the operator named
    [exit status: 1]
    ");
}

#[test]
fn deliveries_are_listed_newest_first() {
    let shop = Shop::open();
    let base = "https://192.0.2.1/api/v3";
    let add = ["hook", "add", "--forge", "github", "--repository", REPOSITORY, "--api-base", base, "--format", "json"];
    let secret = shop.deploy(&[&add[..], &TOKEN].concat()).json()["data"]["secret"].as_str().unwrap().to_owned();
    insta::assert_snapshot!(shop.deploy(&["hook", "deliveries"]), @"
    [stdout]
    received  event  branch  commit  outcome  build  reason
    [exit status: 0]
    ");
    shop.api(async |business| {
        let hooked = Hooked { business, dialect: Dialect::Github, secret };
        let mut ping = hooked.signed(&json!({ "zen": "x" }));
        ping.headers[0].1 = "ping".to_owned();
        let _skipped = hooked.deliver(&ping).await.expect(200);
        let mut push = told("main", NOWHERE, "1234567812345678123456781234567812345678");
        push.message = "words [skip ci]".to_owned();
        let _skipped = hooked.deliver(&hooked.delivery(&push)).await.expect(200);
        push.message = "more".to_owned();
        let _accepted = hooked.deliver(&hooked.delivery(&push)).await.expect(202);
    });
    let all = shop.deploy(&["hook", "deliveries"]).done().stdout;
    let lines: Vec<&str> = all.lines().skip(1).collect();
    let ends = [" to be built and published", " the commit's message says [skip ci]", " the hook is set up"];
    assert!(lines.len() == 3 && lines.iter().zip(ends).all(|(line, end)| line.ends_with(end)), "{all}");
    let first = shop.deploy(&["hook", "deliveries", "--limit", "2"]).done().stdout;
    let cursor = first.trim_end().rsplit(' ').next().unwrap();
    assert!(first.contains("more: --cursor dlv_"), "{first}");
    let rest = shop.deploy(&["hook", "deliveries", "--cursor", cursor]).done().stdout;
    assert!(rest.contains("the hook is set up") && !rest.contains("skip ci"), "{rest}");
}
