//! Lowering of slicing, concatenation and padding.

use super::extent::{Extent, in_type_and_values};
use super::scalar;
use super::shape::reversed;
use super::site::{Site, Tensor, from_front};
use super::tensors::{self, dim, extent, extents, generate, moved};
use super::{Lowered, Rule, extract};
use crate::attrs::AttrValue;
use crate::slices::{End, Slice, Slices};
use minoan_arith::{self as arith, CmpIPredicate};
use minoan_data::assert_values;
use minoan_ir::affine::{AffineExpr, AffineOp};
use minoan_ir::{Builder, Type, Value};
use minoan_scf::If;
use minoan_tensor::{ExtractSlice, InsertSlice};

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "concatenate" => |site, b| site.concatenate(b),
        "stack" => |site, b| site.stack(b),
        "split" => |site, b| site.split(b),
        "strided_slice" => |site, b| site.strided_slice(b),
        "slice_like" => |site, b| site.slice_like(b),
        "tile" => |site, b| site.tile(b),
        "repeat" => |site, b| site.repeat(b),
        "reverse" => |site, b| site.reverse(b),
        "nn.pad" => |site, b| site.pad(b),
        "nn.mirror_pad" => |site, b| site.mirror_pad(b),
        _ => return None,
    })
}

/// The part of `data` that begins at `offsets` and has extents `sizes`, without the leading ones, which are 1, those of the result.
pub(super) fn extract_part(
    b: &mut Builder<'_>,
    data: &Tensor,
    offsets: &[Extent],
    sizes: &[Extent],
    leading: usize,
) -> Tensor {
    let like = tensors::empty(b, &sizes[leading..], data.dtype());
    let ty = b.ty(like.value);
    let ((offsets, moved), (sizes, counts)) = (in_type_and_values(offsets), in_type_and_values(sizes));
    let strides = vec![1; sizes.len()];
    let part = ExtractSlice::build(b, data.value, &moved, &counts, &[], offsets, sizes, strides, ty);
    Tensor { value: part.result(b.body()), ..like }
}

/// Replaces the part of `target` that begins at `offsets` and has extents `sizes`, without those of 1 the extents of `part`.
pub(super) fn insert_part(
    b: &mut Builder<'_>,
    part: &Tensor,
    target: Value,
    offsets: &[Extent],
    sizes: &[Extent],
) -> Value {
    let ((offsets, moved), (sizes, counts)) = (in_type_and_values(offsets), in_type_and_values(sizes));
    let strides = vec![1; sizes.len()];
    InsertSlice::build(b, part.value, target, &moved, &counts, &[], offsets, sizes, strides).result(b.body())
}

/// The first index, the stride and the number of elements of a slice of an axis.
fn range_of(b: &mut Builder<'_>, slice: &Slice, extent: Extent) -> (Extent, i64, Extent) {
    if let Extent::Known(extent) = extent {
        let range = slice.range(extent);
        return (Extent::Known(range.first), range.stride, Extent::Known(range.count));
    }
    let back = slice.stride < 0;
    let (low, high) = match back {
        true => (-1, extent.minus(b, Extent::Known(1))),
        false => (0, extent),
    };
    let (low, high) = (arith::constant_index(b, low), high.value(b));
    // Clamped like Python's: indices from `low` to `high`, which is at least `low`.
    let clamp = |b: &mut Builder<'_>, index: i64| {
        let given = arith::constant_index(b, index);
        if index < 0 {
            let whole = extent.value(b);
            let moved = arith::addi(b, given, whole);
            arith::maxsi(b, moved, low)
        } else {
            arith::minsi(b, given, high)
        }
    };
    let first = match (slice.begin, back) {
        (0, false) => Extent::Known(0),
        (begin, _) => Extent::Value(clamp(b, begin)),
    };
    let last = match slice.end {
        End::At(end) => Extent::Value(clamp(b, end)),
        End::Count(count) => {
            let end = first.plus(b, Extent::Known(count)).value(b);
            Extent::Value(arith::minsi(b, end, high))
        }
        End::Open if back => Extent::Known(-1),
        End::Open => extent,
    };
    let steps = match back {
        true => first.minus(b, last),
        false => last.minus(b, first),
    };
    let (steps, zero) = (steps.value(b), arith::constant_index(b, 0));
    let steps = arith::maxsi(b, steps, zero);
    let count = match slice.stride.abs() {
        1 => steps,
        width => {
            let width = arith::constant_index(b, width);
            arith::ceildivsi(b, steps, width)
        }
    };
    (first, slice.stride, Extent::Value(count))
}

/// A strided slice along some axes, starting at 0 along the others. The indices at which it starts may be negative for no
/// elements.
pub(super) fn sliced(
    b: &mut Builder<'_>,
    data: &Tensor,
    firsts: &[(usize, Extent, i64)],
    wanted: &[Extent],
) -> Tensor {
    generate(b, wanted, data.dtype(), |b, indices| {
        let mut at = indices.to_vec();
        for &(axis, first, stride) in firsts {
            if stride != 1 {
                let stride = arith::constant_index(b, stride);
                at[axis] = arith::muli(b, at[axis], stride);
            }
            if first != Extent::Known(0) {
                let first = first.value(b);
                at[axis] = arith::addi(b, at[axis], first);
            }
        }
        extract(b, data.value, &at)
    })
}

impl Site {
    /// The extents of the first tensor of a tuple; the others must have the same along the axes that are `shared`.
    fn common_extents(&self, b: &mut Builder<'_>, shared: impl Fn(usize) -> bool) -> Vec<Extent> {
        let parts = &self.args[0];
        let mut wanted = extents(b, &parts[0]);
        for (axis, wanted) in wanted.iter_mut().enumerate().filter(|(axis, _)| shared(*axis)) {
            for (index, part) in parts.iter().enumerate().skip(1) {
                let own = extent(b, part, axis);
                *wanted = wanted.expect(b, own, || {
                    format!(
                        "{}: tensors 0 and {index} differ in extent along axis {axis}: {{}} and {{}}",
                        self.name
                    )
                });
            }
        }
        wanted
    }

    fn concatenate(&self, b: &mut Builder<'_>) -> Lowered {
        Ok(vec![self.joined(b, &self.args[0])])
    }

    /// Concatenates tensors along the axis of the operator.
    pub(super) fn joined(&self, b: &mut Builder<'_>, parts: &[Tensor]) -> Tensor {
        let axis = self.axis("axis", parts[0].rank());
        let mut whole = Extent::Known(0);
        let mut offsets = Vec::with_capacity(parts.len());
        for part in parts {
            offsets.push(whole);
            let extent = extent(b, part, axis);
            whole = whole.plus(b, extent);
        }
        let mut wanted = self.common_extents(b, |other| other != axis);
        wanted[axis] = whole;
        let mut made = tensors::empty(b, &wanted, parts[0].dtype());
        for (part, offset) in parts.iter().zip(offsets) {
            let mut at = vec![Extent::Known(0); wanted.len()];
            at[axis] = offset;
            let sizes = extents(b, part);
            made.value = insert_part(b, part, made.value, &at, &sizes);
        }
        made
    }

    fn stack(&self, b: &mut Builder<'_>) -> Lowered {
        let parts = &self.args[0];
        let axis = self.axis("axis", parts[0].rank() + 1);
        let mut wanted = self.common_extents(b, |_| true);
        wanted.insert(axis, Extent::Known(parts.len() as i64));
        let mut made = tensors::empty(b, &wanted, parts[0].dtype());
        for (number, part) in parts.iter().enumerate() {
            let mut at = vec![Extent::Known(0); wanted.len()];
            at[axis] = Extent::Known(number as i64);
            let mut sizes = extents(b, part);
            sizes.insert(axis, Extent::Known(1));
            made.value = insert_part(b, part, made.value, &at, &sizes);
        }
        Ok(vec![made])
    }

    fn split(&self, b: &mut Builder<'_>) -> Lowered {
        let data = self.arg(0);
        let axis = self.axis("axis", data.rank());
        let old = extents(b, data);
        let sections = self.results.len();
        let equal = old[axis].divided_by(b, Extent::Known(sections as i64));
        // The last part of a split at indices has the elements that are left.
        let known = self.results.iter().filter_map(|part| part.shape[axis].known());
        let before = Extent::Known(known.fold(0, i64::saturating_add));
        if old[axis].known().is_none() && before == Extent::Known(0) {
            let whole = equal.times(b, Extent::Known(sections as i64));
            old[axis].expect(b, whole, || {
                format!("split: axis {axis}, of extent {{}}, has no {sections} equal parts")
            });
        } else if old[axis].known().is_none() {
            let (last, whole) = (before.value(b), old[axis].value(b));
            let fits = arith::cmpi(b, CmpIPredicate::Slt, last, whole);
            let message = format!("split: index {{}} is not inside of axis {axis}, of extent {{}}");
            assert_values(b, fits, &message, &[last, whole]);
        }
        let mut first = Extent::Known(0);
        let mut parts = Vec::with_capacity(sections);
        for part in &self.results {
            let count = match part.shape[axis].known() {
                Some(count) => Extent::Known(count),
                None if before == Extent::Known(0) => equal,
                None => old[axis].minus(b, before),
            };
            let mut wanted = old.clone();
            wanted[axis] = count;
            parts.push(sliced(b, data, &[(axis, first, 1)], &wanted));
            first = first.plus(b, count);
        }
        Ok(parts)
    }

    fn strided_slice(&self, b: &mut Builder<'_>) -> Lowered {
        let data = self.arg(0);
        let mut wanted = extents(b, data);
        let mut firsts = Vec::new();
        for slice in Slices::of(&self.attrs, data.rank())?.0 {
            let (first, stride, count) = range_of(b, &slice, wanted[slice.axis]);
            wanted[slice.axis] = count;
            firsts.push((slice.axis, first, stride));
        }
        Ok(vec![sliced(b, data, &firsts, &wanted)])
    }

    fn slice_like(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, like) = (self.arg(0), self.arg(1));
        let axes: Vec<usize> = match self.attrs.ints("axes") {
            Some(axes) if !axes.is_empty() => {
                axes.into_iter().map(|axis| from_front(axis, data.rank())).collect()
            }
            _ => (0..data.rank()).collect(),
        };
        let mut wanted = extents(b, data);
        for axis in axes {
            self.expect_at_most(b, (1, axis), (0, axis));
            wanted[axis] = extent(b, like, axis);
        }
        Ok(vec![sliced(b, data, &[], &wanted)])
    }

    fn tile(&self, b: &mut Builder<'_>) -> Lowered {
        let data = self.arg(0);
        let reps = self.attrs.ints("reps").unwrap_or_default();
        let rank = data.rank().max(reps.len());
        let mut times = vec![Extent::Known(1); rank - reps.len()];
        times.extend(reps.into_iter().map(Extent::Known));
        Ok(vec![tiled(b, data, &times)])
    }

    fn repeat(&self, b: &mut Builder<'_>) -> Lowered {
        let data = self.arg(0);
        let (axis, times) = (self.axis("axis", data.rank()), self.attrs.int("repeats").unwrap_or(1));
        let mut wanted = extents(b, data);
        wanted[axis] = wanted[axis].times(b, Extent::Known(times));
        let mut exprs = data.same();
        exprs[axis] = AffineExpr::binary(AffineOp::FloorDiv, dim(axis), AffineExpr::Constant(times));
        Ok(vec![moved(b, data, exprs, &wanted)])
    }

    fn reverse(&self, b: &mut Builder<'_>) -> Lowered {
        let data = self.arg(0);
        let axis = self.axis("axis", data.rank());
        Ok(vec![reversed(b, data, &[axis])])
    }

    fn pad(&self, b: &mut Builder<'_>) -> Lowered {
        let data = self.arg(0);
        let widths = width_pairs(self, "pad_width");
        if self.attrs.text("pad_mode") != Some("constant") {
            let old = extents(b, data);
            let wanted = grown(b, &old, &widths);
            let befores: Vec<Extent> = widths.iter().map(|&(before, _)| Extent::Known(before)).collect();
            return Ok(vec![self.padded_from_inside(b, data, &befores, &wanted)]);
        }
        let value = super::pointwise::cast(b, self.arg(1), data.dtype());
        let value = tensors::scalar(b, value.value);
        Ok(vec![padded(b, data, &widths, value)])
    }

    /// Pads with elements of the data: the nearest one, or the mirror image at the border or at the outer element.
    pub(super) fn padded_from_inside(
        &self,
        b: &mut Builder<'_>,
        data: &Tensor,
        befores: &[Extent],
        wanted: &[Extent],
    ) -> Tensor {
        let old = extents(b, data);
        let mode = self.attrs.text("pad_mode").or_else(|| self.attrs.text("mode")).unwrap_or_default();
        for (axis, &own) in old.iter().enumerate() {
            if !own.is(b, wanted[axis]) {
                self.expect_elements(b, axis, wanted);
            }
        }
        generate(b, wanted, data.dtype(), |b, indices| {
            let mut at = Vec::with_capacity(old.len());
            for ((&index, before), &extent) in indices.iter().zip(befores).zip(&old) {
                let before = before.value(b);
                let mut index = arith::subi(b, index, before);
                index = match mode {
                    "reflect" | "REFLECT" => mirrored(b, index, extent, 0),
                    "SYMMETRIC" => mirrored(b, index, extent, 1),
                    _ => index,
                };
                at.push(tensors::clamped(b, index, extent));
            }
            extract(b, data.value, &at)
        })
    }

    fn mirror_pad(&self, b: &mut Builder<'_>) -> Lowered {
        let data = self.arg(0);
        let widths = width_pairs(self, "pad_width");
        let old = extents(b, data);
        let wanted = grown(b, &old, &widths);
        let befores: Vec<Extent> = widths.iter().map(|&(before, _)| Extent::Known(before)).collect();
        Ok(vec![self.padded_from_inside(b, data, &befores, &wanted)])
    }
}

/// Repeats the data along each axis of the result, the last ones of which are those of the data. Each repeated axis is computed
/// as two, the repetitions and the elements, which are then one axis of a view.
pub(super) fn tiled(b: &mut Builder<'_>, data: &Tensor, times: &[Extent]) -> Tensor {
    let old = extents(b, data);
    let new = times.len() - old.len();
    let (mut extents, mut exprs, mut groups) = (Vec::new(), Vec::new(), Vec::new());
    for (axis, &times) in times.iter().enumerate() {
        let own = axis.checked_sub(new).map(|axis| old[axis]);
        let parts: Vec<Extent> = match own {
            Some(own) if times == Extent::Known(1) => vec![own],
            Some(own) => vec![times, own],
            None => vec![times],
        };
        groups.push(parts.len());
        extents.extend(parts);
        if own.is_some() {
            exprs.push(dim(extents.len() - 1));
        }
    }
    let repeated = moved(b, data, exprs, &extents);
    tensors::collapsed(b, &repeated, &groups)
}

/// Pairs of widths, before and after each axis.
pub(super) fn width_pairs(site: &Site, name: &str) -> Vec<(i64, i64)> {
    let Some(AttrValue::List(widths)) = site.attrs.get(name) else { return Vec::new() };
    let pair = |pair: &AttrValue| {
        pair.as_ints().filter(|pair| pair.len() == 2).map_or((0, 0), |pair| (pair[0], pair[1]))
    };
    widths.iter().map(pair).collect()
}

/// The index mirrored at the first or the last element, which occur `again` more times in the mirror image.
fn mirrored(b: &mut Builder<'_>, index: Value, extent: Extent, again: i64) -> Value {
    let (first, one) = (arith::constant_index(b, -again), arith::constant_index(b, 1));
    let negative = arith::subi(b, first, index);
    let index = arith::maxsi(b, index, negative);
    let extent = extent.value(b);
    let last = arith::subi(b, extent, one);
    let twice = arith::addi(b, last, last);
    let twice = arith::subi(b, twice, first);
    let back = arith::subi(b, twice, index);
    arith::minsi(b, index, back)
}

/// The extents after padding or cropping both ends.
fn grown(b: &mut Builder<'_>, old: &[Extent], widths: &[(i64, i64)]) -> Vec<Extent> {
    let axes = old.iter().zip(widths).enumerate();
    axes.map(|(axis, (extent, (before, after)))| {
        let taken = Extent::Known(-(before + after));
        taken.expect_at_most(b, *extent, || {
            format!("nn.pad: more elements are taken away along axis {axis} than there are: {{}} of {{}}")
        });
        extent.plus(b, Extent::Known(before + after))
    })
    .collect()
}

/// Pads a tensor with `value`; a negative width crops.
pub(super) fn padded(b: &mut Builder<'_>, data: &Tensor, widths: &[(i64, i64)], value: Value) -> Tensor {
    if widths.iter().all(|&widths| widths == (0, 0)) {
        return data.clone();
    }
    let old = extents(b, data);
    let wanted = grown(b, &old, widths);
    let befores: Vec<Extent> = widths.iter().map(|&(before, _)| Extent::Known(before)).collect();
    if let Some(made) = constant_padding(b, data, widths, &wanted, value) {
        return made;
    }
    let beyond: Vec<bool> = widths.iter().map(|&(before, after)| before > 0 || after > 0).collect();
    placed(b, data, &befores, &beyond, &wanted, value)
}

/// `tensor.pad` by a constant; kernels compute it together with its readers.
fn constant_padding(
    b: &mut Builder<'_>,
    data: &Tensor,
    widths: &[(i64, i64)],
    wanted: &[Extent],
    value: Value,
) -> Option<Tensor> {
    let ctx = b.context();
    minoan_services::constant_of(b.body(), value)?;
    if widths.iter().any(|&(before, after)| before < 0 || after < 0) {
        return None;
    }
    let shape: Vec<i64> = wanted.iter().map(|extent| extent.in_type()).collect();
    let ty = Type::tensor(&ctx, &shape, scalar::element(&ctx, data.dtype()));
    let (low, high): (Vec<i64>, Vec<i64>) = widths.iter().copied().unzip();
    let made = minoan_tensor::Pad::with(b, data.value, &low, &high, value, ty).result(b.body());
    Some(Tensor {
        value: made,
        ty: crate::ty::TensorType::new(wanted.iter().map(|extent| extent.dim()), data.dtype()),
    })
}

/// Appends elements `value` along each axis; the widths are not negative.
pub(super) fn padded_by(b: &mut Builder<'_>, data: &Tensor, widths: &[Extent], value: Value) -> Tensor {
    let mut wanted = Vec::with_capacity(widths.len());
    for (axis, &width) in widths.iter().enumerate() {
        let old = extent(b, data, axis);
        wanted.push(old.plus(b, width));
    }
    let beyond: Vec<bool> = widths.iter().map(|&width| width != Extent::Known(0)).collect();
    placed(b, data, &vec![Extent::Known(0); widths.len()], &beyond, &wanted, value)
}

/// A tensor of extents `wanted` with the data at `befores`, and `value` elsewhere along the axes that are `beyond` the data.
pub(super) fn placed(
    b: &mut Builder<'_>,
    data: &Tensor,
    befores: &[Extent],
    beyond: &[bool],
    wanted: &[Extent],
    value: Value,
) -> Tensor {
    let old = extents(b, data);
    let ty = scalar::element(&b.context(), data.dtype());
    generate(b, wanted, data.dtype(), |b, indices| {
        let mut at = Vec::with_capacity(old.len());
        let mut inside = arith::constant_bool(b, true);
        for (axis, &index) in indices.iter().enumerate() {
            let index = if befores[axis] == Extent::Known(0) {
                index
            } else {
                let before = befores[axis].value(b);
                arith::subi(b, index, before)
            };
            at.push(index);
            if beyond[axis] {
                let fits = tensors::inside(b, index, old[axis]);
                inside = arith::andi(b, inside, fits);
            }
        }
        let chosen = If::with(b, inside, &[ty], |b| vec![extract(b, data.value, &at)], |_| vec![value]);
        b.body().op(minoan_ir::OpDef::op(chosen)).result(0)
    })
}

/// Inserts `strides[axis] - 1` elements `value` between the elements along each axis.
pub(super) fn dilated(b: &mut Builder<'_>, data: &Tensor, strides: &[i64], value: Value) -> Tensor {
    if strides.iter().all(|&stride| stride == 1) {
        return data.clone();
    }
    let old = extents(b, data);
    let mut wanted = Vec::with_capacity(old.len());
    for (&extent, &stride) in old.iter().zip(strides) {
        wanted.push(spread(b, extent, stride));
    }
    let ty = scalar::element(&b.context(), data.dtype());
    generate(b, &wanted, data.dtype(), |b, indices| {
        let (mut at, mut hits) = (Vec::with_capacity(indices.len()), arith::constant_bool(b, true));
        for (&index, &stride) in indices.iter().zip(strides) {
            if stride == 1 {
                at.push(index);
                continue;
            }
            let (stride, zero) = (arith::constant_index(b, stride), arith::constant_index(b, 0));
            at.push(arith::divui(b, index, stride));
            let rest = arith::remui(b, index, stride);
            let hit = arith::cmpi(b, CmpIPredicate::Eq, rest, zero);
            hits = arith::andi(b, hits, hit);
        }
        let chosen = If::with(b, hits, &[ty], |b| vec![extract(b, data.value, &at)], |_| vec![value]);
        b.body().op(minoan_ir::OpDef::op(chosen)).result(0)
    })
}

/// The extent after inserting `stride - 1` elements between neighbors; 0 stays 0.
fn spread(b: &mut Builder<'_>, extent: Extent, stride: i64) -> Extent {
    if extent == Extent::Known(0) || stride == 1 {
        return extent;
    }
    let last = extent.plus(b, Extent::Known(-1));
    let whole = last.times(b, Extent::Known(stride)).plus(b, Extent::Known(1));
    match whole {
        Extent::Known(_) => whole,
        // The extent is negative if there are no elements.
        Extent::Value(whole) => {
            let zero = arith::constant_index(b, 0);
            Extent::Value(arith::maxsi(b, whole, zero))
        }
    }
}
