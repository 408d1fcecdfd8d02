//! Bodies on their way through: nothing is kept. A request's is bounded in length and in how long its sender is waited for; an answer's in how
//! long its backend is silent. Each is asked for more only when the other side has room.

use crate::headers;
use crate::limits::{BODY_GRACE_SECONDS, BODY_PACE_BYTES};
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::header::HeaderMap;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};
use tokio::time::Sleep;
use tower::BoxError;

/// What became of a request's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UploadEnd {
    /// Nothing is wrong with it so far.
    Fine,
    /// It is too long.
    TooLarge,
    /// It came too slowly.
    Late,
    /// It broke off: its sender is gone, or does not speak HTTP.
    Broken,
}

/// What is seen of a request's body from outside.
#[derive(Debug)]
pub(crate) struct UploadWatch {
    end: AtomicU8,
    begun: Instant,
    /// When its last piece was taken, in milliseconds since it began.
    moved_ms: AtomicU64,
}

impl UploadWatch {
    pub(crate) fn new() -> Arc<UploadWatch> {
        Arc::new(UploadWatch { end: AtomicU8::new(0), begun: Instant::now(), moved_ms: AtomicU64::new(0) })
    }

    pub(crate) fn end(&self) -> UploadEnd {
        match self.end.load(Ordering::Acquire) {
            0 => UploadEnd::Fine,
            1 => UploadEnd::TooLarge,
            2 => UploadEnd::Late,
            _ => UploadEnd::Broken,
        }
    }

    /// How long nothing of it was taken.
    pub(crate) fn rests(&self) -> Duration {
        self.begun.elapsed().saturating_sub(Duration::from_millis(self.moved_ms.load(Ordering::Acquire)))
    }

    fn moved(&self) {
        self.moved_ms.store(u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX), Ordering::Release);
    }

    fn note(&self, end: UploadEnd) -> BoxError {
        let (code, text) = match end {
            UploadEnd::Fine => (0, ""),
            UploadEnd::TooLarge => (1, "the body is too long"),
            UploadEnd::Late => (2, "the body did not arrive in time"),
            UploadEnd::Broken => (3, "the body broke off"),
        };
        self.end.store(code, Ordering::Release);
        text.into()
    }
}

/// A request's body on its way to the backend; nothing for one that has none.
pub(crate) struct Upload {
    inner: Option<Incoming>,
    watch: Arc<UploadWatch>,
    most: u64,
    read: u64,
    /// How long its sender was waited for, and since when.
    waited: Duration,
    waits_since: Option<Instant>,
    alarm: Alarm,
}

/// Wakes whoever waits when a moment has come. It costs nothing until then is waited for.
#[derive(Debug, Default)]
struct Alarm(Option<Pin<Box<Sleep>>>);

impl Alarm {
    fn set(&mut self, at: tokio::time::Instant) {
        match &mut self.0 {
            Some(sleep) => sleep.as_mut().reset(at),
            None => self.0 = Some(Box::pin(tokio::time::sleep_until(at))),
        }
    }

    /// Done when it was set and the moment has come.
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<()> {
        self.0.as_mut().map_or(Poll::Pending, |sleep| sleep.as_mut().poll(context))
    }
}

impl Upload {
    pub(crate) fn new(inner: Option<Incoming>, watch: Arc<UploadWatch>, most: u64) -> Upload {
        Upload { inner, watch, most, read: 0, waited: Duration::ZERO, waits_since: None, alarm: Alarm::default() }
    }

    /// Since when its sender is waited for. It may be waited for so long in all, by what has come.
    fn waits(&mut self) -> Instant {
        if let Some(since) = self.waits_since {
            return since;
        }
        let paced = self.read.checked_div(BODY_PACE_BYTES).unwrap_or_default();
        let patience = Duration::from_secs(BODY_GRACE_SECONDS.saturating_add(paced));
        let now = tokio::time::Instant::now();
        self.alarm.set(now.checked_add(patience.saturating_sub(self.waited)).unwrap_or(now));
        *self.waits_since.insert(Instant::now())
    }
}

impl Body for Upload {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let upload = self.get_mut();
        let Some(inner) = upload.inner.as_mut() else { return Poll::Ready(None) };
        let polled = Pin::new(inner).poll_frame(context);
        let Poll::Ready(frame) = polled else {
            let since = upload.waits();
            ready!(upload.alarm.poll(context));
            upload.waited = upload.waited.saturating_add(since.elapsed());
            return Poll::Ready(Some(Err(upload.watch.note(UploadEnd::Late))));
        };
        if let Some(since) = upload.waits_since.take() {
            upload.waited = upload.waited.saturating_add(since.elapsed());
        }
        upload.watch.moved();
        let frame = match frame {
            None => return Poll::Ready(None),
            Some(Err(_)) => return Poll::Ready(Some(Err(upload.watch.note(UploadEnd::Broken)))),
            Some(Ok(frame)) => frame,
        };
        // Trailers of a request are of its connection: no backend need trust them.
        let Ok(data) = frame.into_data() else { return Poll::Ready(None) };
        upload.read = upload.read.saturating_add(u64::try_from(data.len()).unwrap_or(u64::MAX));
        if upload.read > upload.most {
            return Poll::Ready(Some(Err(upload.watch.note(UploadEnd::TooLarge))));
        }
        Poll::Ready(Some(Ok(Frame::data(data))))
    }

    fn is_end_stream(&self) -> bool {
        self.inner.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.as_ref().map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}

/// What an answer's end waits for.
pub(crate) type Settling = Pin<Box<dyn Future<Output = ()> + Send>>;

/// What happens when an answer has ended.
pub(crate) trait Ending: Send + Unpin + 'static {
    /// It came whole, with these trailers. Nothing more is passed on before the returned future is done.
    fn whole(&mut self, trailers: Option<&HeaderMap>) -> Option<Settling>;
    /// It broke off, or its backend was silent for too long.
    fn broke(&mut self);
    /// The time for the whole request is over.
    fn cut(&mut self);
}

/// An answer's body on its way to the client. Dropped before its end, its ending is dropped too, which knows what that means.
pub(crate) struct Download<E> {
    inner: Incoming,
    /// Bytes that are still to come, where that is known.
    left: Option<u64>,
    ending: Option<E>,
    /// What the end waits for, and what is passed on after it.
    settling: Option<(Settling, Option<Frame<Bytes>>)>,
    /// Why it breaks off, once what came before is on its way.
    failing: Option<BoxError>,
    silence: Duration,
    deadline: tokio::time::Instant,
    /// Rings when its backend was silent for too long, or at the deadline; set whenever a piece is waited for.
    alarm: Alarm,
    is_set: bool,
}

impl<E: Ending> Download<E> {
    pub(crate) fn new(inner: Incoming, ending: E, silence: Duration, deadline: tokio::time::Instant) -> Download<E> {
        let left = inner.size_hint().exact();
        Download {
            inner,
            left,
            ending: Some(ending),
            settling: None,
            failing: None,
            silence,
            deadline,
            alarm: Alarm::default(),
            is_set: false,
        }
    }

    /// The end is there; `last` is what is passed on when it is settled.
    fn settle(&mut self, trailers: Option<&HeaderMap>, last: Option<Frame<Bytes>>) -> Option<Frame<Bytes>> {
        let Some(mut ending) = self.ending.take() else { return last };
        match ending.whole(trailers) {
            Some(future) => {
                self.settling = Some((future, last));
                None
            }
            None => last,
        }
    }

    fn is_over(&self) -> bool {
        tokio::time::Instant::now() >= self.deadline
    }

    fn cut(&mut self) -> BoxError {
        if let Some(mut ending) = self.ending.take() {
            ending.cut();
        }
        "the time for the whole request is over".into()
    }

    fn poll_silence(&mut self, context: &mut Context<'_>) -> Poll<BoxError> {
        if !self.is_set {
            self.is_set = true;
            let by = tokio::time::Instant::now().checked_add(self.silence).unwrap_or(self.deadline);
            self.alarm.set(by.min(self.deadline));
        }
        ready!(self.alarm.poll(context));
        if self.is_over() {
            return Poll::Ready(self.cut());
        }
        if let Some(mut ending) = self.ending.take() {
            ending.broke();
        }
        Poll::Ready("the backend was silent for too long".into())
    }
}

impl<E: Ending> Body for Download<E> {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let body = self.get_mut();
        loop {
            if let Some((future, _)) = body.settling.as_mut() {
                ready!(future.as_mut().poll(context));
                let last = body.settling.take().and_then(|(_, last)| last);
                return Poll::Ready(last.map(Ok));
            }
            if let Some(error) = body.failing.take() {
                return Poll::Ready(Some(Err(error)));
            }
            if body.ending.is_none() {
                return Poll::Ready(None);
            }
            let Poll::Ready(frame) = Pin::new(&mut body.inner).poll_frame(context) else {
                return body.poll_silence(context).map(|error| Some(Err(error)));
            };
            body.is_set = false;
            let frame = match frame {
                // One that always has more is stopped too.
                Some(Ok(_)) if body.is_over() => return Poll::Ready(Some(Err(body.cut()))),
                None => {
                    if let Some(last) = body.settle(None, None) {
                        return Poll::Ready(Some(Ok(last)));
                    }
                    continue;
                }
                Some(Err(error)) => {
                    if let Some(mut ending) = body.ending.take() {
                        ending.broke();
                    }
                    // hyper drops what it has not written yet with the connection: it writes when there is nothing more for now.
                    body.failing = Some(error.into());
                    context.waker().wake_by_ref();
                    return Poll::Pending;
                }
                Some(Ok(frame)) => frame,
            };
            match frame.into_data() {
                Ok(data) => {
                    let length = u64::try_from(data.len()).unwrap_or(u64::MAX);
                    body.left = body.left.map(|left| left.saturating_sub(length));
                    let frame = Frame::data(data);
                    // Past a length that was announced nobody asks for more: this is the end.
                    if body.left != Some(0) {
                        return Poll::Ready(Some(Ok(frame)));
                    }
                    if let Some(last) = body.settle(None, Some(frame)) {
                        return Poll::Ready(Some(Ok(last)));
                    }
                }
                Err(frame) => {
                    let Ok(mut trailers) = frame.into_trailers() else { continue };
                    let kept = {
                        let told = trailers.clone();
                        headers::trailers_to_client(&mut trailers);
                        let last = (!trailers.is_empty()).then(|| Frame::trailers(trailers));
                        body.settle(Some(&told), last)
                    };
                    if let Some(last) = kept {
                        return Poll::Ready(Some(Ok(last)));
                    }
                }
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.ending.is_none() && self.settling.is_none() && self.failing.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        self.left.map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}
