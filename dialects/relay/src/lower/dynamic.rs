//! Lowering of operators whose shapes are given by arguments.

use super::broadcast::repeated_to;
use super::extent::{Extent, product};
use super::index::{integers_of, values_of};
use super::pointwise::cast;
use super::scalar;
use super::shape::{reshaped, uneven};
use super::site::Site;
use super::slice::tiled;
use super::tensors::{self, extents, filled, generate};
use super::{Lowered, Rule, extract};
use minoan_arith::{self as arith, CmpIPredicate};
use minoan_data::assert_values;
use minoan_functional::assert;
use minoan_ir::{Builder, Value};

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "dyn.reshape" => |site, b| site.dynamic_reshape(b),
        "dyn.squeeze" => |site, b| site.dynamic_squeeze(b),
        "dyn.expand_dims" => |site, b| site.dynamic_expand_dims(b),
        "dyn.broadcast_to" => |site, b| site.dynamic_broadcast(b),
        "dyn.tile" => |site, b| site.dynamic_tile(b),
        "dyn.strided_slice" => |site, b| site.dynamic_slice(b),
        "dyn.full" => |site, b| {
            let value = cast(b, site.arg(0), site.result().dtype);
            let value = tensors::scalar(b, value.value);
            site.dynamic_fill(b, 1, value)
        },
        "dyn.zeros" => |site, b| {
            let zero = scalar::zero(b, site.result().dtype);
            site.dynamic_fill(b, 0, zero)
        },
        "dyn.ones" => |site, b| {
            let one = scalar::one(b, site.result().dtype);
            site.dynamic_fill(b, 0, one)
        },
        "dyn.one_hot" => |site, b| {
            let depth = number_of(b, site, 3);
            let zero = arith::constant_index(b, 0);
            let fits = arith::cmpi(b, CmpIPredicate::Sge, depth, zero);
            assert_values(b, fits, "dyn.one_hot: 'depth' is negative: {}", &[depth]);
            site.one_hot_of(b, Extent::Value(depth))
        },
        "dyn.topk" => |site, b| {
            let count = number_of(b, site, 1);
            let axis = site.axis("axis", site.arg(0).rank());
            let whole = tensors::extent(b, site.arg(0), axis);
            // Less than one means all.
            let (one, all) = (arith::constant_index(b, 1), whole.value(b));
            let some = arith::cmpi(b, CmpIPredicate::Sge, count, one);
            let count = Extent::Value(arith::select(b, some, count, all));
            count.expect_at_most(b, whole, || {
                format!("dyn.topk: 'k' is {{}}, but 'data' has extent {{}} along axis {axis}")
            });
            site.top(b, Some(count))
        },
        "dyn.nn.pad" => |site, b| site.dynamic_pad(b),
        _ => return None,
    })
}

/// The integer argument at `index`, a number or a tensor with one element.
fn number_of(b: &mut Builder<'_>, site: &Site, index: usize) -> Value {
    let given = site.arg(index);
    if given.rank() == 0 {
        let number = tensors::scalar(b, given.value);
        return scalar::to_index(b, number, given.dtype());
    }
    integers_of(b, site, index, 1)[0]
}

/// The extent at a place that is known at run time; 1 if it is none of them.
fn chosen(b: &mut Builder<'_>, extents: &[Extent], place: Value) -> Value {
    let mut chosen = arith::constant_index(b, 1);
    for (axis, extent) in extents.iter().enumerate() {
        let (axis, extent) = (arith::constant_index(b, axis as i64), extent.value(b));
        let here = arith::cmpi(b, CmpIPredicate::Eq, place, axis);
        chosen = arith::select(b, here, extent, chosen);
    }
    chosen
}

impl Site {
    /// An axis given at run time, counted from the front of `rank` axes.
    fn dynamic_axis(&self, b: &mut Builder<'_>, axis: Value, rank: usize) -> Value {
        let rank = Extent::Known(rank as i64);
        let axis = super::index::from_end(b, axis, rank);
        let fits = tensors::inside(b, axis, rank);
        assert_values(b, fits, &format!("{}: axis {{}} does not exist", self.name), &[axis]);
        axis
    }

    fn dynamic_fill(&self, b: &mut Builder<'_>, shape: usize, value: Value) -> Lowered {
        let wanted = values_of(b, self, shape, self.result().rank());
        Ok(vec![filled(b, &wanted, self.result().dtype, value)])
    }

    /// Codes as those of `reshape`: 0 copies an extent, -1 is inferred, -3 merges two.
    fn dynamic_reshape(&self, b: &mut Builder<'_>) -> Lowered {
        let data = self.arg(0);
        let old = extents(b, data);
        let codes = integers_of(b, self, 1, self.result().rank());
        let literal_zero = self.attrs.flag("allowzero");
        let (zero, one, two) =
            (arith::constant_index(b, 0), arith::constant_index(b, 1), arith::constant_index(b, 2));
        let (minus_one, minus_three) = (arith::constant_index(b, -1), arith::constant_index(b, -3));
        let mut next = zero;
        let (mut wanted, mut inferred, mut known) = (Vec::new(), Vec::new(), one);
        for code in codes {
            let is = |b: &mut Builder<'_>, what: Value| arith::cmpi(b, CmpIPredicate::Eq, code, what);
            let (copies, infers, merges) = (is(b, zero), is(b, minus_one), is(b, minus_three));
            let own = chosen(b, &old, next);
            let after = arith::addi(b, next, one);
            let other = chosen(b, &old, after);
            let both = arith::muli(b, own, other);
            let mut extent = arith::select(b, merges, both, code);
            if !literal_zero {
                extent = arith::select(b, copies, own, extent);
            }
            let extent = arith::select(b, infers, one, extent);
            let fits = arith::cmpi(b, CmpIPredicate::Sge, extent, zero);
            assert(b, fits, "dyn.reshape: 'newshape' has an unknown code");
            let step = arith::select(b, merges, two, one);
            next = arith::addi(b, next, step);
            known = arith::muli(b, known, extent);
            wanted.push(extent);
            inferred.push(infers);
        }
        let all = product(b, &old);
        let rest = all.divided_by(b, Extent::Value(known)).value(b);
        let mut made = one;
        let wanted: Vec<Extent> = wanted
            .into_iter()
            .zip(inferred)
            .map(|(extent, infers)| {
                let extent = arith::select(b, infers, rest, extent);
                made = arith::muli(b, made, extent);
                Extent::Value(extent)
            })
            .collect();
        all.expect(b, Extent::Value(made), || uneven(self.name));
        Ok(vec![reshaped(b, data, &wanted)])
    }

    fn dynamic_squeeze(&self, b: &mut Builder<'_>) -> Lowered {
        let data = self.arg(0);
        let (old, rank) = (extents(b, data), self.result().rank());
        let mut axes = integers_of(b, self, 1, data.rank() - rank);
        for axis in &mut axes {
            *axis = self.dynamic_axis(b, *axis, data.rank());
        }
        let (zero, one) = (arith::constant_index(b, 0), arith::constant_index(b, 1));
        // The extents move to the front by the number of axes dropped before them.
        let mut wanted = vec![one; rank];
        let mut place = zero;
        for (axis, extent) in old.iter().enumerate() {
            let (number, extent) = (arith::constant_index(b, axis as i64), extent.value(b));
            let mut dropped = arith::constant_bool(b, false);
            for &axis in &axes {
                let here = arith::cmpi(b, CmpIPredicate::Eq, axis, number);
                dropped = arith::ori(b, dropped, here);
            }
            for (new, wanted) in wanted.iter_mut().enumerate() {
                let new = arith::constant_index(b, new as i64);
                let here = arith::cmpi(b, CmpIPredicate::Eq, place, new);
                let kept = scalar::not(b, dropped);
                let here = arith::andi(b, here, kept);
                *wanted = arith::select(b, here, extent, *wanted);
            }
            let step = arith::select(b, dropped, zero, one);
            place = arith::addi(b, place, step);
        }
        let wanted: Vec<Extent> = wanted.into_iter().map(Extent::Value).collect();
        let (all, made) = (product(b, &old), product(b, &wanted));
        all.expect(b, made, || "dyn.squeeze: an axis is dropped, but its extent is not 1".to_owned());
        Ok(vec![reshaped(b, data, &wanted)])
    }

    fn dynamic_expand_dims(&self, b: &mut Builder<'_>) -> Lowered {
        let data = self.arg(0);
        let (old, rank) = (extents(b, data), self.result().rank());
        let axis = number_of(b, self, 1);
        let axis = self.dynamic_axis(b, axis, data.rank() + 1);
        let count = rank - data.rank();
        let (one, added) = (arith::constant_index(b, 1), arith::constant_index(b, count as i64));
        let last = arith::addi(b, axis, added);
        let mut wanted = Vec::with_capacity(rank);
        for new in 0..rank {
            let number = arith::constant_index(b, new as i64);
            let before = arith::cmpi(b, CmpIPredicate::Slt, number, axis);
            let after = arith::cmpi(b, CmpIPredicate::Sge, number, last);
            let mut extent = one;
            if let Some(own) = old.get(new) {
                let own = own.value(b);
                extent = arith::select(b, before, own, extent);
            }
            if let Some(own) = new.checked_sub(count).and_then(|old_axis| old.get(old_axis)) {
                let own = own.value(b);
                extent = arith::select(b, after, own, extent);
            }
            wanted.push(Extent::Value(extent));
        }
        Ok(vec![reshaped(b, data, &wanted)])
    }

    fn dynamic_broadcast(&self, b: &mut Builder<'_>) -> Lowered {
        let wanted = values_of(b, self, 1, self.result().rank());
        Ok(vec![repeated_to(b, self.arg(0), &wanted)])
    }

    fn dynamic_tile(&self, b: &mut Builder<'_>) -> Lowered {
        let data = self.arg(0);
        let rank = self.result().rank();
        let count = self.arg(1).ty.shape[0].known().ok_or("the number of repetitions is not known")?;
        let reps = values_of(b, self, 1, usize::try_from(count).unwrap_or(0));
        let mut times = vec![Extent::Known(1); rank - reps.len()];
        times.extend(reps);
        Ok(vec![tiled(b, data, &times)])
    }

    /// Slices as Python's, along the first axes or those of the attribute.
    fn dynamic_slice(&self, b: &mut Builder<'_>) -> Lowered {
        let data = self.arg(0);
        let count = |index: usize| -> Result<usize, String> {
            let count = self.arg(index).ty.shape[0].known().ok_or("the number of its slices is not known")?;
            Ok(usize::try_from(count).unwrap_or(0))
        };
        let (slices, steps) = (count(1)?, count(3)?);
        let (begins, ends) = (integers_of(b, self, 1, slices), integers_of(b, self, 2, slices));
        let strides = integers_of(b, self, 3, steps);
        let sizes = self.attrs.text("slice_mode") == Some("size");
        let axes: Vec<usize> = match self.attrs.ints("axes") {
            Some(axes) if axes.len() == slices => {
                axes.into_iter().map(|axis| super::site::from_front(axis, data.rank())).collect()
            }
            _ => (0..slices).collect(),
        };
        let mut wanted = extents(b, data);
        let mut firsts = Vec::with_capacity(slices);
        let (zero, one, minus) =
            (arith::constant_index(b, 0), arith::constant_index(b, 1), arith::constant_index(b, -1));
        for (index, &axis) in axes.iter().enumerate() {
            let stride = strides.get(index).copied().filter(|_| !sizes).unwrap_or(one);
            let moves = arith::cmpi(b, CmpIPredicate::Ne, stride, zero);
            assert(b, moves, "dyn.strided_slice: a stride is 0");
            let back = arith::cmpi(b, CmpIPredicate::Slt, stride, zero);
            let extent = wanted[axis].value(b);
            let low = arith::select(b, back, minus, zero);
            let high = arith::addi(b, extent, low);
            let clamp = |b: &mut Builder<'_>, index: Value| {
                let index = super::index::from_end(b, index, Extent::Value(extent));
                let index = arith::minsi(b, index, high);
                arith::maxsi(b, index, low)
            };
            let first = clamp(b, begins[index]);
            let last = if sizes {
                let end = arith::addi(b, first, ends[index]);
                let end = arith::minsi(b, end, high);
                let open = arith::cmpi(b, CmpIPredicate::Slt, ends[index], zero);
                arith::select(b, open, high, end)
            } else {
                clamp(b, ends[index])
            };
            let (ahead, behind) = (arith::subi(b, last, first), arith::subi(b, first, last));
            let steps = arith::select(b, back, behind, ahead);
            let opposite = arith::subi(b, zero, stride);
            let width = arith::select(b, back, opposite, stride);
            let steps = arith::maxsi(b, steps, zero);
            wanted[axis] = Extent::Value(arith::ceildivsi(b, steps, width));
            firsts.push((axis, first, stride));
        }
        Ok(vec![generate(b, &wanted, data.dtype(), |b, indices| {
            let mut at = indices.to_vec();
            for &(axis, first, stride) in &firsts {
                let offset = arith::muli(b, at[axis], stride);
                at[axis] = arith::addi(b, first, offset);
            }
            extract(b, data.value, &at)
        })])
    }

    fn dynamic_pad(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, widths) = (self.arg(0), self.arg(1));
        let old = extents(b, data);
        for (axis, extent) in [(0, data.rank() as i64), (1, 2)] {
            let own = tensors::extent(b, widths, axis);
            own.expect(b, Extent::Known(extent), || {
                format!("dyn.nn.pad: 'pad_width' must have {extent} elements along axis {axis}, found {{}}")
            });
        }
        let zero = arith::constant_index(b, 0);
        let (mut befores, mut wanted) = (Vec::new(), Vec::new());
        for (axis, extent) in old.iter().enumerate() {
            let axis = arith::constant_index(b, axis as i64);
            let [before, after] = [0, 1].map(|side| {
                let side = arith::constant_index(b, side);
                Extent::Value(super::index::index_at(b, widths, &[axis, side]))
            });
            let whole = extent.plus(b, before).plus(b, after);
            let value = whole.value(b);
            let fits = arith::cmpi(b, CmpIPredicate::Sge, value, zero);
            assert(b, fits, "dyn.nn.pad: more elements are taken away than there are");
            befores.push(before);
            wanted.push(whole);
        }
        if self.attrs.text("pad_mode") != Some("constant") {
            return Ok(vec![self.padded_from_inside(b, data, &befores, &wanted)]);
        }
        let value = cast(b, self.arg(2), data.dtype());
        let value = tensors::scalar(b, value.value);
        let beyond = vec![true; old.len()];
        Ok(vec![super::slice::placed(b, data, &befores, &beyond, &wanted, value)])
    }
}
