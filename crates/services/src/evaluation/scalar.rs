//! Scalar types during evaluation.

use crate::{Datum, IntBits, MOST_NARROW, TensorData, Trap, WideBits, wrap};
use half::{bf16, f16};
use minoan_ir::{Context, FloatKind, Int, Type, TypeData, float_from_big, float_from_f64, float_from_int};
use num_bigint::BigInt;

/// A scalar type that evaluation supports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// An integer of any width but zero; `index` has 64 bits.
    Int {
        /// The bit width.
        width: u32,
    },
    /// `f16`, represented by a [`Datum::F32`] that is exact in `f16`.
    F16,
    /// `bf16`, represented by a [`Datum::F32`] that is exact in `bf16`.
    BF16,
    /// `f32`.
    F32,
    /// `f64`.
    F64,
    /// A complex number with parts of a floating-point type.
    Complex(Part),
}

/// The type of the real and the imaginary part of a complex number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are those of `Scalar`")]
pub enum Part {
    F16,
    BF16,
    F32,
    F64,
}

impl Part {
    /// The type as a scalar type of its own.
    pub fn scalar(self) -> Scalar {
        match self {
            Part::F16 => Scalar::F16,
            Part::BF16 => Scalar::BF16,
            Part::F32 => Scalar::F32,
            Part::F64 => Scalar::F64,
        }
    }
}

impl Scalar {
    /// The scalar type of a type or of its elements.
    ///
    /// # Errors
    /// Evaluation does not support the type: `i0`, `f80`, `complex<i32>`, a type of another dialect.
    pub fn of(ctx: &Context, ty: Type) -> Result<Scalar, Trap> {
        let element = ty.element_or_self(ctx);
        match *element.data(ctx) {
            TypeData::Complex(part) => Scalar::complex(ctx, part),
            TypeData::Index => Ok(Scalar::Int { width: 64 }),
            TypeData::Integer { width: 0, .. } => Err(Trap::new("integers of no bits cannot be evaluated")),
            TypeData::Integer { width, .. } => Ok(Scalar::Int { width }),
            TypeData::Float(FloatKind::F16) => Ok(Scalar::F16),
            TypeData::Float(FloatKind::BF16) => Ok(Scalar::BF16),
            TypeData::Float(FloatKind::F32) => Ok(Scalar::F32),
            TypeData::Float(FloatKind::F64) => Ok(Scalar::F64),
            TypeData::Float(kind) => Err(Trap::new(format!("{} cannot be evaluated", kind.keyword()))),
            _ => Err(Trap::new("the type is not one of numbers")),
        }
    }

    /// The complex numbers with parts of a type.
    fn complex(ctx: &Context, part: Type) -> Result<Scalar, Trap> {
        Ok(Scalar::Complex(match Scalar::of(ctx, part)? {
            Scalar::F16 => Part::F16,
            Scalar::BF16 => Part::BF16,
            Scalar::F32 => Part::F32,
            Scalar::F64 => Part::F64,
            Scalar::Int { .. } | Scalar::Complex(_) => {
                return Err(Trap::new("complex numbers of integers cannot be evaluated"));
            }
        }))
    }

    /// Zero.
    pub fn zero(self) -> Datum {
        match self {
            Scalar::Int { .. } if self.is_wide() => Datum::Wide(Int::from(0)),
            Scalar::Int { .. } => Datum::Int(0),
            Scalar::F16 | Scalar::BF16 | Scalar::F32 => Datum::F32(0.0),
            Scalar::F64 => Datum::F64(0.0),
            Scalar::Complex(Part::F64) => Datum::Complex64([0.0; 2]),
            Scalar::Complex(_) => Datum::Complex32([0.0; 2]),
        }
    }

    /// An empty list of elements with capacity for `count`.
    pub fn with_capacity(self, count: usize) -> TensorData {
        match self {
            Scalar::Int { .. } if self.is_wide() => TensorData::Wide(Vec::with_capacity(count)),
            Scalar::Int { .. } => TensorData::Int(Vec::with_capacity(count)),
            Scalar::F16 | Scalar::BF16 | Scalar::F32 => TensorData::F32(Vec::with_capacity(count)),
            Scalar::F64 => TensorData::F64(Vec::with_capacity(count)),
            Scalar::Complex(Part::F64) => TensorData::Complex64(Vec::with_capacity(count)),
            Scalar::Complex(_) => TensorData::Complex32(Vec::with_capacity(count)),
        }
    }

    /// The width of an integer type.
    ///
    /// # Errors
    /// The type is not an integer type.
    pub fn width(self) -> Result<u32, Trap> {
        match self {
            Scalar::Int { width } => Ok(width),
            _ => Err(Trap::new("expected an integer type")),
        }
    }

    /// Whether a value is a [`Datum::Wide`].
    #[inline]
    pub fn is_wide(self) -> bool {
        matches!(self, Scalar::Int { width } if width > MOST_NARROW)
    }

    /// The stored form of an integer: modulo 2^width and sign-extended; 0 or 1 for one bit.
    ///
    /// # Errors
    /// The type is not an integer type.
    pub fn integer(self, value: i128) -> Result<Datum, Trap> {
        match self.width()? {
            width if width > MOST_NARROW => Ok(WideBits::wrapped(value.into(), width).datum()),
            width => Ok(Datum::Int(wrap(value, width))),
        }
    }

    /// [`integer`](Self::integer) of any number.
    ///
    /// # Errors
    /// The type is not an integer type.
    pub fn big_integer(self, value: BigInt) -> Result<Datum, Trap> {
        let width = self.width()?;
        let bits = WideBits::wrapped(value, width);
        match bits.value.as_i64() {
            Some(value) if width <= MOST_NARROW => Ok(Datum::Int(wrap(value.into(), width))),
            _ => Ok(bits.datum()),
        }
    }

    /// Rounds `value` to the nearest value of the type, ties to even.
    ///
    /// # Errors
    /// The type is not a floating-point type.
    pub fn float(self, value: f64) -> Result<Datum, Trap> {
        match self {
            Scalar::F16 => Ok(self.of_bits(float_from_f64(FloatKind::F16, value))),
            Scalar::BF16 => Ok(self.of_bits(float_from_f64(FloatKind::BF16, value))),
            Scalar::F32 => Ok(Datum::F32(value as f32)),
            Scalar::F64 => Ok(Datum::F64(value)),
            Scalar::Int { .. } | Scalar::Complex(_) => Err(Trap::new("expected a floating-point type")),
        }
    }

    /// The value of the type nearest to an integer, ties to even, in one rounding.
    ///
    /// # Errors
    /// If it is not a floating-point type.
    pub fn float_of_int(self, value: i128) -> Result<Datum, Trap> {
        match self {
            Scalar::F16 => Ok(self.of_bits(float_from_int(FloatKind::F16, value))),
            Scalar::BF16 => Ok(self.of_bits(float_from_int(FloatKind::BF16, value))),
            Scalar::F32 => Ok(Datum::F32(value as f32)),
            Scalar::F64 => Ok(Datum::F64(value as f64)),
            Scalar::Int { .. } | Scalar::Complex(_) => Err(Trap::new("expected a floating-point type")),
        }
    }

    /// [`float_of_int`](Self::float_of_int) of any number.
    ///
    /// # Errors
    /// If it is not a floating-point type.
    pub fn float_of_big(self, value: &BigInt) -> Result<Datum, Trap> {
        let kind = match self {
            Scalar::F16 => FloatKind::F16,
            Scalar::BF16 => FloatKind::BF16,
            Scalar::F32 => FloatKind::F32,
            Scalar::F64 => FloatKind::F64,
            Scalar::Int { .. } | Scalar::Complex(_) => {
                return Err(Trap::new("expected a floating-point type"));
            }
        };
        Ok(self.of_bits(float_from_big(kind, value)))
    }

    /// Rounds `value` to a type of at most 32 bits, ties to even. Rounding the sum, product, quotient or square root
    /// of `f16` or `bf16` numbers to `f32` first has no influence, since `f32` has more than twice their precision.
    #[inline]
    pub fn round(self, value: f32) -> f32 {
        match self {
            Scalar::F16 => f16::from_f32(value).to_f32(),
            Scalar::BF16 => bf16::from_f32(value).to_f32(),
            _ => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_floats_round_to_format() {
        assert_eq!(Scalar::F16.float(65536.0), Ok(Datum::F32(f32::INFINITY)));
        assert_eq!(Scalar::BF16.float(1.0 + 1.0 / 512.0), Ok(Datum::F32(1.0)));
        // Just above a tie: the last bit of the f64 decides.
        let above = |tie: f64| f64::from_bits(tie.to_bits() + 1);
        assert_eq!(Scalar::F16.float(above(1.0 + 1.0 / 2048.0)), Ok(Datum::F32(1.0 + 1.0 / 1024.0)));
        assert_eq!(Scalar::BF16.float(above(1.0 + 1.0 / 256.0)), Ok(Datum::F32(1.0 + 1.0 / 128.0)));
        assert_eq!(
            Scalar::BF16.float_of_int((1 << 62) + (1 << 54) + 1),
            Ok(Datum::F32(((1i64 << 62) + (1 << 55)) as f32))
        );
    }

    #[test]
    fn both_ways_from_f32_agree() {
        // All of the upper bits, with the lower ones that decide.
        for high in (0..=u16::MAX).map(|high| u32::from(high) << 16) {
            for low in [0, 1, 0x0fff, 0x1000, 0x1001, 0x7fff, 0x8000, 0x8001, 0xffff] {
                let value = f32::from_bits(high | low);
                for scalar in [Scalar::F16, Scalar::BF16] {
                    let (fast, slow) =
                        (Datum::F32(scalar.round(value)), scalar.float(value.into()).expect("a float"));
                    assert!(fast.same(&slow), "{scalar:?} {value:e}: {fast:?}, {slow:?}");
                }
            }
        }
    }
}
