//! Copies of operands in the order of the computation.

use super::access::Packed;
use super::{Emitter, Unsupported};
use crate::kernel::{Axis, Source};
use minoan_ir::{Builder, DYNAMIC, Type, Value};
use minoan_services::Masked;

impl Emitter<'_> {
    /// Copies the part of an operand that the enclosing loops fix; returns the buffer, which the caller frees.
    ///
    /// The last dimension is padded with zeros to its step. Blocks are transposed in registers if the operand is contiguous
    /// along another dimension.
    pub(super) fn pack(
        &mut self,
        b: &mut Builder<'_>,
        number: usize,
        read: usize,
        axes: &[Axis],
    ) -> Result<Value, Unsupported> {
        let (kernel, makers) = (self.kernel, self.makers);
        let statement = &kernel.statements[number];
        let access = &statement.reads[read];
        let Source::Argument(argument) = access.source else {
            return Err("only arguments are packed".to_owned());
        };
        let operand = self.operands[argument];
        let (ctx, element) = (b.context(), access.element);
        let bits = element.float_kind(&ctx).map(|kind| kind.width()).or(element.integer_width(&ctx));
        let Some(bits) = bits.filter(|bits| bits % 8 == 0) else {
            return Err("elements of this type are not packed".to_owned());
        };
        let lanes = i64::from(self.machine.lanes(bits));
        let read_axes: Vec<Axis> =
            access.map.results.iter().filter_map(|expr| statement.axis_of(expr)).collect();
        let mut dims = Vec::new();
        let (mut shape, mut sizes, mut counts) = (Vec::new(), Vec::new(), Vec::new());
        for &axis in axes {
            let state = self.axes[axis];
            let known = state.map(|state| state.step).or(kernel.known_extent(axis));
            // Blocks of `lanes` are copied as a whole.
            let block = if axes.last() == Some(&axis) || read_axes.last() == Some(&axis) { lanes } else { 1 };
            let size = known.map(|known| (known + block - 1) / block * block);
            shape.push(size.unwrap_or(DYNAMIC));
            if size.is_none() {
                let padding = makers.index.index(b, block);
                sizes.push(makers.index.add(b, self.extents[axis], padding));
            }
            counts.push(match state {
                Some(state) => {
                    let step = makers.index.index(b, state.step);
                    let rest = makers.index.sub(b, self.extents[axis], state.base);
                    makers.index.min(b, rest, step)
                }
                None => self.extents[axis],
            });
            dims.push((axis, state.map(|state| state.base)));
        }
        let ty = Type::memref(&ctx, &shape, element);
        let buffer = makers.buffers.scratch(b, ty, &sizes, 64);
        let (Some(&to), Some(&from)) = (axes.last(), read_axes.last()) else {
            return Err("a scalar is not packed".to_owned());
        };
        let vector = Type::vector(&ctx, &[lanes], element);
        let otherwise = self.zeros(b, vector, element)?;
        let copy = Copy { operand, buffer, axes, read_axes: &read_axes, dims: &dims, counts: &counts };
        let mut at = Vec::new();
        self.copy_dims(b, &copy, &mut at, &mut |b, at| {
            copy_block(b, makers, &copy, at, (from, to), (vector, lanes, otherwise));
        });
        let step = self.axes[to].map(|state| state.step);
        let padded = step.is_some_and(|step| step % lanes == 0);
        self.packed.insert((number, read), Packed { buffer, dims, padded });
        Ok(buffer)
    }

    /// Creates the loops over the blocks of a copy: those along the contiguous dimensions of both sides advance by
    /// whole blocks.
    fn copy_dims(
        &mut self,
        b: &mut Builder<'_>,
        copy: &Copy<'_>,
        at: &mut Vec<Value>,
        block: &mut dyn FnMut(&mut Builder<'_>, &[Value]),
    ) {
        let depth = at.len();
        let Some(&axis) = copy.axes.get(depth) else { return block(b, at) };
        let contiguous = [copy.axes.last(), copy.read_axes.last()];
        let (ctx, makers) = (b.context(), self.makers);
        let element = b.ty(copy.buffer).element_or_self(&ctx);
        let bits = element.float_kind(&ctx).map(|kind| kind.width()).or(element.integer_width(&ctx));
        let lanes = i64::from(self.machine.lanes(bits.unwrap_or(32)));
        let step = if contiguous.contains(&Some(&axis)) { lanes } else { 1 };
        let range = [makers.index.index(b, 0), copy.counts[depth], makers.index.index(b, step)];
        makers.loops.repeat(b, range, &[], &mut |b, index, _| {
            at.push(index);
            self.copy_dims(b, copy, at, block);
            at.pop();
            Vec::new()
        });
    }
}

/// A copy.
struct Copy<'a> {
    operand: Value,
    buffer: Value,
    /// The axes of the copy.
    axes: &'a [Axis],
    /// The axes of the operand.
    read_axes: &'a [Axis],
    /// The first index of each axis of the copy.
    dims: &'a [(Axis, Option<Value>)],
    /// The number of indices of each axis of the copy.
    counts: &'a [Value],
}

/// Copies one block: a vector, or as many vectors as it has elements, transposed.
fn copy_block(
    b: &mut Builder<'_>,
    makers: super::Makers<'_>,
    copy: &Copy<'_>,
    at: &[Value],
    (from, to): (Axis, Axis),
    (vector, lanes, otherwise): (Type, i64, Value),
) {
    let index = makers.index;
    let place = |axis: Axis| copy.axes.iter().position(|&other| other == axis).unwrap_or(0);
    let ctx = b.context();
    let mask_ty = Type::vector(&ctx, &[lanes], Type::I1);
    let left = index.sub(b, copy.counts[place(from)], at[place(from)]);
    let mask = makers.vectors.mask(b, mask_ty, &[left]);
    let source = |b: &mut Builder<'_>, row: Option<Value>| -> Vec<Value> {
        let mut indices = Vec::with_capacity(copy.read_axes.len());
        for &axis in copy.read_axes {
            let mut offset = at[place(axis)];
            if let Some(row) = row.filter(|_| axis == to) {
                // Rows beyond the end repeat the last one.
                let one = index.index(b, 1);
                let last = index.sub(b, copy.counts[place(axis)], one);
                let sum = index.add(b, offset, row);
                offset = index.min(b, sum, last);
            }
            let base = copy.dims[place(axis)].1;
            indices.push(base.map_or(offset, |base| index.add(b, base, offset)));
        }
        indices
    };
    let masked = Some(Masked { mask, otherwise });
    if from == to {
        let indices = source(b, None);
        let value = makers.vectors.load(b, vector, copy.operand, &indices, masked);
        makers.vectors.store(b, value, copy.buffer, at, None, false);
        return;
    }
    let mut rows = Vec::with_capacity(lanes as usize);
    for row in 0..lanes {
        let row = index.index(b, row);
        let indices = source(b, Some(row));
        rows.push(makers.vectors.load(b, vector, copy.operand, &indices, masked));
    }
    for (row, value) in transpose(b, makers, rows).into_iter().enumerate() {
        let mut indices = at.to_vec();
        let row = index.index(b, row as i64);
        indices[place(from)] = index.add(b, indices[place(from)], row);
        makers.vectors.store(b, value, copy.buffer, &indices, None, false);
    }
}

/// Transposes a square block of rows, whose number is a power of two, in stages that exchange halves of pairs of rows.
fn transpose(b: &mut Builder<'_>, makers: super::Makers<'_>, mut rows: Vec<Value>) -> Vec<Value> {
    let count = rows.len();
    let mut distance = 1;
    while distance < count {
        let (mut low, mut high) = (Vec::new(), Vec::new());
        for column in 0..count {
            let in_first = column & distance == 0;
            // The first row keeps its even groups and gets those of the second behind them.
            low.push(if in_first { column } else { count + column - distance } as i64);
            high.push(if in_first { column + distance } else { count + column } as i64);
        }
        for row in (0..count).filter(|row| row & distance == 0) {
            let (first, second) = (rows[row], rows[row + distance]);
            rows[row] = makers.vectors.shuffle(b, first, second, &low);
            rows[row + distance] = makers.vectors.shuffle(b, first, second, &high);
        }
        distance *= 2;
    }
    rows
}
