//! Integers of any width.

use crate::Signedness;
use num_bigint::{BigInt, BigUint, Sign};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// An arbitrary-precision integer; small ones need no allocation.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Int(Repr);

// `Big` only stores what does not fit into `Small`, so that derived equality is numeric equality.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Repr {
    Small(i64),
    Big(Box<BigInt>),
}

impl Ord for Repr {
    fn cmp(&self, other: &Repr) -> Ordering {
        match (self, other) {
            (Repr::Small(a), Repr::Small(b)) => a.cmp(b),
            (Repr::Big(a), Repr::Big(b)) => a.cmp(b),
            // A big number is beyond all small ones, on the side of its sign.
            (Repr::Big(a), Repr::Small(_)) => a.sign().cmp(&Sign::NoSign),
            (Repr::Small(_), Repr::Big(b)) => Sign::NoSign.cmp(&b.sign()),
        }
    }
}

impl PartialOrd for Repr {
    fn partial_cmp(&self, other: &Repr) -> Option<Ordering> {
        Some(self.cmp(other))
    }
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
    fn integers_are_ordered_by_value() {
        let parse = |text: &str| text.parse::<Int>().expect("a number");
        let numbers =
            ["-36893488147419103232", "-18446744073709551616", "-1", "0", "9", "18446744073709551616"];
        let mut sorted = numbers.map(parse);
        sorted.reverse();
        sorted.sort();
        assert_eq!(sorted, numbers.map(parse));
    }
}
