//! Parsing and printing of numbers.

use crate::ast::{Literal, Suffix};
use half::f16;
use minoan_ir::{FloatKind, float_from_f64, float_to_f64, parse_float};

/// Parses a number that may start with minus signs.
pub(crate) fn parse(negative: bool, word: &str) -> Result<Literal, String> {
    if let Some(literal) = special(word) {
        let Literal::Float(value, suffix) = literal else { return Ok(literal) };
        return Ok(Literal::Float(if negative { -value } else { value }, suffix));
    }
    let (digits, suffix) = split_suffix(word);
    let is_float = digits.contains(['.', 'e', 'E']);
    let malformed = || format!("malformed number '{}'", minoan_frontend::clip(word));
    let suffix = match suffix {
        // Infinity has no spelling without a suffix.
        None if is_float && digits.parse().is_ok_and(f64::is_infinite) => {
            return Err(format!("{} does not fit in float64", minoan_frontend::clip(digits)));
        }
        None if is_float => return float(negative, digits, None).ok_or_else(malformed),
        None => None,
        Some((b'f', width)) => {
            let bits = match width {
                "" | "32" => 32,
                "16" => 16,
                "64" => 64,
                _ => return Err(format!("'f{width}' is not a float type; expected f16, f32 or f64")),
            };
            return float(negative, digits, Some(bits)).ok_or_else(malformed);
        }
        Some((b'i', width)) => Some(match width {
            "" | "32" => 32,
            "8" => 8,
            "16" => 16,
            "64" => 64,
            _ => return Err(format!("'i{width}' is not an integer type; expected i8, i16, i32 or i64")),
        }),
        Some(_) => return Err(malformed()),
    };
    if is_float {
        return Err(format!("'{word}' has a point or exponent, and the suffix of an integer"));
    }
    integer(negative, digits, suffix)
}

/// `inff`, `nanf64`: the spelling of a float without digits.
pub(crate) fn special(word: &str) -> Option<Literal> {
    let (value, width) = match word.split_at_checked(4)? {
        ("inff", width) => (f64::INFINITY, width),
        ("nanf", width) => (f64::NAN, width),
        _ => return None,
    };
    let bits = match width {
        "" | "32" => 32,
        "16" => 16,
        "64" => 64,
        _ => return None,
    };
    Some(Literal::Float(value, Some(Suffix::Float(bits))))
}

fn split_suffix(word: &str) -> (&str, Option<(u8, &str)>) {
    let exponent = |at: usize| {
        let rest = word.as_bytes()[at + 1..].first();
        rest.is_some_and(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-'))
    };
    let at = word.bytes().enumerate().position(|(at, byte)| {
        byte.is_ascii_alphabetic() && !(matches!(byte, b'e' | b'E') && exponent(at)) || byte == b'_'
    });
    match at {
        Some(at) => (&word[..at], Some((word.as_bytes()[at], &word[at + 1..]))),
        None => (word, None),
    }
}

fn integer(negative: bool, digits: &str, bits: Option<u8>) -> Result<Literal, String> {
    let magnitude: Option<i128> = digits.parse().ok();
    let width = bits.unwrap_or(64);
    let limit = 1i128 << (width - 1);
    let value = magnitude.map(|value| if negative { -value } else { value });
    match value.filter(|value| (-limit..limit).contains(value)) {
        Some(value) => Ok(Literal::Int(value as i64, bits.map(Suffix::Int))),
        None => {
            let sign = if negative { "-" } else { "" };
            Err(format!("{sign}{} does not fit in int{width}", minoan_frontend::clip(digits)))
        }
    }
}

fn float(negative: bool, digits: &str, bits: Option<u8>) -> Option<Literal> {
    let value = match bits {
        Some(16) => float_to_f64(FloatKind::F16, parse_float(FloatKind::F16, digits)?),
        Some(32) => f64::from(digits.parse::<f32>().ok()?),
        _ => digits.parse().ok()?,
    };
    Some(Literal::Float(if negative { -value } else { value }, bits.map(Suffix::Float)))
}

/// Prints a literal such that parsing it yields the same value.
pub(crate) fn text(literal: Literal) -> String {
    match literal {
        Literal::Bool(true) => "True".to_owned(),
        Literal::Bool(false) => "False".to_owned(),
        Literal::Int(value, None) => value.to_string(),
        Literal::Int(value, Some(Suffix::Int(32) | Suffix::Float(_))) => format!("{value}i"),
        Literal::Int(value, Some(Suffix::Int(bits))) => format!("{value}i{bits}"),
        Literal::Float(value, suffix) => float_text(value, suffix),
    }
}

fn float_text(value: f64, suffix: Option<Suffix>) -> String {
    let bits = match suffix {
        Some(Suffix::Float(bits) | Suffix::Int(bits)) => bits,
        None => 0,
    };
    let suffix = match bits {
        0 if value.is_finite() => String::new(),
        0 | 64 => "f64".to_owned(),
        32 => "f".to_owned(),
        bits => format!("f{bits}"),
    };
    let digits = if value.is_nan() {
        "nan".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "inf".to_owned() } else { "-inf".to_owned() }
    } else {
        match bits {
            0 => format!("{value:?}"),
            16 => format!("{}", f16::from_bits(float_from_f64(FloatKind::F16, value) as u16)),
            32 => shortest(format!("{}", value as f32), format!("{:e}", value as f32)),
            _ => shortest(format!("{value}"), format!("{value:e}")),
        }
    };
    format!("{digits}{suffix}")
}

fn shortest(plain: String, scientific: String) -> String {
    if plain.len() > 20 { scientific } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_round_trip() {
        for word in ["0", "42i64", "7i", "3i16", "1f", "2.5f16", "0.1f", "1.0000001f", "1e-45f", "0.1f64"] {
            let literal = parse(false, word);
            assert_eq!(literal.clone().map(text), Ok(word.to_owned()));
            assert_eq!(literal.and_then(|it| parse(false, &text(it))), parse(false, word));
        }
        assert_eq!(parse(false, "007"), Ok(Literal::Int(7, None)));
        assert_eq!(parse(true, "9223372036854775808"), Ok(Literal::Int(i64::MIN, None)));
        assert_eq!(parse(true, "inff").map(text), Ok("-inff".to_owned()));
    }

    #[test]
    fn invalid_numbers() {
        for (word, message) in [
            ("9223372036854775808", "9223372036854775808 does not fit in int64"),
            ("40000i16", "40000 does not fit in int16"),
            ("1f8", "'f8' is not a float type; expected f16, f32 or f64"),
            ("1i7", "'i7' is not an integer type; expected i8, i16, i32 or i64"),
            ("1.5i", "'1.5i' has a point or exponent, and the suffix of an integer"),
            ("12ab", "malformed number '12ab'"),
            ("4e999", "4e999 does not fit in float64"),
            ("1e", "malformed number '1e'"),
        ] {
            assert_eq!(parse(false, word), Err(message.to_owned()), "{word}");
        }
    }
}
