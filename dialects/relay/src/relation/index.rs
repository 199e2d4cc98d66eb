//! Type relations of gather, scatter and other indexing operators.

use super::call::{Call, Outcome, Stop, extent, gives, gives_tuple, merge};
use super::pointwise::{Clash, join};
use crate::equation::{Equation, shown};
use crate::ty::{DType, Dim, ShapeText, TensorType, Type};

pub(super) fn take(call: &Call<'_>) -> Outcome {
    let (data, indices) = (call.tensor(0)?, call.integers(1)?);
    let Some(axis) = call.attrs.int("axis") else {
        return gives(TensorType::new(indices.shape.clone(), data.dtype));
    };
    let axis = call.axis(axis, data.rank())?;
    let batch = call.int("batch_dims")?;
    let shared = if batch < 0 { batch + indices.rank() as i64 } else { batch };
    let Some(shared) =
        usize::try_from(shared).ok().filter(|&shared| shared <= axis && shared <= indices.rank())
    else {
        let what = format!("cannot share {batch} axes of {data} and {indices} before axis {axis}");
        return Err(call.error(what));
    };
    for axis in 0..shared {
        merge(data.shape[axis], indices.shape[axis]).ok_or_else(|| {
            call.error_at(
                1,
                format!("needs {data} and {indices} of one extent along axis {axis}, which they share"),
            )
        })?;
    }
    let shape = [&data.shape[..axis], &indices.shape[shared..], &data.shape[axis + 1..]].concat();
    gives(TensorType::new(shape, data.dtype))
}

pub(super) fn gather(call: &Call<'_>) -> Outcome {
    let (data, indices) = (call.tensor(0)?, call.integers(1)?);
    same_rank(call, data, indices)?;
    let axis = call.axis_attr("axis", data.rank())?;
    for other in (0..data.rank()).filter(|&other| other != axis) {
        merge(data.shape[other], indices.shape[other]).ok_or_else(|| {
            let what = format!("needs {data} and {indices} of one extent along axis {other}");
            call.error_at(1, what)
        })?;
    }
    gives(TensorType::new(indices.shape.clone(), data.dtype))
}

fn same_rank(call: &Call<'_>, data: &TensorType, indices: &TensorType) -> Result<(), Stop> {
    if data.rank() == indices.rank() {
        return Ok(());
    }
    Err(call.error_at(1, format!("needs data and indices of one rank, but they are {data} and {indices}")))
}

/// The number of axes that the columns of indices address.
///
/// `given` is their number if the extent is known at run time.
fn index_length(
    call: &Call<'_>,
    indices: &TensorType,
    data: &TensorType,
    given: impl FnOnce() -> Result<i64, Stop>,
) -> Result<usize, Stop> {
    let Some(&first) = indices.shape.first() else {
        return Err(call.error_at(1, "needs indices with an axis, but is given a number"));
    };
    let length = match extent(first)? {
        Some(length) => length,
        None => given()?,
    };
    let batch = call.attrs.int("batch_dims").unwrap_or(0).max(0);
    let used = usize::try_from(length.saturating_add(batch)).unwrap_or(usize::MAX);
    if length < 0 || used > data.rank() {
        return Err(call.error_at(1, format!("has indices of {length} numbers for {data}: {indices}")));
    }
    Ok(used)
}

pub(super) fn gather_nd(call: &Call<'_>) -> Outcome {
    let (data, indices) = (call.tensor(0)?, call.integers(1)?);
    let used = index_length(call, indices, data, || call.int("index_rank"))?;
    let shape = [&indices.shape[1..], &data.shape[used..]].concat();
    gives(TensorType::new(shape, data.dtype))
}

pub(super) fn scatter_elements(call: &Call<'_>) -> Outcome {
    let (data, indices, updates) = (call.tensor(0)?, call.integers(1)?, call.tensor(2)?);
    call.same_dtype(0, 2)?;
    same_rank(call, data, indices)?;
    call.axis_attr("axis", data.rank())?;
    one_of(call, "reduction", &["update", "add", "mul", "min", "max", "mean"])?;
    let fits = indices.rank() == updates.rank()
        && indices.shape.iter().zip(&updates.shape).all(|(&a, &b)| merge(a, b).is_some());
    if !fits {
        return Err(
            call.error_at(2, format!("needs an update for each index, but is given {updates} for {indices}"))
        );
    }
    gives(data.clone())
}

/// Requires that a string attribute is one of `cases`.
pub(super) fn one_of(call: &Call<'_>, name: &str, cases: &[&str]) -> Result<(), Stop> {
    let value = call.text(name);
    if cases.contains(&value) {
        return Ok(());
    }
    let list = cases.iter().map(|case| format!("{case:?}")).collect::<Vec<_>>().join(", ");
    Err(call.error(format!("needs one of {list} as '{name}', but it is {value:?}")))
}

pub(super) fn scatter_nd(call: &Call<'_>) -> Outcome {
    let (data, indices, updates) = (call.tensor(0)?, call.integers(1)?, call.tensor(2)?);
    call.same_dtype(0, 2)?;
    one_of(call, "mode", &["update", "add", "mul", "min", "max"])?;
    // The updates have the axes of the indices but the first, and those of the data after the coordinates.
    let from_updates = || Ok((indices.rank() + data.rank()) as i64 - 1 - updates.rank() as i64);
    let used = index_length(call, indices, data, from_updates)?;
    let wanted = [&indices.shape[1..], &data.shape[used..]].concat();
    let fits = wanted.len() == updates.rank()
        && wanted.iter().zip(&updates.shape).all(|(&a, &b)| merge(a, b).is_some());
    if !fits {
        let what = format!("needs updates of the shape {}, but is given {updates}", ShapeText(&wanted));
        return Err(call.error_at(2, what));
    }
    gives(data.clone())
}

pub(super) fn one_hot(call: &Call<'_>) -> Outcome {
    let depth = call.int("depth")?;
    if depth < 1 {
        return Err(call.error(format!("needs a depth of at least 1, but it is {depth}")));
    }
    hot(call, Dim::Known(depth))
}

/// One-hot encoding with the depth given by an argument.
pub(super) fn dynamic_one_hot(call: &Call<'_>) -> Outcome {
    hot(call, Dim::Any)
}

fn hot(call: &Call<'_>, depth: Dim) -> Outcome {
    let indices = call.integers(0)?;
    let dtype = call.same_dtype(1, 2)?;
    call.ranked(1, 0)?;
    call.ranked(2, 0)?;
    let axis = call.axis_attr("axis", indices.rank() + 1)?;
    let mut shape = indices.shape.clone();
    shape.insert(axis, depth);
    gives(TensorType::new(shape, call.dtype_or("dtype", dtype)))
}

/// The number of elements is known if the bounds are constants.
pub(super) fn arange(call: &Call<'_>) -> Outcome {
    (0..3).try_for_each(|index| call.ranked(index, 0).map(|_| ()))?;
    let dtype = call.dtype_or("dtype", call.tensor(0)?.dtype);
    let number = |name: &str| call.attrs.float(name);
    let count = match (number("start"), number("stop"), number("step")) {
        (Some(start), Some(stop), Some(step)) if step != 0.0 => {
            Dim::Known((((stop - start) / step).ceil()).clamp(0.0, i64::MAX as f64) as i64)
        }
        (_, _, Some(_)) => return Err(call.error("cannot have a step of 0")),
        _ => Dim::Any,
    };
    gives(TensorType::new([count], dtype))
}

pub(super) fn meshgrid(call: &Call<'_>) -> Outcome {
    let parts = call.tensors(0)?;
    let mut shape = Vec::with_capacity(parts.len());
    for part in &parts {
        match part.shape[..] {
            [] => shape.push(Dim::Known(1)),
            [extent] => shape.push(extent),
            _ => return Err(call.error_at(0, format!("needs tensors of rank 1, but one is {part}"))),
        }
    }
    one_of(call, "indexing", &["ij", "xy"])?;
    if call.text("indexing") == "xy" && shape.len() > 1 {
        shape.swap(0, 1);
    }
    gives_tuple(parts.iter().map(|part| TensorType::new(shape.clone(), part.dtype)))
}

/// Indexing by several tensors of indices, one for each leading axis.
pub(super) fn adv_index(call: &Call<'_>) -> Outcome {
    let parts = call.tensors(0)?;
    let Some((data, indices)) = parts.split_first().filter(|(_, indices)| !indices.is_empty()) else {
        return Err(call.error_at(0, "needs a tensor and at least one tensor of indices"));
    };
    if indices.len() > data.rank() {
        return Err(call.error_at(0, format!("has {} tensors of indices for {data}", indices.len())));
    }
    let mut shape = Vec::new();
    for index in indices {
        shape = join(&shape, &index.shape).map_err(|clash| match clash {
            Clash::Stuck => Stop::Stuck,
            Clash::Extents(a, b) => {
                call.error_at(0, format!("cannot broadcast its indices: {a} is neither {b} nor 1"))
            }
        })?;
    }
    shape.extend(&data.shape[indices.len()..]);
    gives(TensorType::new(shape, data.dtype))
}

pub(super) fn arg_where(call: &Call<'_>) -> Outcome {
    let rank = call.tensor(0)?.rank() as i64;
    gives(TensorType::new([Dim::Any, Dim::Known(rank)], DType::I32))
}

pub(super) fn unravel_index(call: &Call<'_>) -> Outcome {
    let indices = call.integers(0)?;
    let axes = call.ranked(1, 1)?.shape[0];
    if indices.rank() > 1 {
        return Err(call.error_at(0, format!("needs a number or a tensor of rank 1, but is given {indices}")));
    }
    gives(TensorType::new([&[axes][..], &indices.shape].concat(), indices.dtype))
}

pub(super) fn matrix_set_diag(call: &Call<'_>) -> Outcome {
    call.same_dtype(0, 1)?;
    matrix(call)
}

/// The type of a batch of matrices, which is also the type of the result.
fn matrix(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    if data.rank() < 2 {
        return Err(call.error_at(0, format!("needs a tensor of rank 2 at least, but is given {data}")));
    }
    gives(data.clone())
}

pub(super) fn trilu(call: &Call<'_>) -> Outcome {
    call.integers(1)?;
    call.ranked(1, 0)?;
    matrix(call)
}

pub(super) fn sequence_mask(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    call.ranked(1, 1)?;
    call.axis_attr("axis", data.rank())?;
    gives(data.clone())
}

pub(super) fn sparse_to_dense(call: &Call<'_>) -> Outcome {
    call.integers(0)?;
    call.same_dtype(1, 2)?;
    gives(TensorType::new(call.shape("output_shape")?, call.tensor(1)?.dtype))
}

pub(super) fn dynamic_sparse_to_dense(call: &Call<'_>) -> Outcome {
    call.integers(0)?;
    call.same_dtype(1, 2)?;
    gives(TensorType::new(super::pointwise::unknown_shape(call, 3)?, call.tensor(1)?.dtype))
}

pub(super) fn sparse_reshape(call: &Call<'_>) -> Outcome {
    let (indices, new) = (call.ranked(0, 2)?, call.ranked(2, 1)?);
    gives_tuple([TensorType::new([indices.shape[0], new.shape[0]], indices.dtype), new.clone()])
}

pub(super) fn sparse_fill_empty_rows(call: &Call<'_>) -> Outcome {
    let (indices, values) = (call.ranked(0, 2)?, call.ranked(1, 1)?);
    call.ranked(2, 1)?;
    let rows = TensorType::new([Dim::Any], DType::Bool);
    gives_tuple([
        TensorType::new([Dim::Any, indices.shape[1]], indices.dtype),
        TensorType::new([Dim::Any], values.dtype),
        rows,
    ])
}

/// Einstein summation by an equation such as `ij,jk->ik`.
pub(super) fn einsum(call: &Call<'_>) -> Outcome {
    let parts = call.tensors(0)?;
    let text = call.text("equation");
    let dtype = parts.first().map_or(DType::F32, |part| part.dtype);
    if let Some(other) = parts.iter().find(|part| part.dtype != dtype) {
        return Err(call
            .error_at(0, format!("needs tensors of one type, but they are of {dtype} and {}", other.dtype)));
    }
    let ranks: Vec<usize> = parts.iter().map(|part| part.rank()).collect();
    let equation = Equation::parse(text, &ranks).map_err(|what| call.error_at(0, what))?;
    let mut known: std::collections::BTreeMap<char, Dim> = std::collections::BTreeMap::new();
    for (letters, part) in equation.inputs.iter().zip(&parts) {
        for (&letter, &dim) in letters.iter().zip(&part.shape) {
            let seen = known.entry(letter).or_insert(dim);
            *seen = match (*seen, dim) {
                (Dim::Known(1), other) | (other, Dim::Known(1)) => other,
                (a, b) => merge(a, b).ok_or_else(|| {
                    call.error_at(0, format!("has the extents {a} and {b} for {} in {text:?}", shown(letter)))
                })?,
            };
        }
    }
    let dims = equation.output.iter().map(|letter| known.get(letter).copied().unwrap_or(Dim::Any));
    gives(Type::tensor(dims.collect::<Vec<_>>(), dtype))
}
