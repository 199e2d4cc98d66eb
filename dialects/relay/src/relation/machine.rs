//! Type relations of device, memory, Fourier transform and layout operators.

use super::call::{Call, Outcome, Stop, gives, gives_tuple, map, product};
use super::pointwise::unknown_shape;
use crate::layout::Layout;
use crate::ty::{DType, Dim, TensorType, Type};

/// The type of the first argument.
pub(super) fn pass_through(call: &Call<'_>) -> Outcome {
    match call.args.first() {
        Some(Type::Hole(_)) => Err(Stop::Stuck),
        Some(ty) => gives(ty.clone()),
        None => Err(call.error("is only a name: no type is known for it")),
    }
}

/// Operators without a result.
pub(super) fn nothing(_: &Call<'_>) -> Outcome {
    gives(Type::Tuple(Vec::new()))
}

pub(super) fn call_lowered(call: &Call<'_>) -> Outcome {
    Err(call.error("is allowed only in lowered programs"))
}

pub(super) fn meta_ref(call: &Call<'_>) -> Outcome {
    Err(call.error("refers to a missing metadata entry"))
}

pub(super) fn alloc_storage(call: &Call<'_>) -> Outcome {
    call.ranked(0, 0)?;
    gives(Type::Other("Storage".to_owned()))
}

pub(super) fn alloc_tensor(call: &Call<'_>) -> Outcome {
    let dtype = call.dtype_or("dtype", DType::F32);
    match call.attrs.ints("assert_shape") {
        Some(_) => gives(TensorType::new(call.shape("assert_shape")?, dtype)),
        None => gives(TensorType::new(unknown_shape(call, 2)?, dtype)),
    }
}

/// The real and imaginary parts of a discrete Fourier transform.
pub(super) fn dft(call: &Call<'_>) -> Outcome {
    call.same_dtype(0, 1)?;
    let (re, im) = (call.tensor(0)?, call.tensor(1)?);
    if re.shape != im.shape {
        return Err(call.error_at(1, format!("needs parts of one shape, but they are {re} and {im}")));
    }
    gives_tuple([re.clone(), im.clone()])
}

/// Short-time Fourier transform of each row: frequencies, windows, real and imaginary part.
pub(super) fn stft(call: &Call<'_>) -> Outcome {
    let data = call.ranked(0, 2)?;
    let (length, hop) = (call.int("n_fft")?, call.int("hop_length")?);
    if length < 1 || hop < 1 {
        return Err(call.error("needs 'n_fft' and 'hop_length' of at least 1"));
    }
    let frequencies = if call.attrs.flag("onesided") { length / 2 + 1 } else { length };
    let frames = map(data.shape[1], |extent| ((extent - length) / hop + 1).max(0))?;
    gives(TensorType::new([data.shape[0], Dim::Known(frequencies), frames, Dim::Known(2)], data.dtype))
}

pub(super) fn layout_transform(call: &Call<'_>) -> Outcome {
    let parse = |name: &str| {
        let text = call.text(name);
        Layout::parse(text)
            .ok_or_else(|| call.error(format!("does not know the layout {text:?} in '{name}'")))
    };
    let (from, to) = (parse("src_layout")?, parse("dst_layout")?);
    let data = call.ranked(0, from.rank())?;
    let letters: String = ('A'..='Z').filter(|&letter| from.position(letter).is_some()).collect();
    if letters != ('A'..='Z').filter(|&letter| to.position(letter).is_some()).collect::<String>() {
        let what =
            format!("has other axes in {:?} than in {:?}", call.text("src_layout"), call.text("dst_layout"));
        return Err(call.error(what));
    }
    let dims = from.to_letters(&data.shape, &letters);
    gives(TensorType::new(to.of_letters(&dims, &letters), data.dtype))
}

/// A layout that includes its extents: `1N32h2W`.
pub(super) fn tuned_layout_transform(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    let text = call.text("dst_layout");
    let mut shape = Vec::new();
    let mut extent_so_far: Option<i64> = None;
    for c in text.chars() {
        match c.to_digit(10) {
            Some(digit) => {
                let next = extent_so_far.unwrap_or(0).saturating_mul(10).saturating_add(i64::from(digit));
                extent_so_far = Some(next);
            }
            None => shape.extend(extent_so_far.take().map(Dim::Known)),
        }
    }
    if let (Dim::Known(given), Dim::Known(wanted)) = (product(&data.shape)?, product(&shape)?)
        && given != wanted
    {
        let what = format!("cannot give {data} the layout {text:?}, which has {wanted} elements");
        return Err(call.error_at(0, what));
    }
    gives(TensorType::new(shape, data.dtype))
}

/// A layout given by an index map, which only metadata can express.
pub(super) fn mapped_layout_transform(call: &Call<'_>) -> Outcome {
    call.tensor(0)?;
    Err(call.error("has a map of indices, whose result is not known from text"))
}
