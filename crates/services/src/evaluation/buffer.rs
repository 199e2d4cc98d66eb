//! Buffers during evaluation, and views of them.

use crate::{Datum, Scalar, Tensor, TensorData, Trap};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

/// Mutable storage, or a view of it. Clones refer to the same storage.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// The unique number of the storage.
    pub id: u64,
    /// The contents of the whole storage; `None` after it is freed.
    pub contents: Rc<RefCell<Option<Tensor>>>,
    /// The viewed elements; `None` for all elements in order.
    pub view: Option<Rc<View>>,
    /// The elements of a view of a buffer of bytes; `None` for elements of the storage.
    pub encoding: Option<Encoding>,
}

/// Elements in a buffer of bytes, little endian.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encoding {
    /// The type of the elements.
    pub scalar: Scalar,
    /// The distance between consecutive elements in bytes.
    pub stride: usize,
    /// The byte where the element at position 0 begins.
    pub start: i64,
}

impl Encoding {
    /// The bytes of an element in the storage.
    fn place(self, position: i64, storage: &Tensor) -> Result<Range<usize>, Trap> {
        let first = i64::try_from(self.stride).ok().and_then(|stride| position.checked_mul(stride));
        let first = first.and_then(|first| usize::try_from(first.checked_add(self.start)?).ok());
        let place = first.and_then(|first| Some(first..first.checked_add(self.stride)?));
        let len = storage.data.len();
        let place = place.filter(|place| place.end <= len);
        place.ok_or_else(|| Trap::new(format!("a view leaves its buffer: element {position} of {len} bytes")))
    }

    /// Reads an element. It is poison if one of its bytes is.
    fn get(self, position: i64, storage: &Tensor) -> Result<Datum, Trap> {
        let mut bytes = SmallVec::<[u8; 16]>::new();
        for place in self.place(position, storage)? {
            match storage.data.get(place) {
                Datum::Poison => return Ok(Datum::Poison),
                byte => bytes.push(byte.int()? as u8),
            }
        }
        Ok(self.scalar.of_bytes(&bytes))
    }

    /// Writes an element.
    fn set(self, position: i64, storage: &mut Tensor, value: &Datum) -> Result<(), Trap> {
        let place = self.place(position, storage)?;
        if matches!(value, Datum::Poison) {
            return place.into_iter().try_for_each(|place| storage.data.set(place, value));
        }
        let bytes = self.scalar.bytes(value);
        let bytes = bytes.ok_or_else(|| Trap::new(format!("an element cannot be {}", value.describe())))?;
        // Bytes between elements are zero.
        for (place, byte) in place.zip(bytes.into_iter().chain(std::iter::repeat(0))) {
            storage.data.set(place, &Datum::Int((byte as i8).into()))?;
        }
        Ok(())
    }
}

/// A strided view of storage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// The extents.
    pub shape: Vec<usize>,
    /// The position of the element with index zero in the storage.
    pub offset: i64,
    /// The distance between consecutive elements in each dimension.
    pub strides: Vec<i64>,
}

impl View {
    /// A contiguous row-major view from the start of the storage.
    ///
    /// # Errors
    /// The extents are too large.
    pub fn contiguous(shape: Vec<usize>) -> Result<View, Trap> {
        let mut strides = vec![1i64; shape.len()];
        for at in (1..shape.len()).rev() {
            let extent = i64::try_from(shape[at]).ok();
            let stride = extent.and_then(|extent| strides[at].checked_mul(extent));
            strides[at - 1] = stride.ok_or_else(|| Trap::new("the extents of a view are too large"))?;
        }
        Ok(View { shape, offset: 0, strides })
    }

    /// Whether the view has all `count` elements of the storage in order, as a reshape does.
    pub fn is_whole(&self, count: usize) -> bool {
        let mut stride = 1i64;
        let dense = self.shape.iter().zip(&self.strides).rev().all(|(&extent, &given)| {
            let expected = stride;
            stride = expected.saturating_mul(i64::try_from(extent).unwrap_or(i64::MAX));
            extent == 1 || given == expected
        });
        let elements = self.shape.iter().try_fold(1usize, |product, &extent| product.checked_mul(extent));
        self.offset == 0 && elements == Some(count) && (dense || count == 0)
    }

    /// The position of an element in the storage.
    ///
    /// # Errors
    /// An index is out of bounds, or the number of indices is not the rank.
    pub fn position(&self, indices: &[i64]) -> Result<i64, Trap> {
        if indices.len() != self.shape.len() {
            let (count, rank) = (indices.len(), self.shape.len());
            return Err(Trap::new(format!("{count} indices into a buffer of rank {rank}")));
        }
        let mut position = self.offset;
        for ((&index, &extent), &stride) in indices.iter().zip(&self.shape).zip(&self.strides) {
            if !usize::try_from(index).is_ok_and(|index| index < extent) {
                return Err(Trap::new(format!("index {index} is out of bounds for extent {extent}")));
            }
            let step = index.checked_mul(stride).and_then(|step| position.checked_add(step));
            position = step.ok_or_else(|| Trap::new("the position of an element overflows"))?;
        }
        Ok(position)
    }
}

impl PartialEq for Buffer {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.contents, &other.contents)
            && (&self.view, self.encoding) == (&other.view, other.encoding)
    }
}

impl Buffer {
    /// Creates storage.
    pub fn new(id: u64, contents: Tensor) -> Buffer {
        Buffer { id, contents: Rc::new(RefCell::new(Some(contents))), view: None, encoding: None }
    }

    /// Another view of the same storage.
    pub fn with_view(&self, view: View) -> Buffer {
        Buffer { view: Some(Rc::new(view)), ..self.clone() }
    }

    /// A view of the bytes of the storage as elements of another type.
    ///
    /// # Errors
    /// The elements of the buffer are not bytes, or have been freed.
    pub fn with_encoding(&self, encoding: Encoding, view: View) -> Result<Buffer, Trap> {
        let is_bytes = |tensor: &Tensor| match tensor.data {
            TensorData::Int(_) | TensorData::Partial(_) => Ok(self.encoding.is_none()),
            TensorData::Wide(_)
            | TensorData::F32(_)
            | TensorData::F64(_)
            | TensorData::Complex32(_)
            | TensorData::Complex64(_) => Ok(false),
        };
        match self.storage(is_bytes)? {
            true => Ok(Buffer { encoding: Some(encoding), ..self.with_view(view) }),
            false => Err(Trap::new("a view of bytes of a buffer of other elements")),
        }
    }

    /// The view of the buffer, or the contiguous view of its storage.
    ///
    /// # Errors
    /// The storage has been freed.
    pub fn layout(&self) -> Result<View, Trap> {
        match &self.view {
            Some(view) => Ok(View::clone(view)),
            None => View::contiguous(self.shape()?),
        }
    }

    /// The extents.
    ///
    /// # Errors
    /// The storage has been freed.
    pub fn shape(&self) -> Result<Vec<usize>, Trap> {
        self.storage(|tensor| Ok(self.view.as_ref().map_or(&tensor.shape, |view| &view.shape).clone()))
    }

    /// Reads an element.
    ///
    /// # Errors
    /// The storage has been freed, or the element does not exist.
    pub fn get(&self, indices: &[i64]) -> Result<Datum, Trap> {
        self.storage(|tensor| self.get_in(tensor, indices))
    }

    /// Writes an element.
    ///
    /// # Errors
    /// The storage has been freed, or the element does not exist or is of another kind.
    pub fn set(&self, indices: &[i64], value: &Datum) -> Result<(), Trap> {
        self.storage_mut(|tensor| self.set_in(tensor, indices, value))
    }

    fn get_in(&self, tensor: &Tensor, indices: &[i64]) -> Result<Datum, Trap> {
        match (self.encoding, &self.view) {
            (Some(encoding), Some(view)) => encoding.get(view.position(indices)?, tensor),
            _ => Ok(tensor.data.get(self.place(tensor, indices)?)),
        }
    }

    fn set_in(&self, tensor: &mut Tensor, indices: &[i64], value: &Datum) -> Result<(), Trap> {
        match (self.encoding, &self.view) {
            (Some(encoding), Some(view)) => encoding.set(view.position(indices)?, tensor, value),
            _ => {
                let place = self.place(tensor, indices)?;
                tensor.data.set(place, value)
            }
        }
    }

    fn place(&self, tensor: &Tensor, indices: &[i64]) -> Result<usize, Trap> {
        let Some(view) = &self.view else { return tensor.offset(indices) };
        let position = view.position(indices)?;
        let place = usize::try_from(position).ok().filter(|&place| place < tensor.data.len());
        place.ok_or_else(|| {
            Trap::new(format!("a view leaves its buffer: element {position} of {}", tensor.data.len()))
        })
    }

    /// Copies the elements to a tensor.
    ///
    /// # Errors
    /// The storage has been freed, or the view is out of bounds.
    pub fn snapshot(&self) -> Result<Tensor, Trap> {
        self.storage(|tensor| {
            let Some(view) = &self.view else { return Ok(tensor.clone()) };
            let data = match self.encoding {
                None => tensor.data.empty(),
                Some(encoding) => encoding.scalar.with_capacity(0),
            };
            let mut part = Tensor { shape: view.shape.clone(), data };
            Tensor::each_index(&view.shape, |at| part.data.push(&self.get_in(tensor, at)?))?;
            Ok(part)
        })
    }

    /// Overwrites all elements with those of a tensor of equal extents.
    ///
    /// # Errors
    /// The storage has been freed, the view is out of bounds, or the extents differ.
    pub fn assign(&self, new: Tensor) -> Result<(), Trap> {
        let shape = self.shape()?;
        if shape != new.shape {
            let given = &new.shape;
            return Err(Trap::new(format!(
                "cannot copy a buffer of extents {given:?} to one of extents {shape:?}"
            )));
        }
        self.storage_mut(|tensor| {
            if self.view.is_none() {
                *tensor = new;
                return Ok(());
            }
            let mut next = 0;
            Tensor::each_index(&shape, |at| {
                self.set_in(tensor, at, &new.data.get(next))?;
                next += 1;
                Ok(())
            })
        })
    }

    /// Calls `read` with the elements.
    ///
    /// # Errors
    /// The storage has been freed, or the view is out of bounds.
    pub fn read<R>(&self, read: impl FnOnce(&Tensor) -> Result<R, Trap>) -> Result<R, Trap> {
        if self.view.is_some() { read(&self.snapshot()?) } else { self.storage(read) }
    }

    /// Calls `write` with the elements and stores them back.
    ///
    /// # Errors
    /// The storage has been freed, or the view is out of bounds.
    pub fn write<R>(&self, write: impl FnOnce(&mut Tensor) -> Result<R, Trap>) -> Result<R, Trap> {
        if self.view.is_none() {
            return self.storage_mut(write);
        }
        let mut part = self.snapshot()?;
        let result = write(&mut part)?;
        self.assign(part)?;
        Ok(result)
    }

    fn storage<R>(&self, read: impl FnOnce(&Tensor) -> Result<R, Trap>) -> Result<R, Trap> {
        match &*self.contents.borrow() {
            Some(tensor) => read(tensor),
            None => Err(Trap::new("use of a buffer after it was freed")),
        }
    }

    fn storage_mut<R>(&self, write: impl FnOnce(&mut Tensor) -> Result<R, Trap>) -> Result<R, Trap> {
        match &mut *self.contents.borrow_mut() {
            Some(tensor) => write(tensor),
            None => Err(Trap::new("use of a buffer after it was freed")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TensorData;

    fn storage() -> Buffer {
        Buffer::new(1, Tensor { shape: vec![2, 3], data: TensorData::Int(vec![0, 1, 2, 3, 4, 5]) })
    }

    fn column(offset: i64) -> Buffer {
        storage().with_view(View { shape: vec![2], offset, strides: vec![3] })
    }

    #[test]
    fn view_accesses_shared_storage() {
        let whole = storage();
        let column = whole.with_view(View { shape: vec![2], offset: 1, strides: vec![3] });
        assert_eq!(column.get(&[1]), Ok(Datum::Int(4)));
        assert_eq!(column.set(&[0], &Datum::Int(9)), Ok(()));
        assert_eq!(whole.get(&[0, 1]), Ok(Datum::Int(9)));
        let ours = Tensor { shape: vec![2], data: TensorData::Int(vec![7, 8]) };
        assert_eq!(column.assign(ours.clone()), Ok(()));
        assert_eq!(column.snapshot(), Ok(ours));
        assert_eq!(whole.snapshot().map(|all| all.data), Ok(TensorData::Int(vec![0, 7, 2, 3, 8, 5])));
    }

    #[test]
    fn views_of_bytes_have_their_own_elements() {
        let bytes = Buffer::new(1, Tensor { shape: vec![16], data: TensorData::Int(vec![0; 16]) });
        let view = |scalar, stride, start, extent| {
            let shape = View::contiguous(vec![extent]).expect("it is small");
            bytes.with_encoding(Encoding { scalar, stride, start }, shape).expect("the storage has bytes")
        };
        let (floats, words) = (view(Scalar::F32, 4, 4, 2), view(Scalar::Int { width: 16 }, 2, 0, 8));
        let values = Tensor { shape: vec![2], data: TensorData::F32(vec![1.5, f32::NEG_INFINITY]) };
        assert_eq!(floats.assign(values.clone()), Ok(()));
        assert_eq!(floats.snapshot(), Ok(values));
        let parts: Vec<i64> = vec![0, 0, 0, 0x3fc0, 0, 0xff80_u16 as i16 as i64, 0, 0];
        assert_eq!(words.snapshot().map(|all| all.data), Ok(TensorData::Int(parts)));
        // A poison byte makes the elements poison that have it.
        assert_eq!(words.set(&[3], &Datum::Poison), Ok(()));
        assert_eq!(
            (floats.get(&[0]), floats.get(&[1])),
            (Ok(Datum::Poison), Ok(Datum::F32(f32::NEG_INFINITY)))
        );
        assert_eq!(floats.set(&[0], &Datum::F32(-2.0)), Ok(()));
        assert_eq!(words.get(&[3]), Ok(Datum::Int(0xc000_u16 as i16 as i64)));
        assert!(floats.set(&[0], &Datum::F64(1.0)).is_err());
        let trap = view(Scalar::F64, 8, 12, 1).get(&[0]).expect_err("it has 16 bytes");
        assert_eq!(trap.message, "a view leaves its buffer: element 0 of 16 bytes");
        assert!(
            floats
                .with_encoding(
                    Encoding { scalar: Scalar::F32, stride: 4, start: 0 },
                    View::clone(floats.view.as_ref().expect("a view"))
                )
                .is_err()
        );
    }

    #[test]
    fn out_of_bounds_view_is_an_error() {
        let trap = column(4).get(&[1]).expect_err("it has six elements");
        assert_eq!(trap.message, "a view leaves its buffer: element 7 of 6");
        let trap = column(0).get(&[2]).expect_err("the view has two elements");
        assert_eq!(trap.message, "index 2 is out of bounds for extent 2");
        assert!(column(4).snapshot().is_err());
        assert!(View::contiguous(vec![usize::MAX, usize::MAX, 2]).is_err());
    }
}
