//! Arrays: arguments as the caller describes them, and results.

use crate::error::{Error, MinoanStatus, guard, put};
use crate::table::{self, MinoanHandle};
use minoan::Datum;
use minoan::call::scalar_of;
use minoan::interface::ElementType;
use minoan::llvm::{ArrayView, MemRef, Value};
use std::ffi::c_void;

/// The type of a scalar, or of the elements of an array.
#[repr(i32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MinoanType {
    /// A Boolean, one byte.
    Bool = 0,
    /// A signed integer of 8 bits; a string is an array of them.
    I8 = 1,
    /// A signed integer of 16 bits.
    I16 = 2,
    /// A signed integer of 32 bits.
    I32 = 3,
    /// A signed integer of 64 bits.
    I64 = 4,
    /// An unsigned integer of 8 bits.
    U8 = 5,
    /// An unsigned integer of 16 bits.
    U16 = 6,
    /// An unsigned integer of 32 bits.
    U32 = 7,
    /// An unsigned integer of 64 bits.
    U64 = 8,
    /// IEEE half precision.
    F16 = 9,
    /// The upper half of a single.
    BF16 = 10,
    /// IEEE single precision.
    F32 = 11,
    /// IEEE double precision.
    F64 = 12,
    /// A complex number: the real and the imaginary part in single precision.
    C32 = 13,
    /// A complex number: the real and the imaginary part in double precision.
    C64 = 14,
}

const TYPES: [(MinoanType, ElementType); 15] = [
    (MinoanType::Bool, ElementType::Bool),
    (MinoanType::I8, ElementType::Signed(8)),
    (MinoanType::I16, ElementType::Signed(16)),
    (MinoanType::I32, ElementType::Signed(32)),
    (MinoanType::I64, ElementType::Signed(64)),
    (MinoanType::U8, ElementType::Unsigned(8)),
    (MinoanType::U16, ElementType::Unsigned(16)),
    (MinoanType::U32, ElementType::Unsigned(32)),
    (MinoanType::U64, ElementType::Unsigned(64)),
    (MinoanType::F16, ElementType::F16),
    (MinoanType::BF16, ElementType::BF16),
    (MinoanType::F32, ElementType::F32),
    (MinoanType::F64, ElementType::F64),
    (MinoanType::C32, ElementType::ComplexF32),
    (MinoanType::C64, ElementType::ComplexF64),
];

/// The number of an element type in the interface; -1 for one that it does not have, such as `i7`.
pub(crate) fn number_of(element: ElementType) -> i32 {
    TYPES.iter().find(|(_, known)| *known == element).map_or(-1, |(number, _)| *number as i32)
}

/// An argument of a call: a scalar or a strided array in memory of the caller, who keeps it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MinoanArgument {
    /// The type of the elements, a `MinoanType`.
    pub type_: i32,
    /// Whether the function may write to the array, as functions of MLIR write to memrefs.
    pub writable: bool,
    /// The number of extents; 0 for a scalar.
    pub rank: usize,
    /// The extents; may be null if the rank is 0.
    pub shape: *const usize,
    /// The strides in bytes, which may be zero or negative; null for a dense row-major array.
    pub strides: *const isize,
    /// The element with index zero in each dimension.
    pub data: *mut c_void,
}

/// The highest rank of an argument.
const MAX_RANK: usize = 64;

impl MinoanArgument {
    /// The array.
    ///
    /// # Safety
    /// The pointers must be null or as described; the elements live and are not written by others during `'a`.
    pub(crate) unsafe fn view<'a>(&self) -> Result<(ElementType, ArrayView<'a>), Error> {
        let known = TYPES.iter().find(|(number, _)| *number as i32 == self.type_);
        let element = known.map(|(_, element)| *element);
        let element = element.ok_or_else(|| Error::argument(format!("there is no type {}", self.type_)))?;
        let scalar = scalar_of(element);
        let rank = self.rank;
        if rank > MAX_RANK {
            return Err(Error::argument(format!("rank {rank} is too high; the limit is {MAX_RANK}")));
        }
        if self.shape.is_null() && rank > 0 {
            return Err(Error::argument(format!("an array of rank {rank} has no extents")));
        }
        let shape: &[usize] = match rank {
            0 => &[],
            // SAFETY: the number of extents is the rank.
            _ => unsafe { std::slice::from_raw_parts(self.shape, rank) },
        };
        let strides = match self.strides.is_null() || rank == 0 {
            true => None,
            // SAFETY: as above.
            false => Some(unsafe { std::slice::from_raw_parts(self.strides, rank) }),
        };
        // SAFETY: guaranteed by the caller.
        let view = unsafe { ArrayView::from_raw(scalar, shape, strides, self.data.cast(), self.writable) }?;
        Ok((element, view))
    }

    /// The scalar of an argument of rank 0.
    ///
    /// # Safety
    /// As for [`MinoanArgument::view`].
    pub(crate) unsafe fn scalar(&self) -> Result<(ElementType, Datum), Error> {
        // SAFETY: guaranteed by the caller.
        let (element, view) = unsafe { self.view()? };
        if self.rank != 0 {
            return Err(Error::argument(format!("expected a scalar, found an array of rank {}", self.rank)));
        }
        match minoan::call::from_value(&Value::MemRef(view.to_memref()?)) {
            Datum::Tensor(tensor) => Ok((element, tensor.data.get(0))),
            other => Ok((element, other)),
        }
    }
}

/// A result.
pub(crate) struct Array {
    element: ElementType,
    shape: Vec<usize>,
    is_scalar: bool,
    data: Contents,
}

enum Contents {
    Array(MemRef),
    /// A scalar in the first bytes.
    Scalar([u64; 2], usize),
    Text(Box<[u8]>),
}

impl Array {
    /// A text as an array of bytes.
    pub(crate) fn text(text: String) -> Self {
        let bytes = text.into_bytes().into_boxed_slice();
        let shape = vec![bytes.len()];
        Self { element: ElementType::Signed(8), shape, is_scalar: false, data: Contents::Text(bytes) }
    }

    pub(crate) fn new(element: ElementType, value: Value) -> Self {
        let scalar = |bytes: &[u8]| {
            let mut words = [[0; 8]; 2];
            words.as_flattened_mut()[..bytes.len()].copy_from_slice(bytes);
            Contents::Scalar(words.map(u64::from_ne_bytes), bytes.len())
        };
        let data = match value {
            Value::MemRef(array) => {
                let shape = array.shape().to_vec();
                return Self { element, shape, is_scalar: false, data: Contents::Array(array) };
            }
            Value::I1(value) => scalar(&[u8::from(value)]),
            Value::I8(value) => scalar(&value.to_ne_bytes()),
            Value::I16(value) => scalar(&value.to_ne_bytes()),
            Value::I32(value) => scalar(&value.to_ne_bytes()),
            Value::I64(value) => scalar(&value.to_ne_bytes()),
            Value::F16(value) | Value::BF16(value) => scalar(&value.to_ne_bytes()),
            Value::F32(value) => scalar(&value.to_ne_bytes()),
            Value::F64(value) => scalar(&value.to_ne_bytes()),
            Value::ComplexF32(parts) => scalar(parts.map(f32::to_ne_bytes).as_flattened()),
            Value::ComplexF64(parts) => scalar(parts.map(f64::to_ne_bytes).as_flattened()),
            // Calls of functions with these values are refused.
            Value::Int(..) | Value::Object(_) => scalar(&[]),
        };
        Self { element, shape: Vec::new(), is_scalar: true, data }
    }

    /// Copies the elements to an array of the caller.
    pub(crate) fn copy_to(&self, target: &mut ArrayView<'_>) -> Result<(), Error> {
        if target.shape() != self.shape {
            let (expected, found) = (&self.shape, target.shape());
            return Err(Error::argument(format!("expected an array of shape {expected:?}, found {found:?}")));
        }
        let mut single;
        let array = match &self.data {
            Contents::Array(array) => array,
            Contents::Scalar(words, size) => {
                single = MemRef::zeros(target.element(), &[])?;
                single.bytes_mut().copy_from_slice(&words.map(u64::to_ne_bytes).as_flattened()[..*size]);
                &single
            }
            Contents::Text(_) => return Err(Error::argument("a text has no array")),
        };
        Ok(target.copy_from(array)?)
    }
}

/// The type and shape of an array: its `MinoanType`, its rank (-1 for a scalar), and up to `capacity` of its extents. Each
/// pointer may be null.
///
/// # Safety
/// The pointers must be null or valid for writes, `shape` for `capacity` of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_array_type(
    array: MinoanHandle,
    type_: *mut i32,
    rank: *mut isize,
    shape: *mut usize,
    capacity: usize,
) -> MinoanStatus {
    guard(|| {
        let array = table::array(array)?;
        // SAFETY: guaranteed by the caller.
        unsafe {
            if !type_.is_null() {
                type_.write(number_of(array.element));
            }
            if !rank.is_null() {
                rank.write(if array.is_scalar { -1 } else { array.shape.len() as isize });
            }
            if !shape.is_null() {
                for (at, &extent) in array.shape.iter().take(capacity).enumerate() {
                    shape.add(at).write(extent);
                }
            }
        }
        Ok(())
    })
}

/// The elements of an array, dense and row-major, and their size in bytes. They live until the array is released.
///
/// # Safety
/// `data` and `size` must be null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn minoan_array_data(
    array: MinoanHandle,
    data: *mut *const c_void,
    size: *mut usize,
) -> MinoanStatus {
    guard(|| {
        let array = table::array(array)?;
        let (address, bytes) = match &array.data {
            Contents::Array(memref) => (memref.as_ptr().cast(), memref.bytes().len()),
            Contents::Scalar(words, size) => (words.as_ptr().cast(), *size),
            Contents::Text(bytes) => (bytes.as_ptr().cast(), bytes.len()),
        };
        // SAFETY: guaranteed by the caller. The table keeps the array until it is released.
        unsafe {
            put(data, address, "'data'")?;
            if !size.is_null() {
                size.write(bytes);
            }
        }
        Ok(())
    })
}
