//! Formats numbers as a C++ stream with default settings does: `%.6g` for floats, `1` and `0` for bools.

use std::fmt::{self, Write};

/// Significant digits of a printed float.
const PRECISION: i32 = 6;

/// Writes `value` in C's `%.6g` format.
///
/// # Errors
/// The errors of `out`.
///
/// ```
/// let mut text = String::new();
/// minoan_runtime::write_f64(&mut text, -0.00001234).unwrap();
/// assert_eq!(text, "-1.234e-05");
/// ```
pub fn write_f64(out: &mut impl Write, value: f64) -> fmt::Result {
    if value.is_sign_negative() {
        out.write_char('-')?;
    }
    if value.is_nan() {
        return out.write_str("nan");
    }
    let magnitude = value.abs();
    if magnitude.is_infinite() {
        return out.write_str("inf");
    }
    if magnitude == 0.0 {
        return out.write_char('0');
    }
    // The exponent is that of the rounded value: 999999.5 prints as 1e+06.
    let scientific = format!("{magnitude:.*e}", PRECISION as usize - 1);
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..PRECISION).contains(&exponent) {
        let fixed = format!("{magnitude:.*}", (PRECISION - 1 - exponent) as usize);
        out.write_str(without_trailing_zeros(&fixed))
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        write!(out, "{}e{sign}{:02}", without_trailing_zeros(digits), exponent.abs())
    }
}

/// Writes `value` in C's `%.6g` format.
///
/// # Errors
/// The errors of `out`.
pub fn write_f32(out: &mut impl Write, value: f32) -> fmt::Result {
    // Widening is exact but may lose the sign of a NaN.
    if value.is_nan() {
        return out.write_str(if value.is_sign_negative() { "-nan" } else { "nan" });
    }
    write_f64(out, f64::from(value))
}

/// Formats `value` as C's `%.6g` does: `0.1`, `1e+10`, `1.23457e+08`, `inf`, `-nan`.
pub fn format_f64(value: f64) -> String {
    let mut text = String::new();
    let _infallible = write_f64(&mut text, value);
    text
}

/// Formats `value` as C's `%.6g` does.
pub fn format_f32(value: f32) -> String {
    let mut text = String::new();
    let _infallible = write_f32(&mut text, value);
    text
}

/// Formats `value` in decimal.
pub fn format_i64(value: i64) -> String {
    value.to_string()
}

/// Formats `value` as `1` or `0`.
pub fn format_i1(value: bool) -> &'static str {
    if value { "1" } else { "0" }
}

fn without_trailing_zeros(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}
