//! Strided arrays in memory of the caller, as arguments of compiled functions.

use crate::strided::{self, Direction};
use crate::value::row_major_strides;
use crate::{AbiType, Element, MemRef, Scalar, Value};
use minoan_diag::Diagnostic;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

/// A strided array that belongs to the caller, for the duration of a call.
///
/// A function reads a dense row-major array of aligned elements in place; any other array is copied first. Functions that
/// write to an argument, such as `memref` arguments of MLIR, write to the caller's memory if the view is writable, and
/// otherwise to a copy that is dropped.
///
/// ```
/// use minoan_llvm::{ArrayView, Scalar};
/// let numbers = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0];
/// let view = ArrayView::from_slice(&[2, 3], &numbers).unwrap();
/// assert_eq!(view.element(), Scalar::F32);
/// assert!(ArrayView::from_slice(&[2, 2], &numbers).is_err());
/// ```
pub struct ArrayView<'a> {
    element: Scalar,
    shape: Vec<usize>,
    /// In bytes.
    strides: Vec<isize>,
    data: *mut u8,
    is_writable: bool,
    memory: PhantomData<&'a mut [u8]>,
}

// SAFETY: like a borrowed slice: reads may happen on any thread, and a writable view is the only access to its memory.
unsafe impl Send for ArrayView<'_> {}
// SAFETY: as above; shared access only reads.
unsafe impl Sync for ArrayView<'_> {}

impl<'a> ArrayView<'a> {
    /// A dense row-major array that is only read.
    ///
    /// # Errors
    /// The number of elements does not match the shape.
    pub fn from_slice<T: Element>(shape: &[usize], elements: &'a [T]) -> Result<Self, Diagnostic> {
        check_count(shape, elements.len())?;
        // SAFETY: the slice has the elements of a dense array of this shape, and outlives the view.
        unsafe { Self::from_raw(T::SCALAR, shape, None, elements.as_ptr().cast_mut().cast(), false) }
    }

    /// A dense row-major array that functions may write to.
    ///
    /// # Errors
    /// The number of elements does not match the shape.
    pub fn from_slice_mut<T: Element>(shape: &[usize], elements: &'a mut [T]) -> Result<Self, Diagnostic> {
        check_count(shape, elements.len())?;
        // SAFETY: as above, and the borrow is exclusive.
        unsafe { Self::from_raw(T::SCALAR, shape, None, elements.as_mut_ptr().cast(), true) }
    }

    /// An array at an address; `strides` are in bytes and may be zero or negative, `None` is a dense row-major array.
    /// `data` is the address of the element with index zero in each dimension, and need not be aligned.
    ///
    /// # Errors
    /// There is not one stride for each extent, the array exceeds the address space, or it has elements but no address.
    ///
    /// # Safety
    /// During `'a`, all elements must be readable and not written by others; if `is_writable`, they must be writable and not
    /// accessed by others.
    pub unsafe fn from_raw(
        element: Scalar,
        shape: &[usize],
        strides: Option<&[isize]>,
        data: *mut u8,
        is_writable: bool,
    ) -> Result<Self, Diagnostic> {
        let size = element.size();
        let too_large = || Diagnostic::error(format!("an array of shape {shape:?} does not fit into memory"));
        // Zero extents do not excuse overflow: the strides of a dense array are products of the other extents.
        let count = shape.iter().try_fold(size, |bytes, &extent| bytes.checked_mul(extent.max(1)));
        count.filter(|&bytes| bytes <= isize::MAX as usize / 2).ok_or_else(too_large)?;
        let strides = match strides {
            None => {
                row_major_strides(shape).iter().map(|&stride| stride.wrapping_mul(size) as isize).collect()
            }
            Some(strides) if strides.len() == shape.len() => strides.to_vec(),
            Some(strides) => {
                let (extents, found) = (shape.len(), strides.len());
                let message =
                    format!("an array of {extents} extents has as many strides, but {found} are given");
                return Err(Diagnostic::error(message));
            }
        };
        let reach = shape.iter().zip(&strides).try_fold(0isize, |reach, (&extent, &stride)| {
            let last = isize::try_from(extent.saturating_sub(1)).ok()?;
            reach.checked_add(stride.checked_abs()?.checked_mul(last)?)
        });
        reach.ok_or_else(too_large)?;
        if data.is_null() && !shape.contains(&0) {
            return Err(Diagnostic::error(format!(
                "an array of shape {shape:?} has elements, but no address"
            )));
        }
        Ok(Self { element, shape: shape.to_vec(), strides, data, is_writable, memory: PhantomData })
    }

    /// The element type.
    pub fn element(&self) -> Scalar {
        self.element
    }

    /// The extents.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The strides in bytes.
    pub fn strides(&self) -> &[isize] {
        &self.strides
    }

    /// The type of the array.
    pub fn ty(&self) -> AbiType {
        AbiType::MemRef { element: self.element, shape: self.shape.iter().copied().map(Some).collect() }
    }

    /// Whether functions may write to the array.
    pub fn is_writable(&self) -> bool {
        self.is_writable
    }

    /// The same array, for the time of a call.
    pub fn reborrow(&mut self) -> ArrayView<'_> {
        let Self { element, shape, strides, data, is_writable, memory: _ } = self;
        ArrayView {
            element: *element,
            shape: shape.clone(),
            strides: strides.clone(),
            data: *data,
            is_writable: *is_writable,
            memory: PhantomData,
        }
    }

    /// The addresses of the first byte of the array and of the byte after its last one; equal if it has no elements.
    pub fn addresses(&self) -> Range<usize> {
        let start = self.data.addr();
        if self.shape.contains(&0) {
            return start..start;
        }
        let reach = |stride: &isize, extent: &usize| stride * (*extent as isize - 1);
        let reaches = || self.strides.iter().zip(&self.shape).map(|(stride, extent)| reach(stride, extent));
        let (below, above): (isize, isize) =
            (reaches().map(|reach| reach.min(0)).sum(), reaches().map(|reach| reach.max(0)).sum());
        start.wrapping_add_signed(below)..start.wrapping_add_signed(above) + self.element.size()
    }

    /// Whether the elements are dense, in row-major order and aligned.
    pub fn is_dense(&self) -> bool {
        let size = self.element.size();
        let dense = row_major_strides(&self.shape);
        let matches = |((&extent, &stride), dense): ((&usize, &isize), usize)| {
            extent <= 1 || usize::try_from(stride) == Ok(dense.wrapping_mul(size))
        };
        let in_order = self.shape.iter().zip(&self.strides).zip(dense).all(matches);
        self.data.addr().is_multiple_of(size) && (in_order || self.shape.contains(&0))
    }

    /// A dense copy of the array. Booleans are 1 for any byte other than 0.
    ///
    /// # Errors
    /// Memory is exhausted.
    pub fn to_memref(&self) -> Result<MemRef, Diagnostic> {
        let (size, block) = (self.element.size(), MemRef::block(self.element, &self.shape)?);
        // SAFETY: the elements of the array are readable, and the fresh block has room for as many. They are copied before
        // the array that owns the block is made.
        let mut copy = unsafe {
            strided::copy(Direction::Gather, size, &self.shape, &self.strides, block.as_ptr(), self.data);
            MemRef::adopt(self.element, self.shape.clone(), block)
        };
        if self.element == Scalar::I1 {
            copy.bytes_mut().iter_mut().for_each(|byte| *byte = u8::from(*byte != 0));
        }
        Ok(copy)
    }

    /// Copies the elements of an array of the same type and shape into this one, which must be writable.
    ///
    /// # Errors
    /// The types or shapes differ, or the array is not writable.
    pub fn copy_from(&mut self, array: &MemRef) -> Result<(), Diagnostic> {
        if array.ty() != self.ty() {
            let (expected, found) = (self.ty(), array.ty());
            return Err(Diagnostic::error(format!(
                "the destination is of type {expected}, the array of type {found}"
            )));
        }
        if !self.is_writable {
            return Err(Diagnostic::error("the destination is not writable"));
        }
        let (size, dense) = (self.element.size(), array.as_ptr().cast_mut());
        // SAFETY: the elements of the view are writable, and the array, which is only read, is another block of this shape.
        unsafe {
            strided::copy(Direction::Scatter, size, &self.shape, &self.strides, dense, self.data);
        }
        Ok(())
    }

    /// The words of the descriptor of a dense array: allocated, aligned, offset, sizes, strides.
    fn descriptor(&self) -> Vec<u64> {
        let data = self.data.expose_provenance() as u64;
        let mut words = vec![data, data, 0];
        words.extend(self.shape.iter().map(|&size| size as u64));
        words.extend(row_major_strides(&self.shape).iter().map(|&stride| stride as u64));
        words
    }
}

impl fmt::Debug for ArrayView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ArrayView{:?} of {} with strides {:?}", self.shape, self.element, self.strides)
    }
}

fn check_count(shape: &[usize], found: usize) -> Result<(), Diagnostic> {
    let count = shape.iter().try_fold(1usize, |count, &extent| count.checked_mul(extent));
    if count == Some(found) {
        return Ok(());
    }
    let message = match count {
        Some(count) => format!("expected {count} elements for shape {shape:?}, found {found}"),
        None => format!("the number of elements of shape {shape:?} overflows"),
    };
    Err(Diagnostic::error(message))
}

/// An argument of [`Jit::call_with`](crate::Jit::call_with).
#[derive(Debug)]
pub enum Argument<'a> {
    /// A value that the caller transfers.
    Value(Value),
    /// An array of the caller.
    View(ArrayView<'a>),
}

impl Argument<'_> {
    /// The type of the argument.
    pub fn ty(&self) -> AbiType {
        match self {
            Argument::Value(value) => value.ty(),
            Argument::View(view) => view.ty(),
        }
    }

    /// The argument in the form in which it is passed: in place, or as a copy.
    pub(crate) fn pass(&self, ty: &AbiType, is_read_only: bool) -> Result<Passed, Diagnostic> {
        match self {
            Argument::Value(value) => Ok(Passed { words: value.to_words(ty), copy: None }),
            Argument::View(view) if matches!(ty, AbiType::Vector { .. }) => {
                Ok(Passed { words: Value::MemRef(view.to_memref()?).to_words(ty), copy: None })
            }
            // A byte other than 0 and 1 is not a Boolean of compiled code.
            Argument::View(view)
                if view.is_dense() && view.element != Scalar::I1 && (is_read_only || view.is_writable) =>
            {
                Ok(Passed { words: view.descriptor(), copy: None })
            }
            Argument::View(view) => {
                let copy = view.to_memref()?;
                Ok(Passed { words: copy.descriptor(), copy: Some(copy) })
            }
        }
    }

    /// Copies what the function wrote to the copy of a writable array back.
    pub(crate) fn finish(&mut self, passed: Passed, is_read_only: bool) -> Result<(), Diagnostic> {
        match (self, passed.copy) {
            (Argument::View(view), Some(copy)) if view.is_writable && !is_read_only => view.copy_from(&copy),
            _ => Ok(()),
        }
    }
}

/// The slot of an argument during a call.
pub(crate) struct Passed {
    pub(crate) words: Vec<u64>,
    copy: Option<MemRef>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strided_arrays_are_copied_in_row_major_order() {
        let numbers = [0i32, 1, 2, 3, 4, 5];
        let data = numbers.as_ptr().cast_mut().cast::<u8>();
        // SAFETY: the strides stay in the array: its transpose, its last row backwards, and a broadcast element.
        let view = |shape: &[usize], strides: &[isize], at: usize| unsafe {
            ArrayView::from_raw(Scalar::I32, shape, Some(strides), data.add(4 * at), false)
                .expect("it is valid")
        };
        let copied =
            |view: ArrayView<'_>| view.to_memref().expect("memory").as_slice::<i32>().map(<[i32]>::to_vec);
        assert_eq!(copied(view(&[3, 2], &[4, 12], 0)), Some(vec![0, 3, 1, 4, 2, 5]));
        assert_eq!(copied(view(&[3], &[-4], 5)), Some(vec![5, 4, 3]));
        assert_eq!(copied(view(&[2, 2], &[0, 0], 4)), Some(vec![4, 4, 4, 4]));
        assert_eq!(copied(view(&[], &[], 3)), Some(vec![3]));
        assert_eq!(copied(view(&[2, 0], &[4, 4], 0)), Some(Vec::new()));
        assert!(view(&[2, 3], &[12, 4], 0).is_dense());
        assert!(view(&[1, 3], &[0, 4], 0).is_dense());
        assert!(!view(&[3, 2], &[4, 12], 0).is_dense());
    }

    #[test]
    fn results_are_written_to_strided_destinations() {
        let mut numbers = [0i16; 6];
        let data = numbers.as_mut_ptr().cast::<u8>();
        // SAFETY: the transpose of the array, which nothing else accesses.
        let view = unsafe { ArrayView::from_raw(Scalar::I16, &[3, 2], Some(&[2, 6]), data, true) };
        let mut view = view.expect("it is valid");
        let array = MemRef::from_slice(&[3, 2], &[1i16, 2, 3, 4, 5, 6]).expect("memory");
        view.copy_from(&array).expect("the types agree");
        let other = MemRef::from_slice(&[2, 3], &[0i16; 6]).expect("memory");
        assert!(view.copy_from(&other).is_err());
        assert_eq!(numbers, [1, 3, 5, 2, 4, 6]);
    }

    #[test]
    fn impossible_arrays_are_errors() {
        let of = |shape: &[usize], strides: Option<&[isize]>| {
            // SAFETY: nothing is read.
            unsafe { ArrayView::from_raw(Scalar::F64, shape, strides, std::ptr::null_mut(), false) }
        };
        assert!(of(&[0], None).is_ok());
        assert!(of(&[1], None).is_err());
        assert!(of(&[usize::MAX, 2, 0], None).is_err());
        assert!(of(&[0, 2], Some(&[8])).is_err());
        assert!(of(&[0, 3], Some(&[8, isize::MAX])).is_err());
        assert!(of(&[0, 1], Some(&[8, isize::MIN])).is_err());
    }
}
