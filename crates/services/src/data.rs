//! Values during evaluation.

use crate::{Buffer, Object, Scalar, Trap};
use minoan_ir::{Context, Type};
use std::rc::Rc;

/// A value during evaluation.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    /// An integer or index, sign-extended from its width; an `i1` is 0 or 1.
    Int(i64),
    /// An `f32`, or a narrower float, which an `f32` represents exactly.
    F32(f32),
    /// An `f64`.
    F64(f64),
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

/// The elements of a tensor, row-major.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names are the element types'")]
pub enum TensorData {
    /// Integers of any width, sign-extended, with `i1` as 0 or 1; indices.
    Int(Vec<i64>),
    F32(Vec<f32>),
    F64(Vec<f64>),
    /// Elements of which at least one is poison.
    Partial(Box<Partial>),
}

/// Elements with a mask of those that are poison.
#[derive(Clone, Debug, PartialEq)]
pub struct Partial {
    /// The elements; zero where the mask is set. Not [`TensorData::Partial`].
    elements: TensorData,
    /// For each element, whether it is poison.
    poison: Vec<bool>,
    /// The number of poison elements: at least one.
    count: usize,
}

/// A tensor value.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// The extents.
    pub shape: Vec<usize>,
    /// The elements, whose number is the product of the extents.
    pub data: TensorData,
}

impl TensorData {
    /// The number of elements.
    pub fn len(&self) -> usize {
        match self {
            TensorData::Int(data) => data.len(),
            TensorData::F32(data) => data.len(),
            TensorData::F64(data) => data.len(),
            TensorData::Partial(partial) => partial.poison.len(),
        }
    }

    /// Whether the tensor has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns an element.
    ///
    /// # Panics
    /// Panics if the index is out of range.
    pub fn get(&self, index: usize) -> Datum {
        match self {
            TensorData::Int(data) => Datum::Int(data[index]),
            TensorData::F32(data) => Datum::F32(data[index]),
            TensorData::F64(data) => Datum::F64(data[index]),
            TensorData::Partial(partial) if partial.poison[index] => Datum::Poison,
            TensorData::Partial(partial) => partial.elements.get(index),
        }
    }

    /// Sets an element.
    ///
    /// # Errors
    /// The value is of another kind.
    ///
    /// # Panics
    /// Panics if the index is out of range.
    pub fn set(&mut self, index: usize, value: &Datum) -> Result<(), Trap> {
        match (self, value) {
            (TensorData::Int(data), Datum::Int(value)) => data[index] = *value,
            (TensorData::F32(data), Datum::F32(value)) => data[index] = *value,
            (TensorData::F64(data), Datum::F64(value)) => data[index] = *value,
            (data, value) if data.mixes_with(value) => {
                return data.partially(|partial| partial.set(index, value));
            }
            (_, value) => return Err(Trap::new(format!("an element cannot be {}", value.describe()))),
        }
        Ok(())
    }

    /// Appends an element.
    ///
    /// # Errors
    /// If it is of another kind.
    pub fn push(&mut self, value: &Datum) -> Result<(), Trap> {
        match (self, value) {
            (TensorData::Int(data), Datum::Int(value)) => data.push(*value),
            (TensorData::F32(data), Datum::F32(value)) => data.push(*value),
            (TensorData::F64(data), Datum::F64(value)) => data.push(*value),
            (data, value) if data.mixes_with(value) => return data.partially(|partial| partial.push(value)),
            (_, value) => return Err(Trap::new(format!("an element cannot be {}", value.describe()))),
        }
        Ok(())
    }

    /// Whether an element of these kinds needs a mask, before or after it is stored.
    fn mixes_with(&self, value: &Datum) -> bool {
        matches!(value, Datum::Poison)
            || matches!(self, TensorData::Partial(_))
                && matches!(value, Datum::Int(_) | Datum::F32(_) | Datum::F64(_))
    }

    /// Edits the elements beside a mask, which exists afterwards only if an element is poison.
    fn partially(&mut self, edit: impl FnOnce(&mut Partial) -> Result<(), Trap>) -> Result<(), Trap> {
        let mut partial = match std::mem::replace(self, TensorData::Int(Vec::new())) {
            TensorData::Partial(partial) => *partial,
            elements => Partial { poison: vec![false; elements.len()], elements, count: 0 },
        };
        let edited = edit(&mut partial);
        *self = if partial.count == 0 { partial.elements } else { TensorData::Partial(Box::new(partial)) };
        edited
    }

    /// The zero of the elements' kind.
    pub fn zero(&self) -> Datum {
        match self {
            TensorData::Int(_) => Datum::Int(0),
            TensorData::F32(_) => Datum::F32(0.0),
            TensorData::F64(_) => Datum::F64(0.0),
            TensorData::Partial(partial) => partial.elements.zero(),
        }
    }

    /// An empty list of the same kind.
    pub fn empty(&self) -> TensorData {
        match self {
            TensorData::Int(_) => TensorData::Int(Vec::new()),
            TensorData::F32(_) => TensorData::F32(Vec::new()),
            TensorData::F64(_) => TensorData::F64(Vec::new()),
            TensorData::Partial(partial) => partial.elements.empty(),
        }
    }

    /// `count` copies of a scalar.
    ///
    /// # Errors
    /// If `value` is not a scalar, or there is no memory.
    pub fn splat(value: &Datum, count: usize) -> Result<TensorData, Trap> {
        match value {
            Datum::Int(value) => filled(*value, count).map(TensorData::Int),
            Datum::F32(value) => filled(*value, count).map(TensorData::F32),
            Datum::F64(value) => filled(*value, count).map(TensorData::F64),
            Datum::Poison if count == 0 => Ok(TensorData::Int(Vec::new())),
            Datum::Poison => Ok(TensorData::Partial(Box::new(Partial {
                elements: TensorData::Int(filled(0, count)?),
                poison: filled(true, count)?,
                count,
            }))),
            value => Err(Trap::new(format!("an element cannot be {}", value.describe()))),
        }
    }
}

/// `count` copies of an element.
fn filled<T: Copy>(value: T, count: usize) -> Result<Vec<T>, Trap> {
    let mut data = Vec::new();
    if data.try_reserve_exact(count).is_err() {
        return Err(Trap::assertion(OUT_OF_MEMORY));
    }
    data.resize(count, value);
    Ok(data)
}

impl Partial {
    fn set(&mut self, index: usize, value: &Datum) -> Result<(), Trap> {
        let is_poison = matches!(value, Datum::Poison);
        let stored = if is_poison { self.elements.zero() } else { value.clone() };
        self.adopt(&stored)?;
        self.elements.set(index, &stored)?;
        let before = std::mem::replace(&mut self.poison[index], is_poison);
        self.count = self.count + usize::from(is_poison) - usize::from(before);
        Ok(())
    }

    fn push(&mut self, value: &Datum) -> Result<(), Trap> {
        let is_poison = matches!(value, Datum::Poison);
        let stored = if is_poison { self.elements.zero() } else { value.clone() };
        self.adopt(&stored)?;
        self.elements.push(&stored)?;
        self.poison.push(is_poison);
        self.count += usize::from(is_poison);
        Ok(())
    }

    /// If all elements are poison, their kind is not determined: they take the kind of the first element that is not poison.
    fn adopt(&mut self, value: &Datum) -> Result<(), Trap> {
        let zero = match value {
            Datum::Int(_) => Datum::Int(0),
            Datum::F32(_) => Datum::F32(0.0),
            _ => Datum::F64(0.0),
        };
        if self.count == self.poison.len() && self.elements.zero() != zero {
            self.elements = TensorData::splat(&zero, self.count)?;
        }
        Ok(())
    }
}

impl Tensor {
    /// Whether an element is a NaN.
    pub fn has_nan(&self) -> bool {
        match &self.data {
            TensorData::Int(_) => false,
            TensorData::F32(data) => data.iter().any(|value| value.is_nan()),
            TensorData::F64(data) => data.iter().any(|value| value.is_nan()),
            TensorData::Partial(partial) => {
                (0..partial.poison.len()).any(|at| match partial.elements.get(at) {
                    Datum::F32(value) => value.is_nan(),
                    Datum::F64(value) => value.is_nan(),
                    _ => false,
                })
            }
        }
    }

    /// The zero of an element type: integers, indices, `f32` and `f64`.
    ///
    /// # Errors
    /// The type is not supported.
    pub fn zero_of(ctx: &Context, element: Type) -> Result<Datum, Trap> {
        Ok(Scalar::of(ctx, element)?.zero())
    }

    /// The extents of a type, with dynamic ones taken from `sizes` in order.
    ///
    /// # Errors
    /// A dynamic extent is negative or missing.
    pub fn extents(ctx: &Context, ty: Type, sizes: &[Datum]) -> Result<Vec<usize>, Trap> {
        let mut sizes = sizes.iter();
        let extent = |&extent: &i64| match extent {
            minoan_ir::DYNAMIC => {
                let size = sizes.next().ok_or_else(|| Trap::new("a dynamic extent without a size"))?.int()?;
                usize::try_from(size).map_err(|_| Trap::new(format!("the extent {size} is negative")))
            }
            extent => Ok(extent.max(0) as usize),
        };
        ty.shape(ctx).unwrap_or(&[]).iter().map(extent).collect()
    }

    /// Calls `visit` for all index vectors of a shape in row-major order.
    ///
    /// # Errors
    /// The first error of `visit`.
    pub fn each_index(
        shape: &[usize],
        mut visit: impl FnMut(&[i64]) -> Result<(), Trap>,
    ) -> Result<(), Trap> {
        let mut at = vec![0i64; shape.len()];
        if shape.contains(&0) {
            return Ok(());
        }
        loop {
            visit(&at)?;
            let mut dim = shape.len();
            loop {
                let Some(inner) = dim.checked_sub(1) else { return Ok(()) };
                dim = inner;
                at[dim] += 1;
                if (at[dim] as usize) < shape[dim] {
                    break;
                }
                at[dim] = 0;
            }
        }
    }

    /// A tensor whose elements are all `value`.
    ///
    /// # Errors
    /// The value is not a scalar, or the extents are too large.
    pub fn splat(shape: &[usize], value: &Datum) -> Result<Tensor, Trap> {
        // As in compiled code, the size in bytes must not overflow.
        let bytes = match value {
            Datum::F32(_) => 4u64,
            _ => 8,
        };
        let most = i64::MAX as u64 / bytes;
        let count = match shape.contains(&0) {
            true => Some(0),
            false => shape.iter().try_fold(1u64, |count, &extent| {
                count.checked_mul(extent as u64).filter(|&count| count <= most)
            }),
        };
        match count.map(usize::try_from) {
            Some(Ok(count)) => Ok(Tensor { shape: shape.into(), data: TensorData::splat(value, count)? }),
            _ => Err(Trap::assertion(SIZE_OVERFLOWS)),
        }
    }

    /// The position of an element in [`Tensor::data`].
    ///
    /// # Errors
    /// An index is out of bounds, or the number of indices is not the rank.
    pub fn offset(&self, indices: &[i64]) -> Result<usize, Trap> {
        if indices.len() != self.shape.len() {
            return Err(Trap::new(format!(
                "{} indices into a tensor of rank {}",
                indices.len(),
                self.shape.len()
            )));
        }
        let mut offset = 0;
        for (&index, &extent) in indices.iter().zip(&self.shape) {
            match usize::try_from(index) {
                Ok(index) if index < extent => offset = offset * extent + index,
                _ => return Err(Trap::new(format!("index {index} is out of bounds for extent {extent}"))),
            }
        }
        Ok(offset)
    }
}

impl Datum {
    /// The value of an integer or index.
    ///
    /// # Errors
    /// The value is of another kind.
    pub fn int(&self) -> Result<i64, Trap> {
        match self {
            Datum::Int(value) => Ok(*value),
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
            Datum::F32(value) => format!("the float {value}"),
            Datum::F64(value) => format!("the float {value}"),
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
            (Datum::Int(_) | Datum::F32(_) | Datum::F64(_), Datum::Poison) => refining,
            (Datum::Poison, Datum::Poison) => true,
            (Datum::Int(a), Datum::Int(b)) => a == b,
            (Datum::F32(a), Datum::F32(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            (Datum::F64(a), Datum::F64(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
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
