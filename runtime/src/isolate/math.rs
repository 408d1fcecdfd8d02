//! The two functions by which a guest would reach the machine's math library. V8 computes `**`, `Math.pow` and `Math.tanh` with the
//! C library's `pow` and `tanh`, and oxc folds constants with the same; the C library's answers differ in the last bit between
//! processors (with and without fused multiply-add) and versions. The program's own definitions take their place for everyone
//! in it, so the answers are the same on every machine.
#![expect(unsafe_code, reason = "a C symbol is defined")]

/// The program's `pow`.
// SAFETY: the signature is the C library's.
#[unsafe(no_mangle)]
pub(super) extern "C" fn pow(base: f64, exponent: f64) -> f64 {
    libm::pow(base, exponent)
}

/// The program's `tanh`.
// SAFETY: the signature is the C library's.
#[unsafe(no_mangle)]
pub(super) extern "C" fn tanh(angle: f64) -> f64 {
    libm::tanh(angle)
}

/// Makes the linker keep both, whatever else it finds by their names.
pub(crate) fn keep() -> [extern "C" fn(f64, f64) -> f64; 2] {
    extern "C" fn tanh_of_first(angle: f64, _: f64) -> f64 {
        tanh(angle)
    }
    std::hint::black_box([pow, tanh_of_first])
}
