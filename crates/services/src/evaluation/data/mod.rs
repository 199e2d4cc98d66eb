//! Values during evaluation.

mod tensor;

pub use tensor::{Partial, Tensor, TensorData};

use crate::{Buffer, Object, Scalar, Trap};
use minoan_ir::{Context, Type};
use std::rc::Rc;

/// A value during evaluation.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    /// An integer or index, sign-extended from its width; an `i1` is 0 or 1.
    Int(i64),
    /// An integer of more than 64 bits, sign-extended from its width.
    Wide(minoan_ir::Int),
    /// An `f32`, or a narrower float, which an `f32` represents exactly.
    F32(f32),
    /// An `f64`.
    F64(f64),
    /// A complex number with parts of type `f32`, or of a narrower float: the real and the imaginary part.
    Complex32([f32; 2]),
    /// A complex number with parts of type `f64`.
    Complex64([f64; 2]),
    /// Poison: a scalar without a defined value. Operations pass it on; control flow and effects must not depend on it.
    Poison,
    /// A tensor, copied on write.
    Tensor(Rc<Tensor>),
    /// A buffer.
    Buffer(Buffer),
    /// A value of a data type, a closure, a reference or a boxed tensor.
    Object(Object),
}

/// The message of a run-time fault: the number of elements or bytes of a tensor overflows.
pub const SIZE_OVERFLOWS: &str = "the size of a tensor overflows";

/// The message of a run-time fault: memory for a tensor is exhausted. The same as in the runtime of compiled code.
pub const OUT_OF_MEMORY: &str = "out of memory";

/// The message of an undefined division, the same as in the runtime of compiled code: processors do not distinguish the two
/// cases.
pub const UNDEFINED_DIVISION: &str = "division by zero, or overflow of a signed division";

/// The message for a negative power of an integer zero.
pub const UNDEFINED_POWER: &str = "division by zero: a negative power of zero";

impl Datum {
    /// The value of an integer of at most 64 bits, or of an index.
    ///
    /// # Errors
    /// The value is of another kind.
    #[inline]
    pub fn int(&self) -> Result<i64, Trap> {
        match self {
            Datum::Int(value) => Ok(*value),
            Datum::Wide(_) => Err(self.is_not("an integer of at most 64 bits")),
            other => Err(other.is_not("an integer")),
        }
    }

    /// The value of an integer of any width.
    ///
    /// # Errors
    /// The value is of another kind.
    pub fn wide(&self) -> Result<minoan_ir::Int, Trap> {
        match self {
            Datum::Int(value) => Ok((*value).into()),
            Datum::Wide(value) => Ok(value.clone()),
            other => Err(other.is_not("an integer")),
        }
    }

    /// The value of an `i1`.
    ///
    /// # Errors
    /// The value is of another kind.
    pub fn bool(&self) -> Result<bool, Trap> {
        self.int().map(|value| value != 0)
    }

    /// The tensor.
    ///
    /// # Errors
    /// The value is of another kind.
    pub fn tensor(&self) -> Result<&Rc<Tensor>, Trap> {
        match self {
            Datum::Tensor(tensor) => Ok(tensor),
            other => Err(other.is_not("a tensor")),
        }
    }

    /// The buffer.
    ///
    /// # Errors
    /// The value is of another kind.
    pub fn buffer(&self) -> Result<&Buffer, Trap> {
        match self {
            Datum::Buffer(buffer) => Ok(buffer),
            other => Err(other.is_not("a buffer")),
        }
    }

    /// The object.
    ///
    /// # Errors
    /// The value is of another kind.
    pub fn object(&self) -> Result<&Object, Trap> {
        match self {
            Datum::Object(object) => Ok(object),
            other => Err(other.is_not("an object")),
        }
    }

    /// The trap of an evaluation that needs a value of another kind: undefined behavior for poison.
    pub fn is_not(&self, expected: &str) -> Trap {
        match self {
            Datum::Poison => Trap::undefined("the program depends on a poison value"),
            other => Trap::new(format!("expected {expected}, found {}", other.describe())),
        }
    }

    /// The kind of the value for messages, with the extents of a tensor instead of its elements: `a tensor of extents [2, 3]`.
    pub fn describe(&self) -> String {
        match self {
            Datum::Int(value) => format!("the integer {value}"),
            Datum::Wide(value) => format!("the integer {value}"),
            Datum::F32(value) => format!("the float {value}"),
            Datum::F64(value) => format!("the float {value}"),
            Datum::Complex32([re, im]) => format!("the complex number ({re}, {im})"),
            Datum::Complex64([re, im]) => format!("the complex number ({re}, {im})"),
            Datum::Poison => "poison".to_owned(),
            Datum::Tensor(tensor) => format!("a tensor of extents {:?}", tensor.shape),
            Datum::Buffer(_) => "a buffer".to_owned(),
            Datum::Object(object) => object.to_string(),
        }
    }

    /// Poison of a type: a scalar, or elements that all are poison. `None` for a type of open extents, and one that has
    /// neither elements nor a scalar value, such as a buffer.
    pub fn poison_of(ctx: &Context, ty: Type) -> Option<Datum> {
        Scalar::of(ctx, ty).ok()?;
        let Some(shape) = ty.shape(ctx) else { return Some(Datum::Poison) };
        let shape: Option<Vec<usize>> = shape.iter().map(|&extent| usize::try_from(extent).ok()).collect();
        if ty.is_memref(ctx) { None } else { Tensor::splat(&shape?, &Datum::Poison).ok().map(Datum::from) }
    }

    /// Whether the value is an integer, a float or a complex number: a scalar other than poison.
    pub fn is_number(&self) -> bool {
        match self {
            Datum::Int(_)
            | Datum::Wide(_)
            | Datum::F32(_)
            | Datum::F64(_)
            | Datum::Complex32(_)
            | Datum::Complex64(_) => true,
            Datum::Poison | Datum::Tensor(_) | Datum::Buffer(_) | Datum::Object(_) => false,
        }
    }

    /// Whether the value, or an element of the tensor, is poison.
    pub fn has_poison(&self) -> bool {
        match self {
            Datum::Poison => true,
            Datum::Tensor(tensor) => matches!(tensor.data, TensorData::Partial(_)),
            Datum::Object(object) => object.any(&Datum::has_poison),
            _ => false,
        }
    }

    /// Whether two values are bitwise equal, where all NaNs are equal and the zeros differ. Buffers are compared by
    /// contents.
    pub fn same(&self, other: &Datum) -> bool {
        self.agrees(other, false)
    }

    /// Whether a program may produce this value where it produced `before`: the same bits, or any value where `before` is poison.
    pub fn refines(&self, before: &Datum) -> bool {
        self.agrees(before, true)
    }

    fn agrees(&self, other: &Datum, refining: bool) -> bool {
        match (self, other) {
            (Datum::Poison, Datum::Poison) => true,
            (value, Datum::Poison) if value.is_number() => refining,
            (Datum::Int(a), Datum::Int(b)) => a == b,
            (Datum::Wide(a), Datum::Wide(b)) => a == b,
            (&Datum::F32(a), &Datum::F32(b)) => same_f32(a, b),
            (&Datum::F64(a), &Datum::F64(b)) => same_f64(a, b),
            (Datum::Complex32(a), Datum::Complex32(b)) => same_f32(a[0], b[0]) && same_f32(a[1], b[1]),
            (Datum::Complex64(a), Datum::Complex64(b)) => same_f64(a[0], b[0]) && same_f64(a[1], b[1]),
            (Datum::Tensor(a), Datum::Tensor(b)) => {
                a.shape == b.shape
                    && a.data.len() == b.data.len()
                    && (0..a.data.len()).all(|i| a.data.get(i).agrees(&b.data.get(i), refining))
            }
            (Datum::Buffer(a), Datum::Buffer(b)) => match (a.snapshot(), b.snapshot()) {
                (Ok(a), Ok(b)) => Datum::from(a).agrees(&b.into(), refining),
                _ => false,
            },
            (Datum::Object(a), Datum::Object(b)) => a.agrees(b, &|a, b| a.agrees(b, refining)),
            _ => false,
        }
    }
}

fn same_f32(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

fn same_f64(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

impl From<i64> for Datum {
    fn from(value: i64) -> Self {
        Datum::Int(value)
    }
}

impl From<i32> for Datum {
    fn from(value: i32) -> Self {
        Datum::Int(value.into())
    }
}

impl From<bool> for Datum {
    fn from(value: bool) -> Self {
        Datum::Int(i64::from(value))
    }
}

impl From<f32> for Datum {
    fn from(value: f32) -> Self {
        Datum::F32(value)
    }
}

impl From<f64> for Datum {
    fn from(value: f64) -> Self {
        Datum::F64(value)
    }
}

impl From<Tensor> for Datum {
    fn from(tensor: Tensor) -> Self {
        Datum::Tensor(Rc::new(tensor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(values: &[f32]) -> TensorData {
        TensorData::F32(values.to_vec())
    }

    #[test]
    fn the_mask_exists_only_while_an_element_is_poison() {
        let mut data = floats(&[1.0, 2.0]);
        assert_eq!(data.set(1, &Datum::Poison), Ok(()));
        assert_eq!((data.get(0), data.get(1), data.len()), (Datum::F32(1.0), Datum::Poison, 2));
        assert_eq!(data.set(1, &Datum::F32(3.0)), Ok(()));
        assert_eq!(data, floats(&[1.0, 3.0]));
        assert!(data.set(0, &Datum::Int(1)).is_err());
        assert_eq!(data, floats(&[1.0, 3.0]), "a failed edit changes nothing");
    }

    #[test]
    fn elements_that_are_all_poison_take_the_kind_of_the_first_other_one() {
        let mut data = TensorData::splat(&Datum::Poison, 2).expect("a scalar");
        assert_eq!(data.push(&Datum::F32(1.0)), Ok(()));
        assert_eq!(data.set(0, &Datum::F32(2.0)), Ok(()));
        assert!(data.set(1, &Datum::F64(2.0)).is_err());
        assert_eq!(data.set(1, &Datum::F32(4.0)), Ok(()));
        assert_eq!(data, floats(&[2.0, 4.0, 1.0]));
    }

    #[test]
    fn poison_may_become_anything_and_nothing_becomes_poison() {
        let tensor = |data| Datum::from(Tensor { shape: vec![2], data });
        let mut partial = floats(&[1.0, 2.0]);
        assert_eq!(partial.set(0, &Datum::Poison), Ok(()));
        let (before, after) = (tensor(partial), tensor(floats(&[9.0, 2.0])));
        assert!(after.refines(&before) && before.refines(&before));
        assert!(!before.refines(&after) && !after.same(&before));
        assert!(!tensor(floats(&[9.0, 3.0])).refines(&before), "the other element stays");
        assert!(Datum::Int(4).refines(&Datum::Poison) && !Datum::Poison.refines(&Datum::Int(4)));
    }
}
