//! Elements of constants as numbers: integer arithmetic, comparisons, logic and conversions, all of which are exact or
//! correctly rounded.

use crate::ty::DType;
use minoan_ir::{FloatKind, compare_floats, float_from_f64, float_from_int, float_to_f64};
use std::cmp::Ordering;

/// An element of a tensor.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    /// An integer, or 0 and 1 for a boolean.
    Int(i128),
    /// The bits of a floating-point number.
    Float(FloatKind, u128),
}

fn float_kind(dtype: DType) -> Option<FloatKind> {
    Some(match dtype {
        DType::Float(16) => FloatKind::F16,
        DType::Float(32) => FloatKind::F32,
        DType::Float(64) => FloatKind::F64,
        DType::BFloat(16) => FloatKind::BF16,
        _ => return None,
    })
}

/// The stored size of an element in bytes.
pub(super) fn size(dtype: DType) -> usize {
    usize::from(dtype.bits()).div_ceil(8).next_power_of_two()
}

impl Number {
    /// Reads a stored element.
    pub(super) fn read(dtype: DType, bytes: &[u8]) -> Option<Number> {
        let mut wide = [0; 16];
        wide.get_mut(..bytes.len())?.copy_from_slice(bytes);
        let bits = u128::from_le_bytes(wide);
        if let Some(kind) = float_kind(dtype) {
            return Some(Number::Float(kind, bits));
        }
        if dtype == DType::Bool {
            return Some(Number::Int((bits != 0).into()));
        }
        Some(Number::Int(wrapped(dtype, i128::try_from(bits).ok()?)))
    }

    /// The bits of the stored form; integers wrap. `None` if the type has numbers of another kind.
    pub(super) fn bits(self, dtype: DType) -> Option<u128> {
        Some(match (self, float_kind(dtype)) {
            (Number::Float(kind, bits), Some(wanted)) if kind == wanted => bits,
            (Number::Int(value), None) if dtype == DType::Bool => {
                if value == 0 {
                    0
                } else {
                    0xff
                }
            }
            (Number::Int(value), None) if dtype.is_int() => value.cast_unsigned(),
            _ => return None,
        })
    }

    /// Converts to another type as the operator `cast` does; `None` where that is undefined.
    pub(super) fn cast(self, dtype: DType) -> Option<Number> {
        match (self, float_kind(dtype)) {
            (Number::Int(value), Some(kind)) => Some(Number::Float(kind, float_from_int(kind, value))),
            (Number::Float(kind, bits), Some(wanted)) => {
                Some(Number::Float(wanted, float_from_f64(wanted, float_to_f64(kind, bits))))
            }
            (Number::Int(value), None) if dtype == DType::Bool => Some(Number::Int((value != 0).into())),
            (Number::Int(value), None) => Some(Number::Int(wrapped(dtype, value))),
            (Number::Float(kind, bits), None) => {
                let value = float_to_f64(kind, bits);
                if dtype == DType::Bool {
                    return Some(Number::Int((value != 0.0).into()));
                }
                let whole = value.trunc();
                let fits = whole.is_finite() && whole.abs() < 2f64.powi(63);
                let whole = fits.then_some(whole as i128)?;
                (wrapped(dtype, whole) == whole).then_some(Number::Int(whole))
            }
        }
    }

    /// Whether this is the same number; zeros of different signs differ, as do numbers that are not exact in the type.
    pub(super) fn is(self, value: f64) -> bool {
        match self {
            Number::Int(own) => value.fract() == 0.0 && value.abs() < 1e18 && own == value as i128,
            Number::Float(kind, bits) => float_to_f64(kind, bits).to_bits() == value.to_bits(),
        }
    }

    fn compare(self, other: Number) -> Option<Ordering> {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => Some(a.cmp(&b)),
            (Number::Float(kind, a), Number::Float(_, b)) => compare_floats(kind, a, b),
            _ => None,
        }
    }
}

/// The least and the greatest integer of a type.
pub(super) fn integer_range(dtype: DType) -> Option<(i128, i128)> {
    Some(match dtype {
        DType::Bool => (0, 1),
        DType::Int(bits @ 1..) => (-1 << (bits - 1), (1 << (bits - 1)) - 1),
        DType::UInt(bits) => (0, (1 << bits) - 1),
        _ => return None,
    })
}

/// Whether all numbers of a type are exact in another one.
pub(super) fn widens(from: DType, to: DType) -> bool {
    // The digits and the range of exponents, which is all that matters among these formats.
    let format = |dtype: DType| match dtype {
        DType::Float(16) => Some((11, 5)),
        DType::BFloat(16) => Some((8, 8)),
        DType::Float(32) => Some((24, 8)),
        DType::Float(64) => Some((53, 11)),
        _ => None,
    };
    match (integer_range(from), integer_range(to), format(from), format(to)) {
        (Some(from), Some(to), ..) => to.0 <= from.0 && from.1 <= to.1,
        // Eleven bits and more are also in the range of the exponents.
        (Some((low, high)), _, _, Some((digits, _))) => -(1i128 << digits) <= low && high <= 1i128 << digits,
        (_, _, Some(from), Some(to)) => from.0 <= to.0 && from.1 <= to.1,
        _ => false,
    }
}

/// An integer modulo the range of its type.
fn wrapped(dtype: DType, value: i128) -> i128 {
    let unused = 128 - u32::from(dtype.bits().max(1));
    if matches!(dtype, DType::Int(_)) {
        (value << unused) >> unused
    } else {
        ((value.cast_unsigned() << unused) >> unused).cast_signed()
    }
}

/// A function of one element that an operator computes.
pub(super) fn unary(operator: &str, dtype: DType) -> Option<fn(i128) -> i128> {
    Some(match operator {
        "logical_not" if dtype == DType::Bool => |a| (a == 0).into(),
        "negative" if dtype.is_int() => |a| -a,
        "abs" if dtype.is_int() => i128::abs,
        _ => return None,
    })
}

/// Applies an operator to two elements of a type; `None` if it is not evaluated.
pub(super) fn binary(operator: &str, dtype: DType, a: Number, b: Number) -> Option<Number> {
    let order = || a.compare(b);
    let truth = |value: bool| Some(Number::Int(value.into()));
    match operator {
        "equal" => return truth(order() == Some(Ordering::Equal)),
        "not_equal" => return truth(order() != Some(Ordering::Equal)),
        "less" => return truth(order() == Some(Ordering::Less)),
        "greater" => return truth(order() == Some(Ordering::Greater)),
        "less_equal" => return truth(matches!(order(), Some(Ordering::Less | Ordering::Equal))),
        "greater_equal" => return truth(matches!(order(), Some(Ordering::Greater | Ordering::Equal))),
        _ => {}
    }
    let (Number::Int(a), Number::Int(b)) = (a, b) else { return None };
    if dtype == DType::Bool {
        return Some(Number::Int(match operator {
            "logical_and" => a & b,
            "logical_or" => a | b,
            "logical_xor" => a ^ b,
            _ => return None,
        }));
    }
    let divides = dtype.is_int() && b != 0;
    let value = match operator {
        "maximum" => a.max(b),
        "minimum" => a.min(b),
        "divide" | "trunc_divide" if divides => a / b,
        "mod" | "trunc_mod" if divides => a % b,
        "floor_divide" if divides => a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0),
        "floor_mod" if divides => a - b * (a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0)),
        "bitwise_and" => a & b,
        "bitwise_or" => a | b,
        "bitwise_xor" => a ^ b,
        _ => return None,
    };
    Some(Number::Int(wrapped(dtype, value)))
}

/// The operators that [`binary`] evaluates.
pub(super) const BINARY: &[&str] = &[
    "equal",
    "not_equal",
    "less",
    "greater",
    "less_equal",
    "greater_equal",
    "logical_and",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "divide",
    "trunc_divide",
    "mod",
    "trunc_mod",
    "floor_divide",
    "floor_mod",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn int(operator: &str, a: i128, b: i128) -> i128 {
        match binary(operator, DType::I32, Number::Int(a), Number::Int(b)) {
            Some(Number::Int(value)) => value,
            other => panic!("{operator}: {other:?}"),
        }
    }

    #[test]
    fn quotients_truncate_or_floor() {
        for (a, b, quotient, floor) in
            [(7, 2, 3, 3), (-7, 2, -3, -4), (7, -2, -3, -4), (-7, -2, 3, 3), (6, -2, -3, -3)]
        {
            assert_eq!(int("divide", a, b), quotient);
            assert_eq!(int("mod", a, b), a - b * quotient);
            assert_eq!(int("floor_divide", a, b), floor, "{a} {b}");
            assert_eq!(int("floor_mod", a, b), a - b * floor);
        }
        assert!(binary("divide", DType::I32, Number::Int(1), Number::Int(0)).is_none());
    }

    #[test]
    fn stored_elements_are_read_with_their_sign() {
        let read = |dtype| match Number::read(dtype, &[0xfe]) {
            Some(Number::Int(value)) => value,
            other => panic!("{other:?}"),
        };
        assert_eq!((read(DType::Int(8)), read(DType::UInt(8)), read(DType::Bool)), (-2, 254, 1));
        let half = Number::Int(3).cast(DType::Float(16)).and_then(|half| half.bits(DType::Float(16)));
        assert_eq!(half, Some(0x4200));
        assert!(Number::Float(FloatKind::F64, f64::NAN.to_bits().into()).cast(DType::I32).is_none());
    }
}
