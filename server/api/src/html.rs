//! Text in pages.

use svc_engine::text::visible;

/// Text in HTML: markup is escaped, what a terminal or a browser might obey is made visible.
pub fn text(raw: &str) -> String {
    let mut shown = String::with_capacity(raw.len());
    for char in visible(raw).chars() {
        match char {
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '"' => shown.push_str("&quot;"),
            '\'' => shown.push_str("&#39;"),
            // Characters without a shape, which could hide what stands beside them.
            '\u{200b}'..='\u{200d}'
            | '\u{2060}'..='\u{2064}'
            | '\u{feff}'
            | '\u{ad}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{e0000}'..='\u{e007f}' => {
                shown.extend(char.escape_unicode());
            }
            other => shown.push(other),
        }
    }
    shown
}

/// JSON in a `<script>` that holds data: it ends no element, whatever its texts hold.
pub fn data(json: &str) -> String {
    json.replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped_and_what_hides_is_shown() {
        assert_eq!(text("<script>alert('x')</script>"), "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;");
        assert_eq!(text("\" onclick=\"x"), "&quot; onclick=&quot;x");
        assert_eq!(text("a\u{1b}[31m\u{202e}b\u{200b}\u{feff}"), "a\\u{1b}[31m\\u{202e}b\\u{200b}\\u{feff}");
        assert_eq!(text("plain é 漢 😀\n\t"), "plain é 漢 😀\n\t");
    }

    #[test]
    fn data_ends_no_element() {
        assert_eq!(data(r#"{"a":"</script><!--"}"#), r#"{"a":"\u003c/script>\u003c!--"}"#);
    }
}
