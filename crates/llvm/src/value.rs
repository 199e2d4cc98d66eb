//! Arguments and results of compiled functions.

use crate::{AbiType, HeapValue, Scalar};
use minoan_diag::Diagnostic;
use minoan_runtime::{minoan_alloc, minoan_free, try_alloc};
use std::fmt;
use std::ptr::NonNull;

/// A Rust type that is an element type of arrays.
pub trait Element: Copy + private::Sealed {
    /// The element type.
    const SCALAR: Scalar;
}

mod private {
    /// Only types of the size of their [`crate::Scalar`] for which all bit patterns are valid.
    pub trait Sealed {}
}

macro_rules! elements {
    ($($ty:ty => $scalar:ident),*) => {
        $(
            impl private::Sealed for $ty {}
            impl Element for $ty {
                const SCALAR: Scalar = Scalar::$scalar;
            }
        )*
    };
}

elements!(
    i8 => I8, i16 => I16, i32 => I32, i64 => I64, f32 => F32, f64 => F64,
    [f32; 2] => ComplexF32, [f64; 2] => ComplexF64
);

/// A dense row-major array that owns its elements, allocated by the runtime.
///
/// ```
/// let matrix = minoan_llvm::MemRef::from_slice(&[2, 3], &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
/// assert_eq!(matrix.shape(), [2, 3]);
/// assert_eq!(matrix.as_slice::<f32>().unwrap()[4], 5.0);
/// assert_eq!(matrix.as_slice::<i32>(), None);
/// ```
pub struct MemRef {
    element: Scalar,
    shape: Vec<usize>,
    len: usize,
    data: NonNull<u8>,
}

// SAFETY: the array is the only owner of its memory, and shared access only reads.
unsafe impl Send for MemRef {}
// SAFETY: as above.
unsafe impl Sync for MemRef {}

impl MemRef {
    /// Creates an array of zeros.
    ///
    /// # Errors
    /// The size exceeds the address space.
    pub fn zeros(element: Scalar, shape: &[usize]) -> Result<Self, Diagnostic> {
        let data = Self::block(element, shape)?;
        let len = n_elements(shape);
        // SAFETY: the block has that many bytes.
        unsafe { data.as_ptr().write_bytes(0, len * element.size()) };
        Ok(Self { element, shape: shape.to_vec(), len, data })
    }

    /// A block for the elements of an array, which are not initialized.
    pub(crate) fn block(element: Scalar, shape: &[usize]) -> Result<NonNull<u8>, Diagnostic> {
        let bytes = match shape.contains(&0) {
            true => Some(0),
            false => shape.iter().try_fold(element.size(), |bytes, &size| bytes.checked_mul(size)),
        };
        let Some(bytes) = bytes.filter(|&bytes| bytes <= isize::MAX as usize / 2) else {
            return Err(Diagnostic::error(format!("an array of shape {shape:?} does not fit into memory")));
        };
        let block = try_alloc(bytes as i64).and_then(|block| NonNull::new(block.cast::<u8>()));
        block.ok_or_else(|| Diagnostic::error(format!("out of memory: an array of {bytes} bytes")))
    }

    /// Creates an array with these elements.
    ///
    /// # Errors
    /// The number of elements does not match the shape.
    pub fn from_slice<T: Element>(shape: &[usize], elements: &[T]) -> Result<Self, Diagnostic> {
        let mut array = Self::zeros(T::SCALAR, shape)?;
        let len = array.len;
        match array.as_mut_slice::<T>().filter(|slots| slots.len() == elements.len()) {
            Some(slots) => slots.copy_from_slice(elements),
            None => {
                let found = elements.len();
                return Err(Diagnostic::error(format!(
                    "an array of shape {shape:?} has {len} elements, but {found} are given"
                )));
            }
        }
        Ok(array)
    }

    /// Adopts a block of the runtime.
    ///
    /// # Safety
    /// `data` must come from `minoan_alloc`, hold the elements of `shape`, and have no other owner.
    pub(crate) unsafe fn adopt(element: Scalar, shape: Vec<usize>, data: NonNull<u8>) -> Self {
        Self { element, len: n_elements(&shape), shape, data }
    }

    /// The element type.
    pub fn element(&self) -> Scalar {
        self.element
    }

    /// The extents.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The type of the array.
    pub fn ty(&self) -> AbiType {
        AbiType::MemRef { element: self.element, shape: self.shape.iter().copied().map(Some).collect() }
    }

    /// The elements in row-major order, if they are of type `T`.
    pub fn as_slice<T: Element>(&self) -> Option<&[T]> {
        // SAFETY: the memory is initialized, aligned to 64, and any bits are a `T`.
        (T::SCALAR == self.element)
            .then(|| unsafe { std::slice::from_raw_parts(self.data.as_ptr().cast(), self.len) })
    }

    /// The elements in row-major order, if they are of type `T`.
    pub fn as_mut_slice<T: Element>(&mut self) -> Option<&mut [T]> {
        // SAFETY: as above, and the borrow is exclusive.
        (T::SCALAR == self.element)
            .then(|| unsafe { std::slice::from_raw_parts_mut(self.data.as_ptr().cast(), self.len) })
    }

    /// The bytes of the elements.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the memory is initialized and has that many bytes.
        unsafe { std::slice::from_raw_parts(self.data.as_ptr(), self.len * self.element.size()) }
    }

    /// The bytes of the elements. An `i1` must stay 0 or 1.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        let len = self.len * self.element.size();
        // SAFETY: as above, and the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.data.as_ptr(), len) }
    }

    /// The address of the elements, which stays the same for the life of the array.
    pub fn as_ptr(&self) -> *const u8 {
        self.data.as_ptr()
    }

    /// Releases ownership of the array: returns the address of its elements, a block that [`minoan_free`] frees.
    pub fn into_raw(self) -> NonNull<u8> {
        std::mem::ManuallyDrop::new(self).data
    }

    /// The array with the elements of a vector, whose slot has these words.
    pub(crate) fn of_vector(element: Scalar, shape: &[usize], words: &[u64]) -> Self {
        let bytes = bytes_of(words, element.size() * n_elements(shape));
        let data = minoan_alloc(bytes.len() as i64, 64).cast::<u8>();
        // SAFETY: `minoan_alloc` never returns null, and the block has room for the bytes and no other owner.
        unsafe {
            data.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            Self::adopt(element, shape.to_vec(), NonNull::new_unchecked(data))
        }
    }

    /// The words of the descriptor: allocated, aligned, offset, sizes, strides.
    pub(crate) fn descriptor(&self) -> Vec<u64> {
        let data = self.data.as_ptr().expose_provenance() as u64;
        let mut words = vec![data, data, 0];
        words.extend(self.shape.iter().map(|&size| size as u64));
        words.extend(row_major_strides(&self.shape).iter().map(|&stride| stride as u64));
        words
    }
}

/// The number of elements of an array that exists. If an extent is zero, the product of the others may exceed every integer.
pub(crate) fn n_elements(shape: &[usize]) -> usize {
    if shape.contains(&0) { 0 } else { shape.iter().product() }
}

/// The strides of a dense row-major array, in elements. Those of an array without elements may wrap: they are not used.
pub(crate) fn row_major_strides(shape: &[usize]) -> Vec<usize> {
    let mut strides = vec![1_usize; shape.len()];
    for dim in (0..shape.len().saturating_sub(1)).rev() {
        strides[dim] = strides[dim + 1].wrapping_mul(shape[dim + 1].max(1));
    }
    strides
}

impl Drop for MemRef {
    fn drop(&mut self) {
        // SAFETY: the block is owned, and freed once.
        unsafe { minoan_free(self.data.as_ptr().cast()) };
    }
}

impl Clone for MemRef {
    fn clone(&self) -> Self {
        let data = minoan_alloc(self.bytes().len() as i64, 64).cast::<u8>();
        // SAFETY: `minoan_alloc` never returns null; the copy covers all of one block and all of the other, which the
        // new array owns.
        unsafe {
            data.copy_from_nonoverlapping(self.data.as_ptr(), self.bytes().len());
            Self::adopt(self.element, self.shape.clone(), NonNull::new_unchecked(data))
        }
    }
}

impl PartialEq for MemRef {
    /// Compares type, shape and numbers; NaN is not equal to itself.
    fn eq(&self, other: &Self) -> bool {
        let same_numbers = match self.element {
            Scalar::F32 => self.as_slice::<f32>() == other.as_slice::<f32>(),
            Scalar::F64 => self.as_slice::<f64>() == other.as_slice::<f64>(),
            Scalar::ComplexF32 => self.as_slice::<[f32; 2]>() == other.as_slice::<[f32; 2]>(),
            Scalar::ComplexF64 => self.as_slice::<[f64; 2]>() == other.as_slice::<[f64; 2]>(),
            _ => self.bytes() == other.bytes(),
        };
        self.element == other.element && self.shape == other.shape && same_numbers
    }
}

impl fmt::Debug for MemRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MemRef{:?} of {} ", self.shape, self.element)?;
        match self.element {
            Scalar::F32 => self.as_slice::<f32>().fmt(f),
            Scalar::F64 => self.as_slice::<f64>().fmt(f),
            Scalar::ComplexF32 => self.as_slice::<[f32; 2]>().fmt(f),
            Scalar::ComplexF64 => self.as_slice::<[f64; 2]>().fmt(f),
            Scalar::I64 => self.as_slice::<i64>().fmt(f),
            Scalar::I32 => self.as_slice::<i32>().fmt(f),
            _ => self.bytes().fmt(f),
        }
    }
}

/// An argument or result of a compiled function.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// A boolean.
    I1(bool),
    /// 8 bits.
    I8(i8),
    /// 16 bits.
    I16(i16),
    /// 32 bits.
    I32(i32),
    /// 64 bits, or an `index`.
    I64(i64),
    /// Another number of bits: the number, and the bytes in memory, little endian.
    Int(u32, Vec<u8>),
    /// The bits of a half-precision number.
    F16(u16),
    /// The bits of a `bf16`.
    BF16(u16),
    /// Single precision.
    F32(f32),
    /// Double precision.
    F64(f64),
    /// The real and the imaginary part in single precision.
    ComplexF32([f32; 2]),
    /// The real and the imaginary part in double precision.
    ComplexF64([f64; 2]),
    /// An array.
    MemRef(MemRef),
    /// A value on the heap.
    Object(HeapValue),
}

impl Value {
    /// The type of the value.
    pub fn ty(&self) -> AbiType {
        AbiType::Scalar(match self {
            Value::I1(_) => Scalar::I1,
            Value::I8(_) => Scalar::I8,
            Value::I16(_) => Scalar::I16,
            Value::I32(_) => Scalar::I32,
            Value::I64(_) => Scalar::I64,
            Value::Int(width, _) => Scalar::Int(*width),
            Value::F16(_) => Scalar::F16,
            Value::BF16(_) => Scalar::BF16,
            Value::F32(_) => Scalar::F32,
            Value::F64(_) => Scalar::F64,
            Value::ComplexF32(_) => Scalar::ComplexF32,
            Value::ComplexF64(_) => Scalar::ComplexF64,
            Value::MemRef(array) => return array.ty(),
            Value::Object(_) => return AbiType::Object,
        })
    }

    /// The words of its slot, which is of type `ty`; none for a value that is on no thread's heap yet.
    pub fn to_words(&self, ty: &AbiType) -> Vec<u64> {
        let mut word = [0u8; 8];
        let mut put = |bytes: &[u8]| word[..bytes.len()].copy_from_slice(bytes);
        match self {
            Value::I1(value) => put(&[u8::from(*value)]),
            Value::I8(value) => put(&value.to_ne_bytes()),
            Value::I16(value) => put(&value.to_ne_bytes()),
            Value::I32(value) => put(&value.to_ne_bytes()),
            Value::I64(value) => put(&value.to_ne_bytes()),
            Value::Int(_, bytes) => return words_of(bytes),
            Value::F16(value) | Value::BF16(value) => put(&value.to_ne_bytes()),
            Value::F32(value) => put(&value.to_ne_bytes()),
            Value::F64(value) => put(&value.to_ne_bytes()),
            Value::ComplexF32(parts) => return words_of(parts.map(f32::to_ne_bytes).as_flattened()),
            Value::ComplexF64(parts) => return words_of(parts.map(f64::to_ne_bytes).as_flattened()),
            Value::MemRef(array) if matches!(ty, AbiType::Vector { .. }) => return words_of(array.bytes()),
            Value::MemRef(array) => return array.descriptor(),
            Value::Object(_) => return Vec::new(),
        }
        vec![u64::from_ne_bytes(word)]
    }

    /// The scalar in the low bytes of `words`.
    ///
    /// # Panics
    /// Panics if there are not as many words as the scalar has.
    pub fn from_words(scalar: Scalar, words: &[u64]) -> Self {
        let bytes = words[0].to_ne_bytes();
        let [a, b, c, d, e, f, g, h] = bytes;
        match scalar {
            Scalar::I1 => Value::I1(a & 1 == 1),
            Scalar::I8 => Value::I8(i8::from_ne_bytes([a])),
            Scalar::I16 => Value::I16(i16::from_ne_bytes([a, b])),
            Scalar::I32 => Value::I32(i32::from_ne_bytes([a, b, c, d])),
            Scalar::I64 => Value::I64(i64::from_ne_bytes(bytes)),
            Scalar::F16 => Value::F16(u16::from_ne_bytes([a, b])),
            Scalar::BF16 => Value::BF16(u16::from_ne_bytes([a, b])),
            Scalar::F32 => Value::F32(f32::from_ne_bytes([a, b, c, d])),
            Scalar::F64 => Value::F64(f64::from_ne_bytes(bytes)),
            Scalar::ComplexF32 => Value::ComplexF32([[a, b, c, d], [e, f, g, h]].map(f32::from_ne_bytes)),
            Scalar::ComplexF64 => Value::ComplexF64([words[0], words[1]].map(f64::from_bits)),
            Scalar::Int(width) => Value::Int(width, bytes_of(words, scalar.size())),
        }
    }
}

/// Bytes as words, the last one filled up with zeros.
fn words_of(bytes: &[u8]) -> Vec<u64> {
    let (whole, rest) = bytes.as_chunks::<8>();
    let mut words: Vec<u64> = whole.iter().map(|&bytes| u64::from_ne_bytes(bytes)).collect();
    if !rest.is_empty() {
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        words.push(u64::from_ne_bytes(last));
    }
    words
}

/// The first `count` bytes of words.
pub(crate) fn bytes_of(words: &[u64], count: usize) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_ne_bytes()).take(count).collect()
}
