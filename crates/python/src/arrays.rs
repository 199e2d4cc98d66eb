//! Arrays of other libraries: the array interface of NumPy (`__array_struct__`) and DLPack (`__dlpack__`).
//!
//! Both protocols provide an address, extents and strides in a C struct, which is read here without a copy of the elements. The
//! object that owns the memory is held until the call has returned.

use minoan::interface::ElementType;
use minoan::llvm::{ArrayView, MemRef, Scalar};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyTuple};
use std::ffi::{c_char, c_int, c_void};

/// The struct in `__array_struct__`, according to NumPy's documentation of the array interface.
#[repr(C)]
struct ArrayInterface {
    two: c_int,
    nd: c_int,
    typekind: c_char,
    itemsize: c_int,
    flags: c_int,
    shape: *const isize,
    strides: *const isize,
    data: *mut c_void,
    descr: *mut c_void,
}

/// `NPY_ARRAY_NOTSWAPPED`: the elements have the byte order of the machine.
const NATIVE: c_int = 0x200;
/// `NPY_ARRAY_WRITEABLE`.
const WRITABLE: c_int = 0x400;

/// `DLManagedTensor` up to its tensor, as `dlpack.h` defines it for capsules named `dltensor`.
#[repr(C)]
struct DlTensor {
    data: *mut c_void,
    device_type: i32,
    device_id: i32,
    ndim: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *const i64,
    /// In elements; null for a dense array.
    strides: *const i64,
    byte_offset: u64,
}

/// `DLManagedTensorVersioned` of DLPack 1, as `dlpack.h` defines it for capsules named `dltensor_versioned`.
#[repr(C)]
struct DlVersioned {
    major: u32,
    minor: u32,
    context: *mut c_void,
    deleter: *mut c_void,
    flags: u64,
    tensor: DlTensor,
}

/// `kDLCPU`.
const CPU: i32 = 1;
/// `DLPACK_FLAG_BITMASK_READ_ONLY`.
const READ_ONLY: u64 = 1;

/// An array of another library.
pub(crate) struct Foreign {
    pub(crate) element: ElementType,
    pub(crate) shape: Vec<usize>,
    /// In bytes; `None` for a dense array.
    strides: Option<Vec<isize>>,
    data: *mut u8,
    pub(crate) is_writable: bool,
    /// The owner of the memory.
    owner: Py<PyAny>,
}

impl Foreign {
    /// The array of an object; `None` if the object supports neither protocol.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Option<Foreign>> {
        if let Some(capsule) = object.getattr_opt("__array_struct__")? {
            return Self::from_array_struct(object, &capsule).map(Some);
        }
        if object.hasattr("__dlpack__")? {
            return Self::from_dlpack(object).map(Some);
        }
        Ok(None)
    }

    fn from_array_struct(object: &Bound<'_, PyAny>, capsule: &Bound<'_, PyAny>) -> PyResult<Foreign> {
        let pointer = capsule.cast::<PyCapsule>()?.pointer_checked(None)?.cast::<ArrayInterface>();
        // SAFETY: the protocol says what the capsule points to, for as long as it lives.
        let array = unsafe { pointer.as_ref() };
        if array.two != 2 {
            return Err(PyTypeError::new_err("the attribute '__array_struct__' is not an array interface"));
        }
        let bits = u32::try_from(array.itemsize).unwrap_or(0) * 8;
        let element = match (u8::try_from(array.typekind).unwrap_or(0), bits) {
            (b'b', 8) => ElementType::Bool,
            (b'i', 8 | 16 | 32 | 64) => ElementType::Signed(bits),
            (b'u', 8 | 16 | 32 | 64) => ElementType::Unsigned(bits),
            (b'f', 16) => ElementType::F16,
            (b'f', 32) => ElementType::F32,
            (b'f', 64) => ElementType::F64,
            (b'c', 64) => ElementType::ComplexF32,
            (b'c', 128) => ElementType::ComplexF64,
            // The type of the package ml_dtypes, which NumPy takes for raw bytes.
            (b'V', 16) if dtype_name(object)? == "bfloat16" => ElementType::BF16,
            _ => {
                let name = dtype_name(object)?;
                return Err(PyTypeError::new_err(format!("elements of type {name} are not supported")));
            }
        };
        if array.flags & NATIVE == 0 {
            let dtype = object.getattr("dtype")?.call_method1("newbyteorder", ("=",))?;
            let native = object.call_method1("astype", (dtype,))?;
            return match native.getattr_opt("__array_struct__")? {
                Some(capsule) => Self::from_array_struct(&native, &capsule),
                None => Err(PyTypeError::new_err("an array in another byte order cannot be converted")),
            };
        }
        let rank = usize::try_from(array.nd).unwrap_or(0);
        let read = |from: *const isize| -> Vec<isize> {
            match rank {
                0 => Vec::new(),
                // SAFETY: the struct has as many extents and strides as dimensions.
                _ => unsafe { std::slice::from_raw_parts(from, rank) }.to_vec(),
            }
        };
        let extents = read(array.shape).into_iter().map(usize::try_from);
        let shape =
            extents.collect::<Result<_, _>>().map_err(|_| PyValueError::new_err("a negative extent"))?;
        Ok(Foreign {
            element,
            shape,
            strides: (!array.strides.is_null()).then(|| read(array.strides)),
            data: array.data.cast(),
            is_writable: array.flags & WRITABLE != 0,
            owner: PyTuple::new(object.py(), [object, capsule])?.into_any().unbind(),
        })
    }

    fn from_dlpack(object: &Bound<'_, PyAny>) -> PyResult<Foreign> {
        let (device, _): (i32, i32) = object.call_method0("__dlpack_device__")?.extract()?;
        if device != CPU {
            return Err(PyTypeError::new_err(format!(
                "the array is on a device of DLPack's type {device}; copy it to the CPU"
            )));
        }
        let (capsule, is_writable) = Self::capsule(object)?;
        let is_versioned = capsule.is_valid_checked(Some(c"dltensor_versioned"));
        // SAFETY: the protocol says what a capsule of either name points to, for as long as it lives.
        let tensor: &DlTensor = unsafe {
            match is_versioned {
                true => {
                    let pointer = capsule.pointer_checked(Some(c"dltensor_versioned"))?;
                    &pointer.cast::<DlVersioned>().as_ref().tensor
                }
                false => capsule.pointer_checked(Some(c"dltensor"))?.cast::<DlTensor>().as_ref(),
            }
        };
        let bits = u32::from(tensor.bits);
        let element = match (tensor.code, bits, tensor.lanes) {
            (0, 8 | 16 | 32 | 64, 1) => ElementType::Signed(bits),
            (1, 8 | 16 | 32 | 64, 1) => ElementType::Unsigned(bits),
            (2, 16, 1) => ElementType::F16,
            (2, 32, 1) => ElementType::F32,
            (2, 64, 1) => ElementType::F64,
            (4, 16, 1) => ElementType::BF16,
            (5, 64, 1) => ElementType::ComplexF32,
            (5, 128, 1) => ElementType::ComplexF64,
            (6, 8, 1) => ElementType::Bool,
            (code, bits, lanes) => {
                return Err(PyTypeError::new_err(format!(
                    "elements of DLPack's type {code} of {bits} bits in {lanes} lanes are not supported"
                )));
            }
        };
        let rank = usize::try_from(tensor.ndim).unwrap_or(0);
        let read = |from: *const i64| -> Vec<i64> {
            match rank {
                0 => Vec::new(),
                // SAFETY: the struct has as many extents and strides as dimensions.
                _ => unsafe { std::slice::from_raw_parts(from, rank) }.to_vec(),
            }
        };
        let extents = read(tensor.shape).into_iter().map(usize::try_from);
        let shape =
            extents.collect::<Result<_, _>>().map_err(|_| PyValueError::new_err("a negative extent"))?;
        let size = isize::try_from(bits / 8).unwrap_or(1);
        let strides = (!tensor.strides.is_null()).then(|| read(tensor.strides));
        let in_bytes = |stride: i64| isize::try_from(stride).ok().and_then(|stride| stride.checked_mul(size));
        let strides = match strides {
            None => None,
            Some(strides) => Some(
                strides
                    .into_iter()
                    .map(in_bytes)
                    .collect::<Option<Vec<isize>>>()
                    .ok_or_else(|| PyValueError::new_err("a stride exceeds the address space"))?,
            ),
        };
        let offset = usize::try_from(tensor.byte_offset)
            .map_err(|_| PyValueError::new_err("an offset exceeds the address space"))?;
        Ok(Foreign {
            element,
            shape,
            strides,
            data: tensor.data.cast::<u8>().wrapping_add(offset),
            is_writable,
            owner: capsule.into_any().unbind(),
        })
    }

    /// The capsule of an array, which releases the array when it is dropped, since no consumer renames it; and whether the array
    /// may be written to. Only DLPack 1 says so: arrays of libraries that have an earlier version, such as JAX's, are read only.
    fn capsule<'py>(object: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyCapsule>, bool)> {
        let py = object.py();
        let options = PyDict::new(py);
        options.set_item("max_version", (1, 0))?;
        let capsule = match object.call_method("__dlpack__", (), Some(&options)) {
            Ok(capsule) => capsule,
            // Methods of earlier versions do not have the parameter.
            Err(error) if error.is_instance_of::<PyTypeError>(py) => object.call_method0("__dlpack__")?,
            Err(error) => return Err(error),
        };
        let capsule = capsule.cast_into::<PyCapsule>().map_err(PyErr::from)?;
        if !capsule.is_valid_checked(Some(c"dltensor_versioned")) {
            return Ok((capsule, false));
        }
        let pointer = capsule.pointer_checked(Some(c"dltensor_versioned"))?.cast::<DlVersioned>();
        // SAFETY: the protocol says what a capsule of this name points to; later versions extend the struct.
        let versioned = unsafe { pointer.as_ref() };
        if versioned.major != 1 {
            let (major, minor) = (versioned.major, versioned.minor);
            return Err(PyTypeError::new_err(format!(
                "expected an array of DLPack 1, found {major}.{minor}"
            )));
        }
        Ok((capsule, versioned.flags & READ_ONLY == 0))
    }

    /// The elements as a view for compiled code, and the owner of their memory.
    ///
    /// # Safety
    /// The owner must be kept until the view is dropped, and the memory must not be modified meanwhile.
    pub(crate) unsafe fn into_view(self, element: Scalar) -> PyResult<(ArrayView<'static>, Py<PyAny>)> {
        // SAFETY: the protocols give addresses of readable elements, and say whether they are writable.
        let view = unsafe {
            ArrayView::from_raw(element, &self.shape, self.strides.as_deref(), self.data, self.is_writable)
        };
        let view = view.map_err(|error| PyValueError::new_err(error.message))?;
        Ok((view, self.owner))
    }
}

fn dtype_name(object: &Bound<'_, PyAny>) -> PyResult<String> {
    match object.getattr_opt("dtype")? {
        Some(dtype) => Ok(dtype.str()?.to_string()),
        None => Ok("unknown".to_owned()),
    }
}

/// The memory of a result, which arrays of NumPy are views of.
#[pyclass(frozen, module = "minoan._minoan")]
pub(crate) struct Memory {
    array: MemRef,
    typestr: String,
}

#[pymethods]
impl Memory {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("version", 3)?;
        dict.set_item("typestr", &self.typestr)?;
        dict.set_item("shape", PyTuple::new(py, self.array.shape())?)?;
        dict.set_item("data", (self.array.as_ptr().addr(), false))?;
        Ok(dict)
    }
}

/// A result as an array of NumPy, which owns its memory.
pub(crate) fn to_numpy<'py>(
    py: Python<'py>,
    array: MemRef,
    element: ElementType,
) -> PyResult<Bound<'py, PyAny>> {
    let size = array.element().size();
    let kind = match element {
        ElementType::Bool => 'b',
        ElementType::Signed(_) => 'i',
        ElementType::Unsigned(_) => 'u',
        ElementType::BF16 => 'V',
        ElementType::ComplexF32 | ElementType::ComplexF64 => 'c',
        _ => 'f',
    };
    let order = if size == 1 { '|' } else { '<' };
    let memory = Py::new(py, Memory { array, typestr: format!("{order}{kind}{size}") })?;
    let array = py.import("numpy")?.call_method1("asarray", (memory,))?;
    if element == ElementType::BF16 {
        // Without the package ml_dtypes the elements stay two bytes each.
        if let Ok(types) = py.import("ml_dtypes") {
            return array.call_method1("view", (types.getattr("bfloat16")?,));
        }
    }
    Ok(array)
}
