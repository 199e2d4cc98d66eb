//! Tensor values.

use super::{Datum, OUT_OF_MEMORY, SIZE_OVERFLOWS};
use crate::{Scalar, Trap};
use minoan_ir::{Context, Int, Type};

/// The elements of a tensor, row-major.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names are the element types'")]
pub enum TensorData {
    /// Integers of at most 64 bits, sign-extended, with `i1` as 0 or 1; indices.
    Int(Vec<i64>),
    /// Integers of more than 64 bits, sign-extended.
    Wide(Vec<Int>),
    F32(Vec<f32>),
    F64(Vec<f64>),
    /// Complex numbers with parts of type `f32` or narrower: the real and the imaginary part.
    Complex32(Vec<[f32; 2]>),
    /// Complex numbers with parts of type `f64`.
    Complex64(Vec<[f64; 2]>),
    /// Elements, at least one of which is poison.
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
            TensorData::Wide(data) => data.len(),
            TensorData::F32(data) => data.len(),
            TensorData::F64(data) => data.len(),
            TensorData::Complex32(data) => data.len(),
            TensorData::Complex64(data) => data.len(),
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
            TensorData::Wide(data) => Datum::Wide(data[index].clone()),
            TensorData::F32(data) => Datum::F32(data[index]),
            TensorData::F64(data) => Datum::F64(data[index]),
            TensorData::Complex32(data) => Datum::Complex32(data[index]),
            TensorData::Complex64(data) => Datum::Complex64(data[index]),
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
            (TensorData::Wide(data), Datum::Wide(value)) => data[index] = value.clone(),
            (TensorData::F32(data), Datum::F32(value)) => data[index] = *value,
            (TensorData::F64(data), Datum::F64(value)) => data[index] = *value,
            (TensorData::Complex32(data), Datum::Complex32(value)) => data[index] = *value,
            (TensorData::Complex64(data), Datum::Complex64(value)) => data[index] = *value,
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
            (TensorData::Wide(data), Datum::Wide(value)) => data.push(value.clone()),
            (TensorData::F32(data), Datum::F32(value)) => data.push(*value),
            (TensorData::F64(data), Datum::F64(value)) => data.push(*value),
            (TensorData::Complex32(data), Datum::Complex32(value)) => data.push(*value),
            (TensorData::Complex64(data), Datum::Complex64(value)) => data.push(*value),
            (data, value) if data.mixes_with(value) => return data.partially(|partial| partial.push(value)),
            (_, value) => return Err(Trap::new(format!("an element cannot be {}", value.describe()))),
        }
        Ok(())
    }

    /// Whether an element of these kinds needs a mask, before or after it is stored.
    fn mixes_with(&self, value: &Datum) -> bool {
        matches!(value, Datum::Poison) || matches!(self, TensorData::Partial(_)) && value.is_number()
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
            TensorData::Wide(_) => Datum::Wide(Int::from(0)),
            TensorData::F32(_) => Datum::F32(0.0),
            TensorData::F64(_) => Datum::F64(0.0),
            TensorData::Complex32(_) => Datum::Complex32([0.0; 2]),
            TensorData::Complex64(_) => Datum::Complex64([0.0; 2]),
            TensorData::Partial(partial) => partial.elements.zero(),
        }
    }

    /// An empty list of the same kind.
    pub fn empty(&self) -> TensorData {
        match self {
            TensorData::Int(_) => TensorData::Int(Vec::new()),
            TensorData::Wide(_) => TensorData::Wide(Vec::new()),
            TensorData::F32(_) => TensorData::F32(Vec::new()),
            TensorData::F64(_) => TensorData::F64(Vec::new()),
            TensorData::Complex32(_) => TensorData::Complex32(Vec::new()),
            TensorData::Complex64(_) => TensorData::Complex64(Vec::new()),
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
            Datum::Wide(value) => filled(value.clone(), count).map(TensorData::Wide),
            Datum::F32(value) => filled(*value, count).map(TensorData::F32),
            Datum::F64(value) => filled(*value, count).map(TensorData::F64),
            Datum::Complex32(value) => filled(*value, count).map(TensorData::Complex32),
            Datum::Complex64(value) => filled(*value, count).map(TensorData::Complex64),
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
fn filled<T: Clone>(value: T, count: usize) -> Result<Vec<T>, Trap> {
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
            Datum::Wide(_) => Datum::Wide(Int::from(0)),
            Datum::F32(_) => Datum::F32(0.0),
            Datum::Complex32(_) => Datum::Complex32([0.0; 2]),
            Datum::Complex64(_) => Datum::Complex64([0.0; 2]),
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
            TensorData::Int(_) | TensorData::Wide(_) => false,
            TensorData::F32(data) => data.iter().any(|value| value.is_nan()),
            TensorData::F64(data) => data.iter().any(|value| value.is_nan()),
            TensorData::Complex32(data) => data.as_flattened().iter().any(|value| value.is_nan()),
            TensorData::Complex64(data) => data.as_flattened().iter().any(|value| value.is_nan()),
            TensorData::Partial(partial) => {
                (0..partial.poison.len()).any(|at| match partial.elements.get(at) {
                    Datum::F32(value) => value.is_nan(),
                    Datum::F64(value) => value.is_nan(),
                    Datum::Complex32(parts) => parts.iter().any(|part| part.is_nan()),
                    Datum::Complex64(parts) => parts.iter().any(|part| part.is_nan()),
                    _ => false,
                })
            }
        }
    }

    /// The zero of an element type: integers, indices, floats, and complex numbers of floats.
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
            Datum::Complex64(_) => 16,
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
