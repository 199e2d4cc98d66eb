//! Lowering of operators that select, mask or rearrange elements along axes.

use super::broadcast::{broadcast_map, joined_extents, repeated_where_needed};
use super::extent::Extent;
use super::index::{from_end, index_at, integers_of};
use super::scalar::{self, Compare};
use super::site::{Site, Tensor, from_front};
use super::slice::sliced;
use super::tensors::{self, clamped, dim, extent, extents, generate, inside, linear, moved, sum};
use super::{Lowered, Rule, extract};
use crate::ty::Dim;
use minoan_arith::{self as arith, CmpIPredicate};
use minoan_data::assert_values;
use minoan_functional::assert;
use minoan_ir::{Builder, OpDef, Type, Value};
use minoan_scf::{If, While};

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "reverse_sequence" => |site, b| site.reverse_sequence(b),
        "sequence_mask" => |site, b| site.sequence_mask(b),
        "trilu" => |site, b| site.trilu(b),
        "matrix_set_diag" => |site, b| site.matrix_set_diag(b),
        "meshgrid" => |site, b| site.meshgrid(b),
        "adv_index" => |site, b| site.adv_index(b),
        "unravel_index" => |site, b| site.unravel_index(b),
        "invert_permutation" => |site, b| site.invert_permutation(b),
        "sliding_window" => |site, b| site.sliding_window(b),
        "searchsorted" => |site, b| site.searchsorted(b),
        "strided_set" => |site, b| site.strided_set(b),
        "nn.fifo_buffer" => |site, b| site.fifo_buffer(b),
        _ => return None,
    })
}

/// Selects one of two values, which are only computed if they are selected.
fn if_else(
    b: &mut Builder<'_>,
    condition: Value,
    ty: Type,
    then: impl FnOnce(&mut Builder<'_>) -> Value,
    otherwise: impl FnOnce(&mut Builder<'_>) -> Value,
) -> Value {
    let chosen = If::with(b, condition, &[ty], |b| vec![then(b)], |b| vec![otherwise(b)]);
    b.body().op(chosen.op()).result(0)
}

impl Site {
    /// Reverses the first elements along an axis; their number is given per batch.
    fn reverse_sequence(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, lengths) = (self.arg(0), self.arg(1));
        let (along, batch) = (self.axis_or("seq_axis", 1), self.axis_or("batch_axis", 0));
        self.expect_same(b, (0, batch), (1, 0));
        let wanted = extents(b, data);
        Ok(vec![generate(b, &wanted, data.dtype(), |b, indices| {
            let length = index_at(b, lengths, &[indices[batch]]);
            // A sequence that is longer than the data includes all elements.
            let whole = wanted[along].value(b);
            let length = arith::minsi(b, length, whole);
            let (one, here) = (arith::constant_index(b, 1), indices[along]);
            let last = arith::subi(b, length, one);
            let mirrored = arith::subi(b, last, here);
            let within = arith::cmpi(b, CmpIPredicate::Slt, here, length);
            let mut at = indices.to_vec();
            at[along] = arith::select(b, within, mirrored, here);
            extract(b, data.value, &at)
        })])
    }

    /// An axis of the first argument; an absent one is `otherwise`.
    fn axis_or(&self, name: &str, otherwise: i64) -> usize {
        from_front(self.attrs.int(name).unwrap_or(otherwise), self.arg(0).rank())
    }

    /// Replaces the elements beyond the length of each batch; the batches are along axis 0, or 1 if the sequences are
    /// along axis 0.
    fn sequence_mask(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, lengths, dtype) = (self.arg(0), self.arg(1), self.arg(0).dtype());
        let along = self.axis_or("axis", 0);
        let batch = 1 - along.min(1);
        if batch >= data.rank() {
            return Err("its data has no axis for the batch".to_owned());
        }
        self.expect_same(b, (0, batch), (1, 0));
        let mask = scalar::constant(b, self.attrs.float("mask_value").unwrap_or(0.0), dtype);
        let wanted = extents(b, data);
        Ok(vec![generate(b, &wanted, dtype, |b, at| {
            let length = index_at(b, lengths, &[at[batch]]);
            let within = arith::cmpi(b, CmpIPredicate::Slt, at[along], length);
            let element = extract(b, data.value, at);
            arith::select(b, within, element, mask)
        })])
    }

    /// The upper or lower triangle of matrices; the diagonal `k` belongs to it.
    fn trilu(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, dtype) = (self.arg(0), self.arg(0).dtype());
        let k = tensors::scalar(b, self.arg(1).value);
        let k = scalar::to_index(b, k, self.arg(1).dtype());
        let how = if self.attrs.flag("upper") { CmpIPredicate::Sge } else { CmpIPredicate::Sle };
        let zero = scalar::zero(b, dtype);
        let wanted = extents(b, data);
        Ok(vec![generate(b, &wanted, dtype, |b, at| {
            let [row, column] = [2, 1].map(|back| at[at.len() - back]);
            let diagonal = arith::subi(b, column, row);
            let kept = arith::cmpi(b, how, diagonal, k);
            let element = extract(b, data.value, at);
            arith::select(b, kept, element, zero)
        })])
    }

    /// Replaces the diagonals `k1` to `k2`. Several diagonals are rows of equal length, from the highest on;
    /// shorter ones are aligned to the left or to the right.
    fn matrix_set_diag(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, diagonal, dtype) = (self.arg(0), self.arg(1), self.arg(0).dtype());
        let (low, high) = (self.attrs.int("k1").unwrap_or(0), self.attrs.int("k2").unwrap_or(0));
        let [super_right, sub_right] =
            ["super_diag_right_align", "sub_diag_right_align"].map(|name| self.attrs.flag(name));
        let (rank, batches) = (data.rank(), data.rank() - 2);
        let several = low != high;
        if low > high || diagonal.rank() != batches + 1 + usize::from(several) {
            return Err("its diagonals have another rank, or there are none".to_owned());
        }
        (0..batches).for_each(|axis| _ = self.expect_same(b, (0, axis), (1, axis)));
        let wanted = extents(b, data);
        let length = extent(b, diagonal, diagonal.rank() - 1);
        let zero = arith::constant_index(b, 0);
        let (rows, columns) = (wanted[batches].value(b), wanted[batches + 1].value(b));
        // The number of elements of a diagonal.
        let count = |b: &mut Builder<'_>, k: Value| {
            let (before, after) = (arith::minsi(b, k, zero), arith::maxsi(b, k, zero));
            let (down, across) = (arith::addi(b, rows, before), arith::subi(b, columns, after));
            arith::minsi(b, down, across)
        };
        let longest = {
            let nearest = arith::constant_index(b, 0.clamp(low, high));
            Extent::Value(count(b, nearest))
        };
        longest.expect_at_most(b, length, || "matrix_set_diag: 'diagonal' is too short".to_owned());
        if several {
            let given = extent(b, diagonal, batches);
            given.expect(b, Extent::Known(high - low + 1), || {
                format!("matrix_set_diag: 'diagonal' must have {} diagonals", high - low + 1)
            });
        }
        let ty = scalar::element(&b.context(), dtype);
        Ok(vec![generate(b, &wanted, dtype, |b, at| {
            let (row, column) = (at[rank - 2], at[rank - 1]);
            let k = arith::subi(b, column, row);
            let (first, last) = (arith::constant_index(b, low), arith::constant_index(b, high));
            let above = arith::cmpi(b, CmpIPredicate::Sge, k, first);
            let below = arith::cmpi(b, CmpIPredicate::Sle, k, last);
            let replaced = arith::andi(b, above, below);
            let then = |b: &mut Builder<'_>| {
                let offset = arith::maxsi(b, k, zero);
                let place = arith::subi(b, column, offset);
                let mut source = at[..batches].to_vec();
                let mut place = place;
                if several {
                    let (whole, own) = (length.value(b), count(b, k));
                    let missing = arith::subi(b, whole, own);
                    let not_below = arith::cmpi(b, CmpIPredicate::Sge, k, zero);
                    let (right, left) =
                        (if super_right { missing } else { zero }, if sub_right { missing } else { zero });
                    let shift = arith::select(b, not_below, right, left);
                    place = arith::addi(b, place, shift);
                    source.push(arith::subi(b, last, k));
                }
                source.push(place);
                extract(b, diagonal.value, &source)
            };
            if_else(b, replaced, ty, then, |b| extract(b, data.value, at))
        })])
    }

    fn meshgrid(&self, b: &mut Builder<'_>) -> Lowered {
        let parts = &self.args[0];
        let mut wanted = Vec::with_capacity(parts.len());
        for part in parts {
            wanted.push(if part.rank() == 0 { Extent::Known(1) } else { extent(b, part, 0) });
        }
        let mut axes: Vec<usize> = (0..parts.len()).collect();
        if self.attrs.text("indexing") == Some("xy") && parts.len() > 1 {
            axes.swap(0, 1);
            wanted.swap(0, 1);
        }
        let each = parts.iter().zip(axes).map(|(part, axis)| {
            let exprs = if part.rank() == 0 { Vec::new() } else { vec![dim(axis)] };
            moved(b, part, exprs, &wanted)
        });
        Ok(each.collect())
    }

    /// The slices at tuples of indices, which are broadcast; negative ones count from the end.
    fn adv_index(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, indices) = self.args[0].split_first().ok_or("there are no indices")?;
        let mut wanted = joined_extents(b, &indices.iter().collect::<Vec<_>>());
        let rank = wanted.len();
        let old = extents(b, data);
        let mut repeated = Vec::with_capacity(indices.len());
        for index in indices {
            let index = repeated_where_needed(b, index, &wanted);
            repeated.push(moved(b, &index, broadcast_map(&index, &wanted), &wanted));
        }
        wanted.extend(&old[indices.len()..]);
        for axis in 0..indices.len() {
            self.expect_elements(b, axis, &wanted);
        }
        Ok(vec![generate(b, &wanted, data.dtype(), |b, at| {
            let mut source = Vec::with_capacity(old.len());
            for (index, &whole) in repeated.iter().zip(&old) {
                let index = index_at(b, index, &at[..rank]);
                let index = from_end(b, index, whole);
                source.push(clamped(b, index, whole));
            }
            source.extend(&at[rank..]);
            extract(b, data.value, &source)
        })])
    }

    /// The coordinates of row-major numbers in a tensor of a given shape.
    fn unravel_index(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, shape, dtype) = (self.arg(0), self.arg(1), self.result().dtype);
        let axes = extent(b, shape, 0);
        let own = extents(b, data);
        let wanted = [&[axes][..], &own].concat();
        Ok(vec![generate(b, &wanted, dtype, |b, at| {
            let number = index_at(b, data, &at[1..]);
            // The number of elements that one step along the axis passes.
            let (one, last) = (arith::constant_index(b, 1), axes.value(b));
            let next = arith::addi(b, at[0], one);
            let after = arith::subi(b, last, next);
            let stride = tensors::nest(b, &[Extent::Value(after)], &[one], &mut |b, step, carried| {
                let axis = arith::addi(b, next, step[0]);
                let extent = index_at(b, shape, &[axis]);
                vec![arith::muli(b, carried[0], extent)]
            })[0];
            let whole = index_at(b, shape, &[at[0]]);
            // An empty shape has no coordinates.
            let (stride, whole) = (arith::maxsi(b, stride, one), arith::maxsi(b, whole, one));
            let steps = arith::divsi(b, number, stride);
            let place = arith::remsi(b, steps, whole);
            scalar::from_index(b, place, dtype)
        })])
    }

    fn invert_permutation(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, dtype) = (self.arg(0), self.arg(0).dtype());
        let count = extent(b, data, 0);
        let zero = scalar::zero(b, dtype);
        let made = tensors::filled(b, &[count], dtype, zero);
        let done = tensors::nest(b, &[count], &[made.value], &mut |b, at, carried| {
            let to = index_at(b, data, at);
            let fits = inside(b, to, count);
            let all = count.value(b);
            assert_values(b, fits, "invert_permutation: index {} is not below {}", &[to, all]);
            let number = scalar::from_index(b, at[0], dtype);
            vec![tensors::insert(b, number, carried[0], &[to])]
        });
        Ok(vec![Tensor { value: done[0], ty: data.ty.clone() }])
    }

    fn sliding_window(&self, b: &mut Builder<'_>) -> Lowered {
        let data = self.arg(0);
        let axis = self.axis_or("axis", 0);
        let [sizes, strides] =
            ["window_shape", "strides"].map(|name| self.attrs.ints(name).unwrap_or_default());
        let old = extents(b, data);
        let mut wanted = old[..axis].to_vec();
        let mut exprs: Vec<_> = (0..axis).map(dim).collect();
        for (index, (&size, &stride)) in sizes.iter().zip(&strides).enumerate() {
            let whole = old[axis + index];
            Extent::Known(size).expect_at_most(b, whole, || {
                format!("sliding_window: a window is larger than 'data' along axis {}", axis + index)
            });
            let room = whole.plus(b, Extent::Known(-size)).divided_by(b, Extent::Known(stride));
            wanted.push(room.plus(b, Extent::Known(1)));
            exprs.push(sum(linear(dim(axis + index), stride, 0), dim(axis + sizes.len() + index)));
        }
        wanted.extend(sizes.iter().map(|&size| Extent::Known(size)));
        if self.result().shape.contains(&Dim::Known(0)) {
            return Ok(vec![tensors::empty(b, &wanted, data.dtype())]);
        }
        Ok(vec![generate(b, &wanted, data.dtype(), |b, at| {
            let mut source = at[..axis].to_vec();
            for (index, &stride) in strides.iter().enumerate() {
                let stride = arith::constant_index(b, stride);
                let first = arith::muli(b, at[axis + index], stride);
                source.push(arith::addi(b, first, at[axis + strides.len() + index]));
            }
            extract(b, data.value, &source)
        })])
    }

    /// The number of elements of a sorted row that are less than a value, or that are not greater.
    fn searchsorted(&self, b: &mut Builder<'_>) -> Lowered {
        let (sorted, values, dtype) = (self.arg(0), self.arg(1), self.arg(0).dtype());
        let right = self.attrs.flag("right");
        let rows = sorted.rank() - 1;
        (0..rows).for_each(|axis| _ = self.expect_same(b, (0, axis), (1, axis)));
        let (count, wanted) = (extent(b, sorted, rows), extents(b, values));
        let to = self.result().dtype;
        Ok(vec![generate(b, &wanted, to, |b, at| {
            let value = extract(b, values.value, at);
            let (zero, one, two) =
                (arith::constant_index(b, 0), arith::constant_index(b, 1), arith::constant_index(b, 2));
            let count = count.value(b);
            let found = While::with(
                b,
                &[zero, count],
                &[Type::INDEX, Type::INDEX],
                |b, carried| (arith::cmpi(b, CmpIPredicate::Ult, carried[0], carried[1]), carried.to_vec()),
                |b, carried| {
                    let both = arith::addi(b, carried[0], carried[1]);
                    let middle = arith::divui(b, both, two);
                    let source = [&at[..rows], &[middle]].concat();
                    let element = extract(b, sorted.value, &source);
                    let how = if right { Compare::Le } else { Compare::Lt };
                    let before = scalar::compare(b, how, element, value, dtype);
                    let next = arith::addi(b, middle, one);
                    vec![
                        arith::select(b, before, next, carried[0]),
                        arith::select(b, before, carried[1], middle),
                    ]
                },
            );
            let found = b.body().op(found.op()).result(0);
            scalar::from_index(b, found, to)
        })])
    }

    /// Replaces the elements of a slice, which clamps as Python's do.
    fn strided_set(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, updates) = (self.arg(0), self.arg(1));
        let count = self.arg(2).ty.shape[0].known().ok_or("the number of its slices is not known")?;
        let count = usize::try_from(count).unwrap_or(0);
        if count > data.rank() {
            return Err("it has more slices than its data has axes".to_owned());
        }
        let begins = integers_of(b, self, 2, count);
        let strides = integers_of(b, self, 4, count);
        if updates.rank() != data.rank() {
            return Err("its values have another rank".to_owned());
        }
        let (old, sizes) = (extents(b, data), extents(b, updates));
        let (zero, minus) = (arith::constant_index(b, 0), arith::constant_index(b, -1));
        let mut firsts = Vec::with_capacity(count);
        for axis in 0..count {
            let back = arith::cmpi(b, CmpIPredicate::Slt, strides[axis], zero);
            let low = arith::select(b, back, minus, zero);
            let extent = old[axis].value(b);
            let high = arith::addi(b, extent, low);
            let first = from_end(b, begins[axis], old[axis]);
            let first = arith::minsi(b, first, high);
            firsts.push(arith::maxsi(b, first, low));
        }
        let done = tensors::nest(b, &sizes, &[data.value], &mut |b, place, carried| {
            let update = extract(b, updates.value, place);
            let mut fits = arith::constant_bool(b, true);
            let mut at = place.to_vec();
            for axis in 0..place.len() {
                if axis < count {
                    let offset = arith::muli(b, at[axis], strides[axis]);
                    at[axis] = arith::addi(b, firsts[axis], offset);
                }
                let here = inside(b, at[axis], old[axis]);
                fits = arith::andi(b, fits, here);
            }
            assert(b, fits, "strided_set: 'v' is larger than the slice");
            vec![tensors::insert(b, update, carried[0], &at)]
        });
        Ok(vec![Tensor { value: done[0], ty: data.ty.clone() }])
    }

    /// The last elements of the buffer followed by the data; the result has the size of the buffer.
    fn fifo_buffer(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, buffer) = (self.arg(0), self.arg(1));
        let axis = from_front(self.attrs.int("axis").unwrap_or(0), buffer.rank());
        for other in (0..buffer.rank()).filter(|&other| other != axis) {
            self.expect_same(b, (0, other), (1, other));
        }
        let (new, wanted) = (extent(b, data, axis), extents(b, buffer));
        let whole = wanted[axis];
        if let (Extent::Known(new), Extent::Known(whole)) = (new, whole)
            && new >= whole
        {
            return Ok(vec![sliced(b, data, &[(axis, Extent::Known(new - whole), 1)], &wanted)]);
        }
        let ty = scalar::element(&b.context(), data.dtype());
        Ok(vec![generate(b, &wanted, data.dtype(), |b, at| {
            let (new, whole) = (new.value(b), whole.value(b));
            let kept = arith::subi(b, whole, new);
            let old = arith::cmpi(b, CmpIPredicate::Slt, at[axis], kept);
            let mut own = at.to_vec();
            own[axis] = arith::addi(b, at[axis], new);
            let mut added = at.to_vec();
            added[axis] = arith::subi(b, at[axis], kept);
            if_else(b, old, ty, |b| extract(b, buffer.value, &own), |b| extract(b, data.value, &added))
        })])
    }
}
