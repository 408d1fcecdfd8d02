//! A place in a trace, as `traceparent` says it.

use std::future::Future;

/// The flag of a trace that is recorded.
const SAMPLED: u8 = 1;

/// A trace, and a span of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// The trace's id; never nothing.
    pub trace: [u8; 16],
    /// The span's id; never nothing.
    pub span: [u8; 8],
    /// Whether it is recorded.
    pub is_sampled: bool,
}

tokio::task_local! {
    static CURRENT: Context;
}

/// Where the task is that asks.
pub fn current() -> Option<Context> {
    CURRENT.try_with(|context| *context).ok()
}

/// Where the task is that asks, as `traceparent`: what is kept with work that is done later.
pub fn current_header() -> Option<String> {
    current().map(|context| context.header())
}

/// Does something as this span.
pub async fn within<F: Future>(context: Context, work: F) -> F::Output {
    CURRENT.scope(context, work).await
}

impl Context {
    /// A trace of its own.
    pub fn fresh(is_sampled: bool) -> Context {
        Context { trace: chance(), span: chance(), is_sampled }
    }

    /// Another span of the same trace.
    pub fn child(self) -> Context {
        Context { span: chance(), ..self }
    }

    /// Reads `traceparent`; nothing where it has no such form, or says nothing.
    pub fn parse(header: &str) -> Option<Context> {
        let mut parts = header.trim().split('-');
        let (version, trace, span, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let version: [u8; 1] = hex(version)?;
        // Version 0 has these parts alone; a later one may have more, and 255 is none.
        if version == [u8::MAX] || version == [0] && parts.next().is_some() {
            return None;
        }
        let (trace, span, [flags]) = (hex(trace)?, hex(span)?, hex::<1>(flags)?);
        let says = trace != [0; 16] && span != [0; 8];
        says.then_some(Context { trace, span, is_sampled: flags & SAMPLED == SAMPLED })
    }

    /// As `traceparent`.
    pub fn header(&self) -> String {
        format!("00-{}-{:016x}-0{}", self.trace_id(), u64::from_be_bytes(self.span), u8::from(self.is_sampled))
    }

    /// The trace's id as the log has it.
    pub fn trace_id(&self) -> String {
        format!("{:032x}", u128::from_be_bytes(self.trace))
    }
}

/// Bytes of chance, of which not all are nothing. Of a generator of the thread's own: there are three for each request.
fn chance<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    while bytes == [0; N] {
        rand::fill(&mut bytes);
    }
    bytes
}

/// So many bytes, in lower case as W3C has it.
fn hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => byte.checked_sub(b'0'),
        b'a'..=b'f' => byte.checked_sub(b'a')?.checked_add(10),
        _ => None,
    };
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let bytes: Option<Vec<u8>> = pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect();
    bytes.filter(|_| rest.is_empty())?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    #[test]
    fn a_header_is_read_and_written() {
        let context = Context::parse(HEADER).unwrap();
        assert_eq!((context.header().as_str(), context.is_sampled), (HEADER, true));
        let child = context.child();
        assert!(child.trace == context.trace && child.span != context.span);
        let later = HEADER.replacen("00", "cc", 1) + "-what-comes";
        assert_eq!(Context::parse(&later), Some(context));
        assert!(!Context::parse(&HEADER.replace("-01", "-00")).unwrap().is_sampled);
        let fresh = Context::fresh(true);
        assert_eq!(Context::parse(&fresh.header()), Some(fresh));
    }

    #[test]
    fn what_is_no_header_begins_a_trace_of_its_own() {
        for wrong in [
            "",
            "00",
            "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "00-0AF7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1",
            "00-0af7651916cd43dd8448eb211c80319é-b7ad6b7169203331-01",
        ] {
            assert_eq!(Context::parse(wrong), None, "{wrong}");
        }
    }

    #[tokio::test]
    async fn a_task_knows_where_it_is() {
        assert_eq!(current(), None);
        let context = Context::fresh(false);
        within(context, async { assert_eq!(current(), Some(context)) }).await;
        assert_eq!(current(), None);
    }
}
