//! Integers of any width, and floats of any format.

use crate::{FloatKind, Signedness, narrow_floats as narrow};
use num_bigint::{BigInt, BigUint, Sign};
use rustc_apfloat::{Float, FloatConvert, ieee};
use std::fmt;
use std::str::FromStr;

/// An arbitrary-precision integer; small ones need no allocation.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Int(Repr);

// `Big` only stores what does not fit into `Small`, so that derived equality is numeric equality.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Repr {
    Small(i64),
    Big(Box<BigInt>),
}

impl Int {
    /// The value, if it fits into 64 bits.
    pub fn as_i64(&self) -> Option<i64> {
        match self.0 {
            Repr::Small(value) => Some(value),
            Repr::Big(_) => None,
        }
    }

    /// The value as a big integer.
    pub fn to_big(&self) -> BigInt {
        match &self.0 {
            Repr::Small(value) => BigInt::from(*value),
            Repr::Big(value) => (**value).clone(),
        }
    }

    /// The value modulo 2^width, with the given signedness; one bit is 0 or 1 unless signed.
    pub fn wrapped(self, width: u32, signedness: Signedness) -> Int {
        let signed = signedness == Signedness::Signed || (signedness == Signedness::Signless && width != 1);
        match &self.0 {
            Repr::Small(value) if width < 63 => {
                let low = value & ((1i64 << width) - 1);
                let negative = signed && width > 0 && low >> (width - 1) & 1 == 1;
                Int(Repr::Small(if negative { low - (1i64 << width) } else { low }))
            }
            Repr::Small(value) if width > 63 && (signed || *value >= 0) => self,
            _ => {
                let modulus = BigInt::from(BigUint::from(1u8) << width);
                let mut low = ((self.to_big() % &modulus) + &modulus) % &modulus;
                if signed && low.bit(u64::from(width) - 1) {
                    low -= modulus;
                }
                low.into()
            }
        }
    }

    /// Little-endian two's complement in `bytes` bytes.
    pub fn to_le_bytes(&self, bytes: usize) -> Vec<u8> {
        let big = self.to_big();
        let mut out = big.to_signed_bytes_le();
        out.resize(bytes, if big.sign() == Sign::Minus { 0xff } else { 0 });
        out
    }

    /// Converts from little-endian two's complement.
    pub fn from_le_bytes(bytes: &[u8], signed: bool) -> Int {
        if signed {
            BigInt::from_signed_bytes_le(bytes).into()
        } else {
            BigInt::from_bytes_le(Sign::Plus, bytes).into()
        }
    }
}

impl From<i64> for Int {
    fn from(value: i64) -> Self {
        Int(Repr::Small(value))
    }
}

impl From<BigInt> for Int {
    fn from(value: BigInt) -> Self {
        match i64::try_from(&value) {
            Ok(small) => Int(Repr::Small(small)),
            Err(_) => Int(Repr::Big(Box::new(value))),
        }
    }
}

impl FromStr for Int {
    type Err = num_bigint::ParseBigIntError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse::<i64>() {
            Ok(small) => Ok(small.into()),
            Err(_) => text.parse::<BigInt>().map(Int::from),
        }
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(value) => write!(f, "{value}"),
            Repr::Big(value) => write!(f, "{value}"),
        }
    }
}

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
pub(crate) fn float_from_f64(kind: FloatKind, value: f64) -> u128 {
    let wide = ieee::Double::from_bits(u128::from(value.to_bits()));
    let mut loses_info = false;
    with_format!(
        kind,
        F => { let narrow: F = wide.convert(&mut loses_info).value; narrow.to_bits() },
        narrow::FORMATS.iter().find(|(of, _)| *of == kind).map_or(0, |(_, format)| format.encode(value))
    )
}

/// The value of a bit pattern, rounded to `f64` if the format is wider.
pub(crate) fn float_to_f64(kind: FloatKind, bits: u128) -> f64 {
    let mut loses_info = false;
    let wide: ieee::Double = with_format!(
        kind,
        F => F::from_bits(bits).convert(&mut loses_info).value,
        return narrow::FORMATS.iter().find(|(of, _)| *of == kind).map_or(0.0, |(_, format)| format.decode(bits))
    );
    f64::from_bits(wide.to_bits() as u64)
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
    fn integers_wrap_to_width() {
        let wrap = |value: i64, width, sign| Int::from(value).wrapped(width, sign).to_string();
        assert_eq!(wrap(255, 8, Signedness::Signless), "-1");
        assert_eq!(wrap(255, 8, Signedness::Unsigned), "255");
        assert_eq!(wrap(-1, 64, Signedness::Unsigned), "18446744073709551615");
        assert_eq!(wrap(1, 1, Signedness::Signless), "1");
        assert_eq!(wrap(-1, 1, Signedness::Signless), "1");
        assert_eq!(wrap(i64::MIN, 64, Signedness::Signless), i64::MIN.to_string());
        let big: Int = "340282366920938463463374607431768211455".parse().expect("a number");
        assert_eq!(big.wrapped(128, Signedness::Signless).to_string(), "-1");
    }

    #[test]
    fn floats_round_to_format() {
        assert_eq!(float_from_f64(FloatKind::F32, 0.1), u128::from(0.1f32.to_bits()));
        assert_eq!(float_to_f64(FloatKind::F16, float_from_f64(FloatKind::F16, 65504.0)), 65504.0);
        assert_eq!(float_to_f64(FloatKind::BF16, float_from_f64(FloatKind::BF16, 1.0)), 1.0);
        assert_eq!(parse_float(FloatKind::F64, "1e-3"), Some(u128::from(1e-3f64.to_bits())));
        assert_eq!(parse_float(FloatKind::F16, "word"), None);
    }
}
