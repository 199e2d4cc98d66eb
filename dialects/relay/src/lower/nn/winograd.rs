//! Lowering of convolutions by Winograd's method, with kernels that are transformed beforehand.
//!
//! Along an axis, `m` neighbouring results of a filter of `r` elements come from `m + r - 1` products, by evaluation of
//! polynomials at as many points (Lavin and Gray, arXiv:1509.09308). The points are those of TVM (Barabasz et al.,
//! arXiv:1803.10986), so that transformed kernels are the same.

use super::matmul::products_summed;
use super::window::SPATIAL;
use crate::layout::Layout;
use crate::lower::extent::Extent;
use crate::lower::relayout::relayout;
use crate::lower::scalar;
use crate::lower::site::{Site, Tensor};
use crate::lower::slice::padded;
use crate::lower::tensors::{self, Accumulation, dim, extent, extents, linear, moved, sum};
use crate::lower::{Lowered, Rule};
use crate::relation::paddings;
use crate::ty::{DType, TensorType};
use minoan_ir::Builder;
use minoan_ir::affine::{AffineExpr, AffineOp};
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

/// The points for a number of them; the last point is infinity.
fn points(count: usize) -> Option<Vec<f64>> {
    let rest: &[f64] = match count {
        3..=5 => &[0.5, -2.0],
        6 => &[0.5, -2.0, -0.5],
        7 | 8 => &[0.5, -0.5, 2.0, -2.0, -0.25],
        9 => &[0.5, -0.5, 2.0, -2.0, -0.25, 4.0],
        10 => &[0.5, -0.5, 2.0, -2.0, -0.25, 0.75, -4.0 / 3.0],
        11 | 12 => &[0.5, -0.5, 2.0, -2.0, -0.25, 4.0, 0.75, -4.0 / 3.0, 0.25],
        13 => &[0.5, -0.5, 2.0, -2.0, -0.25, 4.0, 0.25, -0.75, 4.0 / 3.0, -4.0],
        _ => return None,
    };
    Some([0.0, -1.0, 1.0].into_iter().chain(rest.iter().copied()).take(count).collect())
}

/// The matrices of Winograd's method along an axis, by rows: a row for each product.
struct Transforms {
    /// Of the filter, with a column for each of its elements.
    filter: Vec<Vec<f64>>,
    /// Of the data: a row for each element of a tile, a column for each product.
    data: Vec<Vec<f64>>,
    /// Of the products, with a column for each result.
    output: Vec<Vec<f64>>,
}

/// The coefficients of the product of `x - root` for all roots, from the constant one.
fn from_roots(roots: impl Iterator<Item = f64>) -> Vec<f64> {
    roots.fold(vec![1.0], |poly, root| {
        let mut next = vec![0.0; poly.len() + 1];
        for (degree, coefficient) in poly.into_iter().enumerate() {
            next[degree + 1] += coefficient;
            next[degree] -= root * coefficient;
        }
        next
    })
}

impl Transforms {
    /// For `outputs` results of a filter with `taps` elements; `None` for sizes that TVM does not define.
    fn of(outputs: i64, taps: i64) -> Option<Transforms> {
        if !(2..9).contains(&outputs) || !(3..8).contains(&taps) {
            return None;
        }
        let (outputs, taps) = (usize::try_from(outputs).ok()?, usize::try_from(taps).ok()?);
        let count = outputs + taps - 1;
        let points = points(count - 1)?;
        let powers = |columns: usize| {
            let finite =
                points.iter().map(move |&point| (0..columns).map(|power| point.powi(power as i32)).collect());
            let infinite = (0..columns).map(|power| f64::from(u8::from(power + 1 == columns))).collect();
            finite.chain([infinite]).collect::<Vec<Vec<f64>>>()
        };
        let others =
            |own: usize| points.iter().enumerate().filter(move |(at, _)| *at != own).map(|(_, &point)| point);
        // The scale of a point, with which the filter is divided. That of the first point is positive.
        let scale = |own: usize| others(own).map(|other| points[own] - other).product::<f64>();
        let sign = |own: usize| if own == 0 && scale(0) < 0.0 { -1.0 } else { 1.0 };
        let mut filter = powers(taps);
        for (own, row) in filter.iter_mut().enumerate().take(points.len()) {
            row.iter_mut().for_each(|entry| *entry /= sign(own) * scale(own));
        }
        // A column for each product: the polynomial that is zero at all other points.
        let finite = (0..points.len()).map(|own| {
            let poly = from_roots(others(own)).into_iter().map(|coefficient| sign(own) * coefficient);
            poly.chain([0.0]).collect()
        });
        let columns: Vec<Vec<f64>> = finite.chain([from_roots(points.iter().copied())]).collect();
        let data = transposed(&columns);
        Some(Transforms { filter, data, output: powers(outputs) })
    }
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

/// Windows of `matrix`'s rows along an axis, multiplied by it: the axis becomes two, of the windows, which are `step` apart, and
/// of the matrix's columns.
fn along(b: &mut Builder<'_>, data: &Tensor, axis: usize, (matrix, step): (&Tensor, i64)) -> Tensor {
    let (rank, mut wanted) = (data.rank(), extents(b, data));
    let (rows, columns) = (extent(b, matrix, 0), extent(b, matrix, 1));
    let room = wanted[axis].minus(b, rows);
    wanted[axis] = room.divided_by(b, Extent::Known(step)).plus(b, Extent::Known(1));
    wanted.insert(axis + 1, columns);
    let reduced = rank + 1;
    let exprs = (0..rank).map(|own| match own {
        _ if own < axis => dim(own),
        _ if own == axis => sum(linear(dim(axis), step, 0), dim(reduced)),
        _ => dim(own + 1),
    });
    let domain = Accumulation {
        inputs: vec![(data, exprs.collect()), (matrix, vec![dim(reduced), dim(axis + 1)])],
        reduced: (0..=reduced).map(|dimension| dimension == reduced).collect(),
        output: (wanted, (0..reduced).map(dim).collect()),
    };
    products_summed(b, &domain, data.dtype())
}

/// The product of an axis with the columns of a matrix.
fn multiplied(b: &mut Builder<'_>, data: &Tensor, axis: usize, matrix: &Tensor) -> Tensor {
    let (rank, mut wanted) = (data.rank(), extents(b, data));
    wanted[axis] = extent(b, matrix, 1);
    let exprs = (0..rank).map(|own| if own == axis { dim(rank) } else { dim(own) });
    let domain = Accumulation {
        inputs: vec![(data, exprs.collect()), (matrix, vec![dim(rank), dim(axis)])],
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

/// The columns of a matrix as rows.
fn transposed(rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
    (0..rows[0].len()).map(|column| rows.iter().map(|row| row[column]).collect()).collect()
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

    /// The kernel, in the layout OIHW or OIDHW, with its rows and columns transformed. The depth is transformed as well if it
    /// has a size for which the relation of types says so.
    fn winograd_kernel(&self, b: &mut Builder<'_>, axes: usize) -> Lowered {
        let (kernel, dtype) = (self.arg(0), self.arg(0).dtype());
        if !dtype.is_float() {
            return Err(format!("it is not defined for elements of type {dtype}"));
        }
        let sizes = extents(b, kernel);
        let taps = sizes[axes + 1].known().filter(|&taps| sizes[axes].known() == Some(taps));
        let taps = taps.ok_or("its kernel is not square")?;
        let (_, transforms) = self.transforms(taps)?;
        let first = 2 + axes - transformed_axes(&sizes[2..]);
        let filter = matrix(b, &transposed(&transforms.filter), dtype);
        let mut done = kernel.clone();
        for axis in first..axes + 2 {
            extent(b, kernel, axis).expect(b, Extent::Known(taps), || {
                format!("{}: the kernel has not {taps} elements along axis {axis}", self.name)
            });
            done = multiplied(b, &done, axis, &filter);
        }
        // Transformed axes, then an untransformed depth, then the channels.
        let order: Vec<usize> = (first..axes + 2).chain(2..first).chain([0, 1]).collect();
        let sizes = extents(b, &done);
        let wanted: Vec<Extent> = order.iter().map(|&axis| sizes[axis]).collect();
        let exprs =
            (0..axes + 2).map(|axis| dim(order.iter().position(|&from| from == axis).unwrap_or(axis)));
        Ok(vec![moved(b, &done, exprs.collect(), &wanted)])
    }

    fn winograd(&self, b: &mut Builder<'_>, axes: usize) -> Lowered {
        let letters = format!("NC{}", SPATIAL[axes - 1]);
        let text = self.attrs.text("data_layout").unwrap_or_default();
        let given = Layout::of(text, &letters).ok_or_else(|| format!("its layout is {text:?}"))?;
        let plain = Layout::parse(&letters).ok_or("its layout is not known")?;
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
        let (mut places, mut widths) = (Vec::with_capacity(axes), [&[(0, 0), (0, 0)], &widths[..]].concat());
        for axis in 0..axes {
            let whole = old[axis + 2].known().ok_or("the extents of its data are not known")?;
            let (before, after) = widths[axis + 2];
            let count = whole + before + after - size[axis] + 1;
            if count < 1 {
                return Err("a window is larger than the padded data".to_owned());
            }
            places.push(count);
            if axis >= first {
                // Whole tiles.
                widths[axis + 2].1 += (count + tile - 1) / tile * tile - count;
            }
        }
        let zero = scalar::zero(b, dtype);
        let mut tiles = padded(b, &data, &widths, zero);
        let forward = matrix(b, &transforms.data, dtype);
        // Batch, channel, an untransformed depth; then tiles and products in turns.
        for axis in first..axes {
            tiles = along(b, &tiles, 2 + first + 2 * (axis - first), (&forward, tile));
        }
        let products = self.tile_products(b, &tiles, kernel, (first, axes))?;
        let backward = matrix(b, &transforms.output, dtype);
        let mut done = products;
        for axis in first..axes {
            done = multiplied(b, &done, 2 + first + 2 * (axis - first) + 1, &backward);
        }
        let mut exprs: Vec<AffineExpr> = (0..2 + first).map(dim).collect();
        for axis in first..axes {
            let part = |op| AffineExpr::binary(op, dim(axis + 2), AffineExpr::Constant(tile));
            exprs.extend([part(AffineOp::FloorDiv), part(AffineOp::Mod)]);
        }
        let channels = extent(b, &done, 1);
        let wanted = [old[0], channels].into_iter().chain(places.into_iter().map(Extent::Known));
        let done = moved(b, &done, exprs, &wanted.collect::<Vec<_>>());
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
        let mut wanted = sizes.clone();
        wanted[1] = outputs;
        let name = self.name;
        sizes[1].expect(b, inputs, || format!("{name}: the kernel has another number of channels"));
        for axis in 0..transformed {
            sizes[2 + first + 2 * axis + 1].expect(b, kernel_sizes[axis], || {
                format!("{name}: the kernel has been transformed for another tile_size, along axis {axis}")
            });
        }
        if first == 1 {
            let room = sizes[2].minus(b, kernel_sizes[transformed]);
            wanted[2] = room.plus(b, Extent::Known(1));
        }
        let rank = sizes.len();
        let mut read: Vec<AffineExpr> = (0..rank).map(dim).collect();
        read[1] = dim(rank);
        let mut weights: Vec<AffineExpr> =
            (0..transformed).map(|axis| dim(2 + first + 2 * axis + 1)).collect();
        if first == 1 {
            read[2] = sum(dim(2), dim(rank + 1));
            weights.push(dim(rank + 1));
        }
        weights.extend([dim(1), dim(rank)]);
        let domain = Accumulation {
            inputs: vec![(tiles, read), (kernel, weights)],
            reduced: (0..rank + 1 + first).map(|dimension| dimension >= rank).collect(),
            output: (wanted, (0..rank).map(dim).collect()),
        };
        Ok(products_summed(b, &domain, tiles.dtype()))
    }
}
