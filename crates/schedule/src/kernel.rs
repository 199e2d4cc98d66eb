//! The statements of a kernel and their axes, read off the operations of its body.

mod read;

use crate::axes::Axes;
use crate::choose::bits;
use minoan_ir::affine::{AffineExpr, AffineMap, AffineOp};
use minoan_ir::{Attr, Block, Body, Context, Op, Type, Value};
use minoan_services::{CombineKind, IteratorType, MachineModel, Monoid, Order};
use read::{Reader, name_all};
use rustc_hash::FxHashSet;

/// The number of an axis of a kernel.
pub type Axis = usize;

/// The origin of the elements that a statement reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// An argument of the kernel: a tensor, or on buffers a buffer.
    Argument(usize),
    /// The result of a statement.
    Statement(usize),
    /// A scalar, defined by an argument or an operation of the body that is not a statement.
    Scalar(Value),
    /// Unspecified elements, which are only overwritten.
    Undefined,
}

/// A read of a statement: one element at each point.
#[derive(Clone, Debug)]
pub struct Access {
    /// The origin of the elements.
    pub source: Source,
    /// The map from a point to the indices of the element.
    pub map: AffineMap,
    /// The element type.
    pub element: Type,
    /// The value where the indices are outside of the source, as a constant; `None` if they never are.
    pub outside: Option<Attr>,
}

impl Access {
    /// The dimensions along which indices may be outside of the source, with these indices: a padding extends no dimension whose
    /// index is an axis.
    pub(crate) fn edges(&self) -> impl Iterator<Item = (usize, &AffineExpr)> {
        let indices = self.map.results.iter().enumerate();
        indices.filter(|(_, expr)| !matches!(expr, AffineExpr::Dim(_)))
    }
}

/// Indices that depend on an axis by its quotient and its remainder by a number; see [`Statement::phases`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Phases {
    /// The number that the axis is divided by, at least 2.
    pub count: i64,
    /// The dimension whose index is the quotient.
    pub quotient: usize,
    /// The dimension whose index is the remainder; without one, an element is the same for all remainders.
    pub remainder: Option<usize>,
}

/// The reduction of a statement: it combines the old element of its result with a new one.
#[derive(Clone, Copy, Debug)]
pub struct Reduction {
    /// The number of the read that is the old element.
    pub accumulator: usize,
    /// The operation that combines, in the scalar computation, and its monoid; `None` if the elements must be visited
    /// in order.
    pub combine: Option<(Op, Monoid)>,
}

/// An operation of a kernel that computes a tensor point by point.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The operation, in the body of the kernel.
    pub op: Op,
    /// The name: that of the operation that computes the new element, with a numeric suffix if it is not unique.
    pub name: String,
    /// The axis of each dimension of the domain.
    pub axes: Vec<Axis>,
    /// The iterator type of each dimension.
    pub iterators: Vec<IteratorType>,
    /// The reads.
    pub reads: Vec<Access>,
    /// The map from a point to the indices of the computed element.
    pub write: AffineMap,
    /// The element type of the result.
    pub element: Type,
    /// The origin of the initial contents of the result.
    pub init: Source,
    /// The reduction; `None` if all dimensions are parallel.
    pub reduction: Option<Reduction>,
    /// Whether its elements, and all values that it computes from them, may be elements of vectors.
    pub has_vectors: bool,
    /// Whether the statement is computed where it is read, because it reads only scalars, has the same value at each point, and
    /// is not a result of the kernel.
    pub is_inline: bool,
}

impl Statement {
    /// Whether the statement iterates over an axis.
    pub fn has_axis(&self, axis: Axis) -> bool {
        self.axes.contains(&axis)
    }

    /// Whether an axis is reduced.
    pub fn reduces(&self, axis: Axis) -> bool {
        self.dims().any(|(at, iterator)| at == axis && iterator == IteratorType::Reduction)
    }

    /// The axis and iterator type of each dimension.
    pub fn dims(&self) -> impl Iterator<Item = (Axis, IteratorType)> + '_ {
        self.axes.iter().copied().zip(self.iterators.iter().copied())
    }

    /// The axis of each index of the written element; `None` for a constant index, or any other expression.
    pub fn written_axes(&self) -> Vec<Option<Axis>> {
        self.write.results.iter().map(|expr| self.axis_of(expr)).collect()
    }

    /// The axis of a bare dimension expression; `None` for any other expression.
    pub fn axis_of(&self, expr: &AffineExpr) -> Option<Axis> {
        match expr {
            AffineExpr::Dim(dim) => self.axes.get(*dim as usize).copied(),
            _ => None,
        }
    }

    /// The axes that occur in an expression.
    pub fn axes_in(&self, expr: &AffineExpr, found: &mut Vec<Axis>) {
        expr.for_each_dim(&mut |dim| found.extend(self.axes.get(dim as usize)));
    }

    /// The growth of an index per index of an axis; `None` if it is not linear in the axis.
    pub fn stride(&self, expr: &AffineExpr, axis: Axis) -> Option<i64> {
        match expr {
            AffineExpr::Dim(_) => Some(i64::from(self.axis_of(expr) == Some(axis))),
            AffineExpr::Symbol(_) | AffineExpr::Constant(_) => Some(0),
            AffineExpr::Binary(AffineOp::Add, lhs, rhs) => {
                self.stride(lhs, axis)?.checked_add(self.stride(rhs, axis)?)
            }
            AffineExpr::Binary(AffineOp::Mul, lhs, rhs) => match (&**lhs, &**rhs) {
                (expr, &AffineExpr::Constant(factor)) | (&AffineExpr::Constant(factor), expr) => {
                    self.stride(expr, axis)?.checked_mul(factor)
                }
                _ => self.is_independent(expr, axis).then_some(0),
            },
            AffineExpr::Binary(..) => self.is_independent(expr, axis).then_some(0),
        }
    }

    /// The growth of an index per lane, for `lanes` indices of an axis that start at a multiple of `lanes`; `None` if the index
    /// is not linear in them. A quotient or remainder by a multiple of `lanes` is linear within such a block.
    pub fn stride_of_lanes(&self, expr: &AffineExpr, axis: Axis, lanes: i64) -> Option<i64> {
        match expr {
            AffineExpr::Binary(op @ (AffineOp::FloorDiv | AffineOp::Mod), lhs, rhs)
                if self.axis_of(lhs) == Some(axis) =>
            {
                let AffineExpr::Constant(block) = **rhs else { return None };
                let is_whole = block > 0 && lanes > 0 && block % lanes == 0;
                is_whole.then_some(i64::from(*op == AffineOp::Mod))
            }
            _ => self.stride(expr, axis),
        }
    }

    /// The form of indices that depend on an axis by its quotient and its remainder only: `(d0 mod 2, d0 floordiv 2)` interleaves
    /// the elements of two rows, `(d0 floordiv 2)` repeats each element.
    pub fn phases(&self, indices: &[AffineExpr], axis: Axis) -> Option<Phases> {
        let mut found = [None; 2];
        for (dim, expr) in indices.iter().enumerate() {
            if self.is_independent(expr, axis) {
                continue;
            }
            let AffineExpr::Binary(op, lhs, rhs) = expr else { return None };
            let (Some(_), &AffineExpr::Constant(count)) =
                (self.axis_of(lhs).filter(|&of| of == axis), &**rhs)
            else {
                return None;
            };
            let slot = match op {
                AffineOp::FloorDiv => 0,
                AffineOp::Mod => 1,
                _ => return None,
            };
            if count < 2 || found[slot].replace((dim, count)).is_some() {
                return None;
            }
        }
        let (quotient, count) = found[0]?;
        let is_same = found[1].is_none_or(|(_, other)| other == count);
        is_same.then(|| Phases { count, quotient, remainder: found[1].map(|(dim, _)| dim) })
    }

    fn is_independent(&self, expr: &AffineExpr, axis: Axis) -> bool {
        let mut found = Vec::new();
        self.axes_in(expr, &mut found);
        !found.contains(&axis)
    }

    /// The axes that the indices of a read depend on.
    pub fn axes_of_read(&self, read: usize) -> Vec<Axis> {
        let mut found = Vec::new();
        self.reads[read].map.results.iter().for_each(|expr| self.axes_in(expr, &mut found));
        found
    }

    /// The axis of each index of a read; `None` if an index is not an axis, or if two indices are the same axis, as along a diagonal.
    pub fn distinct_axes_of_read(&self, read: usize) -> Option<Vec<Axis>> {
        let axes: Vec<Axis> =
            self.reads[read].map.results.iter().map(|expr| self.axis_of(expr)).collect::<Option<_>>()?;
        let is_first = |(at, axis): (usize, &Axis)| !axes[..at].contains(axis);
        axes.iter().enumerate().all(is_first).then_some(axes)
    }

    /// Whether a read has a value beyond the edges of its source, such as the read of a padding.
    pub fn pads(&self) -> bool {
        self.reads.iter().any(|read| read.outside.is_some())
    }

    /// Whether partial results may be combined in an order other than that of the points.
    pub fn reorders(&self) -> bool {
        self.combine().is_some_and(|(_, monoid)| monoid.order != Order::Fixed)
    }

    /// Whether the statement is a sum of integers whose terms are computed from integers of at most half as many bits.
    pub fn sums_narrow_integers(&self, ctx: &Context) -> bool {
        let (Some(reduction), Some(bits)) = (self.reduction, self.element.integer_width(ctx)) else {
            return false;
        };
        let is_sum = self.combine().is_some_and(|(_, monoid)| monoid.kind == CombineKind::AddI);
        let narrow = |read: &Access| read.element.integer_width(ctx).is_some_and(|narrow| 2 * narrow <= bits);
        let mut others = self.reads.iter().enumerate().filter(|&(read, _)| read != reduction.accumulator);
        is_sum && others.all(|(_, read)| narrow(read))
    }

    /// The combining operation of the reduction.
    pub fn combine(&self) -> Option<(Op, Monoid)> {
        self.reduction.and_then(|reduction| reduction.combine)
    }
}

/// The extent of an axis.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AxisExtent {
    /// A static extent.
    Known(i64),
    /// The extent of a dimension of an argument, plus a constant.
    Of {
        /// The number of the argument.
        argument: usize,
        /// The dimension.
        dim: usize,
        /// The constant.
        plus: i64,
    },
    /// The value of an argument of type `index`, plus a constant.
    Value {
        /// The number of the argument.
        argument: usize,
        /// The constant.
        plus: i64,
    },
}

impl AxisExtent {
    /// The sum of the extent and a constant; `None` if it overflows.
    pub fn plus(self, by: i64) -> Option<Self> {
        Some(match self {
            AxisExtent::Known(extent) => AxisExtent::Known(extent.checked_add(by)?),
            AxisExtent::Of { argument, dim, plus } => {
                AxisExtent::Of { argument, dim, plus: plus.checked_add(by)? }
            }
            AxisExtent::Value { argument, plus } => {
                AxisExtent::Value { argument, plus: plus.checked_add(by)? }
            }
        })
    }
}

/// The contents of a kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The arguments: inputs, then outputs.
    pub args: Vec<Value>,
    /// The number of inputs.
    pub inputs: usize,
    /// The statements in program order, so that producers precede consumers.
    pub statements: Vec<Statement>,
    /// The operations that are not statements: constants, scalars and uninitialized tensors.
    pub others: Vec<Op>,
    /// The names of the axes.
    pub axis_names: Vec<String>,
    /// The extent of each axis.
    pub extents: Vec<AxisExtent>,
    /// The statement that computes each result, one per output.
    pub results: Vec<usize>,
}

/// Operations that are not the body of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotAKernel {
    /// The operation at fault; `None` for the kernel as a whole.
    pub op: Option<Op>,
    /// The violated requirement, as the end of a sentence whose subject is the operation: `expects ..`, `reads ..`.
    pub message: String,
}

impl NotAKernel {
    pub(crate) fn new(op: impl Into<Option<Op>>, message: impl Into<String>) -> Self {
        Self { op: op.into(), message: message.into() }
    }
}

impl Kernel {
    /// Reads the contents of a kernel off its block. The operands of the terminator are the results, one for each of the
    /// arguments from number `inputs` on.
    ///
    /// # Errors
    /// The block is not the body of a kernel.
    pub fn of_block(body: &Body, block: Block, inputs: usize) -> Result<Kernel, NotAKernel> {
        let view = body.block(block);
        let args: Vec<Value> = view.args().collect();
        let ops: Vec<Op> = view.ops().collect();
        let Some((&last, ops)) = ops.split_last() else {
            return Err(NotAKernel::new(None, "expects a terminator"));
        };
        let results: Vec<Value> = body.op(last).operands().collect();
        let outputs = args.len().saturating_sub(inputs);
        if results.len() != outputs {
            let message = format!("expects {outputs} results, one per output, but found {}", results.len());
            return Err(NotAKernel::new(last, message));
        }
        let kernel = Self::of_ops(body, &args, inputs, ops, &results)?;
        for (output, &at) in kernel.results.iter().enumerate() {
            let written = destination(&kernel.statements, at);
            if written != Source::Argument(inputs + output) {
                let message = format!("expects result {output} to be written to output {output}");
                return Err(NotAKernel::new(last, message));
            }
        }
        Ok(kernel)
    }

    /// Reads the contents of a kernel off operations in program order, which use `args` and each other. The first `inputs` of
    /// `args` are the inputs, the others the outputs; they may be any values.
    ///
    /// # Errors
    /// The operations are not the body of a kernel.
    pub fn of_ops(
        body: &Body,
        args: &[Value],
        inputs: usize,
        ops: &[Op],
        results: &[Value],
    ) -> Result<Kernel, NotAKernel> {
        let mut reader = Reader {
            body,
            sources: args.iter().enumerate().map(|(at, &arg)| (arg, Source::Argument(at))).collect(),
            statements: Vec::new(),
            extents: Vec::new(),
            uses_indices: Vec::new(),
            others: Vec::new(),
        };
        for &op in ops {
            reader.op(body.op(op)).map_err(|message| NotAKernel::new(op, message))?;
        }
        let Reader { sources, mut statements, extents: of_dims, uses_indices, others, .. } = reader;
        let mut numbers = Vec::new();
        for value in results {
            match sources.get(value) {
                Some(&Source::Statement(at)) => numbers.push(at),
                _ => return Err(NotAKernel::new(None, "expects the results of statements")),
            }
        }
        // A padding distinguishes its elements from those of its source by their indices, which scalars lack.
        let padded: FxHashSet<Source> = statements
            .iter()
            .flat_map(|statement| statement.reads.iter().filter(|read| read.outside.is_some()))
            .map(|read| read.source)
            .collect();
        for (at, statement) in statements.iter_mut().enumerate() {
            let scalars = |access: &Access| matches!(access.source, Source::Scalar(_));
            let is_inline = statement.reduction.is_none()
                && statement.reads.iter().all(scalars)
                && !uses_indices[at]
                && !numbers.contains(&at)
                && !padded.contains(&Source::Statement(at));
            statement.is_inline = is_inline;
        }
        name_all(body, &mut statements);
        let (axis_names, extents) = Axes::of(body, args, &mut statements, &of_dims, &numbers)?;
        Ok(Kernel { args: args.to_vec(), inputs, statements, others, axis_names, extents, results: numbers })
    }

    /// Folds a read of a `pad` statement into a read of its source, with the pad value as the out-of-bounds value; `None` for a
    /// read of any other statement.
    pub fn through_padding(&self, statement: usize, read: usize) -> Option<Access> {
        let access = &self.statements[statement].reads[read];
        let Source::Statement(producer) = access.source else { return None };
        let padding = &self.statements[producer];
        let [inner] = &padding.reads[..] else { return None };
        inner.outside?;
        if access.outside.is_some() || padding.reduction.is_some() {
            return None;
        }
        let mut dims = vec![AffineExpr::Constant(0); padding.iterators.len()];
        for (expr, written) in access.map.results.iter().zip(&padding.write.results) {
            if let AffineExpr::Dim(dim) = written {
                dims[*dim as usize] = expr.clone();
            }
        }
        let mut results = Vec::with_capacity(inner.map.results.len());
        for expr in &inner.map.results {
            let mut place = expr.substitute(&dims)?;
            if matches!(place, AffineExpr::Dim(_)) && !matches!(expr, AffineExpr::Dim(_)) {
                // A sum with a constant marks the dimension as extended by the padding.
                place = AffineExpr::Binary(AffineOp::Add, Box::new(place), Box::new(AffineExpr::Constant(0)));
            }
            results.push(place);
        }
        let map = AffineMap { results: results.into(), ..access.map.clone() };
        Some(Access { source: inner.source, map, element: inner.element, outside: inner.outside })
    }

    /// The number of the statement with a name.
    pub fn statement(&self, name: &str) -> Option<usize> {
        self.statements.iter().position(|statement| statement.name == name)
    }

    /// The number of the axis with a name.
    pub fn axis(&self, name: &str) -> Option<Axis> {
        self.axis_names.iter().position(|axis| axis == name)
    }

    /// The static extent of an axis.
    pub fn known_extent(&self, axis: Axis) -> Option<i64> {
        match self.extents[axis] {
            AxisExtent::Known(extent) => Some(extent),
            _ => None,
        }
    }

    /// Whether an axis has a single index, so that it needs no loop.
    pub fn is_unit(&self, axis: Axis) -> bool {
        self.known_extent(axis) == Some(1)
    }

    /// The lanes of a register for the widest element type of the statements.
    pub fn lanes(&self, ctx: &Context, machine: &MachineModel) -> i64 {
        let leaves = self.statements.iter().filter(|statement| !statement.is_inline);
        let types = leaves
            .flat_map(|statement| statement.reads.iter().map(|read| read.element).chain([statement.element]));
        let widest = types.map(|ty| bits(ctx, ty)).max().unwrap_or(32);
        i64::from(machine.lanes(widest))
    }

    /// The output that a statement's result is written to.
    pub fn output_of(&self, statement: usize) -> Option<usize> {
        self.results.iter().position(|&result| result == statement)
    }

    /// The reads of a statement's result, as pairs of a statement and the number of a read. The initialization of a
    /// reduction is one of them.
    pub fn readers(&self, producer: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.statements.iter().enumerate().flat_map(move |(reader, statement)| {
            let is_read = move |access: &Access| access.source == Source::Statement(producer);
            let reads = statement.reads.iter().enumerate().filter(move |(_, access)| is_read(access));
            reads.map(move |(read, _)| (reader, read))
        })
    }

    /// Whether a read has, in every dimension, the index that the producer writes at the same point of the axes.
    pub fn is_aligned(&self, reader: usize, read: usize) -> bool {
        let statement = &self.statements[reader];
        let access = &statement.reads[read];
        let Source::Statement(producer) = access.source else { return true };
        let producer = &self.statements[producer];
        access.outside.is_none()
            && access.map.results.iter().zip(&producer.write.results).all(|(to, from)| {
                match (statement.axis_of(to), producer.axis_of(from)) {
                    (Some(to), Some(from)) => to == from,
                    (None, None) => to == from && matches!(to, AffineExpr::Constant(_)),
                    // The only index of a dimension with one element.
                    (Some(axis), None) | (None, Some(axis)) => {
                        self.is_unit(axis) && [to, from].contains(&&AffineExpr::Constant(0))
                    }
                }
            })
    }
}

/// The argument that the result of a statement is written to.
fn destination(statements: &[Statement], at: usize) -> Source {
    let mut source = statements[at].init;
    while let Source::Statement(at) = source {
        source = statements[at].init;
    }
    source
}
