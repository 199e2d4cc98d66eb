//! Integer operands during evaluation: exact numbers, and the bits of their type.
//!
//! Integers of at most 64 bits are computed in `i128`, without allocation; wider ones in [`BigInt`]. A function of both is
//! generic over [`IntBits`], or is written once in [`int_unary!`](crate::int_unary) or [`int_binary!`](crate::int_binary).

use crate::{Datum, Trap};
use minoan_ir::{Int, Signedness};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, ToPrimitive};
use std::fmt::Display;
use std::ops::Neg;

/// The greatest width of the integers that [`Datum::Int`] stores; wider ones are [`Datum::Wide`].
pub const MOST_NARROW: u32 = 64;

/// The bits of an integer operand, with the width of its type: [`Bits`] up to 64 bits, [`WideBits`] above.
pub trait IntBits: Clone {
    /// Signed numbers: sums and products of two operands are exact.
    type Signed: Integer + Clone + Display + From<i64> + ToPrimitive + Neg<Output = Self::Signed>;
    /// Unsigned numbers: sums and products of two operands are exact.
    type Unsigned: Integer + Clone;

    /// The operand with a value.
    ///
    /// # Errors
    /// The value is not an integer.
    fn of(value: &Datum, width: u32) -> Result<Self, Trap>;
    /// A number modulo 2^width.
    fn wrapped(exact: Self::Signed, width: u32) -> Self;
    /// The value that has these bits.
    fn datum(self) -> Datum;
    /// The width of the type.
    fn width(&self) -> u32;
    /// The bits interpreted as a signed number.
    fn signed(&self) -> Self::Signed;
    /// The bits interpreted as an unsigned number.
    fn unsigned(&self) -> Self::Unsigned;
    /// The unsigned number, to compute with signed ones. Products of two may overflow.
    fn magnitude(&self) -> Self::Signed;
    /// The all-ones number of this width.
    fn mask(&self) -> Self::Unsigned;
    /// The smallest signed number of this width.
    fn least(&self) -> Self::Signed;
    /// The number of bits that are set.
    fn ones(&self) -> u32;
    /// The number of zeros above the highest bit that is set; the width for zero.
    fn leading_zeros(&self) -> u32;
    /// The number of zeros below the lowest bit that is set; the width for zero.
    fn trailing_zeros(&self) -> u32;
}

/// An integer operand of at most 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bits {
    /// The value as stored in [`Datum::Int`].
    pub value: i64,
    /// The width of the type.
    pub width: u32,
}

/// An integer operand of more than 64 bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WideBits {
    /// The value as stored in [`Datum::Wide`].
    pub value: Int,
    /// The width of the type.
    pub width: u32,
}

impl IntBits for Bits {
    type Signed = i128;
    type Unsigned = u128;

    #[inline]
    fn of(value: &Datum, width: u32) -> Result<Self, Trap> {
        Ok(Bits { value: value.int()?, width })
    }

    #[inline]
    fn wrapped(exact: i128, width: u32) -> Self {
        Bits { value: wrap(exact, width), width }
    }

    #[inline]
    fn datum(self) -> Datum {
        Datum::Int(self.value)
    }

    #[inline]
    fn width(&self) -> u32 {
        self.width
    }

    #[inline]
    fn signed(&self) -> i128 {
        if self.width == 1 { i128::from(-self.value) } else { i128::from(self.value) }
    }

    #[inline]
    fn unsigned(&self) -> u128 {
        u128::from(self.value as u64) & self.mask()
    }

    #[inline]
    fn magnitude(&self) -> i128 {
        self.unsigned() as i128
    }

    #[inline]
    fn mask(&self) -> u128 {
        (1u128 << self.width) - 1
    }

    #[inline]
    fn least(&self) -> i128 {
        -(1i128 << (self.width - 1))
    }

    fn ones(&self) -> u32 {
        self.unsigned().count_ones()
    }

    fn leading_zeros(&self) -> u32 {
        self.unsigned().leading_zeros() - (u128::BITS - self.width)
    }

    fn trailing_zeros(&self) -> u32 {
        self.unsigned().trailing_zeros().min(self.width)
    }
}

impl IntBits for WideBits {
    type Signed = BigInt;
    type Unsigned = BigUint;

    fn of(value: &Datum, width: u32) -> Result<Self, Trap> {
        Ok(WideBits { value: value.wide()?, width })
    }

    fn wrapped(exact: BigInt, width: u32) -> Self {
        WideBits { value: Int::from(exact).wrapped(width, Signedness::Signed), width }
    }

    fn datum(self) -> Datum {
        Datum::Wide(self.value)
    }

    fn width(&self) -> u32 {
        self.width
    }

    fn signed(&self) -> BigInt {
        self.value.to_big()
    }

    fn unsigned(&self) -> BigUint {
        self.magnitude().into_parts().1
    }

    fn magnitude(&self) -> BigInt {
        self.value.clone().wrapped(self.width, Signedness::Unsigned).to_big()
    }

    fn mask(&self) -> BigUint {
        (BigUint::one() << self.width) - 1u8
    }

    fn least(&self) -> BigInt {
        -(BigInt::one() << (self.width - 1))
    }

    fn ones(&self) -> u32 {
        self.unsigned().count_ones() as u32
    }

    fn leading_zeros(&self) -> u32 {
        self.width - self.unsigned().bits() as u32
    }

    fn trailing_zeros(&self) -> u32 {
        self.unsigned().trailing_zeros().map_or(self.width, |zeros| zeros as u32)
    }
}

/// Reduces an integer modulo 2^width and sign-extends it; one bit yields 0 or 1. The width must be from 1 to 64.
#[inline]
pub fn wrap(value: i128, width: u32) -> i64 {
    if width == 1 {
        return (value & 1) as i64;
    }
    let unused = 64 - width;
    ((value as i64) << unused) >> unused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_wrap_to_width() {
        assert_eq!(wrap(255, 8), -1);
        assert_eq!(wrap(128, 8), -128);
        assert_eq!(wrap(-129, 8), 127);
        assert_eq!(wrap(3, 1), 1);
        assert_eq!(wrap(1 << 64, 64), 0);
        assert_eq!(wrap(i128::from(u64::MAX), 64), -1);
    }

    #[test]
    fn bits_as_signed_and_unsigned() {
        let minus_one = Bits { value: -1, width: 8 };
        assert_eq!((minus_one.signed(), minus_one.unsigned()), (-1, 255));
        let yes = Bits { value: 1, width: 1 };
        assert_eq!((yes.signed(), yes.unsigned(), yes.least()), (-1, 1, -1));
    }

    /// The properties of an integer as text, to compare its representations.
    fn facts<B: IntBits>(value: i64, width: u32) -> [String; 2]
    where
        B::Unsigned: Display,
    {
        let bits = B::wrapped(value.into(), width);
        let signed = [bits.signed(), bits.magnitude(), bits.least()].map(|number| number.to_string());
        let unsigned = [bits.unsigned(), bits.mask()].map(|number| number.to_string());
        let counts = (bits.ones(), bits.leading_zeros(), bits.trailing_zeros());
        [format!("{signed:?} {unsigned:?}"), format!("{counts:?}")]
    }

    #[test]
    fn narrow_and_wide_integers_agree() {
        for width in [2, 8, 33, 63, 64] {
            for value in [0, 1, -1, 2, 100, -100, i64::MAX, i64::MIN, 1 << 40] {
                assert_eq!(
                    facts::<Bits>(value, width),
                    facts::<WideBits>(value, width),
                    "{value} : i{width}"
                );
            }
        }
        let [numbers, counts] = facts::<WideBits>(-4, 65);
        assert!(numbers.contains("36893488147419103228"), "{numbers}");
        assert_eq!(counts, "(63, 0, 2)");
    }
}
