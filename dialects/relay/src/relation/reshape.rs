//! Type relations of reshapes.

use super::call::{Call, Outcome, Stop, extent, gives, product};
use super::pointwise::unknown_shape;
use crate::ty::{DType, Dim, ShapeText, TensorType};

pub(super) fn reshape(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    let shape = new_shape(call, &data.shape, &call.ints("newshape")?)?;
    gives(TensorType::new(shape, data.dtype))
}

/// Reshape with codes that are read from the last axis to the first.
pub(super) fn reverse_reshape(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    let mut codes = call.ints("newshape")?;
    let mut shape = data.shape.clone();
    codes.reverse();
    shape.reverse();
    let mut shape = new_shape(call, &shape, &codes)?;
    shape.reverse();
    gives(TensorType::new(shape, data.dtype))
}

/// The shape under construction.
struct NewShape<'c, 'a> {
    call: &'c Call<'a>,
    data: &'c [Dim],
    /// The next axis of the data.
    next: usize,
    shape: Vec<Dim>,
    /// The axis whose extent is inferred.
    inferred: Option<usize>,
    /// The axes of the data and of the shape that are copied.
    copied: (Vec<usize>, Vec<usize>),
}

/// The shape described by the codes of `reshape`: 0 copies an extent, -1 is inferred, -2 copies the rest, -3 merges
/// two, -4 splits one.
fn new_shape(call: &Call<'_>, data: &[Dim], codes: &[i64]) -> Result<Vec<Dim>, Stop> {
    let mut new =
        NewShape { call, data, next: 0, shape: Vec::new(), inferred: None, copied: (Vec::new(), Vec::new()) };
    let literal_zero = call.attrs.flag("allowzero");
    let mut codes = codes.iter().copied();
    while let Some(code) = codes.next() {
        match code {
            0 if !literal_zero => new.copy()?,
            0.. => {
                new.next += 1;
                new.shape.push(Dim::Known(code));
            }
            -1 => new.infer()?,
            -2 => {
                while new.next < data.len() {
                    new.copy()?;
                }
            }
            -3 => {
                let (first, second) = (new.take()?, new.take()?);
                new.shape.push(product(&[first, second])?);
            }
            -4 => new.split(codes.next(), codes.next())?,
            other => return Err(call.error(format!("does not know the code {other} in 'newshape'"))),
        }
    }
    new.finish()
}

impl NewShape<'_, '_> {
    fn take(&mut self) -> Result<Dim, Stop> {
        let dim = self.data.get(self.next).copied().ok_or_else(|| {
            let what = format!("takes more extents from the shape {} than there are", ShapeText(self.data));
            self.call.error_at(0, what)
        })?;
        self.next += 1;
        Ok(dim)
    }

    fn copy(&mut self) -> Result<(), Stop> {
        let dim = self.take()?;
        self.copied.0.push(self.next - 1);
        self.copied.1.push(self.shape.len());
        self.shape.push(dim);
        Ok(())
    }

    fn infer(&mut self) -> Result<(), Stop> {
        if self.inferred.replace(self.shape.len()).is_some() {
            return Err(self.call.error("has -1 twice in 'newshape'"));
        }
        self.next += 1;
        self.shape.push(Dim::Any);
        Ok(())
    }

    fn split(&mut self, first: Option<i64>, second: Option<i64>) -> Result<(), Stop> {
        let dim = self.take()?;
        let (Some(mut first), Some(mut second)) = (first, second) else {
            return Err(self.call.error("needs two extents after -4 in 'newshape'"));
        };
        let Some(whole) = extent(dim)? else {
            self.shape.extend([first, second].map(|part| if part < 0 { Dim::Any } else { Dim::Known(part) }));
            return Ok(());
        };
        if first == -1 && second > 0 {
            first = whole / second;
        } else if second == -1 && first > 0 {
            second = whole / first;
        }
        if first < 0 || second < 0 || first.checked_mul(second) != Some(whole) {
            let what = format!("cannot split the extent {whole} into {first} and {second}");
            return Err(self.call.error_at(0, what));
        }
        self.shape.extend([Dim::Known(first), Dim::Known(second)]);
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<Dim>, Stop> {
        let rest = |dims: &[Dim], copied: &[usize]| -> Vec<Dim> {
            let kept = dims.iter().enumerate().filter(|(axis, _)| !copied.contains(axis));
            kept.map(|(_, &dim)| dim).collect()
        };
        let given = product(&rest(self.data, &self.copied.0))?;
        match self.inferred {
            Some(inferred) => {
                let without = [&self.copied.1[..], &[inferred]].concat();
                let others = product(&rest(&self.shape, &without))?;
                self.shape[inferred] = match (given, others) {
                    (Dim::Known(0), Dim::Known(0)) => Dim::Known(0),
                    (Dim::Known(given), Dim::Known(others)) if others > 0 && given % others == 0 => {
                        Dim::Known(given / others)
                    }
                    (Dim::Known(_), Dim::Known(_)) => return Err(self.clash()),
                    _ => Dim::Any,
                };
            }
            None => {
                let wanted = product(&rest(&self.shape, &self.copied.1))?;
                if let (Dim::Known(given), Dim::Known(wanted)) = (given, wanted)
                    && given != wanted
                {
                    return Err(self.clash());
                }
            }
        }
        Ok(self.shape)
    }

    fn clash(&self) -> Stop {
        let (data, new) = (self.data, &self.shape);
        let count = |dims: &[Dim]| match product(dims) {
            Ok(Dim::Known(count)) => format!(" of {count} elements"),
            _ => String::new(),
        };
        let to = if self.inferred.is_some() { String::new() } else { count(new) };
        let from = count(data);
        self.call.error_at(
            0,
            format!("cannot give the shape {}{from} the shape {}{to}", ShapeText(data), ShapeText(new)),
        )
    }
}

/// Replaces some axes of the data by axes of another tensor.
pub(super) fn reshape_like(call: &Call<'_>) -> Outcome {
    let (data, like) = (call.tensor(0)?, call.tensor(1)?);
    let range = |begin: &str, end: &str, rank: usize| -> Result<std::ops::Range<usize>, Stop> {
        let at = |index: i64| {
            let index = if index < 0 { index + rank as i64 } else { index };
            usize::try_from(index).ok().filter(|&index| index <= rank)
        };
        let first = at(call.int(begin)?);
        let last = call.attrs.int(end).map_or(Some(rank), at);
        match (first, last) {
            (Some(first), Some(last)) if first <= last => Ok(first..last),
            _ => {
                Err(call
                    .error(format!("has '{begin}' and '{end}' that are not axes of a tensor of rank {rank}")))
            }
        }
    };
    let (left, right) =
        (range("lhs_begin", "lhs_end", data.rank())?, range("rhs_begin", "rhs_end", like.rank())?);
    if let (Dim::Known(old), Dim::Known(new)) =
        (product(&data.shape[left.clone()])?, product(&like.shape[right.clone()])?)
        && old != new
    {
        let what = format!("cannot give {old} elements of {data} the shape of {new} elements of {like}");
        return Err(call.error_at(1, what));
    }
    let shape = [&data.shape[..left.start], &like.shape[right], &data.shape[left.end..]].concat();
    gives(TensorType::new(shape, data.dtype))
}

/// Reshape to a shape given by an argument.
pub(super) fn dynamic_reshape(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    gives(TensorType::new(unknown_shape(call, 1)?, data.dtype))
}

pub(super) fn reshape_tensor(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    gives(TensorType::new(call.shape("newshape")?, data.dtype))
}

pub(super) fn expand_dims(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    let axis = call.axis_attr("axis", data.rank() + 1)?;
    let count = call.int("num_newaxis")?;
    let Some(count) = usize::try_from(count).ok().filter(|count| *count <= 64) else {
        return Err(call.error(format!("cannot add {count} axes")));
    };
    let ones = vec![Dim::Known(1); count];
    gives(TensorType::new([&data.shape[..axis], &ones, &data.shape[axis..]].concat(), data.dtype))
}

/// The new axis is given by an argument: only the rank is known.
pub(super) fn dynamic_expand_dims(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    let count = call.attrs.int("num_newaxis").unwrap_or(1);
    let Some(count) = usize::try_from(count).ok().filter(|count| *count <= 64) else {
        return Err(call.error(format!("cannot add {count} axes")));
    };
    gives(TensorType::new(vec![Dim::Any; data.rank() + count], data.dtype))
}

pub(super) fn squeeze(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    let dropped = match call.attrs.ints("axis") {
        Some(axes) => call.axes(&axes, data.rank())?,
        None => {
            let mut ones = Vec::new();
            for (axis, &dim) in data.shape.iter().enumerate() {
                match extent(dim)? {
                    Some(1) => ones.push(axis),
                    Some(_) => {}
                    None => return Err(call.error_at(0, format!("needs the attribute 'axis' for {data}"))),
                }
            }
            ones
        }
    };
    if let Some(&axis) =
        dropped.iter().find(|&&axis| !matches!(data.shape[axis], Dim::Known(1) | Dim::Any | Dim::Hole(_)))
    {
        let what = format!("cannot drop axis {axis} of {data}, whose extent is {}, not 1", data.shape[axis]);
        return Err(call.error_at(0, what));
    }
    let kept = (0..data.rank()).filter(|axis| !dropped.contains(axis));
    gives(TensorType::new(kept.map(|axis| data.shape[axis]), data.dtype))
}

/// The dropped axes are given by an argument, whose length is known.
pub(super) fn dynamic_squeeze(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    let dropped = call.shape_length(1)?;
    let Some(rank) = data.rank().checked_sub(dropped) else {
        return Err(call.error_at(1, format!("cannot drop {dropped} axes of {data}")));
    };
    gives(TensorType::new(vec![Dim::Any; rank], data.dtype))
}

pub(super) fn transpose(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    let rank = data.rank();
    let order: Vec<usize> = match call.attrs.ints("axes") {
        None => (0..rank).rev().collect(),
        Some(axes) if axes.len() != rank => {
            let what = format!("has {} axes in 'axes', but {data} has {rank}", axes.len());
            return Err(call.error(what));
        }
        Some(axes) => call.axes(&axes, rank)?,
    };
    gives(TensorType::new(order.into_iter().map(|axis| data.shape[axis]), data.dtype))
}

pub(super) fn batch_flatten(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    let Some((&batch, rest)) = data.shape.split_first() else {
        return Err(call.error_at(0, "needs a tensor with an axis for the batch, but is given a number"));
    };
    gives(TensorType::new([batch, product(rest)?], data.dtype))
}

pub(super) fn shape_of(call: &Call<'_>) -> Outcome {
    let rank = call.tensor(0)?.rank() as i64;
    gives(TensorType::new([Dim::Known(rank)], call.dtype_or("dtype", DType::I32)))
}

pub(super) fn ndarray_size(call: &Call<'_>) -> Outcome {
    call.tensor(0)?;
    gives(TensorType::scalar(call.dtype_or("dtype", DType::I32)))
}
