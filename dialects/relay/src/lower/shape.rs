//! Lowering of reshapes, replication and filled tensors.

use super::broadcast::{broadcast_map, repeated_to};
use super::extent::{Extent, product};
use super::pointwise::cast;
use super::site::{Site, Tensor, from_front};
use super::tensors::{dim, extent, extents, filled, generate, moved, number};
use super::{Lowered, Rule, extract, scalar, tensors};
use crate::ty::{DType, Dim};
use minoan_arith as arith;
use minoan_ir::affine::AffineExpr;
use minoan_ir::{Builder, Value};

pub(super) fn rule(name: &str) -> Option<Rule> {
    Some(match name {
        "reshape" => |site, b| {
            let wanted = site.new_extents(b);
            Ok(vec![reshaped(b, site.arg(0), &wanted)])
        },
        "contrib_reverse_reshape" => |site, b| site.reverse_reshape(b),
        "reshape_like" => |site, b| site.reshape_like(b),
        "nn.batch_flatten" => |site, b| {
            let old = extents(b, site.arg(0));
            let wanted = [old[0], product(b, &old[1..])];
            Ok(vec![reshaped(b, site.arg(0), &wanted)])
        },
        "expand_dims" => |site, b| site.expand_dims(b),
        "squeeze" => |site, b| site.squeeze(b),
        "transpose" => |site, b| site.transpose(b),
        "broadcast_to" | "broadcast_to_like" => |site, b| site.broadcast(b),
        "zeros" | "zeros_like" => |site, b| site.fill(b, 0),
        "ones" | "ones_like" => |site, b| site.fill(b, 1),
        "full" => |site, b| site.full(b, 0),
        "full_like" => |site, b| site.full(b, 1),
        "shape_of" => |site, b| site.shape_of(b),
        "ndarray_size" => |site, b| {
            let extents = extents(b, site.arg(0));
            let count = product(b, &extents).value(b);
            let dtype = site.result().dtype;
            let count = scalar::from_index(b, count, dtype);
            Ok(vec![number(b, dtype, count)])
        },
        "nn.dropout" => |site, b| {
            let (data, dtype) = (site.arg(0), site.arg(0).dtype());
            let extents = extents(b, data);
            let one = scalar::one(b, dtype);
            Ok(vec![data.clone(), filled(b, &extents, dtype, one)])
        },
        _ => return None,
    })
}

/// Reshapes a tensor in row-major order. The result is a view, unless the shapes differ only in extents of 1 or one of them has
/// no axis.
pub(super) fn reshaped(b: &mut Builder<'_>, data: &Tensor, wanted: &[Extent]) -> Tensor {
    let old = extents(b, data);
    if old == wanted {
        return data.clone();
    }
    if let Some(exprs) = ones_added_or_dropped(b, &old, wanted) {
        return moved(b, data, exprs, wanted);
    }
    // The other extents of a tensor without elements may differ, and their product may be too large for a view.
    if old.contains(&Extent::Known(0)) {
        return tensors::empty(b, wanted, data.dtype());
    }
    if old.is_empty() || wanted.is_empty() {
        let zeros: Vec<Value> = old.iter().map(|_| arith::constant_index(b, 0)).collect();
        let element = extract(b, data.value, &zeros);
        return filled(b, wanted, data.dtype(), element);
    }
    let groups = groups_of_equal_size(b, &old, wanted);
    let (before, after): (Vec<usize>, Vec<usize>) = groups.into_iter().unzip();
    let collapsed = tensors::collapsed(b, data, &before);
    let mut rest = wanted;
    let merged: Vec<Extent> = after
        .iter()
        .map(|&size| {
            let (group, others) = rest.split_at(size);
            rest = others;
            product(b, group)
        })
        .collect();
    let collapsed = tensors::cast_extents(b, &collapsed, &merged);
    tensors::expanded(b, &collapsed, &after, wanted)
}

/// The numbers of consecutive axes of the old and the new shape that have the same number of elements: as few as possible in
/// each group, and all others in one as soon as extents are unknown.
fn groups_of_equal_size(b: &Builder<'_>, old: &[Extent], new: &[Extent]) -> Vec<(usize, usize)> {
    let mut groups = Vec::new();
    let (mut from, mut to) = (0, 0);
    while from < old.len() && to < new.len() {
        let Some((taken, made)) = group_of_equal_size(b, &old[from..], &new[to..]) else { break };
        groups.push((taken, made));
        (from, to) = (from + taken, to + made);
    }
    let rest = (old.len() - from, new.len() - to);
    match (rest, groups.last_mut()) {
        ((0, 0), _) => {}
        ((_, 0) | (0, _), Some(last)) => *last = (last.0 + rest.0, last.1 + rest.1),
        _ => groups.push(rest),
    }
    // If an extent is zero at run time, the others may differ.
    let (mut before, mut after) = (old, new);
    let agree = groups.iter().all(|&(taken, made)| {
        let (from, to) = (before.split_off(..taken), after.split_off(..made));
        let sizes = [from, to].map(|group| known_product(group.unwrap_or(&[])));
        sizes[0].is_none() || sizes[1].is_none() || sizes[0] == sizes[1]
    });
    if agree { groups } else { vec![(old.len(), new.len())] }
}

/// The product of extents; `None` if one is not known, or if the product overflows.
fn known_product(extents: &[Extent]) -> Option<i64> {
    extents.iter().try_fold(1i64, |product, extent| product.checked_mul(extent.known()?))
}

/// The least numbers of leading axes with the same number of elements.
fn group_of_equal_size(b: &Builder<'_>, old: &[Extent], new: &[Extent]) -> Option<(usize, usize)> {
    if old[0].is(b, new[0]) {
        return Some((1, 1));
    }
    let (mut from, mut to) = (1, 1);
    let (mut before, mut after) = (old[0].known()?, new[0].known()?);
    while before != after || before == 0 {
        if before < after {
            before = before.checked_mul(old.get(from)?.known()?)?;
            from += 1;
        } else {
            after = after.checked_mul(new.get(to)?.known()?)?;
            to += 1;
        }
    }
    Some((from, to))
}

/// Splits axes into two, the second of the given extent, which divides the static extent of the axis. The axes descend. The
/// result is a view.
pub(super) fn axes_split(b: &mut Builder<'_>, data: &Tensor, splits: &[(usize, i64)]) -> Tensor {
    if splits.is_empty() {
        return data.clone();
    }
    let mut wanted = extents(b, data);
    let mut groups: Vec<usize> = vec![1; wanted.len()];
    for &(axis, inner) in splits {
        wanted[axis] = wanted[axis].divided_by(b, Extent::Known(inner));
        wanted.insert(axis + 1, Extent::Known(inner));
        groups[axis] = 2;
    }
    tensors::expanded(b, data, &groups, &wanted)
}

/// Permutes the axes: axis `i` of the result is axis `order[i]` of the data.
pub(super) fn permuted(b: &mut Builder<'_>, data: &Tensor, order: &[usize]) -> Tensor {
    let old = extents(b, data);
    let wanted: Vec<Extent> = order.iter().map(|&axis| old[axis]).collect();
    let mut exprs = vec![AffineExpr::Constant(0); order.len()];
    order.iter().enumerate().for_each(|(new, &axis)| exprs[axis] = dim(new));
    moved(b, data, exprs, &wanted)
}

/// Reverses the order of the elements along some axes.
pub(super) fn reversed(b: &mut Builder<'_>, data: &Tensor, axes: &[usize]) -> Tensor {
    let wanted = extents(b, data);
    generate(b, &wanted, data.dtype(), |b, indices| {
        let mut at = indices.to_vec();
        for &axis in axes {
            let (extent, one) = (wanted[axis].value(b), arith::constant_index(b, 1));
            let last = arith::subi(b, extent, one);
            at[axis] = arith::subi(b, last, at[axis]);
        }
        extract(b, data.value, &at)
    })
}

/// The indexing expressions, if the shapes differ only in extents of 1.
fn ones_added_or_dropped(b: &Builder<'_>, old: &[Extent], wanted: &[Extent]) -> Option<Vec<AffineExpr>> {
    let some = |extents: &[Extent]| -> Vec<(usize, Extent)> {
        extents.iter().copied().enumerate().filter(|(_, extent)| *extent != Extent::Known(1)).collect()
    };
    let (from, to) = (some(old), some(wanted));
    if from.len() != to.len() || !from.iter().zip(&to).all(|((_, from), (_, to))| from.is(b, *to)) {
        return None;
    }
    let mut exprs = vec![AffineExpr::Constant(0); old.len()];
    from.iter().zip(&to).for_each(|((axis, _), (new, _))| exprs[*axis] = dim(*new));
    Some(exprs)
}

impl Site {
    /// The extents described by the codes of `reshape`, computed at run time where necessary.
    fn new_extents(&self, b: &mut Builder<'_>) -> Vec<Extent> {
        let old = extents(b, self.arg(0));
        let codes = self.attrs.ints("newshape").unwrap_or_default();
        self.decoded(b, &old, codes, &self.result().shape)
    }

    /// Like [`Site::new_extents`], with codes that are read from the last axis to the first.
    fn reverse_reshape(&self, b: &mut Builder<'_>) -> Lowered {
        let mut old = extents(b, self.arg(0));
        let mut codes = self.attrs.ints("newshape").unwrap_or_default();
        let mut shape = self.result().shape.clone();
        old.reverse();
        codes.reverse();
        shape.reverse();
        let mut wanted = self.decoded(b, &old, codes, &shape);
        wanted.reverse();
        Ok(vec![reshaped(b, self.arg(0), &wanted)])
    }

    /// The extents that codes describe for extents `old`; `shape` is what the type knows of them.
    fn decoded(&self, b: &mut Builder<'_>, old: &[Extent], codes: Vec<i64>, shape: &[Dim]) -> Vec<Extent> {
        let literal_zero = self.attrs.flag("allowzero");
        let (mut next, mut wanted, mut inferred) = (0, Vec::new(), None);
        // The extents, old and new, that no code relates to each other.
        let (mut given, mut made) = (Vec::new(), Vec::new());
        let take = |next: &mut usize| {
            *next += 1;
            old.get(*next - 1).copied().unwrap_or(Extent::Known(1))
        };
        let mut codes = codes.into_iter();
        while let Some(code) = codes.next() {
            match code {
                0 if !literal_zero => wanted.push(take(&mut next)),
                0.. => {
                    given.extend(old.get(next));
                    next += 1;
                    made.push(Extent::Known(code));
                    wanted.push(Extent::Known(code));
                }
                -1 => {
                    given.extend(old.get(next));
                    next += 1;
                    inferred = Some(wanted.len());
                    wanted.push(Extent::Known(1));
                }
                -2 => wanted.extend((next..old.len()).map(|_| take(&mut next))),
                -3 => {
                    let (first, second) = (take(&mut next), take(&mut next));
                    wanted.push(first.times(b, second));
                }
                _ => {
                    let whole = take(&mut next);
                    let (first, second) = (codes.next().unwrap_or(1), codes.next().unwrap_or(1));
                    let [first, second] =
                        [(first, second), (second, first)].map(|(part, other)| match part {
                            -1 => whole.divided_by(b, Extent::Known(other)),
                            part => Extent::Known(part),
                        });
                    let both = first.times(b, second);
                    both.expect(b, whole, || uneven(self.name));
                    wanted.extend([first, second]);
                }
            }
        }
        given.extend(old.iter().skip(next));
        let (all, others) = (product(b, &given), product(b, &made));
        if let Some(inferred) = inferred {
            wanted[inferred] = all.divided_by(b, others);
            if others != Extent::Known(1) {
                wanted[inferred].times(b, others).expect(b, all, || uneven(self.name));
            }
        } else {
            all.expect(b, others, || uneven(self.name));
        }
        // The type may know more.
        let dims = shape.iter().zip(wanted);
        dims.map(|(dim, found)| match dim.known() {
            Some(known) => found.expect(b, Extent::Known(known), || {
                format!("{}: expected extent {known} of the new shape, found {{}}", self.name)
            }),
            None => found,
        })
        .collect()
    }

    fn reshape_like(&self, b: &mut Builder<'_>) -> Lowered {
        let (data, like) = (self.arg(0), self.arg(1));
        let at = |name: &str, rank: usize, otherwise: usize| match self.attrs.int(name) {
            Some(axis) if axis < 0 => (axis + rank as i64).max(0) as usize,
            Some(axis) => (axis as usize).min(rank),
            None => otherwise,
        };
        let (old, new) = (extents(b, data), extents(b, like));
        let left = at("lhs_begin", old.len(), 0)..at("lhs_end", old.len(), old.len());
        let right = at("rhs_begin", new.len(), 0)..at("rhs_end", new.len(), new.len());
        let (from, to) = (product(b, &old[left.clone()]), product(b, &new[right.clone()]));
        from.expect(b, to, || uneven(self.name));
        let wanted = [&old[..left.start], &new[right], &old[left.end..]].concat();
        Ok(vec![reshaped(b, data, &wanted)])
    }

    fn expand_dims(&self, b: &mut Builder<'_>) -> Lowered {
        let data = self.arg(0);
        let axis = self.axis("axis", data.rank() + 1);
        let count = usize::try_from(self.attrs.int("num_newaxis").unwrap_or(1)).unwrap_or(0);
        let mut wanted = extents(b, data);
        wanted.splice(axis..axis, vec![Extent::Known(1); count]);
        let exprs = (0..data.rank()).map(|old| dim(if old < axis { old } else { old + count })).collect();
        Ok(vec![moved(b, data, exprs, &wanted)])
    }

    fn squeeze(&self, b: &mut Builder<'_>) -> Lowered {
        let data = self.arg(0);
        let dropped: Vec<usize> = match self.attrs.ints("axis") {
            Some(axes) => axes.into_iter().map(|axis| from_front(axis, data.rank())).collect(),
            None => (0..data.rank()).filter(|&axis| data.ty.shape[axis] == Dim::Known(1)).collect(),
        };
        let mut wanted = Vec::new();
        let mut exprs = Vec::new();
        for axis in 0..data.rank() {
            if dropped.contains(&axis) {
                let dropped = extent(b, data, axis);
                dropped.expect(b, Extent::Known(1), || {
                    format!("squeeze: axis {axis} is dropped, but its extent is not 1")
                });
                exprs.push(AffineExpr::Constant(0));
            } else {
                exprs.push(dim(wanted.len()));
                wanted.push(extent(b, data, axis));
            }
        }
        Ok(vec![moved(b, data, exprs, &wanted)])
    }

    fn transpose(&self, b: &mut Builder<'_>) -> Lowered {
        let data = self.arg(0);
        let rank = data.rank();
        let order: Vec<usize> = match self.attrs.ints("axes") {
            Some(axes) => axes.into_iter().map(|axis| from_front(axis, rank)).collect(),
            None => (0..rank).rev().collect(),
        };
        Ok(vec![permuted(b, data, &order)])
    }

    fn broadcast(&self, b: &mut Builder<'_>) -> Lowered {
        let data = self.arg(0);
        let wanted = self.result_extents(b, |b, axis| extent(b, self.arg(1), axis));
        if data.ty.shape.iter().any(|dim| dim.known().is_none()) {
            return Ok(vec![repeated_to(b, data, &wanted)]);
        }
        let offset = wanted.len() - data.rank();
        for axis in (0..data.rank()).filter(|&axis| data.ty.shape[axis] != Dim::Known(1)) {
            let own = extent(b, data, axis);
            own.expect(b, wanted[offset + axis], || {
                format!("{}: 'data' cannot be repeated along axis {axis}", self.name)
            });
        }
        let exprs = broadcast_map(data, &wanted);
        Ok(vec![moved(b, data, exprs, &wanted)])
    }

    fn fill(&self, b: &mut Builder<'_>, value: i64) -> Lowered {
        let dtype = self.result().dtype;
        let wanted = self.result_extents(b, |b, axis| extent(b, self.arg(0), axis));
        let value = scalar::integer(b, value, dtype);
        Ok(vec![filled(b, &wanted, dtype, value)])
    }

    /// Fills a tensor with the argument at `index`.
    fn full(&self, b: &mut Builder<'_>, index: usize) -> Lowered {
        let dtype = self.result().dtype;
        let wanted = self.result_extents(b, |b, axis| extent(b, self.arg(0), axis));
        let value = cast(b, self.arg(index), dtype);
        let value = tensors::scalar(b, value.value);
        Ok(vec![filled(b, &wanted, dtype, value)])
    }

    fn shape_of(&self, b: &mut Builder<'_>) -> Lowered {
        let dtype = self.result().dtype;
        let found = extents(b, self.arg(0));
        let elements: Vec<Value> = found.iter().map(|extent| extent.value(b)).collect();
        let elements: Vec<Value> =
            elements.into_iter().map(|extent| scalar::from_index(b, extent, dtype)).collect();
        Ok(vec![of_elements(b, dtype, &elements)])
    }
}

/// A tensor of rank 1 with these elements.
pub(super) fn of_elements(b: &mut Builder<'_>, dtype: DType, elements: &[Value]) -> Tensor {
    let count = [Extent::Known(elements.len() as i64)];
    let mut made = tensors::empty(b, &count, dtype);
    for (at, &element) in elements.iter().enumerate() {
        let at = arith::constant_index(b, at as i64);
        made.value = tensors::insert(b, element, made.value, &[at]);
    }
    made
}

/// The message for a reshape to another number of elements.
pub(super) fn uneven(name: &str) -> String {
    format!("{name}: the new shape has another number of elements: {{}} and {{}}")
}
