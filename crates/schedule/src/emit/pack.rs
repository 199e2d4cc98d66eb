//! Copies of operands in the order of the computation.

use super::access::{Packed, PackedDim};
use super::{Emitter, Unsupported};
use crate::choose::bits;
use crate::kernel::{Axis, Source};
use minoan_ir::strided::Strided;
use minoan_ir::{Builder, DYNAMIC, Type, Value};
use minoan_services::Masked;

impl Emitter<'_> {
    /// Copies the part of an operand that the enclosing loops fix; returns the buffer, which the caller frees.
    ///
    /// The last dimension is padded with zeros to its step. Axes that follow each other on both sides are copied as one. Blocks
    /// are transposed in registers if the operand is contiguous along another dimension.
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
        if !(element.is_float(&ctx) || element.integer_width(&ctx).is_some()) {
            return Err("elements of this type are not packed".to_owned());
        }
        let lanes = i64::from(self.machine.lanes(bits(&ctx, element)));
        let read_axes: Vec<Axis> =
            access.map.results.iter().filter_map(|expr| statement.axis_of(expr)).collect();
        let (operand, read_runs) = self.runs(b, operand, &read_axes, axes);
        let of_start = |axis: &Axis| read_runs.iter().find(|run| run.first() == Some(axis)).cloned();
        let runs: Vec<Vec<Axis>> = axes.iter().filter_map(of_start).collect();
        let (Some(from), Some(to)) = (read_runs.last(), runs.last()) else {
            return Err("a scalar is not packed".to_owned());
        };
        let (from, to) = (from[0], to[0]);
        let CopiedDims { dims, shape, sizes, counts, divides } =
            self.copied_dims(b, &runs, (from, to), lanes);
        let ty = Type::memref(&ctx, &shape, element);
        let buffer = makers.buffers.scratch(b, ty, &sizes, 64);
        let vector = Type::vector(&ctx, &[lanes], element);
        let otherwise = self.zeros(b, vector, element)?;
        let first = |run: &Vec<Axis>| run[0];
        let order: Vec<Axis> = runs.iter().map(first).collect();
        let read_order: Vec<Axis> = read_runs.iter().map(first).collect();
        let bases: Vec<Option<Value>> = dims.iter().map(|dim| dim.base).collect();
        let rows = runs.iter().zip(&shape).find(|(run, _)| run[0] == from).map_or(lanes, |(_, &size)| size);
        let rows = if rows == DYNAMIC { lanes } else { rows.min(lanes) };
        let copy = Copy {
            operand,
            buffer,
            axes: &order,
            read_axes: &read_order,
            bases: &bases,
            counts: &counts,
            divides: &divides,
            rows,
        };
        let mut at = vec![makers.index.index(b, 0); order.len()];
        self.copy_dims(b, &copy, 0, &mut at, &mut |b, at| {
            copy_block(b, makers, &copy, at, (from, to), (vector, lanes, otherwise));
        });
        let step = self.axes[to].map(|state| state.step);
        let padded = step.is_some_and(|step| step % lanes == 0);
        self.packed.insert((number, read), Packed { buffer, dims, padded });
        Ok(buffer)
    }

    /// The dimensions of the copy, one for each run of axes. Blocks of `lanes` elements are read along `from` and stored along
    /// `to`.
    fn copied_dims(
        &self,
        b: &mut Builder<'_>,
        runs: &[Vec<Axis>],
        (from, to): (Axis, Axis),
        lanes: i64,
    ) -> CopiedDims {
        let (kernel, makers) = (self.kernel, self.makers);
        let mut copied = CopiedDims::default();
        for run in runs {
            let axis = run[0];
            let state = self.axes[axis];
            let known = match run[..] {
                [_] => state.map(|state| state.step).or(kernel.known_extent(axis)),
                // Only whole axes are merged.
                _ => Some(run.iter().filter_map(|&axis| kernel.known_extent(axis)).product()),
            };
            // Blocks of `lanes` elements are padded to whole blocks; if there are fewer elements, only these are stored.
            let is_whole = axis == to || axis == from && known.is_none_or(|known| known > lanes);
            let block = if is_whole { lanes } else { 1 };
            let size = known.map(|known| (known + block - 1) / block * block);
            copied.shape.push(size.unwrap_or(DYNAMIC));
            if size.is_none() {
                let padding = makers.index.index(b, block);
                copied.sizes.push(makers.index.add(b, self.extents[axis], padding));
            }
            copied.counts.push(match (state, &run[..]) {
                (Some(state), _) => {
                    let step = makers.index.index(b, state.step);
                    let rest = makers.index.sub(b, self.extents[axis], state.base);
                    makers.index.min(b, rest, step)
                }
                (None, [_]) => self.extents[axis],
                (None, _) => makers.index.index(b, known.unwrap_or(0)),
            });
            // The last step of the loop around the copy may be shorter.
            let steps_divide = state.is_none_or(|state| state.end.is_none() && state.remaining.is_none());
            copied.divides.push(known.is_some_and(|known| known % lanes == 0) && steps_divide);
            let mut distance = 1;
            let mut axes = Vec::new();
            for &axis in run.iter().rev() {
                axes.push((axis, distance));
                distance *= kernel.known_extent(axis).unwrap_or(1);
            }
            copied.dims.push(PackedDim { axes, base: state.map(|state| state.base) });
        }
        copied
    }

    /// The axes of an operand, without those of extent 1, in runs that are one dimension of the copy each, and the operand
    /// reshaped to one dimension for each run. Whole axes that are adjacent both in the operand and in the copy are in one run.
    fn runs(
        &self,
        b: &mut Builder<'_>,
        operand: Value,
        read_axes: &[Axis],
        axes: &[Axis],
    ) -> (Value, Vec<Vec<Axis>>) {
        let (ctx, kernel) = (b.context(), self.kernel);
        let ty = b.ty(operand);
        let shape = ty.shape(&ctx).unwrap_or(&[]).to_vec();
        let is_row_major = !shape.contains(&DYNAMIC)
            && Strided::of(&ctx, ty)
                == Strided::of(&ctx, Type::memref(&ctx, &shape, ty.element_or_self(&ctx)));
        if !is_row_major || read_axes.len() != shape.len() {
            return (operand, read_axes.iter().map(|&axis| vec![axis]).collect());
        }
        let order: Vec<Axis> = axes.iter().copied().filter(|&axis| !kernel.is_unit(axis)).collect();
        let is_whole = |axis: Axis| self.axes[axis].is_none() && kernel.known_extent(axis).is_some();
        let follows = |before: Axis, axis: Axis| {
            let place = |axis: Axis| order.iter().position(|&other| other == axis);
            is_whole(before) && is_whole(axis) && place(axis) == place(before).map(|place| place + 1)
        };
        let (mut runs, mut groups): (Vec<Vec<Axis>>, Vec<Vec<i64>>) = (Vec::new(), Vec::new());
        for (dim, &axis) in read_axes.iter().enumerate() {
            let dim = dim as i64;
            let is_unit = kernel.is_unit(axis);
            match (runs.last_mut(), groups.last_mut()) {
                (Some(run), Some(group)) if is_unit || run.last().is_none_or(|&last| follows(last, axis)) => {
                    group.push(dim);
                    run.extend((!is_unit).then_some(axis));
                }
                _ => {
                    groups.push(vec![dim]);
                    runs.push(if is_unit { Vec::new() } else { vec![axis] });
                }
            }
        }
        runs.retain(|run| !run.is_empty());
        if runs.len() != groups.len() || groups.len() == shape.len() {
            return (operand, runs);
        }
        (self.makers.buffers.collapse(b, operand, &groups), runs)
    }

    /// Creates the loops over the blocks of a copy, in the order of the operand, so that few of its rows are read at a time:
    /// those along the contiguous dimensions of both sides advance by whole blocks.
    fn copy_dims(
        &mut self,
        b: &mut Builder<'_>,
        copy: &Copy<'_>,
        depth: usize,
        at: &mut [Value],
        block: &mut dyn FnMut(&mut Builder<'_>, &[Value]),
    ) {
        let Some(&axis) = copy.read_axes.get(depth) else { return block(b, at) };
        let contiguous = [copy.axes.last(), copy.read_axes.last()];
        let (ctx, makers) = (b.context(), self.makers);
        let element = b.ty(copy.buffer).element_or_self(&ctx);
        let lanes = i64::from(self.machine.lanes(bits(&ctx, element)));
        let step = if contiguous.contains(&Some(&axis)) { lanes } else { 1 };
        let place = copy.place(axis);
        let range = [makers.index.index(b, 0), copy.counts[place], makers.index.index(b, step)];
        makers.loops.repeat(b, range, &[], &mut |b, index, _| {
            at[place] = index;
            self.copy_dims(b, copy, depth + 1, at, block);
            Vec::new()
        });
    }
}

/// The dimensions of a copy.
#[derive(Default)]
struct CopiedDims {
    dims: Vec<PackedDim>,
    /// The shape of the buffer, and its extents that are known at run time.
    shape: Vec<i64>,
    sizes: Vec<Value>,
    /// The number of elements that are copied.
    counts: Vec<Value>,
    /// Whether the number is a multiple of the lanes.
    divides: Vec<bool>,
}

/// A copy.
struct Copy<'a> {
    operand: Value,
    buffer: Value,
    /// The first axis of each dimension of the copy.
    axes: &'a [Axis],
    /// The first axis of each dimension of the operand.
    read_axes: &'a [Axis],
    /// The first index of each dimension of the copy, if it is not zero.
    bases: &'a [Option<Value>],
    /// The number of indices of each dimension of the copy.
    counts: &'a [Value],
    /// Whether the number of indices of each dimension of the copy is a multiple of the number of lanes.
    divides: &'a [bool],
    /// The number of rows of a transposed block that are stored.
    rows: i64,
}

impl Copy<'_> {
    /// The dimension of the copy that begins with an axis.
    fn place(&self, axis: Axis) -> usize {
        self.axes.iter().position(|&other| other == axis).unwrap_or(0)
    }
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
    let place = |axis: Axis| copy.place(axis);
    let ctx = b.context();
    let mask_ty = Type::vector(&ctx, &[lanes], Type::I1);
    let masked = (!copy.divides[place(from)]).then(|| {
        let left = index.sub(b, copy.counts[place(from)], at[place(from)]);
        Masked { mask: makers.vectors.mask(b, mask_ty, &[left]), otherwise }
    });
    let source = |b: &mut Builder<'_>, row: Option<Value>| -> Vec<Value> {
        let mut indices = Vec::with_capacity(copy.read_axes.len());
        for &axis in copy.read_axes {
            let mut offset = at[place(axis)];
            if let Some(row) = row.filter(|_| axis == to) {
                offset = index.add(b, offset, row);
                if !copy.divides[place(axis)] {
                    // Rows beyond the end repeat the last one.
                    let one = index.index(b, 1);
                    let last = index.sub(b, copy.counts[place(axis)], one);
                    offset = index.min(b, offset, last);
                }
            }
            let base = copy.bases[place(axis)];
            indices.push(base.map_or(offset, |base| index.add(b, base, offset)));
        }
        indices
    };
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
    for (row, value) in transpose(b, makers, rows).into_iter().take(copy.rows as usize).enumerate() {
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
            // The first row keeps its even groups; those of the second row follow them.
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
