//! Runs a stranger's product and hands over what it declared. The only crate that knows V8, deno_core, oxc or the operating
//! system's sandbox; it knows no rule, no IR and no money.

mod isolate;
pub mod job;
mod lower;
pub mod modules;

pub use isolate::PrepareError;
pub use job::{Failure, Job, Limits, Outcome};

#[doc(hidden)]
pub fn try_it(sources: &modules::Sources) -> Outcome {
    let limits = Limits::default();
    isolate::init_platform(&limits, None);
    let t = std::time::Instant::now();
    let isolate = isolate::Isolate::prepare(limits).unwrap();
    eprintln!("prepare {:?}", t.elapsed());
    let t = std::time::Instant::now();
    let r = isolate.run(sources);
    eprintln!("run {:?}", t.elapsed());
    r
}
