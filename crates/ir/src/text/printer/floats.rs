//! Printing of floats in MLIR's format.

use crate::narrow_floats::{FORMATS, Narrow};
use crate::text::parser::read_decimal;
use crate::{FloatKind, parse_float};
use num_bigint::BigUint;

/// Prints `1.000000e+00` if it is parsed to the same bits, otherwise the number of digits that the format needs, otherwise
/// (for infinities and NaN) the bits in hexadecimal. Follows `printFloatValue` of MLIR and `APFloat::toString` of
/// LLVM.
pub(crate) fn write_float(out: &mut Vec<u8>, kind: FloatKind, bits: u128) {
    if let Some((negative, significand, exponent)) = decompose(kind, bits) {
        let short = format_decimal(kind, negative, &significand, exponent, Some(6));
        if parse_float(kind, &short) == Some(bits) && read_decimal(kind, &short) == Some(bits) {
            out.extend_from_slice(short.as_bytes());
            return;
        }
        let long = format_decimal(kind, negative, &significand, exponent, None);
        // A number with more digits than `f64` represents is printed by its bits; otherwise it would not be parsed to
        // the same bits.
        if long.contains('.') && read_decimal(kind, &long) == Some(bits) {
            out.extend_from_slice(long.as_bytes());
            return;
        }
    }
    out.extend_from_slice(format!("0x{bits:X}").as_bytes());
}

/// The numbers of exponent bits and stored fraction bits of a format that is not [`Narrow`].
fn layout(kind: FloatKind) -> Option<(u32, u32)> {
    Some(match kind {
        FloatKind::F16 => (5, 10),
        FloatKind::BF16 => (8, 7),
        FloatKind::F32 => (8, 23),
        FloatKind::F64 => (11, 52),
        FloatKind::F128 => (15, 112),
        FloatKind::F80 => (15, 64),
        FloatKind::F8E5M2 => (5, 2),
        FloatKind::F8E4M3FN => (4, 3),
        _ => return None,
    })
}

/// The sign, and significand * 2^exponent; `None` if not finite.
fn decompose(kind: FloatKind, bits: u128) -> Option<(bool, BigUint, i32)> {
    if let Some(format) = narrow(kind) {
        return format.decompose(bits).map(|(negative, number, two)| (negative, number.into(), two));
    }
    let (exponent_bits, fraction_bits) = layout(kind)?;
    let negative = bits >> (exponent_bits + fraction_bits) & 1 == 1;
    let mask = (1u128 << exponent_bits) - 1;
    let biased = bits >> fraction_bits & mask;
    let fraction = bits & ((1u128 << fraction_bits) - 1);
    let special = match kind {
        FloatKind::F8E4M3FN => biased == mask && fraction == 7,
        _ => biased == mask,
    };
    if special {
        return None;
    }
    let bias = (1i32 << (exponent_bits - 1)) - 1;
    // The 80-bit format stores its leading one.
    let explicit = kind == FloatKind::F80;
    let point = fraction_bits as i32 - i32::from(explicit);
    let implicit = if biased > 0 && !explicit { 1u128 << fraction_bits } else { 0 };
    let exponent = (biased as i32).max(1) - bias - point;
    Some((negative, BigUint::from(fraction | implicit), exponent))
}

fn narrow(kind: FloatKind) -> Option<&'static Narrow> {
    FORMATS.iter().find(|(of, _)| *of == kind).map(|(_, format)| format)
}

fn precision(kind: FloatKind) -> u32 {
    match kind {
        FloatKind::F80 => 64,
        _ => narrow(kind)
            .map(Narrow::precision)
            .or_else(|| layout(kind).map(|(_, fraction)| fraction + 1))
            .unwrap_or(1),
    }
}

/// `APFloat::toString`: in scientific notation with `digits` digits, or with the number of digits that the format needs.
fn format_decimal(
    kind: FloatKind,
    negative: bool,
    significand: &BigUint,
    exponent: i32,
    digits: Option<usize>,
) -> String {
    let mut out = String::from(if negative { "-" } else { "" });
    if *significand == BigUint::ZERO {
        out.push_str(match digits {
            Some(_) => "0.000000e+00",
            None => "0",
        });
        return out;
    }
    let wanted = digits.unwrap_or(2 + precision(kind) as usize * 59 / 196);
    let (text, ten) = decimal_digits(significand, exponent, wanted);
    let n = text.len();
    let scientific = match digits {
        Some(_) => true,
        None if ten >= 0 => ten > 3 || n as i32 + ten > wanted as i32,
        None => {
            let top = ten + n as i32 - 1;
            top < 0 && -top > 3
        }
    };
    match scientific {
        true => push_scientific(&mut out, &text, ten, digits),
        false => push_positional(&mut out, &text, ten),
    }
    out
}

/// A number as decimal digits, at most `wanted`, and a power of ten.
fn decimal_digits(significand: &BigUint, exponent: i32, wanted: usize) -> (String, i32) {
    let zeros = significand.trailing_zeros().unwrap_or(0);
    let (mut number, two) = (significand >> zeros, exponent + zeros as i32);
    let mut ten = 0i32;
    if two >= 0 {
        number <<= two;
    } else {
        number *= BigUint::from(5u8).pow(two.unsigned_abs());
        ten = two;
    }
    // Truncate superfluous digits before the conversion, as LLVM does.
    let required = (wanted as u64 * 196).div_ceil(59);
    if number.bits() > required {
        let removable = (number.bits() - required) * 59 / 196;
        if removable > 0 {
            number /= BigUint::from(10u8).pow(removable as u32);
            ten += removable as i32;
        }
    }
    let mut text = number.to_string().into_bytes();
    let trim = |text: &mut Vec<u8>, ten: &mut i32| {
        while text.len() > 1 && text.last() == Some(&b'0') {
            text.pop();
            *ten += 1;
        }
    };
    trim(&mut text, &mut ten);
    if text.len() > wanted {
        let up = text[wanted] >= b'5';
        ten += (text.len() - wanted) as i32;
        text.truncate(wanted);
        if up && !increment(&mut text) {
            text = vec![b'1'];
            ten += wanted as i32;
        }
        trim(&mut text, &mut ten);
    }
    (String::from_utf8(text).unwrap_or_default(), ten)
}

/// Adds one to decimal digits; returns false on overflow.
fn increment(digits: &mut [u8]) -> bool {
    for digit in digits.iter_mut().rev() {
        if *digit != b'9' {
            *digit += 1;
            return true;
        }
        *digit = b'0';
    }
    false
}

/// Prints digits times a power of ten in scientific notation, with `digits` digits after the point or all.
fn push_scientific(out: &mut String, text: &str, ten: i32, digits: Option<usize>) {
    let n = text.len();
    let exponent = ten + n as i32 - 1;
    let sign = if exponent < 0 { '-' } else { '+' };
    out.push_str(&text[..1]);
    out.push('.');
    match digits {
        Some(digits) => {
            out.push_str(&text[1..]);
            out.extend(std::iter::repeat_n('0', (digits + 1).saturating_sub(n)));
            out.push_str(&format!("e{sign}{:02}", exponent.abs()));
        }
        None => {
            out.push_str(if n == 1 { "0" } else { &text[1..] });
            out.push_str(&format!("E{sign}{}", exponent.abs()));
        }
    }
}

/// Prints digits times a power of ten in positional notation.
fn push_positional(out: &mut String, text: &str, ten: i32) {
    if ten >= 0 {
        out.push_str(text);
        out.extend(std::iter::repeat_n('0', ten as usize));
        return;
    }
    let whole = ten + text.len() as i32;
    if whole > 0 {
        out.push_str(&text[..whole as usize]);
        out.push('.');
        out.push_str(&text[whole as usize..]);
    } else {
        out.push_str("0.");
        out.extend(std::iter::repeat_n('0', whole.unsigned_abs() as usize));
        out.push_str(text);
    }
}
