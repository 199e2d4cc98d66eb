//! Numeric functions without an equivalent in MLIR's `math` dialect.

unsafe extern "C" {
    safe fn lgamma_r(x: f64, sign: &mut i32) -> f64;
    safe fn erf(x: f64) -> f64;
    safe fn expm1(x: f64) -> f64;
    safe fn expm1f(x: f32) -> f32;
}

/// Hashes `seed` to a number uniformly distributed over `0 <= x < 1`: Knossos' `$ranhashdoub`.
///
/// The seed is truncated to 32 bits and sign-extended. The hash is Numerical Recipes' `Ranhash::int64` (third
/// edition, section 7.1.4) times 2^-64; the bits are the same on every machine.
///
/// ```
/// let x = minoan_runtime::ranhashdoub(1);
/// assert!((0.0..1.0).contains(&x));
/// assert_eq!(x, minoan_runtime::ranhashdoub((1 << 32) + 1));
/// ```
pub fn ranhashdoub(seed: i64) -> f64 {
    let mut v = (i64::from(seed as i32) as u64)
        .wrapping_mul(3_935_559_000_370_003_845)
        .wrapping_add(2_691_343_689_449_507_681);
    v ^= v >> 21;
    v ^= v << 37;
    v ^= v >> 4;
    v = v.wrapping_mul(4_768_777_513_237_032_717);
    v ^= v << 20;
    v ^= v >> 41;
    v ^= v << 5;
    5.421_010_862_427_522e-20 * v as f64
}

/// [`ranhashdoub`] for compiled code.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_ranhashdoub(seed: i64) -> f64 {
    ranhashdoub(seed)
}

/// The logarithm of the absolute value of the gamma function.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_lgamma(x: f64) -> f64 {
    // `lgamma` writes the sign to a global; the `_r` form is thread-safe.
    lgamma_r(x, &mut 0)
}

/// The error function.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_erf(x: f64) -> f64 {
    erf(x)
}

/// `exp(x) - 1`, for programs that have a function `expm1` of their own.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_expm1(x: f64) -> f64 {
    expm1(x)
}

/// `exp(x) - 1` in `f32`, for programs that have a function `expm1f` of their own.
#[unsafe(no_mangle)]
pub extern "C" fn minoan_expm1f(x: f32) -> f32 {
    expm1f(x)
}
