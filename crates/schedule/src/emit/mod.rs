//! Emission: makes loops, vector operations and accesses to buffers of a legal plan.
//!
//! * A loop over an axis becomes a loop. If its step may not divide the extent, the remainder is computed by a loop with masks,
//!   one register at a time where that is less work, or by a loop with step 1, or the last step moves back ([`loops`]).
//! * The tile of a leaf is a list of vectors, one for each combination of unrolled indices, or of scalars if it has no
//!   lanes ([`leaf`]). Scalar operations become vector operations through `VectorForm`.
//! * The accumulators of a reduction are loop-carried values of its reduction loops, inside of the loops over parallel axes:
//!   where these are in other reduction loops, partial results are in memory between the iterations of those ([`accumulators`]).
//! * A consumer reads the tile of its producer from registers if both are computed in the same iterations, otherwise from
//!   memory: an output, or temporary storage of the extents that the common loops do not fix ([`storage`]).
//! * A reduction loop skips the iterations in which the term is neutral ([`guard`]).
//! * The outermost loop has no iterations if an inner axis has none ([`empty`]).
//! * Tiles whose windows are inside of a padded tensor read it without masks ([`interior`]).
//! * A prefetch for the next step of a loop is spread over the iterations of the loops inside of its step ([`prefetch`]).
//! * A copy of an operand is made through transposed blocks where its order changes ([`pack`]).

mod access;
mod accumulators;
mod edges;
mod empty;
mod guard;
mod interior;
mod leaf;
mod loops;
mod pack;
mod phases;
mod prefetch;
mod results;
mod storage;

use crate::kernel::{Access, Axis, AxisExtent, Kernel, Source, Statement};
use crate::rules::{Step, Tile};
pub(crate) use access::MAX_STRIDE;
use access::Packed;
use guard::Guard;
use minoan_ir::{Block, Body, Builder, InsertionPoint, Mapping, Op, OpState, Traits, Type, Value};
use minoan_services::{BufferOps, IndexOps, IterationDomain, LoopOps, MachineModel, VectorOps};
use rustc_hash::FxHashMap;
use storage::Storage;

/// The makers of operations.
#[derive(Clone, Copy)]
pub struct Makers<'c> {
    /// Loops.
    pub loops: &'c dyn LoopOps,
    /// Vector operations.
    pub vectors: &'c dyn VectorOps,
    /// Arithmetic on indices.
    pub index: &'c dyn IndexOps,
    /// Accesses to buffers.
    pub buffers: &'c dyn BufferOps,
}

impl<'c> Makers<'c> {
    /// The makers of the loaded dialects; `None` if one is missing.
    pub fn of(ctx: &'c minoan_ir::Context) -> Option<Self> {
        let buffers = ctx.dialects_with::<dyn BufferOps>().next()?.service::<dyn BufferOps>()?;
        Some(Self {
            loops: <dyn LoopOps>::any(ctx)?,
            vectors: <dyn VectorOps>::any(ctx)?,
            index: <dyn IndexOps>::any(ctx)?,
            buffers,
        })
    }
}

/// A reason why a plan cannot be emitted.
pub type Unsupported = String;

/// Emits a kernel at the insertion point of `b`. `source` contains its block, `operands` are the buffers and scalars of
/// its arguments; the insertion point is before an operation, or at the end of a block. On failure no operation remains.
///
/// # Errors
/// A statement cannot be vectorized, or is not of a supported form.
pub fn emit(
    b: &mut Builder<'_>,
    makers: Makers<'_>,
    machine: &MachineModel,
    source: &Body,
    kernel: &Kernel,
    steps: &[Step],
    operands: &[Value],
) -> Result<(), Unsupported> {
    let point = b.insertion_point();
    let before = before(b.body(), point);
    let result = Scalars::of_kernel(b, source, kernel, operands).and_then(|(scalars, copies)| {
        let done = Emitter::new(b, makers, machine, kernel, steps, operands, &scalars)
            .and_then(|mut emitter| emitter.steps(b, steps, &mut Vec::new()));
        for &op in copies.iter().rev() {
            b.body_mut().erase(op);
        }
        done
    });
    if result.is_err() {
        b.set_insertion_point(point);
        // The created operations are those between `before` and the insertion point; nested ones are erased with them.
        while let Some(last) = self::before(b.body(), point).filter(|&last| Some(last) != before) {
            b.body_mut().erase(last);
        }
    }
    result
}

/// The operation before an insertion point, if there is one in its block.
fn before(body: &Body, point: InsertionPoint) -> Option<Op> {
    match point {
        InsertionPoint::Before(op) => body.op(op).prev(),
        InsertionPoint::End(block) => body.block(block).last(),
        InsertionPoint::After(_) | InsertionPoint::Start(_) | InsertionPoint::Detached => None,
    }
}

/// The scalar computation of a statement, in a block that is erased at the end.
#[derive(Clone, Debug)]
pub(crate) struct Scalar {
    /// The placeholder of each read's element.
    pub(crate) elements: Vec<Value>,
    /// The placeholder of the index of each dimension.
    pub(crate) indices: Vec<Value>,
    /// The operations that depend on a placeholder; the others are created before the kernel.
    pub(crate) ops: Vec<Op>,
    /// The new element.
    pub(crate) result: Value,
}

/// The scalar computations of all statements.
#[derive(Debug, Default)]
pub(crate) struct Scalars {
    pub(crate) statements: Vec<Scalar>,
    /// The scalars of the kernel's body, as values of the function.
    pub(crate) mapping: Mapping,
}

impl Scalars {
    /// Copies the operations of the kernel before the insertion point and creates the scalar computations. Returns the
    /// operations to be erased as well.
    fn of_kernel(
        b: &mut Builder<'_>,
        source: &Body,
        kernel: &Kernel,
        operands: &[Value],
    ) -> Result<(Self, Vec<Op>), Unsupported> {
        let ctx = b.context();
        let mut scalars = Scalars::default();
        let mut copies = Vec::new();
        for (&arg, &operand) in kernel.args.iter().zip(operands) {
            scalars.mapping.map(arg, operand);
        }
        // Statements follow all other operations that they use, since both are in program order.
        let mut ops: Vec<Op> = kernel.others.clone();
        ops.extend(kernel.statements.iter().map(|statement| statement.op));
        let order: FxHashMap<Op, usize> =
            source.walk().into_iter().enumerate().map(|(at, op)| (op, at)).collect();
        ops.sort_by_key(|op| order.get(op).copied());
        let mut of_statement = FxHashMap::default();
        for op in ops {
            let point = b.insertion_point();
            let copy = b.body_mut().clone_op_from(source, op, point, &mut scalars.mapping);
            of_statement.insert(op, copy);
            if b.body().op(copy).result_types().any(|ty| ty.is_tensor(&ctx)) {
                copies.push(copy);
            }
        }
        let holder = b.create(OpState::named(&ctx, "scratch.scalars").regions(kernel.statements.len()));
        copies.push(holder);
        for (number, statement) in kernel.statements.iter().enumerate() {
            let copy = of_statement[&statement.op];
            let Some(domain) = ctx.service::<dyn IterationDomain>(b.body().op(copy).kind()) else {
                return Err(format!("'{}' has no iteration domain", statement.name));
            };
            let mut types: Vec<Type> = statement.reads.iter().map(|read| read.element).collect();
            types.resize(types.len() + statement.axes.len(), Type::INDEX);
            let (block, outside) = b.enter(holder, number, &types);
            let args: Vec<Value> = b.body().block(block).args().collect();
            let (elements, indices) = args.split_at(statement.reads.len());
            let results = domain.compute(b, copy, elements, &mut |_, dim| indices[dim as usize]);
            b.set_insertion_point(outside);
            let [result] = results[..] else {
                return Err(format!("'{}' computes several elements", statement.name));
            };
            let ops = hoist_invariants(b.body_mut(), block, holder);
            scalars.statements.push(Scalar {
                elements: elements.to_vec(),
                indices: indices.to_vec(),
                ops,
                result,
            });
        }
        Ok((scalars, copies))
    }
}

/// Moves the operations that do not depend on their block before the enclosing operation; returns the others.
fn hoist_invariants(body: &mut Body, block: Block, around: Op) -> Vec<Op> {
    let ops: Vec<Op> = body.block(block).ops().collect();
    let mut kept = Vec::new();
    for op in ops {
        let view = body.op(op);
        let inside = |value: Value| body.block_of(value) == Some(block);
        let is_pure = view.has_trait(Traits::PURE) && view.n_regions() == 0;
        if is_pure && !view.operands().any(inside) {
            let moved = body.try_move_op(op, InsertionPoint::Before(around));
            debug_assert!(moved.is_ok(), "an operation without regions can be moved");
        } else {
            kept.push(op);
        }
    }
    kept
}

/// The current index range of an axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxisState {
    /// The first index.
    base: Value,
    /// The number of indices of the enclosing loop's step, and the end that they do not exceed.
    step: i64,
    /// The exclusive end of the current range, if it may be less than `base + step`.
    end: Option<Value>,
    /// The number of indices below the end, if lanes must be masked.
    remaining: Option<Value>,
    /// Whether tiles have a single index, as in a remainder loop.
    single: bool,
    /// Whether the base index may be unaligned to the step.
    shifted: bool,
    /// The number of lanes of tiles along the axis, if it is less than that of the plan.
    narrow: Option<i64>,
}

/// The tile of a statement in registers.
#[derive(Clone, Debug)]
pub(crate) struct Register {
    /// The shape of the tile.
    tile: Tile,
    /// The vectors, or scalars without lanes, in row-major order of the unrolled axes.
    values: Vec<Value>,
}

/// The state of emission.
pub(crate) struct Emitter<'e> {
    makers: Makers<'e>,
    machine: &'e MachineModel,
    kernel: &'e Kernel,
    operands: &'e [Value],
    scalars: &'e Scalars,
    /// The guard of each statement.
    guards: Vec<Option<Guard>>,
    storage: Storage,
    /// The extent of each axis.
    extents: Vec<Value>,
    axes: Vec<Option<AxisState>>,
    /// The statements whose tiles are in registers.
    registers: FxHashMap<usize, Register>,
    /// The accumulators of the reductions in progress.
    accumulators: FxHashMap<usize, Register>,
    /// The buffers of statements in temporary storage.
    scratch: FxHashMap<usize, Value>,
    /// For each of them, the first index of each dimension.
    bases: FxHashMap<usize, Vec<Option<Value>>>,
    packed: FxHashMap<(usize, usize), Packed>,
    /// The reads of paddings that are not computed, folded into reads of the padded source.
    through: FxHashMap<(usize, usize), Access>,
    /// The statements that read no padding in the current loops.
    interior: Vec<usize>,
    masks: FxHashMap<(Value, i64), Value>,
}

impl<'e> Emitter<'e> {
    #[allow(clippy::too_many_arguments, reason = "the parts of a kernel")]
    fn new(
        b: &mut Builder<'_>,
        makers: Makers<'e>,
        machine: &'e MachineModel,
        kernel: &'e Kernel,
        steps: &[Step],
        operands: &'e [Value],
        scalars: &'e Scalars,
    ) -> Result<Self, Unsupported> {
        let storage = Storage::of(kernel, steps)?;
        let mut through = FxHashMap::default();
        for number in (0..kernel.statements.len()).filter(|&number| !storage.is_computed(number)) {
            for (reader, read) in kernel.readers(number) {
                through.extend(kernel.through_padding(reader, read).map(|access| ((reader, read), access)));
            }
        }
        let mut extents = Vec::with_capacity(kernel.extents.len());
        for &extent in &kernel.extents {
            extents.push(match extent {
                AxisExtent::Known(known) => makers.index.index(b, known),
                AxisExtent::Of { argument, dim, plus } => {
                    let extent = makers.buffers.extent(b, operands[argument], dim);
                    makers.index.plus(b, extent, plus)
                }
                AxisExtent::Value { argument, plus } => makers.index.plus(b, operands[argument], plus),
            });
        }
        Ok(Self {
            makers,
            machine,
            kernel,
            operands,
            scalars,
            guards: Guard::of_all(b, kernel, &scalars.statements),
            storage,
            axes: vec![None; extents.len()],
            extents,
            registers: FxHashMap::default(),
            accumulators: FxHashMap::default(),
            scratch: FxHashMap::default(),
            bases: FxHashMap::default(),
            packed: FxHashMap::default(),
            through,
            interior: Vec::new(),
            masks: FxHashMap::default(),
        })
    }

    /// Emits steps in sequence. `path` is the position of the list in the plan; registers of the list are forgotten at
    /// its end.
    fn steps(
        &mut self,
        b: &mut Builder<'_>,
        steps: &[Step],
        path: &mut Vec<usize>,
    ) -> Result<(), Unsupported> {
        let outside = self.registers.clone();
        let (packed, masks) = (self.packed.clone(), self.masks.clone());
        let allocated = self.allocate(b, path)?;
        for statement in self.storage.relative_to(path) {
            let dims = &self.storage.scratch(statement).expect("the statement is in temporary storage").dims;
            let base = |axis: Axis| self.axes[axis].map(|state| state.base);
            let bases = dims.iter().map(|dim| dim.step.and(dim.axis).and_then(base)).collect();
            self.bases.insert(statement, bases);
        }
        let mut copies = Vec::new();
        for (at, step) in steps.iter().enumerate() {
            path.push(at);
            match step {
                Step::Loop { .. } => self.counted(b, step, path)?,
                Step::Leaf { statement, tile, nontemporal, prefetches } => {
                    for prefetched in prefetches {
                        self.prefetch(b, *statement, tile, prefetched)?;
                    }
                    self.leaf(b, *statement, tile, *nontemporal)?
                }
                Step::Pack { statement, read, axes } => {
                    copies.push(self.pack(b, *statement, *read, axes)?);
                }
            }
            path.pop();
        }
        for buffer in allocated.into_iter().chain(copies) {
            self.makers.buffers.dealloc(b, buffer);
        }
        self.registers = outside;
        (self.packed, self.masks) = (packed, masks);
        Ok(())
    }

    /// Allocates the temporary storage of a list of steps.
    fn allocate(&mut self, b: &mut Builder<'_>, path: &[usize]) -> Result<Vec<Value>, Unsupported> {
        let mut buffers = Vec::new();
        let here: Vec<usize> = self.storage.made_at(path);
        for statement in here {
            let place =
                self.storage.scratch(statement).expect("the statement is in temporary storage").clone();
            let mut sizes = Vec::new();
            let mut shape = Vec::new();
            for dim in &place.dims {
                let known = match (dim.axis, dim.step) {
                    (None, _) => Some(1),
                    (Some(_), Some(step)) => Some(step),
                    (Some(axis), None) => self.kernel.known_extent(axis),
                };
                shape.push(known.unwrap_or(minoan_ir::DYNAMIC));
                if known.is_none() {
                    sizes.extend(dim.axis.map(|axis| self.extents[axis]));
                }
            }
            let ctx = b.context();
            let Statement { element, ref reduction, .. } = self.kernel.statements[statement];
            let lanes = self.storage.tile(statement).lanes.filter(|_| reduction.is_some());
            if let ([_, .., last], Some(dim)) = (&mut shape[..], place.dims.last())
                && lanes.is_some_and(|(axis, _)| dim.axis == Some(axis))
                && *last != minoan_ir::DYNAMIC
            {
                // Each row begins with an aligned vector.
                let lanes = self.kernel.lanes(&ctx, self.machine);
                *last = (*last + lanes - 1) / lanes * lanes;
            }
            let ty = Type::memref(&ctx, &shape, element);
            let buffer = self.makers.buffers.scratch(b, ty, &sizes, 64);
            self.scratch.insert(statement, buffer);
            buffers.push(buffer);
        }
        Ok(buffers)
    }

    /// The value of a scalar source.
    fn scalar(&self, value: Value) -> Value {
        self.scalars.mapping.value(value)
    }

    /// The shape of a tile in the current iteration: 1 along an axis that is visited index by index, fewer lanes in the rest of
    /// a loop.
    fn current(&self, tile: &Tile) -> Tile {
        let is_single = |axis: Axis| self.axes[axis].is_some_and(|state| state.single);
        let unrolled = tile.unrolled.iter();
        let unrolled = unrolled.map(|&(axis, size)| (axis, if is_single(axis) { 1 } else { size })).collect();
        let lanes = tile.lanes.filter(|&(axis, _)| !is_single(axis));
        let narrow = |axis: Axis| self.axes[axis].and_then(|state| state.narrow);
        let lanes = lanes.map(|(axis, lanes)| (axis, narrow(axis).unwrap_or(lanes)));
        Tile { unrolled, lanes, groups: tile.groups }
    }

    /// Whether a source is a statement that is computed where it is read.
    fn is_inline(&self, source: Source) -> bool {
        matches!(source, Source::Statement(at) if self.kernel.statements[at].is_inline)
    }
}
