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
            ends: (from, to),
            vector,
            lanes,
            otherwise,
        };
        // Without mask registers, a masked access to elements of fewer than 32 bits takes a branch for each of them.
        let splits = !self.machine.masks && bits(&ctx, element) < 32;
        let mut at = vec![makers.index.index(b, 0); order.len()];
        self.copy_dims(b, &copy, 0, &mut at, &mut |b, at| {
            if splits {
                copy.split_block(b, makers, at);
            } else {
                let masked = copy.masked(b, makers, at);
                copy.block(b, makers, at, masked);
            }
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
    /// The contiguous axes of the operand and of the copy.
    ends: (Axis, Axis),
    /// A vector along them, its number of elements, and zeros.
    vector: Type,
    lanes: i64,
    otherwise: Value,
}

impl Copy<'_> {
    /// The dimension of the copy that begins with an axis.
    fn place(&self, axis: Axis) -> usize {
        self.axes.iter().position(|&other| other == axis).unwrap_or(0)
    }

    /// The number of elements of a block that are copied, in the direction of an axis, if it may be less than that of a vector.
    fn left(
        &self,
        b: &mut Builder<'_>,
        makers: super::Makers<'_>,
        at: &[Value],
        axis: Axis,
    ) -> Option<Value> {
        let place = self.place(axis);
        (!self.divides[place]).then(|| makers.index.sub(b, self.counts[place], at[place]))
    }

    /// The mask of the elements of a block that are read, unless it is complete.
    fn masked(&self, b: &mut Builder<'_>, makers: super::Makers<'_>, at: &[Value]) -> Option<Masked> {
        let left = self.left(b, makers, at, self.ends.0)?;
        let mask_ty = Type::vector(&b.context(), &[self.lanes], Type::I1);
        Some(Masked { mask: makers.vectors.mask(b, mask_ty, &[left]), otherwise: self.otherwise })
    }

    /// The indices in the operand of an element of a block: those of its first element, and offsets from it along axes.
    fn source(
        &self,
        b: &mut Builder<'_>,
        makers: super::Makers<'_>,
        at: &[Value],
        offsets: &[(Axis, Value)],
    ) -> Vec<Value> {
        let mut indices = Vec::with_capacity(self.read_axes.len());
        for &axis in self.read_axes {
            let mut index = at[self.place(axis)];
            for (_, offset) in offsets.iter().filter(|(along, _)| *along == axis) {
                index = makers.index.add(b, index, *offset);
            }
            let base = self.bases[self.place(axis)];
            indices.push(base.map_or(index, |base| makers.index.add(b, base, index)));
        }
        indices
    }

    /// Copies one block: a vector, or as many vectors as it has elements, transposed.
    fn block(&self, b: &mut Builder<'_>, makers: super::Makers<'_>, at: &[Value], masked: Option<Masked>) {
        let (from, to) = self.ends;
        if from == to {
            let indices = self.source(b, makers, at, &[]);
            let value = makers.vectors.load(b, self.vector, self.operand, &indices, masked);
            makers.vectors.store(b, value, self.buffer, at, None, false);
            return;
        }
        // Rows beyond the end repeat the last one.
        let last = self.left(b, makers, at, to).map(|left| {
            let one = makers.index.index(b, 1);
            makers.index.sub(b, left, one)
        });
        let mut rows = Vec::with_capacity(self.lanes as usize);
        for row in 0..self.lanes {
            let row = makers.index.index(b, row);
            let row = last.map_or(row, |last| makers.index.min(b, row, last));
            let indices = self.source(b, makers, at, &[(to, row)]);
            rows.push(makers.vectors.load(b, self.vector, self.operand, &indices, masked));
        }
        for (row, value) in transpose(b, makers, rows).into_iter().take(self.rows as usize).enumerate() {
            self.store_row(b, makers, at, row, value);
        }
    }

    /// Stores a vector to a row of a transposed block.
    fn store_row(
        &self,
        b: &mut Builder<'_>,
        makers: super::Makers<'_>,
        at: &[Value],
        row: usize,
        value: Value,
    ) {
        let place = self.place(self.ends.0);
        let mut indices = at.to_vec();
        let row = makers.index.index(b, row as i64);
        indices[place] = makers.index.add(b, indices[place], row);
        makers.vectors.store(b, value, self.buffer, &indices, None, false);
    }

    /// Copies one block; if it is not complete, element by element.
    fn split_block(&self, b: &mut Builder<'_>, makers: super::Makers<'_>, at: &[Value]) {
        let Some(left) = self.left(b, makers, at, self.ends.0) else {
            return self.block(b, makers, at, None);
        };
        let last = makers.index.index(b, self.lanes - 1);
        let is_whole = makers.index.less(b, last, left);
        let mut whole = |b: &mut Builder<'_>| {
            self.block(b, makers, at, None);
            Vec::new()
        };
        let mut part = |b: &mut Builder<'_>| {
            self.elements(b, makers, at, left);
            Vec::new()
        };
        makers.loops.choose(b, is_whole, &[], &mut whole, &mut part);
    }

    /// Copies the first elements of each row of a block, after zeros.
    fn elements(&self, b: &mut Builder<'_>, makers: super::Makers<'_>, at: &[Value], left: Value) {
        let (from, to) = self.ends;
        let zero_rows = if from == to { 1 } else { self.rows as usize };
        for row in 0..zero_rows {
            self.store_row(b, makers, at, row, self.otherwise);
        }
        let [zero, one] = [0, 1].map(|number| makers.index.index(b, number));
        let element = |b: &mut Builder<'_>, offsets: &[(Axis, Value)]| {
            let source = self.source(b, makers, at, offsets);
            let value = makers.buffers.load(b, self.operand, &source);
            let mut stored = at.to_vec();
            for &(axis, offset) in offsets {
                stored[self.place(axis)] = makers.index.add(b, stored[self.place(axis)], offset);
            }
            makers.buffers.store(b, value, self.buffer, &stored);
        };
        if from == to {
            makers.loops.repeat(b, [zero, left, one], &[], &mut |b, column, _| {
                element(b, &[(from, column)]);
                Vec::new()
            });
            return;
        }
        let lanes = makers.index.index(b, self.lanes);
        let rows = match self.left(b, makers, at, to) {
            Some(rows) => makers.index.min(b, rows, lanes),
            None => lanes,
        };
        makers.loops.repeat(b, [zero, rows, one], &[], &mut |b, row, _| {
            makers.loops.repeat(b, [zero, left, one], &[], &mut |b, column, _| {
                element(b, &[(to, row), (from, column)]);
                Vec::new()
            });
            Vec::new()
        });
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
