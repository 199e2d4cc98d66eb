//! Lowering of gathers and one-hot encodings.

use super::extent::Extent;
use super::pointwise::cast;
use super::scalar::{self, Compare};
use super::site::{Site, Tensor};
use super::tensors::{self, clamped, extent, extents, generate};
use super::{Lowered, Rule, extract};
use crate::ty::DType;
use minoan_arith as arith;
use minoan_data::assert_values;
use minoan_functional::assert;
use minoan_ir::{Builder, Value};
use minoan_math as math;

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "take" => |site, b| site.take(b),
        "gather" => |site, b| site.gather(b),
        "gather_nd" => |site, b| site.gather_nd(b),
        "one_hot" => |site, b| site.one_hot_of(b, Extent::Known(site.attrs.int("depth").unwrap_or(1))),
        "arange" => |site, b| site.arange(b),
        _ => return None,
    })
}

/// An element of an integer tensor, converted to `index`.
pub(super) fn index_at(b: &mut Builder<'_>, indices: &Tensor, at: &[Value]) -> Value {
    let index = extract(b, indices.value, at);
    scalar::to_index(b, index, indices.dtype())
}

/// The first `count` elements of the integer argument at `index`, which has rank 1, as extents. Asserts that there are that
/// many and that none is negative.
pub(super) fn values_of(b: &mut Builder<'_>, site: &Site, index: usize, count: usize) -> Vec<Extent> {
    let whole = integers_of(b, site, index, count);
    let zero = arith::constant_index(b, 0);
    let mut fits = arith::constant_bool(b, true);
    for &value in &whole {
        let fine = arith::cmpi(b, arith::CmpIPredicate::Sge, value, zero);
        fits = arith::andi(b, fits, fine);
    }
    if !whole.is_empty() {
        let shown = vec!["{}"; whole.len()].join(", ");
        assert_values(b, fits, &format!("{}: an extent is negative: {shown}", site.name), &whole);
    }
    whole.into_iter().map(Extent::Value).collect()
}

/// Like [`values_of`], for numbers that may be negative, of type `index`.
pub(super) fn integers_of(b: &mut Builder<'_>, site: &Site, index: usize, count: usize) -> Vec<Value> {
    let given = site.arg(index);
    let own = extent(b, given, 0);
    own.expect(b, Extent::Known(count as i64), || {
        format!("{}: argument {} must have {count} elements, found {{}}", site.name, index + 1)
    });
    let at = |b: &mut Builder<'_>, place: usize| {
        let place = arith::constant_index(b, place as i64);
        index_at(b, given, &[place])
    };
    (0..count).map(|place| at(b, place)).collect()
}

/// Adds the extent to a negative index.
pub(super) fn from_end(b: &mut Builder<'_>, index: Value, extent: Extent) -> Value {
    let (zero, extent) = (arith::constant_index(b, 0), extent.value(b));
    let negative = arith::cmpi(b, arith::CmpIPredicate::Slt, index, zero);
    let moved = arith::addi(b, index, extent);
    arith::select(b, negative, moved, index)
}

impl Site {
    fn take(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, indices) = (self.arg(0), self.arg(1));
        let wrap = self.attrs.text("mode") == Some("wrap");
        let bounded = |b: &mut Builder<'_>, index: Value, extent: Extent| {
            if !wrap {
                return clamped(b, index, extent);
            }
            let extent = extent.value(b);
            let rest = arith::remsi(b, index, extent);
            from_end(b, rest, Extent::Value(extent))
        };
        let old = extents(b, data);
        let chosen = extents(b, indices);
        let Some(axis) = self.attrs.int("axis") else {
            let all = super::extent::product(b, &old);
            super::extent::expect_elements(b, all, &chosen, || "take: 'data' has no elements".to_owned());
            return Ok(vec![generate(b, &chosen, data.dtype(), |b, at| {
                let index = index_at(b, indices, at);
                let index = bounded(b, index, all);
                let at = tensors::indices_at(b, index, &old);
                extract(b, data.value, &at)
            })]);
        };
        let axis = super::site::from_front(axis, data.rank());
        let batch = self.attrs.int("batch_dims").unwrap_or(0);
        let batch = if batch < 0 { batch + indices.rank() as i64 } else { batch };
        let batch = usize::try_from(batch).unwrap_or(0).min(indices.rank());
        let own = indices.rank() - batch;
        (0..batch).for_each(|axis| _ = self.expect_same(b, (0, axis), (1, axis)));
        let wanted = [&old[..axis], &chosen[batch..], &old[axis + 1..]].concat();
        self.expect_elements(b, axis, &wanted);
        Ok(vec![generate(b, &wanted, data.dtype(), |b, at| {
            let places = [&at[..batch], &at[axis..axis + own]].concat();
            let index = index_at(b, indices, &places);
            let index = bounded(b, index, old[axis]);
            let at = [&at[..axis], &[index], &at[axis + own..]].concat();
            extract(b, data.value, &at)
        })])
    }

    /// Out-of-bounds indices are clamped.
    fn gather(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, indices) = (self.arg(0), self.arg(1));
        let axis = self.axis("axis", data.rank());
        for other in (0..data.rank()).filter(|&other| other != axis) {
            self.expect_same(b, (0, other), (1, other));
        }
        let (whole, wanted) = (extent(b, data, axis), extents(b, indices));
        self.expect_elements(b, axis, &wanted);
        Ok(vec![generate(b, &wanted, data.dtype(), |b, at| {
            let index = index_at(b, indices, at);
            let mut at = at.to_vec();
            at[axis] = clamped(b, index, whole);
            extract(b, data.value, &at)
        })])
    }

    fn gather_nd(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, indices) = (self.arg(0), self.arg(1));
        let batch = usize::try_from(self.attrs.int("batch_dims").unwrap_or(0)).unwrap_or(0);
        let Some(length) = indices.ty.shape[0].known().or_else(|| self.attrs.int("index_rank")) else {
            return Err("the number of coordinates of an index is not known".to_owned());
        };
        let found = extent(b, indices, 0);
        found.expect(b, Extent::Known(length), || {
            format!("{}: an index must have {length} coordinates, found {{}}", self.name)
        });
        let (length, places) = (length.max(0) as usize, indices.rank() - 1);
        let (old, chosen) = (extents(b, data), extents(b, indices));
        let wanted = [&chosen[1..], &old[batch + length..]].concat();
        (0..batch.min(places)).for_each(|axis| self.expect_at_most(b, (1, axis + 1), (0, axis)));
        (batch..batch + length).for_each(|axis| self.expect_elements(b, axis, &wanted));
        Ok(vec![generate(b, &wanted, data.dtype(), |b, at| {
            let mut source = at[..batch.min(places)].to_vec();
            for coordinate in 0..length {
                let number = arith::constant_index(b, coordinate as i64);
                let place = [&[number], &at[..places]].concat();
                let index = index_at(b, indices, &place);
                source.push(clamped(b, index, old[batch + coordinate]));
            }
            source.extend(&at[places..]);
            extract(b, data.value, &source)
        })])
    }

    /// One-hot encodings of length `depth`.
    pub(super) fn one_hot_of(&self, b: &mut Builder<'_>, depth: Extent) -> Lowered {
        let (indices, dtype) = (self.arg(0), self.result().dtype);
        let axis = self.axis("axis", indices.rank() + 1);
        let [on, off] = [1, 2].map(|index| {
            let value = cast(b, self.arg(index), dtype);
            tensors::scalar(b, value.value)
        });
        let mut wanted = extents(b, indices);
        wanted.insert(axis, depth);
        Ok(vec![generate(b, &wanted, dtype, |b, at| {
            let mut place = at.to_vec();
            let here = place.remove(axis);
            let index = index_at(b, indices, &place);
            let hot = arith::cmpi(b, arith::CmpIPredicate::Eq, index, here);
            arith::select(b, hot, on, off)
        })])
    }

    fn arange(&self, b: &mut Builder<'_>) -> Lowered {
        let dtype = self.result().dtype;
        let [start, stop, step] = [0, 1, 2].map(|index| {
            let value = cast(b, self.arg(index), dtype);
            tensors::scalar(b, value.value)
        });
        let count = match self.result().shape[0].known() {
            Some(count) => Extent::Known(count),
            None => Extent::Value(count(b, [start, stop, step], dtype)),
        };
        Ok(vec![generate(b, &[count], dtype, |b, at| {
            let number = scalar::from_index(b, at[0], dtype);
            let offset = scalar::mul(b, number, step, dtype);
            scalar::add(b, start, offset, dtype)
        })])
    }
}

/// Upper bound on the length of a range; an `f32` holds it exactly.
const MOST_STEPS: f64 = (1u64 << 40) as f64;

/// The number of steps before the end.
fn count(b: &mut Builder<'_>, [start, stop, step]: [Value; 3], dtype: DType) -> Value {
    let wide = if dtype == DType::Float(32) { dtype } else { DType::Float(64) };
    let [start, stop, step] = [start, stop, step].map(|value| scalar::cast(b, value, dtype, wide));
    let whole = scalar::sub(b, stop, start, wide);
    let steps = scalar::div(b, whole, step, wide);
    let steps = math::ceil(b, steps);
    let zero = scalar::zero(b, wide);
    let some = scalar::compare(b, Compare::Gt, steps, zero, wide);
    let steps = arith::select(b, some, steps, zero);
    let most = scalar::constant(b, MOST_STEPS, wide);
    let fits = scalar::compare(b, Compare::Le, steps, most, wide);
    assert(b, fits, "arange: the number of steps is not finite, or too large");
    scalar::to_index(b, steps, wide)
}
