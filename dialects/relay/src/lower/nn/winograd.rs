//! Lowering of convolutions by Winograd's method, with kernels that are transformed beforehand ([`Transforms`]).
//!
//! The channels are the last axis of all tensors: the transformations have lanes along them, and the sums over channels are
//! products of matrices, one for each product of a tile. Each axis is transformed separately, to tiles and products and back.

use super::matmul::products_summed;
use super::window::SPATIAL;
use crate::layout::Layout;
use crate::lower::extent::Extent;
use crate::lower::relayout::relayout;
use crate::lower::scalar;
use crate::lower::shape::reshaped;
use crate::lower::site::{Site, Tensor};
use crate::lower::slice::{padded, sliced};
use crate::lower::tensors::{self, Accumulation, dim, extent, extents, linear, moved, sum};
use crate::lower::{Lowered, Rule};
use crate::relation::paddings;
use crate::ty::{DType, TensorType};
use crate::winograd::{Transforms, transposed};
use minoan_ir::Builder;
use minoan_ir::affine::AffineExpr;
use minoan_tensor::FromElements;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "nn.contrib_conv2d_winograd_weight_transform" => |site, b| site.winograd_kernel(b, 2),
        "nn.contrib_conv3d_winograd_weight_transform" => |site, b| site.winograd_kernel(b, 3),
        "nn.contrib_conv2d_winograd_without_weight_transform" => |site, b| site.winograd(b, 2),
        "nn.contrib_conv3d_winograd_without_weight_transform" => |site, b| site.winograd(b, 3),
        _ => return None,
    })
}

/// A constant matrix.
fn matrix(b: &mut Builder<'_>, rows: &[Vec<f64>], dtype: DType) -> Tensor {
    let entries: Vec<_> = rows.iter().flatten().map(|&entry| scalar::constant(b, entry, dtype)).collect();
    let sizes = [rows.len(), rows[0].len()].map(|size| Extent::Known(size as i64));
    let ty = TensorType::new(sizes.map(Extent::dim), dtype);
    let lowered = tensors::empty(b, &sizes, dtype);
    let lowered = b.ty(lowered.value);
    Tensor { value: FromElements::build(b, &entries, lowered).result(b.body()), ty }
}

/// Windows of `matrix`'s rows along an axis, multiplied by it: the axis becomes the axis of the windows, which are `step` apart,
/// and the columns of the matrix become axis `column` of the result.
fn along(
    b: &mut Builder<'_>,
    data: &Tensor,
    (axis, column): (usize, usize),
    (matrix, step): (&Tensor, i64),
) -> Tensor {
    let (rank, mut wanted) = (data.rank(), extents(b, data));
    let (rows, columns) = (extent(b, matrix, 0), extent(b, matrix, 1));
    let room = wanted[axis].minus(b, rows);
    wanted[axis] = room.divided_by(b, Extent::Known(step)).plus(b, Extent::Known(1));
    wanted.insert(column, columns);
    let reduced = rank + 1;
    let exprs = (0..rank).map(|own| {
        let place = dim(if own < column { own } else { own + 1 });
        if own == axis { sum(linear(place, step, 0), dim(reduced)) } else { place }
    });
    let domain = Accumulation {
        inputs: vec![(data, exprs.collect()), (matrix, vec![dim(reduced), dim(column)])],
        reduced: (0..=reduced).map(|dimension| dimension == reduced).collect(),
        output: (wanted, (0..reduced).map(dim).collect()),
    };
    products_summed(b, &domain, data.dtype())
}

/// The product of an axis with the columns of a matrix, which become axis `column` of the result.
fn multiplied(b: &mut Builder<'_>, data: &Tensor, (axis, column): (usize, usize), matrix: &Tensor) -> Tensor {
    let (rank, mut wanted) = (data.rank(), extents(b, data));
    wanted.remove(axis);
    wanted.insert(column, extent(b, matrix, 1));
    let exprs = (0..rank).map(|own| {
        let other = if own > axis { own - 1 } else { own };
        match own == axis {
            true => dim(rank),
            false => dim(if other < column { other } else { other + 1 }),
        }
    });
    let domain = Accumulation {
        inputs: vec![(data, exprs.collect()), (matrix, vec![dim(rank), dim(column)])],
        reduced: (0..=rank).map(|dimension| dimension == rank).collect(),
        output: (wanted, (0..rank).map(dim).collect()),
    };
    products_summed(b, &domain, data.dtype())
}

/// The number of spatial axes that are transformed, from the extents of the kernel along them: a depth is if it is small.
fn transformed_axes(sizes: &[Extent]) -> usize {
    let deep = sizes.len() == 3 && !sizes[0].known().is_some_and(|size| (2..=4).contains(&size));
    sizes.len() - usize::from(deep)
}

impl Site {
    fn transforms(&self, taps: i64) -> Result<(i64, Transforms), String> {
        let tile = self.attrs.int("tile_size").unwrap_or(0);
        let made = Transforms::of(tile, taps);
        Ok((
            tile,
            made.ok_or_else(|| format!("its tile_size is {tile}, and its kernel has {taps} elements"))?,
        ))
    }

    /// The kernel, in the layout OIHW or OIDHW, with its rows and columns transformed. The depth is transformed as well for
    /// sizes for which the type relation requires it.
    fn winograd_kernel(&self, b: &mut Builder<'_>, axes: usize) -> Lowered {
        let (kernel, dtype) = (self.arg(0), self.float_dtype()?);
        let sizes = extents(b, kernel);
        let taps = sizes[axes + 1].known().filter(|&taps| sizes[axes].known() == Some(taps));
        let taps = taps.ok_or("its kernel is not square")?;
        let (_, transforms) = self.transforms(taps)?;
        let first = 2 + axes - transformed_axes(&sizes[2..]);
        let filter = matrix(b, &transposed(&transforms.filter), dtype);
        for (axis, size) in sizes.iter().enumerate().skip(first) {
            size.expect(b, Extent::Known(taps), || {
                format!("{}: the kernel must have {taps} elements along axis {axis}, found {{}}", self.name)
            });
        }
        // Transformed axes, then an untransformed depth, then the channels, along which the transformations have lanes.
        let order: Vec<usize> = (first..axes + 2).chain(2..first).chain([0, 1]).collect();
        let wanted: Vec<Extent> = order.iter().map(|&axis| sizes[axis]).collect();
        let exprs =
            (0..axes + 2).map(|axis| dim(order.iter().position(|&from| from == axis).unwrap_or(axis)));
        let mut done = moved(b, kernel, exprs.collect(), &wanted);
        for axis in 0..axes + 2 - first {
            done = multiplied(b, &done, (axis, axis), &filter);
        }
        Ok(vec![done])
    }

    fn winograd(&self, b: &mut Builder<'_>, axes: usize) -> Lowered {
        let letters = format!("NC{}", SPATIAL[axes - 1]);
        let text = self.attrs.text("data_layout").unwrap_or_default();
        let given = Layout::of(text, &letters).ok_or_else(|| format!("its layout is {text:?}"))?;
        // The channels are last, so that lanes along them read consecutive elements.
        let plain = Layout::parse(&format!("N{}C", SPATIAL[axes - 1])).ok_or("its layout is not known")?;
        let out = match self.attrs.text("out_layout") {
            None | Some("") => given.clone(),
            Some(text) => Layout::of(text, &letters).ok_or_else(|| format!("its out_layout is {text:?}"))?,
        };
        let ones = |name: &str| self.attrs.ints(name).unwrap_or_default().iter().all(|&step| step == 1);
        if !ones("strides") || !ones("dilation") || self.attrs.int("groups").unwrap_or(1) != 1 {
            return Err("it has strides, dilations or groups".to_owned());
        }
        let (kernel, dtype) = (self.arg(1), self.result().dtype);
        let data = relayout(b, self.arg(0), &given, &plain);
        if !dtype.is_float() || data.dtype() != dtype || kernel.dtype() != dtype {
            return Err(format!(
                "it is not defined for elements of type {} and {}",
                data.dtype(),
                kernel.dtype()
            ));
        }
        let size = self.attrs.ints("kernel_size").unwrap_or_default();
        let size = if size.len() == 1 { vec![size[0]; axes] } else { size };
        let widths = self.attrs.ints("padding").unwrap_or_default();
        let widths = paddings(&widths, axes).ok_or("its padding has another number of elements")?;
        let taps = *size.last().filter(|_| size.len() == axes).ok_or("its kernel_size is not given")?;
        let (tile, transforms) = self.transforms(taps)?;
        let first = axes - transformed_axes(&size.iter().copied().map(Extent::Known).collect::<Vec<_>>());
        if size[first..].iter().any(|&size| size != taps) {
            return Err("its kernel is not square".to_owned());
        }
        let old = extents(b, &data);
        let (mut places, mut widths) =
            (Vec::with_capacity(axes), [&[(0, 0)], &widths[..], &[(0, 0)]].concat());
        for axis in 0..axes {
            let whole = old[axis + 1].known().ok_or("the extents of its data are not known")?;
            let (before, after) = widths[axis + 1];
            let count = whole + before + after - size[axis] + 1;
            if count < 1 {
                return Err("a window is larger than the padded data".to_owned());
            }
            places.push(count);
            if axis >= first {
                // Whole tiles.
                widths[axis + 1].1 += (count + tile - 1) / tile * tile - count;
            }
        }
        let zero = scalar::zero(b, dtype);
        let mut tiles = padded(b, &data, &widths, zero);
        let forward = matrix(b, &transforms.data, dtype);
        // The products of all axes; then batch, an untransformed depth, the tiles of all axes, channels.
        let transformed = axes - first;
        for axis in 0..transformed {
            tiles = along(b, &tiles, (axis + 1 + first + axis, axis), (&forward, tile));
        }
        let mut done = self.tile_products(b, &tiles, kernel, (first, axes))?;
        let backward = matrix(b, &transforms.output, dtype);
        for axis in 0..transformed {
            // The results of a tile follow it. Before it are the remaining products, the batch, a depth, and the axes that are
            // done.
            let column = transformed - axis - 1 + 1 + first + 2 * axis + 1;
            done = multiplied(b, &done, (0, column), &backward);
        }
        let [batch, channels] = [0, done.rank() - 1].map(|axis| extent(b, &done, axis));
        let whole = |axis: usize| match axis < first {
            true => places[axis],
            false => (places[axis] + tile - 1) / tile * tile,
        };
        let wanted = |extent: &dyn Fn(usize) -> i64| -> Vec<Extent> {
            let spatial = (0..axes).map(|axis| Extent::Known(extent(axis)));
            [batch].into_iter().chain(spatial).chain([channels]).collect()
        };
        let mut done = reshaped(b, &done, &wanted(&whole));
        if (0..axes).any(|axis| whole(axis) != places[axis]) {
            done = sliced(b, &done, &[], &wanted(&|axis| places[axis]));
        }
        Ok(vec![relayout(b, &done, &plain, &out)])
    }

    /// The sums, over channels and an untransformed depth, of the products of transformed tiles and kernel.
    fn tile_products(
        &self,
        b: &mut Builder<'_>,
        tiles: &Tensor,
        kernel: &Tensor,
        (first, axes): (usize, usize),
    ) -> Result<Tensor, String> {
        let (sizes, kernel_sizes) = (extents(b, tiles), extents(b, kernel));
        let transformed = axes - first;
        if kernel.rank() != axes + 2 {
            return Err(format!("its kernel has {} axes", kernel.rank()));
        }
        let (outputs, inputs) = (kernel_sizes[axes], kernel_sizes[axes + 1]);
        let (rank, depth) = (sizes.len(), transformed + 1);
        let mut wanted = sizes.clone();
        wanted[rank - 1] = outputs;
        let name = self.name;
        sizes[rank - 1].expect(b, inputs, || format!("{name}: the kernel has {{}} channels, expected {{}}"));
        for axis in 0..transformed {
            sizes[axis].expect(b, kernel_sizes[axis], || {
                format!("{name}: the kernel has been transformed for another tile_size, along axis {axis}")
            });
        }
        if first == 1 {
            let room = sizes[depth].minus(b, kernel_sizes[transformed]);
            wanted[depth] = room.plus(b, Extent::Known(1));
        }
        let mut read: Vec<AffineExpr> = (0..rank).map(dim).collect();
        read[rank - 1] = dim(rank);
        let mut weights: Vec<AffineExpr> = (0..transformed).map(dim).collect();
        if first == 1 {
            read[depth] = sum(dim(depth), dim(rank + 1));
            weights.push(dim(rank + 1));
        }
        weights.extend([dim(rank - 1), dim(rank)]);
        let domain = Accumulation {
            inputs: vec![(tiles, read), (kernel, weights)],
            reduced: (0..rank + 1 + first).map(|dimension| dimension >= rank).collect(),
            output: (wanted, (0..rank).map(dim).collect()),
        };
        Ok(products_summed(b, &domain, tiles.dtype()))
    }
}
