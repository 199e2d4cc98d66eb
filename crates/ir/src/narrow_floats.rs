//! Narrow floating-point formats that no library provides, with at most 19 bits, so that `f64` represents every value
//! exactly.

use crate::FloatKind;

/// The encoding of special values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Special {
    /// Infinities and NaN have the largest exponent, as in IEEE 754.
    Ieee,
    /// None: every bit pattern is a number, and overflow saturates.
    Finite,
    /// Negative zero is NaN.
    NegativeZero,
    /// All ones is NaN; no sign and no zero.
    Unsigned,
}

/// The sign of a number in an unsigned format, which MLIR stores in the attribute but not in elements.
const UNSTORED_SIGN: u128 = 0x100;

/// A format.
pub(crate) struct Narrow {
    exponent: u32,
    fraction: u32,
    bias: i32,
    special: Special,
}

const fn format(exponent: u32, fraction: u32, bias: i32, special: Special) -> Narrow {
    Narrow { exponent, fraction, bias, special }
}

/// The formats, by their kind.
pub(crate) static FORMATS: [(FloatKind, Narrow); 10] = [
    (FloatKind::TF32, format(8, 10, 127, Special::Ieee)),
    (FloatKind::F8E4M3, format(4, 3, 7, Special::Ieee)),
    (FloatKind::F8E3M4, format(3, 4, 3, Special::Ieee)),
    (FloatKind::F8E5M2FNUZ, format(5, 2, 16, Special::NegativeZero)),
    (FloatKind::F8E4M3FNUZ, format(4, 3, 8, Special::NegativeZero)),
    (FloatKind::F8E4M3B11FNUZ, format(4, 3, 11, Special::NegativeZero)),
    (FloatKind::F8E8M0FNU, format(8, 0, 127, Special::Unsigned)),
    (FloatKind::F4E2M1FN, format(2, 1, 1, Special::Finite)),
    (FloatKind::F6E2M3FN, format(2, 3, 1, Special::Finite)),
    (FloatKind::F6E3M2FN, format(3, 2, 3, Special::Finite)),
];

impl Narrow {
    /// The precision in bits, including the implicit one.
    pub(crate) fn precision(&self) -> u32 {
        self.fraction + 1
    }

    /// The bit pattern of infinity, or of NaN if there is none.
    fn infinity(&self) -> u128 {
        match self.special {
            Special::Ieee => ((1 << self.exponent) - 1) << self.fraction,
            Special::Finite => (1 << (self.exponent + self.fraction)) - 1,
            Special::NegativeZero => 1 << (self.exponent + self.fraction),
            Special::Unsigned => 0xff,
        }
    }

    /// Rounds `value` to the nearest value, ties to even; returns its bits.
    pub(crate) fn encode(&self, value: f64) -> u128 {
        if value.is_nan() {
            let quiet = if self.special == Special::Ieee { 1 << self.fraction >> 1 } else { 0 };
            return self.infinity() | quiet;
        }
        let sign = u128::from(value.is_sign_negative()) << (self.exponent + self.fraction);
        let unsigned = self.special == Special::Unsigned;
        let lowest = if unsigned { -self.bias } else { 1 - self.bias };
        let magnitude = value.abs();
        // Subnormals of `f64` are subnormal in every format here.
        let binade = (magnitude.to_bits() >> 52) as i32 - 1023;
        let exponent = binade.max(lowest);
        let scaled = magnitude * 2f64.powi(self.fraction as i32 - exponent);
        // With one significand bit, the exponent decides which neighbor is even.
        let mut units = if unsigned && scaled == 1.5 { 2.0 } else { scaled.round_ties_even() };
        if unsigned {
            units = units.max(1.0);
        }
        let leading = 1u128 << self.fraction;
        let biased = (exponent + self.bias) as u128;
        let bits = if magnitude.is_infinite() {
            u128::MAX
        } else if unsigned {
            biased + units as u128 - 1
        } else {
            // A carry out of the fraction increments the exponent.
            (biased << self.fraction) + units as u128 - leading
        };
        let largest = match self.special {
            Special::Ieee => self.infinity() - 1,
            Special::Finite => self.infinity(),
            Special::NegativeZero => self.infinity() - 1,
            Special::Unsigned => 0xfe,
        };
        match self.special {
            _ if bits > largest && self.special == Special::NegativeZero => self.infinity(),
            Special::NegativeZero if bits == 0 => 0,
            Special::Unsigned if bits < 0xff && value < 0.0 => bits | UNSTORED_SIGN,
            Special::Unsigned => bits.min(0xff),
            _ if bits > largest => self.infinity() | sign,
            _ => bits | sign,
        }
    }

    /// Sign, significand and power of two; `None` if not a number.
    pub(crate) fn decompose(&self, bits: u128) -> Option<(bool, u128, i32)> {
        if self.special == Special::Unsigned {
            let negative = bits & UNSTORED_SIGN != 0;
            return (bits != 0xff).then(|| (negative, 1, (bits & 0xff) as i32 - self.bias));
        }
        let negative = bits >> (self.exponent + self.fraction) & 1 == 1;
        let biased = bits >> self.fraction & ((1 << self.exponent) - 1);
        let no_number = match self.special {
            Special::Ieee => biased == (1 << self.exponent) - 1,
            Special::NegativeZero => bits == self.infinity(),
            Special::Finite | Special::Unsigned => false,
        };
        if no_number {
            return None;
        }
        let implicit = if biased > 0 { 1 << self.fraction } else { 0 };
        let fraction = bits & ((1 << self.fraction) - 1);
        Some((negative, fraction | implicit, (biased as i32).max(1) - self.bias - self.fraction as i32))
    }

    /// The value of a bit pattern.
    pub(crate) fn decode(&self, bits: u128) -> f64 {
        match self.decompose(bits) {
            Some((negative, significand, exponent)) => {
                let value = significand as f64 * 2f64.powi(exponent);
                if negative { -value } else { value }
            }
            None if self.special == Special::Ieee && bits.trailing_zeros() >= self.fraction => {
                let negative = bits >> (self.exponent + self.fraction) & 1 == 1;
                if negative { f64::NEG_INFINITY } else { f64::INFINITY }
            }
            None => f64::NAN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_round_trips() {
        for (kind, format) in &FORMATS {
            for bits in 0..1u128 << kind.width() {
                if format.decompose(bits).is_some() {
                    assert_eq!(format.encode(format.decode(bits)), bits, "{kind:?} {bits:#x}");
                }
            }
        }
    }

    #[test]
    fn overflow_saturates_or_is_special() {
        let encode =
            |kind, value| FORMATS.iter().find(|(of, _)| *of == kind).map(|(_, format)| format.encode(value));
        assert_eq!(encode(FloatKind::F4E2M1FN, 100.0), Some(0x7));
        assert_eq!(encode(FloatKind::F6E3M2FN, -30.0), Some(0x3f));
        assert_eq!(encode(FloatKind::F8E4M3FNUZ, 1e30), Some(0x80));
        assert_eq!(encode(FloatKind::F8E4M3, 1e30), Some(0x78));
        assert_eq!(encode(FloatKind::F8E8M0FNU, 3.0), Some(129));
        assert_eq!(encode(FloatKind::F8E8M0FNU, 1e39), Some(0xff));
        assert_eq!(encode(FloatKind::F8E8M0FNU, -4.0), Some(0x181));
        assert_eq!(encode(FloatKind::F8E4M3FNUZ, -0.0), Some(0));
    }
}
