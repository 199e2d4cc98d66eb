//! Tensors in NumPy's files: `.npy` holds one array, `.npz` several by name.
//!
//! Reading takes both byte orders, both element orders and every numeric element type that a parameter can have. NumPy has no
//! type `bfloat16`: such elements are read and written as `ml_dtypes` writes them, as raw elements of two bytes, `<V2`. A file
//! that is truncated, too long, or fails its checksum is an error.

mod elements;

use crate::Failure;
use crate::interface::{ElementType, ValueError, ValueType};
use elements::Elements;
use half::{bf16, f16};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_services::{Datum, Tensor, TensorData};
use npyz::{DType, Endianness, NpyHeader, Order, TypeChar};
use std::fs::File;
use std::io::{BufReader, Cursor, Read, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// An array of numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Array {
    shape: Vec<usize>,
    elements: Elements,
    /// The elements, little endian, the last dimension fastest.
    bytes: Vec<u8>,
}

/// Reads the array of a `.npy` file.
///
/// # Errors
/// The file cannot be read, is damaged, or has elements that are not numbers.
pub fn read_npy(path: &str) -> Result<Array, Failure> {
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    Ok(read(&mut BufReader::new(file)).map_err(|reason| damaged(path, &reason))?)
}

/// Reads the arrays of a `.npz` file, in the order of the file.
///
/// # Errors
/// As [`read_npy`], for each of them; a checksum that does not match; two arrays of one name.
pub fn read_npz(path: &str) -> Result<Vec<(String, Array)>, Failure> {
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    let mut archive =
        ZipArchive::new(BufReader::new(file)).map_err(|error| damaged(path, &error.to_string()))?;
    let (mut arrays, mut errors) = (Vec::<(String, Array)>::new(), Diagnostics::new());
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(|error| damaged(path, &error.to_string()))?;
        let file_name = entry.name().map_err(|error| damaged(path, &error.to_string()))?.into_owned();
        let Some(name) = npyz::npz::array_name_from_file_name(&file_name) else {
            continue;
        };
        match read(&mut entry) {
            _ if arrays.iter().any(|(other, _)| other == name) => {
                errors.push(damaged(path, &format!("array '{name}' occurs twice")));
            }
            Ok(array) => arrays.push((name.to_owned(), array)),
            Err(reason) => errors.push(damaged(path, &format!("array '{name}': {reason}"))),
        }
    }
    if errors.has_errors() { Err(errors.into()) } else { Ok(arrays) }
}

fn unreadable(path: &str, error: &std::io::Error) -> Diagnostic {
    Diagnostic::error(format!("cannot read '{path}': {error}"))
}

fn damaged(path: &str, reason: &str) -> Diagnostic {
    Diagnostic::error(format!("cannot read arrays from '{path}': {reason}"))
}

/// Reads a `.npy` file to its end.
fn read(from: &mut impl Read) -> Result<Array, String> {
    let header = read_header(from).map_err(|error| format!("invalid header: {error}"))?;
    let (elements, order) = elements_of(&header.dtype())?;
    let too_large = || format!("an array of shape {:?} is too large", header.shape());
    let shape: Option<Vec<usize>> =
        header.shape().iter().map(|&extent| usize::try_from(extent).ok()).collect();
    let shape = shape.ok_or_else(too_large)?;
    // The product of the other extents must fit where one extent is 0, too.
    let count = shape.iter().try_fold(1usize, |count, &extent| count.checked_mul(extent.max(1)));
    let size = count.and_then(|count| count.checked_mul(elements.size()));
    let size = size.filter(|&size| isize::try_from(size).is_ok()).ok_or_else(too_large)?;
    let size = if shape.contains(&0) { 0 } else { size };
    let mut bytes = Vec::new();
    // Reading up to the end makes an archive compare the checksum.
    from.take(size as u64 + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() != size {
        let found = if bytes.len() > size { "more".to_owned() } else { bytes.len().to_string() };
        return Err(format!(
            "expected {size} bytes of elements for shape {shape:?} of {}, found {found}",
            elements.name()
        ));
    }
    if order == Endianness::Big {
        bytes.chunks_exact_mut(elements.word()).for_each(<[u8]>::reverse);
    }
    if header.order() == Order::Fortran {
        bytes = by_rows(&shape, elements.size(), &bytes);
    }
    Ok(Array { shape, elements, bytes })
}

/// Reads the header of a `.npy` file.
fn read_header(from: &mut impl Read) -> std::io::Result<NpyHeader> {
    /// Upper bound on the length of a header; NumPy's own are a few hundred bytes long.
    const LONGEST: usize = 1 << 20;
    let invalid = |message: &str| std::io::Error::new(std::io::ErrorKind::InvalidData, message);
    let mut bytes = vec![0; 8];
    from.read_exact(&mut bytes)?;
    let [b'\x93', b'N', b'U', b'M', b'P', b'Y', major, _] = bytes[..] else {
        return Err(invalid("not a .npy file: bad magic number"));
    };
    bytes.resize(if major == 1 { 10 } else { 12 }, 0);
    from.read_exact(&mut bytes[8..])?;
    let length = bytes[8..].iter().rev().fold(0, |length, &byte| length << 8 | usize::from(byte));
    if length > LONGEST {
        return Err(invalid("it is too long"));
    }
    let start = bytes.len();
    bytes.resize(start + length, 0);
    from.read_exact(&mut bytes[start..])?;
    // The library multiplies the extents without a check.
    let text = String::from_utf8_lossy(&bytes[start..]);
    let shape = text.split_once("shape").and_then(|(_, rest)| rest.split_once('(')?.1.split_once(')'));
    let extents = shape.map_or("", |(extents, _)| extents).split(',');
    let mut extents = extents.filter_map(|extent| extent.trim().trim_end_matches('L').parse::<u64>().ok());
    if extents.try_fold(1u64, |count, extent| count.checked_mul(extent.max(1))).is_none() {
        return Err(invalid("the array is too large"));
    }
    NpyHeader::from_reader(&bytes[..])
}

/// The element type of a file, and its byte order.
fn elements_of(dtype: &DType) -> Result<(Elements, Endianness), String> {
    let unknown = |what: &str| Err(format!("elements of type {} ({what}) are not numbers", dtype.descr()));
    let DType::Plain(plain) = dtype else { return unknown("records") };
    let size = usize::try_from(plain.size_field()).unwrap_or(usize::MAX);
    let elements = match (plain.type_char(), size) {
        (TypeChar::Bool, 1) => Elements::Bool,
        (TypeChar::Int, 1 | 2 | 4 | 8) => Elements::Int(size),
        (TypeChar::Uint, 1 | 2 | 4 | 8) => Elements::UInt(size),
        (TypeChar::Float, 2 | 4 | 8) => Elements::Float(size),
        (TypeChar::Complex, 8 | 16) => Elements::Complex(size),
        (TypeChar::RawData, 2) => Elements::TwoBytes,
        (TypeChar::Object, _) => return unknown("Python objects"),
        (TypeChar::ByteStr | TypeChar::UnicodeStr, _) => return unknown("strings"),
        (TypeChar::DateTime | TypeChar::TimeDelta, _) => return unknown("dates and times"),
        _ => return Err(format!("elements of type {} are not supported", dtype.descr())),
    };
    Ok((elements, plain.endianness()))
}

/// Converts the elements of an array from column-major to row-major order.
fn by_rows(shape: &[usize], size: usize, from: &[u8]) -> Vec<u8> {
    let mut index = vec![0; shape.len()];
    let mut turned = Vec::with_capacity(from.len());
    while turned.len() < from.len() {
        let at = index.iter().zip(shape).rev().fold(0, |at, (&index, &extent)| at * extent + index);
        turned.extend_from_slice(&from[at * size..][..size]);
        for dim in (0..shape.len()).rev() {
            index[dim] += 1;
            if index[dim] < shape[dim] {
                break;
            }
            index[dim] = 0;
        }
    }
    turned
}

impl Array {
    /// The array as an argument of a type. Floats, and the parts of complex numbers, are rounded to the wanted
    /// format; there are no other conversions.
    ///
    /// # Errors
    /// The array has another shape or other elements, or an element is out of the range of the type.
    pub fn to_datum(&self, wanted: &ValueType) -> Result<Datum, ValueError> {
        let (shape, element) = match wanted {
            ValueType::Tensor { shape, element } => (&shape[..], *element),
            ValueType::Scalar(element) => (&[][..], *element),
            ValueType::String | ValueType::Nested { .. } | ValueType::Data(_) | ValueType::Tuple(_) => {
                return Err(self.mismatch(wanted));
            }
        };
        let fits = |(wanted, found): (&Option<usize>, &usize)| wanted.is_none_or(|wanted| wanted == *found);
        if shape.len() != self.shape.len() || !shape.iter().zip(&self.shape).all(fits) {
            return Err(self.mismatch(wanted));
        }
        let same = self.same_floats(element);
        let is_done = same.is_some();
        let mut data = same.unwrap_or_else(|| element.no_elements());
        let others = if is_done { &[][..] } else { &self.bytes[..] };
        for bytes in others.chunks_exact(self.elements.size()) {
            let datum = self.elements.datum(bytes, element).ok_or_else(|| self.mismatch(wanted))??;
            data.push(&datum).map_err(|trap| ValueError::new(trap.message))?;
        }
        // Without elements, none of them shows that there is no conversion.
        if data.is_empty() && !self.elements.converts_to(element) {
            return Err(self.mismatch(wanted));
        }
        match wanted {
            ValueType::Tensor { .. } => Ok(Tensor { shape: self.shape.clone(), data }.into()),
            _ => Ok(data.get(0)),
        }
    }

    /// The elements without a conversion, if they have the wanted type: weights of a network are large.
    fn same_floats(&self, wanted: ElementType) -> Option<TensorData> {
        fn each<const N: usize, T>(bytes: &[u8], of: fn([u8; N]) -> T) -> Vec<T> {
            bytes.as_chunks().0.iter().map(|&bytes| of(bytes)).collect()
        }
        match (wanted, self.elements) {
            (ElementType::F32, Elements::Float(4)) => {
                Some(TensorData::F32(each(&self.bytes, f32::from_le_bytes)))
            }
            (ElementType::F64, Elements::Float(8)) => {
                Some(TensorData::F64(each(&self.bytes, f64::from_le_bytes)))
            }
            (ElementType::ComplexF32, Elements::Complex(8)) => {
                let parts = each(&self.bytes, f32::from_le_bytes);
                Some(TensorData::Complex32(parts.as_chunks().0.to_vec()))
            }
            (ElementType::ComplexF64, Elements::Complex(16)) => {
                let parts = each(&self.bytes, f64::from_le_bytes);
                Some(TensorData::Complex64(parts.as_chunks().0.to_vec()))
            }
            _ => None,
        }
    }

    fn mismatch(&self, wanted: &ValueType) -> ValueError {
        let (expected, shape, found) = (wanted.describe(), &self.shape, self.elements.name());
        ValueError::new(format!("expected {expected}, found an array of shape {shape:?} of {found}"))
    }

    /// A value of a type as an array; `None` if it is neither a number nor a tensor of numbers that NumPy has a type for.
    pub fn of_datum(ty: &ValueType, datum: &Datum) -> Option<Array> {
        let (element, tensor) = match (ty, datum) {
            (ValueType::Tensor { element, .. }, Datum::Tensor(tensor)) => (*element, Tensor::clone(tensor)),
            (ValueType::Scalar(element), scalar) => {
                (*element, Tensor { shape: Vec::new(), data: TensorData::splat(scalar, 1).ok()? })
            }
            _ => return None,
        };
        let elements = Elements::of(element)?;
        let size = elements.size();
        let mut bytes = Vec::with_capacity(tensor.data.len() * size);
        for at in 0..tensor.data.len() {
            match (tensor.data.get(at), element) {
                (bits @ Datum::Int(_), _) => {
                    bytes.extend_from_slice(&element.number(&bits)?.to_le_bytes(size));
                }
                (Datum::Complex32(parts), ElementType::ComplexF32) => {
                    bytes.extend_from_slice(parts.map(f32::to_le_bytes).as_flattened());
                }
                (Datum::Complex64(parts), ElementType::ComplexF64) => {
                    bytes.extend_from_slice(parts.map(f64::to_le_bytes).as_flattened());
                }
                (Datum::F64(value), ElementType::F64) => bytes.extend_from_slice(&value.to_le_bytes()),
                (Datum::F32(value), ElementType::F32) => bytes.extend_from_slice(&value.to_le_bytes()),
                (Datum::F32(value), ElementType::F16) => {
                    bytes.extend_from_slice(&f16::from_f32(value).to_le_bytes());
                }
                (Datum::F32(value), ElementType::BF16) => {
                    bytes.extend_from_slice(&bf16::from_f32(value).to_le_bytes());
                }
                _ => return None,
            }
        }
        Some(Array { shape: tensor.shape, elements, bytes })
    }

    /// The bytes of a `.npy` file.
    pub fn to_npy(&self) -> Vec<u8> {
        let extents: String = self.shape.iter().map(|extent| format!("{extent}, ")).collect();
        let extents = if self.shape.len() == 1 { extents.trim_end() } else { extents.trim_end_matches(", ") };
        let descr = self.elements.descr();
        let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({extents}), }}");
        // Magic, version and length take 10 bytes; the elements begin at a multiple of 64.
        let padding = 63 - (10 + header.len()) % 64;
        header.extend(std::iter::repeat_n(' ', padding));
        header.push('\n');
        let length = u16::try_from(header.len()).expect("a rank that programs can have");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend_from_slice(&length.to_le_bytes());
        bytes.extend_from_slice(header.as_bytes());
        bytes.extend_from_slice(&self.bytes);
        bytes
    }
}

/// The bytes of a `.npz` file, stored as `numpy.savez` stores them.
///
/// # Errors
/// A name is not fit for an archive, or the archive grows too large.
pub fn to_npz(arrays: &[(String, Array)]) -> Result<Vec<u8>, Failure> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored).large_file(true);
    for (name, array) in arrays {
        let started = writer.start_file(npyz::npz::file_name_from_array_name(name), options);
        let failed = |reason: String| Diagnostic::error(format!("cannot write the array '{name}': {reason}"));
        started.map_err(|error| failed(error.to_string()))?;
        writer.write_all(&array.to_npy()).map_err(|error| failed(error.to_string()))?;
    }
    let bytes =
        writer.finish().map_err(|error| Diagnostic::error(format!("cannot write the arrays: {error}")))?;
    Ok(bytes.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(shape: &[usize], data: TensorData) -> Datum {
        Tensor { shape: shape.to_vec(), data }.into()
    }

    fn npy(header: &str, bytes: &[u8]) -> Vec<u8> {
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend_from_slice(&(header.len() as u16).to_le_bytes());
        file.extend_from_slice(header.as_bytes());
        file.extend_from_slice(bytes);
        file
    }

    fn from_file(mut file: &[u8], ty: &ValueType) -> Result<Datum, String> {
        read(&mut file)?.to_datum(ty).map_err(|error| error.to_string())
    }

    fn refused(file: &[u8]) -> String {
        read(&mut &file[..]).expect_err("it is damaged")
    }

    #[test]
    fn results_of_every_type_read_back() {
        let values = [
            (ElementType::F32, TensorData::F32(vec![0.0, -0.0, 1.5, f32::INFINITY, -2.0, 1e-40])),
            (ElementType::F64, TensorData::F64(vec![1e300, -0.0, 1.0, 2.0, 3.0, 4.0])),
            (ElementType::F16, TensorData::F32(vec![0.0, 65504.0, -1.5, f32::INFINITY, 0.5, 6e-8])),
            (ElementType::BF16, TensorData::F32(vec![1.0, -3.0, 0.0, f32::NEG_INFINITY, 0.5, 2.0])),
            (ElementType::ComplexF32, TensorData::Complex32(vec![[1.5, -0.0]; 6])),
            (ElementType::ComplexF64, TensorData::Complex64(vec![[1e300, f64::INFINITY]; 6])),
            (ElementType::Bool, TensorData::Int(vec![0, 1, 1, 0, 1, 0])),
            (ElementType::Signed(8), TensorData::Int(vec![-128, 127, 0, 1, 2, 3])),
            (ElementType::Unsigned(8), TensorData::Int(vec![-128, 127, 0, 1, -1, 3])),
            (ElementType::Signed(32), TensorData::Int(vec![i64::from(i32::MIN), 127, 0, 1, 2, 3])),
            (ElementType::Unsigned(64), TensorData::Int(vec![i64::MIN, -1, 0, 1, 2, 3])),
        ];
        for (element, data) in values {
            let ty = ValueType::tensor(2, element);
            let halves = |data: TensorData| match (element, data) {
                (ElementType::F16, TensorData::F32(data)) => {
                    TensorData::F32(data.into_iter().map(|value| f16::from_f32(value).to_f32()).collect())
                }
                (_, data) => data,
            };
            let datum = tensor(&[2, 3], halves(data));
            let file = Array::of_datum(&ty, &datum).expect("numbers").to_npy();
            let back = from_file(&file, &ty).expect("it reads back");
            assert!(back.same(&datum), "{element}: {back:?}");
            let none = tensor(&[0, 3], element.no_elements());
            let file = Array::of_datum(&ty, &none).expect("numbers").to_npy();
            assert_eq!(from_file(&file, &ty), Ok(none));
        }
    }

    #[test]
    fn byte_and_element_orders_are_normalized() {
        let ty = ValueType::tensor(2, ElementType::Signed(16));
        let bytes: Vec<u8> = [1i16, 4, 2, 5, 3, -6].iter().flat_map(|value| value.to_be_bytes()).collect();
        let file = npy("{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3)}", &bytes);
        let datum = from_file(&file, &ty);
        assert_eq!(datum, Ok(tensor(&[2, 3], TensorData::Int(vec![1, 2, 3, 4, 5, -6]))));
    }

    #[test]
    fn values_that_do_not_fit_are_refused() {
        let words = npy("{'descr': '<u8', 'fortran_order': False, 'shape': (1,)}", &[255; 8]);
        let array = read(&mut &words[..]).expect("an array");
        let to = |element| array.to_datum(&ValueType::tensor(1, element)).map_err(|error| error.to_string());
        assert_eq!(to(ElementType::Unsigned(64)), Ok(tensor(&[1], TensorData::Int(vec![-1]))));
        assert_eq!(
            to(ElementType::Signed(64)),
            Err("18446744073709551615 is out of the range of int64 (-9223372036854775808 to 9223372036854775807)"
                .to_owned())
        );
        assert_eq!(
            to(ElementType::F32),
            Err("expected a tensor of shape [?] of float32, found an array of shape [1] of uint64".to_owned())
        );
        let none = npy("{'descr': '<u8', 'fortran_order': False, 'shape': (0,)}", &[]);
        let none = read(&mut &none[..]).expect("an array");
        assert!(none.to_datum(&ValueType::tensor(1, ElementType::F32)).is_err());
        assert!(none.to_datum(&ValueType::tensor(1, ElementType::Signed(8))).is_ok());
    }

    #[test]
    fn damaged_files_are_refused() {
        let header = "{'descr': '<i4', 'fortran_order': False, 'shape': (2,)}";
        assert_eq!(
            refused(&npy(header, &[0; 7])),
            "expected 8 bytes of elements for shape [2] of int32, found 7"
        );
        assert_eq!(
            refused(&npy(header, &[0; 9])),
            "expected 8 bytes of elements for shape [2] of int32, found more"
        );
        assert!(refused(b"no array").starts_with("invalid header"));
        let shapes =
            ["(-1,)", "(1.5,)", "(9223372036854775807, 9223372036854775807)", "(0, 18446744073709551615, 4)"];
        for shape in shapes {
            refused(&npy(&format!("{{'descr': '<i4', 'fortran_order': False, 'shape': {shape}}}"), &[]));
        }
        for descr in ["|O", "<c32", "<U4", "<M8[ns]", "<f16", "|V7"] {
            refused(&npy(
                &format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (1,)}}"),
                &[0; 64],
            ));
        }
    }
}
