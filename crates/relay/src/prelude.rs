//! The standard prelude, and the tensor arrays of each element type.

/// The text of the standard prelude.
pub const PRELUDE: &str = include_str!("prelude.relay");

/// The tensor arrays of the element type `DTYPE`.
const TENSOR_ARRAYS: &str = include_str!("tensor_arrays.relay");

const DTYPES: [&str; 12] = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
    "float64",
];

/// The definitions of tensor arrays for the element types that the names of a text mention, such as
/// `@tensor_array_read_float32` and `tensor_float32_t`.
pub(crate) fn tensor_arrays(text: &str) -> Vec<String> {
    let names = text
        .match_indices("tensor")
        .filter_map(|(at, _)| text[at..].split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next());
    let mut used = [false; DTYPES.len()];
    for name in names {
        let name = name.strip_suffix("_t").unwrap_or(name);
        let suffix = name.rsplit('_').next().filter(|suffix| suffix.len() < name.len());
        if let Some(at) = DTYPES.iter().position(|dtype| Some(*dtype) == suffix) {
            used[at] = true;
        }
    }
    let used = DTYPES.iter().zip(used).filter(|(_, used)| *used);
    used.map(|(dtype, _)| TENSOR_ARRAYS.replace("DTYPE", dtype)).collect()
}
