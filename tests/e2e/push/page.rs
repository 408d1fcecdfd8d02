//! The page of a build: the text of the command line, for whoever has the link; nothing in it runs, and nothing is hidden.

use super::Scene;
use std::process::Command;
use std::time::Duration;
use svc_tests::api::{Api, ONE_PLAN};
use svc_tests::forge::{Dialect, TestForge};
use svc_tests::hooked::{NOWHERE, told};
use svc_tests::program::{block_on, root};

/// A page's text.
pub(super) async fn text(api: &Api, path: &str) -> String {
    let answer = api.text("GET", path).await;
    assert_eq!(answer.0, 200, "{}", answer.2);
    answer.2
}

/// The path of a link.
fn path(url: &str) -> String {
    format!("/builds/{}", url.split_once("/builds/").unwrap().1)
}

#[test]
fn a_page_has_the_command_line_s_text_and_links_to_the_line_at_the_commit() {
    block_on(async {
        let scene = Scene::new(Dialect::Github).await;
        let wrong = scene.repository.product(&ONE_PLAN.replace("rate: 60", "rates: 60"), "wrong");
        let accepted = scene.hooked.push(NOWHERE, &wrong).await.expect(202);
        scene.forge.final_status(&wrong, "svc/build").await;
        let page = text(&scene.hooked.business.api, &path(&accepted.text("url"))).await;
        let checked =
            Command::new(svc_tests::program::svc()).arg("check").arg(scene.repository.path()).output().unwrap();
        let human = String::from_utf8(checked.stderr).unwrap();
        let excerpt = human.split("\n\n").next().unwrap();
        let escaped = excerpt
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;")
            .replace('"', "&quot;")
            .replace('\'', "&#39;");
        assert!(excerpt.contains("^^^^^") && page.contains(&escaped), "{escaped}\n{page}");
        let link = format!("/ada/jobs/blob/{wrong}/product/product.config.ts#L8\"");
        assert!(page.contains(&link), "{link}\n{page}");
        // What opens it is the link alone.
        let (known, capability) =
            path(&accepted.text("url")).rsplit_once('/').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
        let api = &scene.hooked.business.api;
        for other in [String::new(), "0".repeat(40), capability.to_uppercase(), capability[1..].to_owned()] {
            let answer = api.text("GET", &format!("{known}/{other}")).await;
            assert!(answer.0 == 404 || other == capability, "{other}: {}", answer.0);
        }
        let (_, headers, _) = api.text("GET", &path(&accepted.text("url"))).await;
        let header = |name: &str| headers[name].to_str().unwrap().to_owned();
        assert!(header("content-security-policy").starts_with("default-src 'none'"));
        assert_eq!(
            (header("referrer-policy"), header("x-content-type-options")),
            ("no-referrer".to_owned(), "nosniff".to_owned())
        );
        assert_eq!(header("cache-control"), "private, no-store");
    });
}

/// A product whose texts try everything: markup, attributes, scripts, styles, terminals, directions of text.
fn hostile(beacon: &str) -> String {
    let tries = [
        format!("<script>fetch('{beacon}/script')</script>"),
        format!("<img src=x onerror=\\\"fetch('{beacon}/onerror')\\\">"),
        format!("</pre></table><svg/onload=fetch('{beacon}/svg')>"),
        format!("\\\" onmouseover=\\\"fetch('{beacon}/attribute')"),
        format!("<style>@import '{beacon}/style';body{{display:none}}</style>"),
        format!("<iframe src='{beacon}/frame'></iframe><link rel=stylesheet href='{beacon}/link'>"),
        format!("<meta http-equiv=refresh content='0;url={beacon}/meta'>"),
        "\\u001b[2J\\u001b[31m\\u202egnihton\\u200b\\u0000".to_owned(),
        "<!--".to_owned(),
    ];
    let options: Vec<String> = tries.iter().enumerate().map(|(at, text)| format!("\"{text}-{at}\": {at}")).collect();
    ONE_PLAN.replace("rate: 60,", &format!("rate: 60, {},", options.join(", ")))
}

#[test]
fn hostile_text_neither_runs_nor_hides_in_a_real_browser() {
    block_on(async {
        let chromium = Command::new("bash").arg(root().join("scripts/chromium/ensure.sh")).output().unwrap();
        let chromium = String::from_utf8(chromium.stdout).unwrap().trim().to_owned();
        assert!(!chromium.is_empty(), "scripts/chromium/ensure.sh found no Chromium");
        let scene = Scene::new(Dialect::Gitea).await;
        let beacon = TestForge::start(scene.repository.path()).await;
        let product = hostile(&format!("http://{}", beacon.address));
        let commit = scene.repository.product(&product, "hostile");
        let branch = "<script>fetch('x')</script>";
        let delivery = scene.hooked.delivery(&told(branch, NOWHERE, &commit));
        let accepted = scene.hooked.deliver(&delivery).await;
        // A branch's name may hold markup too, as far as git allows it.
        let url = accepted.expect(202).text("url");
        let built = scene.forge.final_status(&commit, "svc/build").await;
        assert_eq!(built.state, "failure");
        let source = text(&scene.hooked.business.api, &path(&url)).await;
        assert!(!source.contains('\u{1b}') && !source.contains('\u{202e}') && !source.contains('\u{200b}'), "{source}");
        let profile = tempfile::tempdir().unwrap();
        let dump = Command::new(&chromium)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=3000", "--dump-dom"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg(&url)
            .output()
            .unwrap();
        let dom = String::from_utf8(dump.stdout).unwrap();
        assert!(dom.contains("<h1 class=\"failure\">Failed</h1>"), "{dom}\n{}", String::from_utf8_lossy(&dump.stderr));
        for element in
            ["<script", "<img", "<svg", "<iframe", "<link", "onerror=\"", "onmouseover=\"", "http-equiv=\"refresh\""]
        {
            assert!(!dom.contains(element), "{element} is an element of the page: {dom}");
        }
        // All that was tried stands there as text, and the page goes on behind it.
        for shown in ["&lt;script&gt;", "onerror=", "svg/onload", "&lt;style&gt;", "&lt;!--", "Statuses of the commit"]
        {
            assert!(dom.contains(shown), "{shown} is hidden: {dom}");
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert!(beacon.asked().is_empty(), "{:?}", beacon.asked());
    });
}

#[test]
fn a_page_says_what_publishing_would_change_and_what_became_of_the_push() {
    block_on(async {
        let scene = Scene::new(Dialect::Gitlab).await;
        let accepted = scene.hooked.push(NOWHERE, &scene.first).await.expect(202);
        scene.forge.final_status(&scene.first, "svc/publish").await;
        let api = &scene.hooked.business.api;
        let page = text(api, &path(&accepted.text("url"))).await;
        assert!(page.contains("<h1 class=\"success\">Published</h1>") && page.contains("svc/publish"), "{page}");
        assert!(!page.contains("http-equiv"), "{page}");
        assert!(page.contains(&format!("/ada/jobs/-/commit/{}\"", scene.first)), "{page}");
        let second = scene.price(2900);
        let delivery = scene.hooked.delivery(&told("feature", NOWHERE, &second));
        let accepted = scene.hooked.deliver(&delivery).await.expect(202);
        scene.forge.final_status(&second, "svc/build").await;
        let page = text(api, &path(&accepted.text("url"))).await;
        assert!(
            page.contains("What publishing would change now") && page.contains("~ price $19.00 → $29.00/month (+53 %)"),
            "{page}"
        );
    });
}
