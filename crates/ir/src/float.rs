//! Floats of any format: conversions and arithmetic, correctly rounded.
//!
//! Every conversion of constants and of evaluated values to a narrower format goes through here: the parser's, folding's,
//! the interpreter's and the front ends'.

use crate::{FloatKind, narrow_floats as narrow};
use num_bigint::BigInt;
use num_traits::FromPrimitive;
use rustc_apfloat::{Float, FloatConvert, Round, Status, ieee};
use std::cmp::Ordering;

/// Calls a macro with the APFloat type of a format; `other` handles formats that the library lacks.
macro_rules! with_format {
    ($kind:expr, $format:ident => $body:expr, $other:expr) => {
        match $kind {
            FloatKind::F16 => {
                type $format = ieee::Half;
                $body
            }
            FloatKind::BF16 => {
                type $format = ieee::BFloat;
                $body
            }
            FloatKind::F32 => {
                type $format = ieee::Single;
                $body
            }
            FloatKind::F64 => {
                type $format = ieee::Double;
                $body
            }
            FloatKind::F80 => {
                type $format = ieee::X87DoubleExtended;
                $body
            }
            FloatKind::F128 => {
                type $format = ieee::Quad;
                $body
            }
            FloatKind::F8E5M2 => {
                type $format = ieee::Float8E5M2;
                $body
            }
            FloatKind::F8E4M3FN => {
                type $format = ieee::Float8E4M3FN;
                $body
            }
            _ => $other,
        }
    };
}

/// Rounds `value` to a format, ties to even; returns its bits.
pub fn float_from_f64(kind: FloatKind, value: f64) -> u128 {
    let wide = ieee::Double::from_bits(u128::from(value.to_bits()));
    let mut loses_info = false;
    with_format!(
        kind,
        F => { let narrow: F = wide.convert(&mut loses_info).value; narrow.to_bits() },
        narrow::FORMATS.iter().find(|(of, _)| *of == kind).map_or(0, |(_, format)| format.encode(value))
    )
}

/// The value of a bit pattern, rounded to `f64` if the format is wider.
pub fn float_to_f64(kind: FloatKind, bits: u128) -> f64 {
    let mut loses_info = false;
    let wide: ieee::Double = with_format!(
        kind,
        F => F::from_bits(bits).convert(&mut loses_info).value,
        return narrow::FORMATS.iter().find(|(of, _)| *of == kind).map_or(0.0, |(_, format)| format.decode(bits))
    );
    f64::from_bits(wide.to_bits() as u64)
}

/// Rounds an integer to a format, ties to even; returns its bits.
pub fn float_from_int(kind: FloatKind, value: i128) -> u128 {
    with_format!(
        kind,
        F => F::from_i128(value).value.to_bits(),
        // A narrow format: the last bit of the `f64` is a sticky bit for the digits that were cut off.
        narrow::FORMATS.iter().find(|(of, _)| *of == kind).map_or(0, |(_, format)| format.encode(to_odd(value)))
    )
}

/// Rounds an integer of any size to a format, ties to even; returns its bits.
pub fn float_from_big(kind: FloatKind, value: &BigInt) -> u128 {
    if let Ok(value) = i128::try_from(value) {
        return float_from_int(kind, value);
    }
    // The highest bits, the last of which is a sticky bit for those that are cut off, are more than a format has.
    let excess = value.bits() - 120;
    let kept: BigInt = value >> excess;
    let lost = &kept << excess != *value;
    let cut = i128::try_from(kept).unwrap_or(0) | i128::from(lost);
    let excess = i32::try_from(excess).unwrap_or(i32::MAX / 2);
    with_format!(
        kind,
        F => F::from_i128(cut).value.scalbn(excess).to_bits(),
        narrow::FORMATS.iter().find(|(of, _)| *of == kind).map_or(0, |(_, format)| {
            format.encode((to_odd(cut) * 2f64.powi(excess)).clamp(f64::MIN, f64::MAX))
        })
    )
}

/// An integer cut to the digits of an `f64`; the last one is set where something was cut off. Rounding the result to at most
/// 51 digits is rounding the integer.
fn to_odd(value: i128) -> f64 {
    let magnitude = value.unsigned_abs();
    let excess = (u128::BITS - magnitude.leading_zeros()).saturating_sub(f64::MANTISSA_DIGITS);
    let kept = magnitude >> excess;
    let lost = kept << excess != magnitude;
    let odd = (kept | u128::from(lost)) as f64 * 2f64.powi(excess as i32);
    if value < 0 { -odd } else { odd }
}

/// Rounds a value of one format to another, ties to even; returns its bits, and whether the conversion is exact.
pub fn convert_float(from: FloatKind, to: FloatKind, bits: u128) -> (u128, bool) {
    let through_f64 = |bits: u128| {
        let converted = float_from_f64(to, float_to_f64(from, bits));
        (converted, float_to_f64(to, converted) == float_to_f64(from, bits))
    };
    with_format!(
        from,
        F => with_format!(
            to,
            T => {
                let mut loses_info = false;
                let converted: T = F::from_bits(bits).convert(&mut loses_info).value;
                (converted.to_bits(), !loses_info)
            },
            // A wide format to a narrow one: through an `f64` whose last bit is a sticky bit for the digits that were cut off.
            {
                let mut loses_info = false;
                let cut: ieee::Double = F::from_bits(bits).convert_r(Round::TowardZero, &mut loses_info).value;
                let odd = f64::from_bits(cut.to_bits() as u64 | u64::from(loses_info && !cut.is_nan()));
                let (converted, same) = (float_from_f64(to, odd), !loses_info);
                (converted, same && float_to_f64(to, converted) == odd)
            }
        ),
        // Every value of these formats is an `f64`.
        through_f64(bits)
    )
}

/// An arithmetic operation on floats of one format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are the operations'")]
pub enum FloatArithmetic {
    Add,
    Sub,
    Mul,
    Div,
    /// The remainder with the sign of the dividend, as C's `fmod`.
    Rem,
}

/// The bits of the result of an operation on two values of a format, rounded once.
pub fn float_arithmetic(kind: FloatKind, operation: FloatArithmetic, a: u128, b: u128) -> u128 {
    use FloatArithmetic::*;
    with_format!(
        kind,
        F => {
            let (a, b) = (F::from_bits(a), F::from_bits(b));
            let result = match operation {
                Add => a + b,
                Sub => a - b,
                Mul => a * b,
                Div => a / b,
                Rem => a.c_fmod(b),
            };
            result.value.to_bits()
        },
        {
            // An `f64` has more than twice the digits of these formats, so rounding to it first does not change the result.
            let (a, b) = (float_to_f64(kind, a), float_to_f64(kind, b));
            let result = match operation {
                Add => a + b,
                Sub => a - b,
                Mul => a * b,
                Div => a / b,
                Rem => a % b,
            };
            float_from_f64(kind, result)
        }
    )
}

/// The order of two values of a format; `None` where one of them is NaN.
pub fn compare_floats(kind: FloatKind, a: u128, b: u128) -> Option<Ordering> {
    with_format!(
        kind,
        F => F::from_bits(a).partial_cmp(&F::from_bits(b)),
        float_to_f64(kind, a).partial_cmp(&float_to_f64(kind, b))
    )
}

/// The integer that a value becomes when cut towards zero; `None` for one beyond 128 bits, an infinity and NaN.
pub fn float_to_int(kind: FloatKind, bits: u128) -> Option<i128> {
    let mut is_exact = false;
    with_format!(
        kind,
        F => {
            let cut = F::from_bits(bits).to_i128_r(128, Round::TowardZero, &mut is_exact);
            (!cut.status.intersects(Status::INVALID_OP)).then_some(cut.value)
        },
        {
            let value = float_to_f64(kind, bits).trunc();
            (value.abs() < 2f64.powi(127)).then_some(value as i128)
        }
    )
}

/// [`float_to_int`] without a limit; `None` for an infinity and NaN.
pub fn float_to_big(kind: FloatKind, bits: u128) -> Option<BigInt> {
    if let Some(value) = float_to_int(kind, bits) {
        return Some(value.into());
    }
    let mut is_exact = false;
    with_format!(
        kind,
        F => {
            // A value of this magnitude is an integer whose digits fit after scaling.
            let value = F::from_bits(bits);
            if !value.is_finite() {
                return None;
            }
            let excess = value.ilogb() - 120;
            let high = value.scalbn(-excess).to_i128_r(128, Round::TowardZero, &mut is_exact).value;
            Some(BigInt::from(high) << excess)
        },
        BigInt::from_f64(float_to_f64(kind, bits))
    )
}

/// Rounds a decimal number to a format, ties to even; returns its bits, or `None` if the text is malformed.
pub fn parse_float(kind: FloatKind, text: &str) -> Option<u128> {
    match kind {
        FloatKind::F32 => text.parse::<f32>().ok().map(|value| u128::from(value.to_bits())),
        FloatKind::F64 => text.parse::<f64>().ok().map(|value| u128::from(value.to_bits())),
        _ => with_format!(
            kind,
            F => text.parse::<F>().ok().map(|value| value.to_bits()),
            text.parse::<f64>().ok().map(|value| float_from_f64(kind, value))
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_round_to_their_format() {
        assert_eq!(float_from_f64(FloatKind::F32, 0.1), u128::from(0.1f32.to_bits()));
        assert_eq!(float_to_f64(FloatKind::F16, float_from_f64(FloatKind::F16, 65504.0)), 65504.0);
        assert_eq!(float_to_f64(FloatKind::BF16, float_from_f64(FloatKind::BF16, 1.0)), 1.0);
        assert_eq!(parse_float(FloatKind::F64, "1e-3"), Some(u128::from(1e-3f64.to_bits())));
        assert_eq!(parse_float(FloatKind::F16, "word"), None);
    }

    /// The values of a format of 16 bits, by their definition.
    fn value(kind: FloatKind, bits: u16) -> f64 {
        let fraction = if kind == FloatKind::F16 { 10 } else { 7 };
        let (exponents, bias) = if kind == FloatKind::F16 { (31, 15) } else { (255, 127) };
        let (exponent, digits) = (i32::from(bits >> fraction) & exponents, bits & ((1 << fraction) - 1));
        let magnitude = match exponent {
            exponent if exponent == exponents => {
                if digits == 0 {
                    f64::INFINITY
                } else {
                    f64::NAN
                }
            }
            0 => f64::from(digits) * 2f64.powi(1 - bias - fraction),
            exponent => (1.0 + f64::from(digits) / 2f64.powi(fraction)) * 2f64.powi(exponent - bias),
        };
        if bits >> 15 == 1 { -magnitude } else { magnitude }
    }

    /// The nearest of all finite values; values beyond the greatest by half a step or more are infinite.
    fn nearest(kind: FloatKind, wanted: f64) -> u16 {
        let infinity = if kind == FloatKind::F16 { 0x7c00 } else { 0x7f80 };
        // Ordered by magnitude; infinity represents the next step.
        let at = |bits: u16| {
            if bits == infinity {
                2.0 * value(kind, infinity - 1) - value(kind, infinity - 2)
            } else {
                value(kind, bits)
            }
        };
        let magnitude = wanted.abs();
        let (mut low, mut high) = (0, infinity);
        if magnitude >= at(infinity) {
            low = infinity;
        }
        while high - low > 1 && low < infinity {
            let middle = low + (high - low) / 2;
            if at(middle) <= magnitude { low = middle } else { high = middle }
        }
        let up = low < infinity && {
            let (below, above) = (magnitude - at(low), at(low + 1) - magnitude);
            above < below || above == below && low % 2 == 1
        };
        (low + u16::from(up)) | if wanted.is_sign_negative() { 0x8000 } else { 0 }
    }

    #[test]
    fn every_f16_and_bf16_is_read_and_written() {
        for kind in [FloatKind::F16, FloatKind::BF16] {
            for bits in 0..=u16::MAX {
                let wide = float_to_f64(kind, bits.into());
                assert!(
                    wide == value(kind, bits) || wide.is_nan() && value(kind, bits).is_nan(),
                    "{kind:?} {bits:#x}"
                );
                if !wide.is_nan() {
                    assert_eq!(float_from_f64(kind, wide), u128::from(bits), "{kind:?} {bits:#x}");
                }
            }
        }
    }

    #[test]
    fn ties_and_their_neighbors_round_to_the_nearest() {
        for kind in [FloatKind::F16, FloatKind::BF16] {
            for bits in 0..=u16::MAX {
                let (this, next) = (value(kind, bits), value(kind, bits.wrapping_add(1)));
                let tie = (this + next) / 2.0;
                for wanted in [tie, tie.next_up(), tie.next_down(), this.next_up(), this.next_down()] {
                    if wanted.is_finite() {
                        let (found, want) = (float_from_f64(kind, wanted), nearest(kind, wanted));
                        assert_eq!(found, u128::from(want), "{kind:?} {wanted:e}");
                    }
                }
            }
        }
    }

    #[test]
    fn integers_round_once() {
        // 2^24 + 2^16 is a tie of bf16 that the last bit decides; an f64 has lost it.
        let tie = (1i128 << 62) + (1 << 54);
        for value in [tie, tie + 1, tie - 1, -tie, -tie - 1, 65519, 65520, 2049, 2051, 0, 1] {
            for kind in [FloatKind::F16, FloatKind::BF16] {
                // Exact multiples of a step, compared in integers.
                let found = float_to_f64(kind, float_from_int(kind, value));
                let odd = float_to_f64(kind, nearest(kind, to_odd(value)).into());
                assert_eq!(found, odd, "{kind:?} {value}");
            }
        }
        let above = float_to_f64(FloatKind::BF16, float_from_int(FloatKind::BF16, tie + 1));
        assert_eq!(above, ((1i128 << 62) + (1 << 55)) as f64);
        assert_eq!(
            float_to_f64(FloatKind::TF32, float_from_int(FloatKind::TF32, (1 << 60) + (1 << 49) + 1)),
            ((1i64 << 60) + (1 << 50)) as f64
        );
    }

    #[test]
    fn large_integers_round_once() {
        let big = |text: &str| text.parse::<BigInt>().expect("a number");
        // 2^200 + 2^147 is a tie of f64 that the last bit decides.
        let tie = (BigInt::from(1) << 200) + (BigInt::from(1) << 147);
        let of = |kind, value: &BigInt| float_to_f64(kind, float_from_big(kind, value));
        let (even, odd) = (2f64.powi(200), 2f64.powi(200) + 2f64.powi(148));
        assert_eq!(of(FloatKind::F64, &tie), even);
        assert_eq!(of(FloatKind::F64, &(&tie + 1)), odd);
        assert_eq!(of(FloatKind::F64, &-(&tie + BigInt::from(1))), -odd);
        assert_eq!(of(FloatKind::F32, &tie), f64::INFINITY);
        assert_eq!(of(FloatKind::F16, &-tie.clone()), f64::NEG_INFINITY);
        let third = big("113427455640312821154458202477256070485");
        assert_eq!(of(FloatKind::F64, &(&third * 2)), 2.2685491128062563e38);
        for kind in [FloatKind::F64, FloatKind::F80, FloatKind::F128] {
            let back = float_to_big(kind, float_from_f64(kind, -odd));
            assert_eq!(back, Some((BigInt::from(-1) << 200u32) - (BigInt::from(1) << 148u32)), "{kind:?}");
            assert_eq!(float_to_big(kind, float_from_f64(kind, f64::INFINITY)), None);
        }
    }

    #[test]
    fn formats_convert_into_one_another() {
        let half = float_from_f64(FloatKind::F16, 1.5);
        for kind in FloatKind::ALL.into_iter().filter(|kind| *kind != FloatKind::F8E8M0FNU) {
            let (bits, same) = convert_float(FloatKind::F16, kind, half);
            assert!(same && float_to_f64(kind, bits) == 1.5, "{kind:?}");
        }
        let third = float_arithmetic(
            FloatKind::F128,
            FloatArithmetic::Div,
            float_from_f64(FloatKind::F128, 1.0),
            float_from_f64(FloatKind::F128, 3.0),
        );
        let (narrow, same) = convert_float(FloatKind::F128, FloatKind::F64, third);
        assert_eq!((float_to_f64(FloatKind::F64, narrow), same), (1.0 / 3.0, false));
        assert_eq!(float_to_int(FloatKind::F80, float_from_f64(FloatKind::F80, -7.9)), Some(-7));
        assert_eq!(float_to_int(FloatKind::F8E5M2, float_from_f64(FloatKind::F8E5M2, f64::INFINITY)), None);
    }
}
