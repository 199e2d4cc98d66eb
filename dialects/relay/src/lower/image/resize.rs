//! Lowering of resizing and upsampling by interpolation along each spatial axis.

use super::coordinates::{Axis, Rounding, Transform, precision, to_index};
use super::tables::{Place, Table};
use crate::layout::Layout;
use crate::lower::extent::Extent;
use crate::lower::index::values_of;
use crate::lower::nn::SPATIAL;
use crate::lower::scalar::{self, Compare};
use crate::lower::site::{Site, Tensor};
use crate::lower::tensors::{self, clamped, extents, generate, moved};
use crate::lower::{Lowered, Rule, extract};
use crate::ty::DType;
use minoan_arith as arith;
use minoan_functional::assert;
use minoan_ir::affine::{AffineExpr, AffineOp};
use minoan_ir::{Builder, Type, Value};
use minoan_math as math;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "image.resize1d" => |site, b| site.resize(b, 1),
        "image.resize2d" => |site, b| site.resize(b, 2),
        "image.resize3d" => |site, b| site.resize(b, 3),
        "dyn.image.resize2d" => |site, b| site.dynamic_resize(b),
        "nn.upsampling" => |site, b| site.upsampling(b, 2),
        "nn.upsampling3d" => |site, b| site.upsampling(b, 3),
        "dyn.nn.upsampling" => |site, b| site.dynamic_upsampling(b, 2),
        "dyn.nn.upsampling3d" => |site, b| site.dynamic_upsampling(b, 3),
        _ => return None,
    })
}

/// The largest extent whose indices are computed beforehand.
const MOST_CHECKED: i64 = 1 << 16;

/// The interpolation of elements between those of the data.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Method {
    /// The nearest element.
    Nearest(Rounding),
    /// Linear interpolation between two elements.
    Linear,
    /// A cubic spline through four elements, with this coefficient; those outside the data may be left out.
    Cubic(f64, bool),
}

/// The elements around a coordinate along an axis, with their weights; no weights mean a single element.
pub(super) struct Taps {
    pub(super) axis: usize,
    pub(super) indices: Vec<Value>,
    pub(super) weights: Vec<Value>,
}

impl Method {
    /// The number of elements that a coordinate depends on along an axis.
    fn n_taps(self) -> usize {
        match self {
            Method::Nearest(_) => 1,
            Method::Linear => 2,
            Method::Cubic(..) => 4,
        }
    }

    fn parse(name: &str, rounding: &str, transform: Transform, site: &Site) -> Result<Method, String> {
        Ok(match name {
            "nearest_neighbor" => Method::Nearest(match rounding {
                "" if transform == Transform::AlignCorners => Rounding::HalfAway,
                "" | "floor" => Rounding::Floor,
                "round" => Rounding::HalfAway,
                "round_prefer_floor" => Rounding::HalfDown,
                "round_prefer_ceil" => Rounding::HalfUp,
                "ceil" => Rounding::Ceil,
                _ => return Err(format!("its rounding_method is {rounding:?}")),
            }),
            "linear" | "bilinear" | "trilinear" => Method::Linear,
            "cubic" | "bicubic" | "tricubic" => Method::Cubic(
                site.attrs.float("cubic_alpha").unwrap_or(-0.5),
                site.attrs.int("cubic_exclude").unwrap_or(0) != 0,
            ),
            _ => return Err(format!("its method is {name:?}")),
        })
    }

    /// The taps of a coordinate; indices outside the data are moved to its border by `bounded`.
    pub(super) fn taps(
        self,
        b: &mut Builder<'_>,
        (axis, whole): (usize, Extent),
        at: Value,
        dtype: DType,
        bounded: &dyn Fn(&mut Builder<'_>, Value, Extent) -> Value,
    ) -> Taps {
        if let Method::Nearest(rounding) = self {
            let nearest = rounding.apply(b, at, dtype);
            let index = to_index(b, nearest, whole, dtype);
            return Taps { axis, indices: vec![bounded(b, index, whole)], weights: Vec::new() };
        }
        let floor = math::floor(b, at);
        let t = arith::subf(b, at, floor);
        let first = to_index(b, floor, whole, dtype);
        let (offsets, weights) = match self {
            Method::Cubic(alpha, _) => (-1..=2, spline(b, t, alpha, dtype)),
            _ => {
                let one = scalar::one(b, dtype);
                (0..=1, vec![arith::subf(b, one, t), t])
            }
        };
        let (mut indices, mut inside) = (Vec::new(), Vec::new());
        for offset in offsets {
            let offset = arith::constant_index(b, offset);
            let index = arith::addi(b, first, offset);
            inside.push(tensors::inside(b, index, whole));
            indices.push(bounded(b, index, whole));
        }
        let Method::Cubic(_, true) = self else { return Taps { axis, indices, weights } };
        // The weights of elements inside the data are scaled to a sum of 1.
        let zero = scalar::zero(b, dtype);
        let mut kept = Vec::with_capacity(weights.len());
        for (weight, inside) in weights.into_iter().zip(inside) {
            kept.push(arith::select(b, inside, weight, zero));
        }
        let total = kept.iter().fold(zero, |total, &weight| arith::addf(b, total, weight));
        let weights = kept.into_iter().map(|weight| arith::divf(b, weight, total)).collect();
        Taps { axis, indices, weights }
    }
}

/// The weights of a cubic spline at `t` between the second and the third element.
fn spline(b: &mut Builder<'_>, t: Value, alpha: f64, dtype: DType) -> Vec<Value> {
    // The coefficients of t^3, t^2, t and 1.
    let coefficients = [
        [alpha, -2.0 * alpha, alpha, 0.0],
        [alpha + 2.0, -(3.0 + alpha), 0.0, 1.0],
        [-(alpha + 2.0), 3.0 + 2.0 * alpha, -alpha, 0.0],
        [-alpha, alpha, 0.0, 0.0],
    ];
    let polynomial = |b: &mut Builder<'_>, [first, rest @ ..]: [f64; 4]| {
        let mut value = scalar::constant(b, first, dtype);
        for number in rest {
            let number = scalar::constant(b, number, dtype);
            let scaled = arith::mulf(b, value, t);
            value = arith::addf(b, scaled, number);
        }
        value
    };
    coefficients.into_iter().map(|row| polynomial(b, row)).collect()
}

/// The weighted sum of the elements at all combinations of taps.
pub(super) fn interpolated(
    b: &mut Builder<'_>,
    taps: &[Taps],
    at: &mut Vec<Value>,
    element: &mut dyn FnMut(&mut Builder<'_>, &[Value]) -> Value,
) -> Value {
    let Some((first, rest)) = taps.split_first() else { return element(b, at) };
    let mut total = None;
    for (place, &index) in first.indices.iter().enumerate() {
        at[first.axis] = index;
        let value = interpolated(b, rest, at, element);
        let Some(&weight) = first.weights.get(place) else { return value };
        let scaled = arith::mulf(b, value, weight);
        total = Some(match total {
            Some(total) => arith::addf(b, total, scaled),
            None => scaled,
        });
    }
    total.expect("a coordinate has taps")
}

/// A resizing operator: its layout and its attributes.
struct Resize {
    axes: Vec<usize>,
    method: Method,
    transform: Transform,
    extrapolation: f64,
}

impl Resize {
    fn of(site: &Site, axes: usize, transform: &str) -> Result<Resize, String> {
        let spatial = SPATIAL[axes - 1];
        let text = |name: &str| site.attrs.text(name).unwrap_or_default();
        let layout = Layout::of(text("layout"), &format!("NC{spatial}"));
        let layout = layout.filter(|layout| spatial.chars().all(|letter| !layout.is_split(letter)));
        let layout = layout.ok_or_else(|| format!("its layout is {:?}", text("layout")))?;
        let transform = Transform::parse(transform)?;
        let method = Method::parse(text("method"), text("rounding_method"), transform, site)?;
        let axes = spatial.chars().filter_map(|letter| layout.position(letter)).collect();
        let extrapolation = site.attrs.float("extrapolation_value").unwrap_or(0.0);
        Ok(Resize { axes, method, transform, extrapolation })
    }

    /// The elements at the coordinates of a result whose spatial axes have the extents `sizes`. `region` has the first
    /// coordinates of all axes, then the last ones.
    fn run(&self, b: &mut Builder<'_>, site: &Site, sizes: &[Extent], region: &[Value]) -> Tensor {
        let (data, to) = (site.arg(0), site.result().dtype);
        let dtype = precision(data.dtype());
        let mut wanted = extents(b, data);
        let zero = scalar::zero(b, dtype);
        let mut axes = Vec::with_capacity(self.axes.len());
        for (index, &axis) in self.axes.iter().enumerate() {
            let corner = |at: usize| region.get(at).copied().unwrap_or(zero);
            let region = (corner(index), corner(index + self.axes.len()));
            axes.push(Axis { axis, from: wanted[axis], to: sizes[index], region });
            wanted[axis] = sizes[index];
        }
        for axis in &axes {
            site.expect_elements(b, axis.axis, &wanted);
        }
        if let Some(exprs) = self.repeated(data, &axes, dtype).filter(|_| data.dtype() == to) {
            return moved(b, data, exprs, &wanted);
        }
        let tables: Vec<Table> = axes.iter().map(|axis| self.table(b, axis, dtype)).collect();
        let Some(data) = self.along_last_axes(b, data, &axes, &tables) else {
            return self.interpolate(b, data, &tables, &wanted, to);
        };
        self.interpolate(b, &data, &tables[..1], &wanted, to)
    }

    fn table(&self, b: &mut Builder<'_>, axis: &Axis, dtype: DType) -> Table {
        let has_outside = self.transform == Transform::TfCropAndResize;
        Table::new(b, (axis.axis, axis.to), (self.method.n_taps(), has_outside), dtype, &|b, at| {
            let at = self.transform.apply(b, at, axis, dtype);
            let taps = self.method.taps(b, (axis.axis, axis.from), at, dtype, &clamped);
            let outside = has_outside.then(|| {
                let (zero, last) = (scalar::zero(b, dtype), axis.from.plus(b, Extent::Known(-1)).value(b));
                let last = scalar::from_index(b, last, dtype);
                let before = scalar::compare(b, Compare::Lt, at, zero, dtype);
                let after = scalar::compare(b, Compare::Gt, at, last, dtype);
                arith::ori(b, before, after)
            });
            Place { taps, outside }
        })
    }

    /// The data interpolated along all axes but the first, one after another from the last one; `None` if this takes more
    /// operations than interpolating along all axes at each element. Both compute the same sums in the same order.
    fn along_last_axes(
        &self,
        b: &mut Builder<'_>,
        data: &Tensor,
        axes: &[Axis],
        tables: &[Table],
    ) -> Option<Tensor> {
        let taps = self.method.n_taps() as f64;
        if axes.len() < 2 || taps < 2.0 || self.transform == Transform::TfCropAndResize {
            return None;
        }
        // The numbers of elements along the axes before and after each step.
        let sizes: Option<Vec<(f64, f64)>> = axes
            .iter()
            .map(|axis| match (axis.from, axis.to) {
                (Extent::Known(from), Extent::Known(to)) if from > 0 => Some((from as f64, to as f64)),
                _ => None,
            })
            .collect();
        let sizes = sizes?;
        let elements = |resized: usize| -> f64 {
            sizes.iter().enumerate().map(|(at, &(from, to))| if at < resized { from } else { to }).product()
        };
        let in_steps: f64 = (0..axes.len()).map(|resized| taps * elements(resized)).sum();
        if in_steps >= taps.powi(axes.len() as i32) * elements(0) {
            return None;
        }
        let mut data = data.clone();
        let mut wanted = extents(b, &data);
        for (axis, table) in axes.iter().zip(tables).skip(1).rev() {
            wanted[axis.axis] = axis.to;
            let dtype = precision(data.dtype());
            data = self.interpolate(b, &data, std::slice::from_ref(table), &wanted, dtype);
        }
        Some(data)
    }

    /// Interpolates the data along the axes of tables; `wanted` are the extents of the result, and `to` is its type.
    fn interpolate(
        &self,
        b: &mut Builder<'_>,
        data: &Tensor,
        tables: &[Table],
        wanted: &[Extent],
        to: DType,
    ) -> Tensor {
        let dtype = precision(data.dtype());
        generate(b, wanted, to, |b, at| {
            let places: Vec<Place> = tables.iter().map(|table| table.place(b, at[table.axis])).collect();
            let outside = places.iter().filter_map(|place| place.outside);
            let outside =
                outside.collect::<Vec<_>>().into_iter().reduce(|one, other| arith::ori(b, other, one));
            let taps: Vec<Taps> = places.into_iter().map(|place| place.taps).collect();
            let value = interpolated(b, &taps, &mut at.to_vec(), &mut |b, at| {
                let element = extract(b, data.value, at);
                scalar::cast(b, element, data.dtype(), dtype)
            });
            let value = match outside {
                Some(outside) => {
                    let other = scalar::constant(b, self.extrapolation, dtype);
                    arith::select(b, outside, other, value)
                }
                None => value,
            };
            scalar::cast(b, value, dtype, to)
        })
    }
}

impl Resize {
    /// The indices of the data as expressions of those of the result, if each element is repeated the same number of times.
    fn repeated(&self, data: &Tensor, axes: &[Axis], dtype: DType) -> Option<Vec<AffineExpr>> {
        let is_floor = self.method == Method::Nearest(Rounding::Floor);
        if !is_floor || self.transform != Transform::Asymmetric {
            return None;
        }
        let mut exprs = data.same();
        for axis in axes {
            let times = AffineExpr::Constant(repeats(axis, dtype)?);
            exprs[axis.axis] = AffineExpr::binary(AffineOp::FloorDiv, tensors::dim(axis.axis), times);
        }
        Some(exprs)
    }
}

/// The number of times that [`Transform::Asymmetric`] with [`Rounding::Floor`] repeats each element along an axis, if it is the
/// same for all, computed with the roundings of floats of type `dtype`.
fn repeats(axis: &Axis, dtype: DType) -> Option<i64> {
    let (Extent::Known(from), Extent::Known(to)) = (axis.from, axis.to) else { return None };
    if from < 1 || to % from != 0 || to > MOST_CHECKED {
        return None;
    }
    let source = |at: i64| match dtype {
        DType::Float(64) => ((from as f64 / to as f64) * at as f64 + 1e-5).floor() as i64,
        _ => ((from as f32 / to as f32) * at as f32 + 1e-5).floor() as i64,
    };
    let times = to / from;
    (0..to).all(|at| source(at) == at / times).then_some(times)
}

impl Site {
    fn resize(&self, b: &mut Builder<'_>, axes: usize) -> Lowered {
        let mode = self.attrs.text("coordinate_transformation_mode").unwrap_or_default();
        let resize = Resize::of(self, axes, mode)?;
        let sizes = self.attrs.ints("size").unwrap_or_default();
        let sizes = if sizes.len() == 1 { vec![sizes[0]; axes] } else { sizes };
        let sizes: Vec<Extent> = sizes.into_iter().map(Extent::Known).collect();
        let dtype = precision(self.arg(0).dtype());
        let region = match self.attrs.get("roi") {
            Some(crate::attrs::AttrValue::List(items)) => items.clone(),
            _ => Vec::new(),
        };
        let number = |item: &crate::attrs::AttrValue| item.as_float().unwrap_or(0.0);
        let region: Vec<Value> = region.iter().map(|item| scalar::constant(b, number(item), dtype)).collect();
        Ok(vec![resize.run(b, self, &sizes, &region)])
    }

    fn dynamic_resize(&self, b: &mut Builder<'_>) -> Lowered {
        let mode = self.attrs.text("coordinate_transformation_mode").unwrap_or_default();
        let resize = Resize::of(self, 2, mode)?;
        let sizes = values_of(b, self, 1, 2);
        let sizes = known_sizes(self, &resize.axes, sizes);
        let (roi, dtype) = (self.arg(2), precision(self.arg(0).dtype()));
        let mut region = Vec::new();
        if resize.transform == Transform::TfCropAndResize {
            let own = tensors::extent(b, roi, 0);
            own.expect(b, Extent::Known(4), || {
                format!("{}: 'roi' must have 4 elements, found {{}}", self.name)
            });
            for corner in 0..4 {
                let at = arith::constant_index(b, corner);
                let element = extract(b, roi.value, &[at]);
                region.push(scalar::cast(b, element, roi.dtype(), dtype));
            }
        }
        Ok(vec![resize.run(b, self, &sizes, &region)])
    }

    fn upsampling_mode(&self, axes: usize) -> &str {
        match (axes, self.attrs.flag("align_corners")) {
            (3, _) => self.attrs.text("coordinate_transformation_mode").unwrap_or_default(),
            (_, true) => "align_corners",
            (_, false) => "asymmetric",
        }
    }

    fn upsampling(&self, b: &mut Builder<'_>, axes: usize) -> Lowered {
        let resize = Resize::of(self, axes, self.upsampling_mode(axes))?;
        let names = &["scale_d", "scale_h", "scale_w"][3 - axes..];
        let mut sizes = Vec::with_capacity(axes);
        for (&axis, name) in resize.axes.iter().zip(names) {
            sizes.push(match self.result().shape[axis].known() {
                Some(size) => Extent::Known(size),
                None => {
                    let scale = self.attrs.float(name).unwrap_or(1.0);
                    let scale = scalar::constant(b, scale, DType::Float(64));
                    let from = tensors::extent(b, self.arg(0), axis);
                    scaled_size(b, from, scale, self.name)
                }
            });
        }
        Ok(vec![resize.run(b, self, &sizes, &[])])
    }

    fn dynamic_upsampling(&self, b: &mut Builder<'_>, axes: usize) -> Lowered {
        let resize = Resize::of(self, axes, self.upsampling_mode(axes))?;
        let mut sizes = Vec::with_capacity(axes);
        for (index, &axis) in resize.axes.iter().enumerate() {
            let scale = self.arg(index + 1);
            let element = tensors::scalar(b, scale.value);
            let element = scalar::cast(b, element, scale.dtype(), DType::Float(64));
            let from = tensors::extent(b, self.arg(0), axis);
            sizes.push(scaled_size(b, from, element, self.name));
        }
        let sizes = known_sizes(self, &resize.axes, sizes);
        Ok(vec![resize.run(b, self, &sizes, &[])])
    }
}

/// The sizes that the type of the result has along the axes, and the given ones elsewhere.
fn known_sizes(site: &Site, axes: &[usize], sizes: Vec<Extent>) -> Vec<Extent> {
    let known = |axis: usize| site.result().shape[axis].known().map(Extent::Known);
    axes.iter().zip(sizes).map(|(&axis, size)| known(axis).unwrap_or(size)).collect()
}

/// An extent times a scale of type `f64`, rounded half to even.
fn scaled_size(b: &mut Builder<'_>, from: Extent, scale: Value, name: &str) -> Extent {
    let wide = DType::Float(64);
    let from = from.value(b);
    let from = scalar::from_index(b, from, wide);
    let size = arith::mulf(b, from, scale);
    let size = math::roundeven(b, size);
    let (zero, most) = (scalar::zero(b, wide), scalar::constant(b, (1u64 << 40) as f64, wide));
    let some = scalar::compare(b, Compare::Ge, size, zero, wide);
    let few = scalar::compare(b, Compare::Le, size, most, wide);
    let fits = arith::andi(b, some, few);
    assert(b, fits, &format!("{name}: the scaled size is negative, not a number, or too large"));
    let whole = arith::fptosi(b, size, Type::I64);
    Extent::Value(arith::index_cast(b, whole, Type::INDEX))
}
