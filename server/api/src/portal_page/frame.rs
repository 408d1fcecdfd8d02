//! What every portal page has around it, and the pages that say in a sentence why there is no bill to see.

use super::assets;
use crate::cookie::page_path;
use crate::html::text;
use crate::reply::Reply;
use hyper::StatusCode;
use svc_store::records::{Id, PortalLook};

/// What the portal's pages may do: run and load what this service serves, send forms to it, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; \
                      form-action 'self'; frame-ancestors 'none'";

/// A page's frame.
pub(crate) struct Frame<'f> {
    pub(crate) business: &'f Id,
    /// How the business's pages look; nothing where there is no such business.
    pub(crate) look: Option<&'f PortalLook>,
    /// Where the page leads back to.
    pub(crate) return_url: Option<&'f str>,
}

impl Frame<'_> {
    /// A page of this title. `main` and `foot` are HTML.
    pub(crate) fn page(&self, status: StatusCode, title: &str, main: &str, foot: &str) -> Reply {
        let look = |look: &PortalLook| {
            (text(&look.name), format!("<link rel=\"stylesheet\" href=\"{}theme.css\">", page_path(self.business)))
        };
        let (name, theme) = self.look.map(look).unwrap_or_default();
        let back = self.return_url.map(|url| {
            format!(
                "<a id=\"back\" href=\"{}\" rel=\"noreferrer\">Back to {}</a>",
                text(url),
                if name.is_empty() { "where you came from" } else { &name }
            )
        });
        let foot = if foot.is_empty() { String::new() } else { format!("<footer class=\"page-foot\">{foot}</footer>") };
        let title_text = if name.is_empty() { text(title) } else { format!("{} · {name}", text(title)) };
        let body = format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title_text}</title>\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"robots\" content=\"noindex\">\
             <link rel=\"icon\" href=\"data:,\"><link rel=\"stylesheet\" href=\"{}\">{theme}<script type=\"module\" src=\"{}\"></script></head>\
             <body><header class=\"page-head\"><p class=\"page-name\">{name}</p>{}</header>\
             <main id=\"main\">{main}</main>{foot}</body></html>\n",
            assets::path("portal.css"),
            assets::path("portal.js"),
            back.unwrap_or_default(),
        );
        Reply::page(status, body, POLICY)
    }

    /// A page that has nothing to show but a sentence.
    pub(crate) fn sentence(&self, status: StatusCode, title: &str, sentence: &str) -> Reply {
        let main = format!("<h1>{}</h1><p>{}</p>", text(title), text(sentence));
        self.page(status, title, &main, "")
    }
}
