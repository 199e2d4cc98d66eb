//! Wrappers of the interface that take and return values of Rust, shared by the tests.

use minoan_capi::*;
use std::ffi::{CString, c_char, c_void};
use std::ptr;

pub fn c(text: &str) -> CString {
    CString::new(text).expect("no zero bytes")
}

pub fn message() -> String {
    let mut buffer = [0u8; 4096];
    // SAFETY: the buffer has its size.
    unsafe { minoan_error_message(buffer.as_mut_ptr().cast(), buffer.len(), ptr::null_mut()) };
    let len = buffer.iter().position(|&byte| byte == 0).unwrap_or(0);
    String::from_utf8_lossy(&buffer[..len]).into_owned()
}

/// A text of the interface.
pub fn read(get: impl Fn(*mut c_char, usize, *mut usize) -> MinoanStatus) -> Result<String, MinoanStatus> {
    let mut needed = 0;
    match get(ptr::null_mut(), 0, &raw mut needed) {
        MinoanStatus::Ok => {}
        status => return Err(status),
    }
    let mut buffer = vec![0u8; needed];
    assert_eq!(get(buffer.as_mut_ptr().cast(), needed, ptr::null_mut()), MinoanStatus::Ok);
    assert_eq!(buffer.pop(), Some(0));
    Ok(String::from_utf8(buffer).expect("texts are UTF-8"))
}

pub fn made(make: impl FnOnce(*mut MinoanHandle) -> MinoanStatus) -> Result<MinoanHandle, MinoanStatus> {
    let mut handle = MinoanHandle::default();
    match make(&raw mut handle) {
        MinoanStatus::Ok => Ok(handle),
        status => Err(status),
    }
}

pub fn session() -> MinoanHandle {
    // SAFETY: the handle is valid for a write.
    let session = made(|out| unsafe { minoan_session_create(out) }).expect("a session");
    // Valgrind does not know AVX-512.
    let (name, value) = (c("cpu"), c("x86-64-v3"));
    if cfg!(target_arch = "x86_64") {
        assert_eq!(
            unsafe { minoan_session_set_option(session, name.as_ptr(), value.as_ptr()) },
            MinoanStatus::Ok
        );
    }
    session
}

pub fn parse(session: MinoanHandle, name: &str, text: &str) -> Result<MinoanHandle, MinoanStatus> {
    let (name, text) = (c(name), c(text));
    // SAFETY: C strings, and a handle that is valid for a write.
    made(|out| unsafe { minoan_module_parse(session, name.as_ptr(), text.as_ptr(), out) })
}

pub fn function(module: MinoanHandle, symbol: &str) -> Result<MinoanHandle, MinoanStatus> {
    let symbol = c(symbol);
    // SAFETY: as above.
    made(|out| unsafe { minoan_function_create(module, symbol.as_ptr(), out) })
}

pub fn floats(shape: &[usize], data: &[f32]) -> MinoanArgument {
    MinoanArgument {
        type_: MinoanType::F32 as i32,
        writable: false,
        rank: shape.len(),
        shape: shape.as_ptr(),
        strides: ptr::null(),
        data: data.as_ptr().cast_mut().cast(),
    }
}

pub fn call(
    function: MinoanHandle,
    backend: i32,
    args: &[MinoanArgument],
    results: usize,
) -> Result<Vec<MinoanHandle>, MinoanStatus> {
    let mut handles = vec![MinoanHandle::default(); results];
    // SAFETY: as many arguments and handles as the lengths say; the arguments describe arrays of the caller.
    let status = unsafe {
        minoan_function_call(
            function,
            backend,
            args.as_ptr(),
            args.len(),
            handles.as_mut_ptr(),
            handles.len(),
        )
    };
    if status == MinoanStatus::Ok { Ok(handles) } else { Err(status) }
}

pub fn contents(array: MinoanHandle) -> Vec<f32> {
    let (mut data, mut size) = (ptr::null::<c_void>(), 0);
    // SAFETY: both are valid for a write; the array is of floats and lives.
    unsafe {
        assert_eq!(minoan_array_data(array, &raw mut data, &raw mut size), MinoanStatus::Ok, "{}", message());
        std::slice::from_raw_parts(data.cast::<f32>(), size / 4).to_vec()
    }
}

pub const SCALE: &str = "(def scale (Vec Float) ((s : Float) (v : Vec Float))
  (build (size v) (lam (i : Integer) (mul s (index i v)))))";

pub fn call_into(
    function: MinoanHandle,
    backend: i32,
    args: &[MinoanArgument],
    into: &[MinoanArgument],
) -> Result<(), String> {
    // SAFETY: as many arguments as the lengths say, which describe arrays of the caller.
    let status = unsafe {
        minoan_function_call_into(function, backend, args.as_ptr(), args.len(), into.as_ptr(), into.len())
    };
    if status == MinoanStatus::Ok { Ok(()) } else { Err(message()) }
}

/// An array that results are written to.
pub fn target(shape: &[usize], data: &mut [f32]) -> MinoanArgument {
    MinoanArgument { writable: true, data: data.as_mut_ptr().cast(), ..floats(shape, &[]) }
}

/// A result of an operation, or an argument of its first block.
pub fn value(operation: MinoanHandle, number: u8) -> MinoanValue {
    let region = i32::from(number % 3) - 1;
    MinoanValue { operation, region, block: 0, index: usize::from(number / 100) }
}

pub fn create(
    place: MinoanHandle,
    position: i32,
    name: &str,
    operands: &[MinoanValue],
    ty: &str,
) -> Result<MinoanHandle, MinoanStatus> {
    let (name, ty) = (c(name), c(ty));
    let types = [ty.as_ptr()];
    let state = MinoanOperationState {
        name: name.as_ptr(),
        operands: operands.as_ptr(),
        operand_count: operands.len(),
        result_types: types.as_ptr(),
        result_count: 1,
        attribute_names: ptr::null(),
        attribute_values: ptr::null(),
        attribute_count: 0,
        region_count: 0,
        successors: ptr::null(),
        successor_count: 0,
    };
    made(|out| unsafe { minoan_operation_create(place, position, &raw const state, out) })
}

/// Appends an operation to a block. Attributes alternate between names and values.
pub fn append(
    block: MinoanHandle,
    name: &str,
    operands: &[MinoanValue],
    types: &[&str],
    attributes: &[(&str, &str)],
    regions: usize,
    successors: &[MinoanHandle],
) -> Result<MinoanHandle, MinoanStatus> {
    let name = c(name);
    let types: Vec<CString> = types.iter().map(|&ty| c(ty)).collect();
    let keys: Vec<CString> = attributes.iter().map(|&(key, _)| c(key)).collect();
    let values: Vec<CString> = attributes.iter().map(|&(_, value)| c(value)).collect();
    let pointers = |texts: &[CString]| texts.iter().map(|text| text.as_ptr()).collect::<Vec<_>>();
    let (types, keys, values) = (pointers(&types), pointers(&keys), pointers(&values));
    let state = MinoanOperationState {
        name: name.as_ptr(),
        operands: operands.as_ptr(),
        operand_count: operands.len(),
        result_types: types.as_ptr(),
        result_count: types.len(),
        attribute_names: keys.as_ptr(),
        attribute_values: values.as_ptr(),
        attribute_count: keys.len(),
        region_count: regions,
        successors: successors.as_ptr(),
        successor_count: successors.len(),
    };
    // SAFETY: the pointers are those of the vectors above.
    made(|out| unsafe { minoan_block_append(block, &raw const state, out) })
}

pub fn add_block(
    operation: MinoanHandle,
    region: usize,
    types: &[&str],
) -> Result<MinoanHandle, MinoanStatus> {
    let types: Vec<CString> = types.iter().map(|&ty| c(ty)).collect();
    let pointers: Vec<*const c_char> = types.iter().map(|text| text.as_ptr()).collect();
    // SAFETY: as above.
    made(|out| unsafe {
        minoan_operation_add_block(operation, region, pointers.as_ptr(), pointers.len(), out)
    })
}

/// The value with an index of an operation or block.
pub fn of(handle: MinoanHandle, index: usize) -> MinoanValue {
    MinoanValue { operation: handle, region: -1, block: 0, index }
}

pub fn call_json(function: MinoanHandle, backend: i32, arguments: &str) -> Result<String, MinoanStatus> {
    let arguments = c(arguments);
    let array = made(|out| unsafe { minoan_function_call_json(function, backend, arguments.as_ptr(), out) })?;
    let (mut data, mut size) = (ptr::null(), 0);
    assert_eq!(unsafe { minoan_array_data(array, &raw mut data, &raw mut size) }, MinoanStatus::Ok);
    let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), size) }.to_vec();
    assert_eq!(minoan_release(array), MinoanStatus::Ok);
    Ok(String::from_utf8(bytes).expect("JSON is UTF-8"))
}
