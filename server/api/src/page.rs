//! The page of a build that a push asked for: HTML without script. All that comes from an author or a forge is escaped, and characters
//! that a browser might obey are shown as what they are.

use crate::app::App;
use crate::html::text;
use crate::problem::Problem;
use crate::reply::Reply;
use svc_core::build_page::{BuildPage, Excerpt, ShownReport};
use svc_store::Store;
use svc_store::records::{Id, Progress, PushOutcome, ReportState};

/// How often a page of a build that is under way is loaded again, in seconds.
const REFRESH_SECONDS: u32 = 2;
const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#1c1c1c;background:#fff}\
pre{font:14px/1.4 ui-monospace,monospace;background:#f5f5f4;padding:1rem;overflow-x:auto;border-radius:6px}\
table{border-collapse:collapse}td,th{text-align:left;padding:.2rem 1rem .2rem 0;vertical-align:top}\
.success{color:#116329}.failure,.error{color:#b91c1c}.pending,.superseded{color:#6b5900}\
@media(prefers-color-scheme:dark){body{color:#e7e5e4;background:#1c1917}pre{background:#292524}a{color:#93c5fd}\
.success{color:#86efac}.failure,.error{color:#fca5a5}.pending,.superseded{color:#fde047}}";

pub(crate) async fn show<S: Store>(
    app: &App<S>,
    business: &Id,
    build: &Id,
    capability: &str,
) -> Result<Reply, Problem> {
    let page = app.core.build_page(business, build, capability).await?;
    Ok(Reply::html(html(&page)))
}

fn html(page: &BuildPage) -> String {
    let push = &page.push;
    let is_open = push.outcome.is_none();
    let refresh =
        if is_open { format!("<meta http-equiv=\"refresh\" content=\"{REFRESH_SECONDS}\">") } else { String::new() };
    let (word, class) = headline(page);
    let short = push.commit.get(..7).unwrap_or(&push.commit);
    let rows = [
        (
            "Commit",
            format!(
                "<a href=\"{}\" rel=\"noreferrer\">{}</a>",
                text(&commit_url(&push.files_url, &push.commit)),
                text(&push.commit)
            ),
        ),
        ("Branch", format!("{}{}", text(&push.branch), if push.publishes { ", which is published" } else { "" })),
        ("Build", text(push.build.as_str())),
        ("IR", text(ir_hash(page).unwrap_or("none"))),
        ("Came", text(&push.created_at.to_string())),
        ("Result", text(push.summary.as_deref().unwrap_or("not there yet"))),
    ];
    let rows: String = rows.iter().map(|(name, value)| format!("<tr><th>{name}</th><td>{value}</td></tr>")).collect();
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{word}: {} at {}</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><meta name=\"robots\" content=\"noindex\">{refresh}\
         <style>{STYLE}</style></head><body><h1 class=\"{class}\">{word}</h1><table>{rows}</table>{}{}{}</body></html>\n",
        text(&push.branch),
        text(short),
        diagnostics(page),
        changes(page),
        reports(&page.reports),
    )
}

/// The address of a commit's page at the forge, by that of its files.
fn commit_url(files_url: &str, commit: &str) -> String {
    let before = files_url.split_once(commit).map_or(files_url, |(before, _)| before);
    let before = before.strip_suffix("blob/").or_else(|| before.strip_suffix("src/commit/")).unwrap_or(before);
    format!("{before}commit/{commit}")
}

fn headline(page: &BuildPage) -> (&'static str, &'static str) {
    match page.push.outcome {
        None => ("Under way", "pending"),
        Some(PushOutcome::Published) => ("Published", "success"),
        Some(PushOutcome::Compared) => ("Built", "success"),
        Some(PushOutcome::Superseded) => ("Superseded", "superseded"),
        Some(PushOutcome::Refused) => ("Built, not published", "failure"),
        Some(PushOutcome::Failed) => ("Failed", "failure"),
    }
}

fn ir_hash(page: &BuildPage) -> Option<&str> {
    match &page.build.progress {
        Progress::Ended(result) => result.ir_hash.as_deref(),
        Progress::Waiting { .. } => None,
    }
}

fn diagnostics(page: &BuildPage) -> String {
    let stopped = match &page.build.progress {
        Progress::Ended(result) => result.failure.as_ref(),
        Progress::Waiting { .. } => None,
    };
    let stopped = stopped.map(|failure| format!("<pre>svc: {}: {}</pre>", text(&failure.code), text(&failure.message)));
    let files_url = &page.push.files_url;
    let all: String = page.excerpts.iter().map(|excerpt| diagnostic(excerpt, files_url)).collect();
    let title = if stopped.is_none() && all.is_empty() { "" } else { "<h2>Diagnostics</h2>" };
    format!("{title}{}{all}", stopped.unwrap_or_default())
}

fn diagnostic(excerpt: &Excerpt, files_url: &str) -> String {
    let link = excerpt.file.as_ref().zip(excerpt.line).map(|(file, line)| {
        let path = file.split('/').map(crate::request::segment).collect::<Vec<_>>().join("/");
        let (place, address) = (format!("{file}:{line}"), format!("{files_url}{path}#L{line}"));
        format!("<p><a href=\"{}\" rel=\"noreferrer\">{}</a></p>", text(&address), text(&place))
    });
    format!("{}<pre>{}</pre>", link.unwrap_or_default(), text(&excerpt.text))
}

fn changes(page: &BuildPage) -> String {
    let would = page.push.outcome != Some(PushOutcome::Published);
    match &page.changes {
        Some(changes) if would => format!("<h2>What publishing would change now</h2><pre>{}</pre>", text(changes)),
        _ => String::new(),
    }
}

fn reports(reports: &[ShownReport]) -> String {
    let row = |report: &ShownReport| {
        let class = match report.state {
            ReportState::Pending => "pending",
            ReportState::Success => "success",
            ReportState::Failure => "failure",
            ReportState::Error => "error",
            ReportState::Superseded => "superseded",
        };
        let sent = match (&report.gave_up, report.is_sent) {
            (Some(why), _) => format!("the forge does not have it: {}", text(why)),
            (None, true) => "sent".to_owned(),
            (None, false) => "being sent".to_owned(),
        };
        format!(
            "<tr><th>{}</th><td class=\"{class}\">{class}</td><td>{}</td><td>{sent}</td></tr>",
            text(&report.context),
            text(&report.description)
        )
    };
    let rows: String = reports.iter().map(row).collect();
    if rows.is_empty() { rows } else { format!("<h2>Statuses of the commit</h2><table>{rows}</table>") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_has_a_page_at_each_forge() {
        let rows = [
            ("https://github.com/ada/jobs/blob/c0ffee/shop/", "https://github.com/ada/jobs/commit/c0ffee"),
            ("https://gitlab.com/a/b/jobs/-/blob/c0ffee/", "https://gitlab.com/a/b/jobs/-/commit/c0ffee"),
            ("https://git.example/ada/jobs/src/commit/c0ffee/", "https://git.example/ada/jobs/commit/c0ffee"),
        ];
        for (files, commit) in rows {
            assert_eq!(commit_url(files, "c0ffee"), commit);
        }
    }
}
