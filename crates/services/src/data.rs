//! Values during evaluation.

use crate::{Buffer, Scalar, Trap};
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
    /// A tensor, copied on write.
    Tensor(Rc<Tensor>),
    /// A buffer.
    Buffer(Buffer),
}

/// The elements of a tensor in row-major order.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names are the element types'")]
pub enum TensorData {
    /// Integers of any width, sign-extended, with `i1` as 0 or 1; indices.
    Int(Vec<i64>),
    F32(Vec<f32>),
    F64(Vec<f64>),
}

/// A tensor value.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// The extents.
    pub shape: Vec<usize>,
    /// The elements, as many as the product of the extents.
    pub data: TensorData,
}

impl TensorData {
    /// The number of elements.
    pub fn len(&self) -> usize {
        match self {
            TensorData::Int(data) => data.len(),
            TensorData::F32(data) => data.len(),
            TensorData::F64(data) => data.len(),
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
            (_, value) => return Err(Trap::new(format!("an element cannot be {value:?}"))),
        }
        Ok(())
    }

    /// An empty list of the same kind.
    pub fn empty(&self) -> TensorData {
        match self {
            TensorData::Int(_) => TensorData::Int(Vec::new()),
            TensorData::F32(_) => TensorData::F32(Vec::new()),
            TensorData::F64(_) => TensorData::F64(Vec::new()),
        }
    }

    /// `count` copies of a scalar.
    ///
    /// # Errors
    /// The value is not a scalar.
    pub fn splat(value: &Datum, count: usize) -> Result<TensorData, Trap> {
        match value {
            Datum::Int(value) => Ok(TensorData::Int(vec![*value; count])),
            Datum::F32(value) => Ok(TensorData::F32(vec![*value; count])),
            Datum::F64(value) => Ok(TensorData::F64(vec![*value; count])),
            value => Err(Trap::new(format!("an element cannot be {value:?}"))),
        }
    }
}

impl Tensor {
    /// Whether an element is a NaN.
    pub fn has_nan(&self) -> bool {
        match &self.data {
            TensorData::Int(_) => false,
            TensorData::F32(data) => data.iter().any(|value| value.is_nan()),
            TensorData::F64(data) => data.iter().any(|value| value.is_nan()),
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
        const MAX_ELEMENTS: usize = 1 << 32;
        let count = shape.iter().try_fold(1usize, |count, &extent| count.checked_mul(extent));
        match count {
            Some(count) if count <= MAX_ELEMENTS => {
                Ok(Tensor { shape: shape.into(), data: TensorData::splat(value, count)? })
            }
            _ => Err(Trap::new(format!("a tensor of extents {shape:?} is too large"))),
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
            other => Err(Trap::new(format!("expected an integer, found {other:?}"))),
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
            other => Err(Trap::new(format!("expected a tensor, found {other:?}"))),
        }
    }

    /// The buffer.
    ///
    /// # Errors
    /// The value is of another kind.
    pub fn buffer(&self) -> Result<&Buffer, Trap> {
        match self {
            Datum::Buffer(buffer) => Ok(buffer),
            other => Err(Trap::new(format!("expected a buffer, found {other:?}"))),
        }
    }

    /// Whether two values are bitwise equal, where all NaNs are equal and the zeros differ. Buffers are compared by
    /// contents.
    pub fn same(&self, other: &Datum) -> bool {
        match (self, other) {
            (Datum::Int(a), Datum::Int(b)) => a == b,
            (Datum::F32(a), Datum::F32(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            (Datum::F64(a), Datum::F64(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            (Datum::Tensor(a), Datum::Tensor(b)) => {
                a.shape == b.shape
                    && a.data.len() == b.data.len()
                    && (0..a.data.len()).all(|i| a.data.get(i).same(&b.data.get(i)))
            }
            (Datum::Buffer(a), Datum::Buffer(b)) => match (a.snapshot(), b.snapshot()) {
                (Ok(a), Ok(b)) => Datum::from(a).same(&b.into()),
                _ => false,
            },
            _ => false,
        }
    }
}

impl From<i64> for Datum {
    fn from(value: i64) -> Self {
        Datum::Int(value)
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
