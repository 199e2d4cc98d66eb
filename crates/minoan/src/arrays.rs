//! Tensors in NumPy's files: `.npy` holds one, `.npz` several by name.

use crate::Failure;
use crate::interface::Shape;
use minoan_diag::Diagnostic;
use minoan_services::{Datum, Tensor, TensorData};
use npyz::{DType, NpyFile, Order, TypeChar, WriterBuilder};
use std::fs::File;
use std::io::{BufReader, Cursor, Read, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// An array as its file has it.
#[derive(Clone, PartialEq, Debug)]
pub struct Array {
    /// The extents.
    pub shape: Vec<usize>,
    /// The elements, last dimension fastest.
    pub elements: Elements,
}

/// Elements as their file has them.
#[derive(Clone, PartialEq, Debug)]
pub enum Elements {
    /// Truth values.
    Bool(Vec<bool>),
    /// Signed integers.
    Int(Vec<i64>),
    /// Unsigned integers.
    UInt(Vec<u64>),
    /// Floats of single width.
    F32(Vec<f32>),
    /// Floats of double width.
    F64(Vec<f64>),
}

/// The array of a `.npy` file.
///
/// # Errors
/// The file cannot be read, is damaged, or has elements that are no numbers.
pub fn read_npy(path: &str) -> Result<Array, Failure> {
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    Ok(read(BufReader::new(file)).map_err(|reason| damaged(path, &reason))?)
}

/// The arrays of a `.npz` file, in the order of the file.
///
/// # Errors
/// As [`read_npy`], for each of them.
pub fn read_npz(path: &str) -> Result<Vec<(String, Array)>, Failure> {
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    let mut archive =
        ZipArchive::new(BufReader::new(file)).map_err(|error| damaged(path, &error.to_string()))?;
    let mut arrays = Vec::new();
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(|error| damaged(path, &error.to_string()))?;
        let file_name = entry.name().map_err(|error| damaged(path, &error.to_string()))?.into_owned();
        let Some(name) = npyz::npz::array_name_from_file_name(&file_name).map(str::to_owned) else {
            continue;
        };
        let array = read(entry).map_err(|reason| damaged(path, &format!("array '{name}': {reason}")))?;
        arrays.push((name, array));
    }
    Ok(arrays)
}

fn unreadable(path: &str, error: &std::io::Error) -> Diagnostic {
    Diagnostic::error(format!("cannot read '{path}': {error}"))
}

fn damaged(path: &str, reason: &str) -> Diagnostic {
    Diagnostic::error(format!("'{path}' is not a file of arrays that can be read: {reason}"))
}

fn read(from: impl Read) -> Result<Array, String> {
    let text = |error: std::io::Error| error.to_string();
    let file = NpyFile::new(from).map_err(text)?;
    let shape: Option<Vec<usize>> = file.shape().iter().map(|&extent| usize::try_from(extent).ok()).collect();
    let shape = shape.ok_or("its extents are too large")?;
    let count = shape.iter().try_fold(1usize, |count, &extent| count.checked_mul(extent));
    count.ok_or("its extents are too large")?;
    let by_column = file.order() == Order::Fortran;
    let dtype = file.dtype();
    let DType::Plain(plain) = &dtype else { return Err("its elements are records".to_owned()) };
    let elements = match (plain.type_char(), plain.size_field()) {
        (TypeChar::Bool, _) => Elements::Bool(file.into_vec().map_err(text)?),
        (TypeChar::Int, 1) => Elements::Int(widened::<_, i8, i64>(file)?),
        (TypeChar::Int, 2) => Elements::Int(widened::<_, i16, i64>(file)?),
        (TypeChar::Int, 4) => Elements::Int(widened::<_, i32, i64>(file)?),
        (TypeChar::Int, _) => Elements::Int(file.into_vec().map_err(text)?),
        (TypeChar::Uint, 1) => Elements::UInt(widened::<_, u8, u64>(file)?),
        (TypeChar::Uint, 2) => Elements::UInt(widened::<_, u16, u64>(file)?),
        (TypeChar::Uint, 4) => Elements::UInt(widened::<_, u32, u64>(file)?),
        (TypeChar::Uint, _) => Elements::UInt(file.into_vec().map_err(text)?),
        (TypeChar::Float, 4) => Elements::F32(file.into_vec().map_err(text)?),
        (TypeChar::Float, 8) => Elements::F64(file.into_vec().map_err(text)?),
        _ => return Err(format!("elements of type {} are not known", dtype.descr())),
    };
    Ok(if by_column { by_rows(&shape, elements) } else { Array { shape, elements } })
}

fn widened<R: Read, N: npyz::Deserialize + Into<W>, W>(file: NpyFile<R>) -> Result<Vec<W>, String> {
    let narrow: Vec<N> = file.into_vec().map_err(|error| error.to_string())?;
    Ok(narrow.into_iter().map(Into::into).collect())
}

/// An array whose first dimension was fastest.
fn by_rows(shape: &[usize], elements: Elements) -> Array {
    fn turn<T: Copy>(shape: &[usize], from: &[T]) -> Vec<T> {
        let mut index = vec![0; shape.len()];
        let mut turned = Vec::with_capacity(from.len());
        while turned.len() < from.len() {
            let at = index.iter().zip(shape).rev().fold(0, |at, (&index, &extent)| at * extent + index);
            turned.push(from[at]);
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
    let elements = match elements {
        Elements::Bool(from) => Elements::Bool(turn(shape, &from)),
        Elements::Int(from) => Elements::Int(turn(shape, &from)),
        Elements::UInt(from) => Elements::UInt(turn(shape, &from)),
        Elements::F32(from) => Elements::F32(turn(shape, &from)),
        Elements::F64(from) => Elements::F64(turn(shape, &from)),
    };
    Array { shape: shape.to_vec(), elements }
}

impl Array {
    /// The array as an argument of a type. Floats may be rounded to the width that is wanted; nothing else is
    /// converted.
    ///
    /// # Errors
    /// It is of another rank or another kind of elements, or an integer does not fit.
    pub fn to_datum(&self, wanted: &Shape) -> Result<Datum, String> {
        let found = format!(
            "expected {}, found an array of shape {:?} of {}",
            wanted.describe(),
            self.shape,
            self.kind()
        );
        let (rank, element) = match wanted {
            Shape::Tensor(rank, element) => (*rank, &**element),
            scalar => (0, scalar),
        };
        if self.shape.len() != rank {
            return Err(found);
        }
        let data = match (element, &self.elements) {
            (Shape::F32, Elements::F32(values)) => TensorData::F32(values.clone()),
            (Shape::F32, Elements::F64(values)) => {
                TensorData::F32(values.iter().map(|&value| value as f32).collect())
            }
            (Shape::F64, Elements::F64(values)) => TensorData::F64(values.clone()),
            (Shape::F64, Elements::F32(values)) => {
                TensorData::F64(values.iter().map(|&value| f64::from(value)).collect())
            }
            (Shape::Bool, Elements::Bool(values)) => {
                TensorData::Int(values.iter().map(|&value| i64::from(value)).collect())
            }
            (Shape::Integer(width), Elements::Int(values)) => {
                let fits =
                    |&value: &i64| *width > 63 || (-(1i64 << (width - 1))..1i64 << width).contains(&value);
                if let Some(value) = values.iter().find(|value| !fits(value)) {
                    return Err(format!("{value} does not fit into {width} bits"));
                }
                TensorData::Int(values.clone())
            }
            (Shape::Integer(width), Elements::UInt(values)) => {
                let fits = |value: u64| *width > 63 || value < 1 << width;
                let converted = values.iter().map(|&value| {
                    i64::try_from(value)
                        .ok()
                        .filter(|_| fits(value))
                        .ok_or_else(|| format!("{value} does not fit into {width} bits"))
                });
                TensorData::Int(converted.collect::<Result<_, _>>()?)
            }
            _ => return Err(found),
        };
        match wanted {
            Shape::Tensor(..) => Ok(Tensor { shape: self.shape.clone(), data }.into()),
            _ => Ok(data.get(0)),
        }
    }

    fn kind(&self) -> &'static str {
        match self.elements {
            Elements::Bool(_) => "truth values",
            Elements::Int(_) => "integers",
            Elements::UInt(_) => "unsigned integers",
            Elements::F32(_) => "32-bit floats",
            Elements::F64(_) => "64-bit floats",
        }
    }

    /// A value of a type as an array; nothing when it is no number and no tensor of numbers.
    pub fn of_datum(ty: &Shape, datum: &Datum) -> Option<Array> {
        let (shape, data) = match datum {
            Datum::Int(value) => (Vec::new(), TensorData::Int(vec![*value])),
            Datum::F32(value) => (Vec::new(), TensorData::F32(vec![*value])),
            Datum::F64(value) => (Vec::new(), TensorData::F64(vec![*value])),
            Datum::Tensor(tensor) => (tensor.shape.clone(), tensor.data.clone()),
            _ => return None,
        };
        let element = match ty {
            Shape::Tensor(_, element) => element,
            scalar => scalar,
        };
        let elements = match (element, data) {
            (Shape::Bool, TensorData::Int(values)) => {
                Elements::Bool(values.iter().map(|&value| value != 0).collect())
            }
            (_, TensorData::Int(values)) => Elements::Int(values),
            (_, TensorData::F32(values)) => Elements::F32(values),
            (_, TensorData::F64(values)) => Elements::F64(values),
        };
        Some(Array { shape, elements })
    }

    /// The bytes of a `.npy` file.
    pub fn to_npy(&self) -> Vec<u8> {
        fn write<T: npyz::AutoSerialize + Clone>(shape: &[u64], values: &[T]) -> std::io::Result<Vec<u8>> {
            let mut bytes = Vec::new();
            let options = npyz::WriteOptions::new().default_dtype().shape(shape).writer(&mut bytes);
            let mut writer = options.begin_nd()?;
            writer.extend(values.iter().cloned())?;
            writer.finish()?;
            Ok(bytes)
        }
        let shape: Vec<u64> = self.shape.iter().map(|&extent| extent as u64).collect();
        let written = match &self.elements {
            Elements::Bool(values) => write(&shape, values),
            Elements::Int(values) => write(&shape, values),
            Elements::UInt(values) => write(&shape, values),
            Elements::F32(values) => write(&shape, values),
            Elements::F64(values) => write(&shape, values),
        };
        written.expect("memory can be written to")
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

    fn array(shape: &[usize], elements: Elements) -> Array {
        Array { shape: shape.to_vec(), elements }
    }

    #[test]
    fn what_is_written_reads_back() {
        let arrays = [
            array(&[2, 3], Elements::F32(vec![0.0, -0.0, 1.5, f32::INFINITY, -2.0, 1e-40])),
            array(&[], Elements::Int(vec![-7])),
            array(&[2, 0], Elements::F64(vec![])),
            array(&[3], Elements::Bool(vec![true, false, true])),
            array(&[1], Elements::UInt(vec![u64::MAX])),
        ];
        for array in arrays {
            assert_eq!(read(&array.to_npy()[..]), Ok(array));
        }
    }

    #[test]
    fn columns_become_rows() {
        let turned = by_rows(&[2, 3], Elements::Int(vec![1, 4, 2, 5, 3, 6]));
        assert_eq!(turned, array(&[2, 3], Elements::Int(vec![1, 2, 3, 4, 5, 6])));
        assert_eq!(by_rows(&[0, 3], Elements::Int(vec![])), array(&[0, 3], Elements::Int(vec![])));
    }

    #[test]
    fn values_fit_or_are_refused() {
        let tensor = |element| Shape::Tensor(1, Box::new(element));
        let bytes = array(&[2], Elements::UInt(vec![1, 255]));
        assert!(bytes.to_datum(&tensor(Shape::Integer(8))).is_ok());
        let large = array(&[1], Elements::UInt(vec![256]));
        assert_eq!(
            large.to_datum(&tensor(Shape::Integer(8))),
            Err("256 does not fit into 8 bits".to_owned())
        );
        let error = bytes.to_datum(&tensor(Shape::F32)).expect_err("integers are no floats");
        assert_eq!(
            error,
            "expected a tensor of rank 1 of numbers, found an array of shape [2] of unsigned integers"
        );
    }

    #[test]
    fn damaged_files_are_refused() {
        let bytes = array(&[4], Elements::Int(vec![1, 2, 3, 4])).to_npy();
        assert!(read(&bytes[..bytes.len() - 1]).is_err());
        assert!(read(&b"no array"[..]).is_err());
    }
}
