//! How the values of a scalar type are kept while a program runs.

use crate::{Datum, TensorData, Trap};
use half::{bf16, f16};
use minoan_ir::{Context, FloatKind, Type, TypeData};

/// A scalar type that programs can be run with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// An integer of at most 64 bits; an index is one of 64.
    Int {
        /// Bits.
        width: u32,
    },
    /// `f16`: a [`Datum::F32`] that `f16` can hold.
    F16,
    /// `bf16`: a [`Datum::F32`] that `bf16` can hold.
    BF16,
    /// `f32`.
    F32,
    /// `f64`.
    F64,
}

impl Scalar {
    /// The scalar type of a type, or of its elements.
    ///
    /// # Errors
    /// If programs cannot be run with it: `i128`, `f80`, a type of another dialect.
    pub fn of(ctx: &Context, ty: Type) -> Result<Scalar, Trap> {
        let element = ty.element_or_self(ctx);
        match *element.data(ctx) {
            TypeData::Index => Ok(Scalar::Int { width: 64 }),
            TypeData::Integer { width, .. } if (1..=64).contains(&width) => Ok(Scalar::Int { width }),
            TypeData::Integer { width, .. } => {
                Err(Trap::new(format!("integers of {width} bits cannot be evaluated")))
            }
            TypeData::Float(FloatKind::F16) => Ok(Scalar::F16),
            TypeData::Float(FloatKind::BF16) => Ok(Scalar::BF16),
            TypeData::Float(FloatKind::F32) => Ok(Scalar::F32),
            TypeData::Float(FloatKind::F64) => Ok(Scalar::F64),
            TypeData::Float(kind) => Err(Trap::new(format!("{} cannot be evaluated", kind.keyword()))),
            _ => Err(Trap::new("the type is not one of numbers")),
        }
    }

    /// Zero.
    pub fn zero(self) -> Datum {
        match self {
            Scalar::Int { .. } => Datum::Int(0),
            Scalar::F16 | Scalar::BF16 | Scalar::F32 => Datum::F32(0.0),
            Scalar::F64 => Datum::F64(0.0),
        }
    }

    /// No elements yet, with room for some.
    pub fn with_capacity(self, count: usize) -> TensorData {
        match self {
            Scalar::Int { .. } => TensorData::Int(Vec::with_capacity(count)),
            Scalar::F16 | Scalar::BF16 | Scalar::F32 => TensorData::F32(Vec::with_capacity(count)),
            Scalar::F64 => TensorData::F64(Vec::with_capacity(count)),
        }
    }

    /// The width of an integer type.
    ///
    /// # Errors
    /// If it is a floating-point type.
    pub fn width(self) -> Result<u32, Trap> {
        match self {
            Scalar::Int { width } => Ok(width),
            _ => Err(Trap::new("expected an integer type")),
        }
    }

    /// An integer in the form that is kept: modulo 2^width, sign extended; one bit as 0 or 1.
    pub fn integer(self, value: i128) -> Result<Datum, Trap> {
        Ok(Datum::Int(wrap(value, self.width()?)))
    }

    /// The value of the type nearest to `value`, ties to even.
    ///
    /// # Errors
    /// If it is an integer type.
    pub fn float(self, value: f64) -> Result<Datum, Trap> {
        match self {
            Scalar::F16 => Ok(Datum::F32(f16::from_f64(value).to_f32())),
            Scalar::BF16 => Ok(Datum::F32(bf16::from_f64(value).to_f32())),
            Scalar::F32 => Ok(Datum::F32(value as f32)),
            Scalar::F64 => Ok(Datum::F64(value)),
            Scalar::Int { .. } => Err(Trap::new("expected a floating-point type")),
        }
    }

    /// The value of a type of at most 32 bits nearest to `value`, ties to even. Rounding a sum, product, quotient
    /// or root of `f16` or `bf16` to `f32` before changes nothing: `f32` has more than twice their digits.
    #[inline]
    pub fn round(self, value: f32) -> f32 {
        match self {
            Scalar::F16 => f16::from_f32(value).to_f32(),
            Scalar::BF16 => bf16::from_f32(value).to_f32(),
            _ => value,
        }
    }
}

impl TensorData {
    /// Appends an element.
    ///
    /// # Errors
    /// If it is of another kind.
    pub fn push(&mut self, value: &Datum) -> Result<(), Trap> {
        match (self, value) {
            (TensorData::Int(data), Datum::Int(value)) => data.push(*value),
            (TensorData::F32(data), Datum::F32(value)) => data.push(*value),
            (TensorData::F64(data), Datum::F64(value)) => data.push(*value),
            (_, value) => return Err(Trap::new(format!("an element cannot be {value:?}"))),
        }
        Ok(())
    }
}

/// An integer modulo 2^width, sign extended; one bit as 0 or 1. The width is from 1 to 64.
#[inline]
pub fn wrap(value: i128, width: u32) -> i64 {
    if width == 1 {
        return (value & 1) as i64;
    }
    let unused = 64 - width;
    ((value as i64) << unused) >> unused
}

/// An integer operand with the width of its type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bits {
    /// The value as [`Datum::Int`] keeps it.
    pub value: i64,
    /// The width of the type.
    pub width: u32,
}

impl Bits {
    /// The bits read as a signed number.
    #[inline]
    pub fn signed(self) -> i128 {
        if self.width == 1 { i128::from(-self.value) } else { i128::from(self.value) }
    }

    /// The bits read as an unsigned number.
    #[inline]
    pub fn unsigned(self) -> u128 {
        u128::from(self.value as u64) & self.mask()
    }

    /// As many ones as there are bits.
    #[inline]
    pub fn mask(self) -> u128 {
        (1u128 << self.width) - 1
    }

    /// The least signed number of the width.
    #[inline]
    pub fn least(self) -> i128 {
        -(1i128 << (self.width - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_wrap_at_their_width() {
        assert_eq!(wrap(255, 8), -1);
        assert_eq!(wrap(128, 8), -128);
        assert_eq!(wrap(-129, 8), 127);
        assert_eq!(wrap(3, 1), 1);
        assert_eq!(wrap(1 << 64, 64), 0);
        assert_eq!(wrap(i128::from(u64::MAX), 64), -1);
    }

    #[test]
    fn bits_read_both_ways() {
        let minus_one = Bits { value: -1, width: 8 };
        assert_eq!((minus_one.signed(), minus_one.unsigned()), (-1, 255));
        let yes = Bits { value: 1, width: 1 };
        assert_eq!((yes.signed(), yes.unsigned(), yes.least()), (-1, 1, -1));
    }

    #[test]
    fn narrow_floats_round_to_their_format() {
        assert_eq!(Scalar::F16.float(65536.0), Ok(Datum::F32(f32::INFINITY)));
        assert_eq!(Scalar::BF16.float(1.0 + 1.0 / 512.0), Ok(Datum::F32(1.0)));
        assert_eq!(Scalar::F16.round(0.1), f16::from_f32(0.1).to_f32());
    }
}
