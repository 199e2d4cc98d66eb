//! Type relations of convolutions.

use super::call::{Call, Outcome, Stop, extent, gives, map, merge};
use super::matmul::out_dtype;
use super::window::{Window, data_letters, layout_attr, out_layout, padding, per_axis};
use crate::layout::Layout;
use crate::ty::{DType, Dim, TensorType};

/// The parameters of a convolution, from attributes and data.
struct Conv {
    letters: &'static str,
    kernel_letters: String,
    /// The extents in the order of `letters`.
    data: Vec<Dim>,
    kernel_layout: Layout,
    out_layout: Layout,
    groups: i64,
}

impl Conv {
    fn of(call: &Call<'_>, axes: usize, data_index: usize, kernel_letters: &str) -> Result<Conv, Stop> {
        let letters = data_letters(axes);
        let kernel_letters = format!("{kernel_letters}{}", &letters[2..]);
        let layout = layout_attr(call, "data_layout", letters)?;
        let kernel_layout = layout_attr(call, "kernel_layout", &kernel_letters)?;
        let out_layout = out_layout(call, &layout, letters)?;
        let data = call.ranked(data_index, layout.rank())?;
        let groups = call.int("groups")?;
        if groups < 1 {
            return Err(call.error(format!("needs 'groups' of at least 1, but it is {groups}")));
        }
        let data = layout.to_letters(&data.shape, letters);
        Ok(Conv { letters, kernel_letters, data, kernel_layout, out_layout, groups })
    }

    fn axes(&self) -> usize {
        self.letters.len() - 2
    }

    /// The windows; `kernel` are the kernel's spatial extents.
    fn windows(&self, call: &Call<'_>, kernel: &[Dim]) -> Result<Vec<Window>, Stop> {
        let (strides, dilation) =
            (per_axis(call, "strides", self.axes())?, per_axis(call, "dilation", self.axes())?);
        let padding = padding(call, self.axes())?;
        let each = kernel.iter().zip(strides).zip(dilation).zip(padding);
        Ok(each
            .map(|(((&size, stride), dilation), padding)| Window {
                size,
                stride,
                dilation,
                padding,
                ceil_mode: false,
            })
            .collect())
    }

    /// The kernel extents that the attributes declare: the spatial ones and the number of channels.
    fn declared(&self, call: &Call<'_>) -> Result<Option<(Vec<Dim>, i64)>, Stop> {
        let Some(channels) = call.attrs.int("channels") else { return Ok(None) };
        if call.attrs.ints("kernel_size").is_none() {
            return Ok(None);
        }
        let size = per_axis(call, "kernel_size", self.axes())?;
        Ok(Some((size.into_iter().map(Dim::Known).collect(), channels)))
    }

    /// The number of channels per group.
    fn part(&self, call: &Call<'_>, channels: Dim, of: &str) -> Result<Dim, Stop> {
        match extent(channels)? {
            Some(count) if count % self.groups != 0 => Err(call
                .error(format!("cannot put the {count} channels of the {of} into {} groups", self.groups))),
            Some(count) => Ok(Dim::Known(count / self.groups)),
            None => Ok(Dim::Any),
        }
    }

    /// The type of the kernel for known extents; the given type must agree.
    fn kernel_type(&self, call: &Call<'_>, index: usize, dims: &[Dim]) -> Result<TensorType, Stop> {
        let shape = self.kernel_layout.of_letters(dims, &self.kernel_letters);
        let given = call.maybe_tensor(index)?;
        let dtype = given.map_or(call.tensor(0)?.dtype, |given| given.dtype);
        let Some(given) = given else { return Ok(TensorType::new(shape, dtype)) };
        let wanted = TensorType::new(shape.clone(), dtype);
        let clash = || call.error_at(index, format!("needs a kernel {wanted}, but is given {given}"));
        if given.rank() != shape.len() {
            return Err(clash());
        }
        let merged = shape.iter().zip(&given.shape).map(|(&a, &b)| merge(a, b).ok_or_else(clash));
        Ok(TensorType { shape: merged.collect::<Result<_, _>>()?, dtype })
    }

    /// The extents of the given kernel, in the order of its letters.
    fn given_kernel(&self, call: &Call<'_>, index: usize) -> Result<Vec<Dim>, Stop> {
        let kernel = call.ranked(index, self.kernel_layout.rank())?;
        Ok(self.kernel_layout.to_letters(&kernel.shape, &self.kernel_letters))
    }

    /// Requires that an attribute agrees with the given kernel.
    fn agrees(&self, call: &Call<'_>, index: usize, name: &str, wanted: i64, found: Dim) -> Result<(), Stop> {
        if merge(Dim::Known(wanted), found).is_some() {
            return Ok(());
        }
        let kernel = call.tensor(index)?;
        Err(call.error_at(index, format!("has {wanted} in '{name}', but the kernel {kernel} has {found}")))
    }

    /// Requires that the attributes agree with the given kernel.
    fn check_given(&self, call: &Call<'_>, index: usize, channels: Dim, kernel: &[Dim]) -> Result<(), Stop> {
        if let Some(wanted) = call.attrs.int("channels") {
            self.agrees(call, index, "channels", wanted, channels)?;
        }
        if call.attrs.ints("kernel_size").is_some() {
            for (wanted, &found) in per_axis(call, "kernel_size", self.axes())?.into_iter().zip(&kernel[2..])
            {
                self.agrees(call, index, "kernel_size", wanted, found)?;
            }
        }
        Ok(())
    }

    /// The type of a result with these extents.
    fn result(&self, call: &Call<'_>, channels: Dim, positions: Vec<Dim>) -> Result<TensorType, Stop> {
        let dims = [&[self.data[0], channels][..], &positions].concat();
        Ok(TensorType::new(self.out_layout.of_letters(&dims, self.letters), out_dtype(call)?))
    }
}

/// A convolution whose kernel is argument 1.
pub(super) fn conv<const AXES: usize>(call: &Call<'_>) -> Outcome {
    convolution(call, AXES, 1)
}

/// A deformable convolution, whose kernel is argument 2, after the offsets.
pub(super) fn deformable(call: &Call<'_>) -> Outcome {
    call.ranked(1, 4)?;
    convolution(call, 2, 2)
}

/// The channel extents of a depthwise kernel that has several output channels for each channel of the data, if the given
/// one has such a form.
fn multiplied(call: &Call<'_>, conv: &Conv, weight: usize, channels: i64) -> Result<Option<[Dim; 2]>, Stop> {
    let depthwise = conv.groups > 1 && conv.data[1] == Dim::Known(conv.groups);
    if !depthwise || channels % conv.groups != 0 || channels == conv.groups {
        return Ok(None);
    }
    let Some(given) = call.maybe_tensor(weight)?.filter(|given| given.rank() == conv.kernel_layout.rank())
    else {
        return Ok(None);
    };
    let found = conv.kernel_layout.to_letters(&given.shape, &conv.kernel_letters);
    let rows = [Dim::Known(conv.groups), Dim::Known(channels / conv.groups)];
    Ok((found[..2] == rows).then_some(rows))
}

fn convolution(call: &Call<'_>, axes: usize, weight: usize) -> Outcome {
    let conv = Conv::of(call, axes, 0, "OI")?;
    let inputs = || conv.part(call, conv.data[1], "data");
    let (kernel, channels, refined) = match conv.declared(call)? {
        Some((size, channels)) => {
            conv.part(call, Dim::Known(channels), "result")?;
            // TVM takes groups of several inputs for a depthwise convolution too, with a kernel of no channels.
            let grouped = matches!(conv.data[1], Dim::Known(inputs) if inputs > conv.groups);
            let (outer, inner) = if channels == conv.groups && channels != 1 && !grouped {
                (
                    conv.data[1],
                    map(conv.data[1], |inputs| if inputs == 0 { 0 } else { conv.groups / inputs })?,
                )
            } else {
                (Dim::Known(channels), inputs()?)
            };
            let dims = [&[outer, inner][..], &size].concat();
            let rows = multiplied(call, &conv, weight, channels)?;
            let dims = rows.map_or(dims, |rows| [&rows[..], &size].concat());
            (size, Dim::Known(channels), Some(conv.kernel_type(call, weight, &dims)?))
        }
        None => {
            let kernel = conv.given_kernel(call, weight)?;
            let multiplied = match (kernel[0], kernel[1]) {
                (Dim::Known(rows), Dim::Known(each)) => {
                    multiplied(call, &conv, weight, rows.saturating_mul(each))?
                }
                _ => None,
            };
            if multiplied.is_some() {
                let channels = map(kernel[1], |each| each.saturating_mul(conv.groups))?;
                conv.check_given(call, weight, channels, &kernel)?;
                let windows = conv.windows(call, &kernel[2..])?;
                let places =
                    windows.iter().zip(&conv.data[2..]).map(|(window, &dim)| window.places(call, dim));
                return gives(conv.result(call, channels, places.collect::<Result<_, _>>()?)?);
            }
            conv.check_given(call, weight, kernel[0], &kernel)?;
            if merge(inputs()?, kernel[1]).is_none() {
                let (data, given) = (call.tensor(0)?, call.tensor(weight)?);
                let what = format!(
                    "cannot apply the kernel {given} to {data} in {} groups: it takes {} channels in each, not {}",
                    conv.groups,
                    kernel[1],
                    inputs()?
                );
                return Err(call.error_at(weight, what));
            }
            (kernel[2..].to_vec(), kernel[0], None)
        }
    };
    let windows = conv.windows(call, &kernel)?;
    let positions = windows.iter().zip(&conv.data[2..]).map(|(window, &dim)| window.places(call, dim));
    let solved = gives(conv.result(call, channels, positions.collect::<Result<_, _>>()?)?)?;
    Ok(refined.into_iter().fold(solved, |solved, kernel| solved.with(weight, kernel)))
}

/// A transposed convolution.
pub(super) fn transposed<const AXES: usize>(call: &Call<'_>) -> Outcome {
    let conv = Conv::of(call, AXES, 0, "IO")?;
    let (kernel, channels, refined) = match conv.declared(call)? {
        Some((size, channels)) => {
            let dims =
                [&[conv.data[1], conv.part(call, Dim::Known(channels), "result")?][..], &size].concat();
            (size, Dim::Known(channels), Some(conv.kernel_type(call, 1, &dims)?))
        }
        None => {
            let kernel = conv.given_kernel(call, 1)?;
            let channels = map(kernel[1], |outputs| outputs.saturating_mul(conv.groups))?;
            conv.check_given(call, 1, channels, &kernel)?;
            if merge(conv.data[1], kernel[0]).is_none() {
                let (data, given) = (call.tensor(0)?, call.tensor(1)?);
                let what = format!(
                    "cannot apply the kernel {given} to {data}: it takes {} channels, not {}",
                    kernel[0], conv.data[1]
                );
                return Err(call.error_at(1, what));
            }
            (kernel[2..].to_vec(), channels, None)
        }
    };
    let mut more = call.ints("output_padding")?;
    if more.len() == 2 * AXES {
        // Only the numbers for the ends of the axes are used, as in TVM.
        more.truncate(AXES);
    }
    let more = match more.len() {
        1 => vec![more[0]; AXES],
        count if count == AXES => more,
        _ => call.ints_of("output_padding", AXES)?,
    };
    let windows = conv.windows(call, &kernel)?;
    let positions =
        windows.iter().zip(&conv.data[2..]).zip(more).map(|((window, &dim), more)| window.spread(dim, more));
    let solved = gives(conv.result(call, channels, positions.collect::<Result<_, _>>()?)?)?;
    Ok(refined.into_iter().fold(solved, |solved, kernel| solved.with(1, kernel)))
}

/// A convolution with a transformed kernel, whose original extents are only in the attributes.
pub(super) fn transformed<const AXES: usize>(call: &Call<'_>) -> Outcome {
    let conv = Conv::of(call, AXES, 0, "OI")?;
    let Some((size, channels)) = conv.declared(call)? else {
        return Err(call.error("needs the attributes 'channels' and 'kernel_size'"));
    };
    let windows = conv.windows(call, &size)?;
    let positions = windows.iter().zip(&conv.data[2..]).map(|(window, &dim)| window.places(call, dim));
    gives(conv.result(call, Dim::Known(channels), positions.collect::<Result<_, _>>()?)?)
}

/// The gradient with respect to the kernel; the data is argument 1.
pub(super) fn backward_weight(call: &Call<'_>) -> Outcome {
    let conv = Conv::of(call, 2, 1, "OI")?;
    let Some((size, channels)) = conv.declared(call)? else {
        return Err(call.error("needs the attributes 'channels' and 'kernel_size'"));
    };
    // The gradient has the extents of the result of the convolution, in the layout of the data.
    let grad_layout = layout_attr(call, "data_layout", data_letters(2))?;
    let grad = call.ranked(0, grad_layout.rank())?;
    let found = grad_layout.to_letters(&grad.shape, data_letters(2));
    let mut expected = vec![conv.data[0], Dim::Known(channels)];
    for (window, &dim) in conv.windows(call, &size)?.iter().zip(&conv.data[2..]) {
        expected.push(window.places(call, dim)?);
    }
    if found.iter().zip(&expected).any(|(&found, &expected)| merge(found, expected).is_none()) {
        let expected = TensorType::new(grad_layout.of_letters(&expected, data_letters(2)), grad.dtype);
        return Err(
            call.error_at(0, format!("expected the gradient {expected} of this convolution, found {grad}"))
        );
    }
    let dims = [&[Dim::Known(channels), conv.part(call, conv.data[1], "data")?][..], &size].concat();
    let shape = conv.kernel_layout.of_letters(&dims, &conv.kernel_letters);
    gives(TensorType::new(shape, out_dtype(call)?))
}

/// A convolution on bit-packed data.
pub(super) fn binary(call: &Call<'_>) -> Outcome {
    let letters = data_letters(2);
    let layout = layout_attr(call, "data_layout", letters)?;
    let data = call.ranked(0, layout.rank())?;
    let dims = layout.to_letters(&data.shape, letters);
    let (size, strides) = (per_axis(call, "kernel_size", 2)?, per_axis(call, "strides", 2)?);
    let padding = padding(call, 2)?;
    if padding.iter().any(|&(before, after)| before < 0 || after < 0) {
        return Err(call.error("needs a padding of at least 0"));
    }
    let mut shape = vec![dims[0], Dim::Known(call.int("channels")?)];
    let weight = call.tensor(1)?;
    if weight.rank() < 4 {
        return Err(call
            .error_at(1, format!("needs a weight of rank 4, or 5 if it is packed, but is given {weight}")));
    }
    let [channels, rows, columns] = if call.text("kernel_layout") == "HWIO" { [3, 0, 1] } else { [0, 2, 3] };
    let declared = [shape[1], Dim::Known(size[0]), Dim::Known(size[1])];
    let given = [channels, rows, columns].map(|axis| weight.shape[axis]);
    if declared.into_iter().zip(given).any(|(declared, given)| merge(declared, given).is_none()) {
        let what = format!(
            "expected a weight of {} channels and {} x {} elements, found {weight}",
            declared[0], declared[1], declared[2]
        );
        return Err(call.error_at(1, what));
    }
    for axis in 0..2 {
        let window = Window {
            size: Dim::Known(size[axis]),
            stride: strides[axis],
            dilation: 1,
            padding: padding[axis],
            ceil_mode: false,
        };
        shape.push(window.places(call, dims[axis + 2])?);
    }
    gives(TensorType::new(layout.of_letters(&shape, letters), call.dtype_or("out_dtype", DType::Int(16))))
}

/// The kernel transformation of a Winograd convolution with `tile_size`: two leading axes per spatial axis.
pub(super) fn winograd_weight<const AXES: usize>(call: &Call<'_>) -> Outcome {
    let weight = call.ranked(0, AXES + 2)?;
    let tile = call.int("tile_size")?;
    let transformed = |dim: Dim| map(dim, |size| size.saturating_add(tile - 1));
    let (channels, sizes) = weight.shape.split_at(2);
    // The depth is transformed only if it is as large as the other axes.
    let begin = usize::from(AXES == 3 && !(2..=4).contains(&extent(sizes[0])?.unwrap_or(0)));
    let mut shape = Vec::new();
    for &size in &sizes[begin..] {
        shape.push(transformed(size)?);
    }
    shape.extend(&sizes[..begin]);
    shape.extend(channels);
    gives(TensorType::new(shape, weight.dtype))
}

pub(super) fn nnpack_weight(call: &Call<'_>) -> Outcome {
    let weight = call.ranked(0, 4)?;
    let shape = [weight.shape[0], weight.shape[1], Dim::Known(8), Dim::Known(8)];
    gives(TensorType::new(shape, call.dtype_or("out_dtype", weight.dtype)))
}

/// A kernel as a tiled matrix, with rows and columns padded to whole tiles.
pub(super) fn gemm_weight(call: &Call<'_>) -> Outcome {
    let weight = call.ranked(0, 4)?;
    let (columns, rows) = (call.int("tile_N")?, call.int("tile_K")?);
    if columns < 1 || rows < 1 {
        return Err(call.error("needs tiles of at least 1"));
    }
    let tiles = |dim: Dim, tile: i64| map(dim, |extent| (extent.saturating_add(tile - 1)) / tile);
    let inner = super::call::product(&weight.shape[..3])?;
    let shape =
        [tiles(weight.shape[3], columns)?, tiles(inner, rows)?, Dim::Known(columns), Dim::Known(rows)];
    gives(TensorType::new(shape, weight.dtype))
}

/// The correlation of two images for displacements up to a maximum.
pub(super) fn correlation(call: &Call<'_>) -> Outcome {
    let layout = layout_attr(call, "layout", "NCHW")?;
    let data = call.ranked(0, layout.rank())?;
    call.ranked(1, layout.rank())?;
    for axis in 0..layout.rank() {
        call.same_extent((0, axis), (1, axis))?;
    }
    let dims = layout.to_letters(&data.shape, "NCHW");
    let (most, kernel) = (call.int("max_displacement")?, call.int("kernel_size")?);
    let (stride, step) = (call.int("stride1")?, call.int("stride2")?);
    if stride < 1 || step < 1 {
        return Err(call.error("needs strides of at least 1"));
    }
    let border = most + (kernel - 1) / 2;
    let padding = padding(call, 2)?;
    let displacements = 2 * (most / step) + 1;
    let mut shape = vec![dims[0], Dim::Known(displacements.saturating_mul(displacements))];
    for axis in 0..2 {
        let (before, after) = padding[axis];
        shape.push(map(dims[axis + 2], |extent| {
            (extent + before + after - 2 * border + stride - 1) / stride
        })?);
    }
    gives(TensorType::new(layout.of_letters(&shape, "NCHW"), data.dtype))
}

/// Bit packing: adds an axis for the bits.
pub(super) fn bit_pack(call: &Call<'_>) -> Outcome {
    let data = call.tensor(0)?;
    let packed = call.axis_attr("pack_axis", data.rank())?;
    let bits_axis = call.int("bit_axis")?;
    let bits_axis = if bits_axis < 0 { data.rank() } else { call.axis(bits_axis, data.rank() + 1)? };
    let dtype = call.dtype_or("pack_type", DType::UInt(32));
    let mut shape = data.shape.clone();
    shape[packed] = map(shape[packed], |extent| extent / i64::from(dtype.bits().max(1)))?;
    shape.insert(bits_axis, Dim::Known(call.int("bits")?));
    gives(TensorType::new(shape, dtype))
}
