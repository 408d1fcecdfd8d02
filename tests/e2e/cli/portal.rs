//! `svc portal`: a link to the page, and how it looks.

use super::Shop;

#[test]
fn a_link_opens_the_page() {
    let shop = Shop::open();
    shop.subscribe("ada", "pro");
    let linked = shop.operator(&["portal", "link", "ada", "--return-url", "https://app.example/"]).done();
    let url = linked.stdout.trim();
    assert!(
        url.starts_with(&format!("{}/portal/businesses/{}/links/svc_link_", shop.url(), shop.business)),
        "{linked}"
    );
    let path = url.strip_prefix(shop.url()).unwrap().to_owned();
    let (status, headers, _) = shop.api(async |business| business.api.text("GET", &path).await);
    assert_eq!(status, 303);
    assert_eq!(headers["location"], format!("/portal/businesses/{}/", shop.business));
}

#[test]
fn what_makes_no_link() {
    let shop = Shop::open();
    insta::assert_snapshot!(shop.deploy(&["portal", "link", "ada"]), @"
    [stderr]
    svc: FORBIDDEN: an operator's token is needed
    [exit status: 5]
    ");
    insta::assert_snapshot!(shop.operator(&["portal", "link", "ada", "--return-url", "javascript:alert(1)"]), @"
    [stderr]
    svc: RETURN_URL_FORM: returnUrl is an http:// or https:// address without a password, of 2048 bytes at most
    [exit status: 1]
    ");
}

#[test]
fn the_page_looks_as_it_is_told() {
    let shop = Shop::open();
    insta::assert_snapshot!(shop.deploy(&["portal", "look", "--name", "Ada's jobs", "--accent-light", "#7A1FA2"]), @"
    [stdout]
    Ada's jobs: #7a1fa2 on light ground, the page's own on dark
    [exit status: 0]
    ");
    insta::assert_snapshot!(shop.deploy(&["portal", "look", "--accent-dark", "#7a1fa2"]), @"
    [stderr]
    svc: COLOUR_CONTRAST: the contrast of #7a1fa2 with the page's dark ground is 2.16, and must be 4.5 at least
    [exit status: 1]
    ");
    insta::assert_snapshot!(shop.deploy(&["portal", "look", "--accent-dark", "purple"]), @r#"
    [stderr]
    svc: COLOUR_FORM: a colour is # and six hex digits, as #0757ba; "purple" is not
    [exit status: 1]
    "#);
    insta::assert_snapshot!(shop.deploy(&["portal", "look", "--format", "json"]), @r#"
    [stdout]
    {
      "schemaVersion": 1,
      "ok": true,
      "op": "portal look",
      "data": {
        "name": "Test",
        "accent": {
          "light": null,
          "dark": null
        }
      }
    }
    [exit status: 0]
    "#);
}
