//! Counts the steps of the rules in this crate's own tests, so that how they grow can be asserted without a clock. Does
//! nothing elsewhere.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Counts one step.
#[inline]
pub(crate) fn step() {
    #[cfg(test)]
    STEPS.set(STEPS.get() + 1);
}

/// What `run` returns, and how many steps it took.
#[cfg(test)]
pub(crate) fn count<T>(run: impl FnOnce() -> T) -> (T, u64) {
    STEPS.set(0);
    let result = run();
    (result, STEPS.get())
}
