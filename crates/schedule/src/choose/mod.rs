//! Selection of plans by the structure of a kernel and the machine.
//!
//! Each family proposes a plan for the kernels that have its structure; the first legal one is chosen:
//!
//! * [`inner`]: a reduction of products of two factors that are consecutive along the axis of the reduction, and whose result
//!   has few elements along its last axis.
//! * [`contraction`]: a reduction of products whose factors each lack an axis of the other, with pointwise consumers.
//! * [`chain`]: a contraction of rows that the kernel computes, possibly by another contraction.
//! * [`rows`]: reductions and pointwise computations over shared outer axes, and pointwise computations alone.
//! * [`permuted`]: pointwise computations of operands whose dimensions are in another order.
//! * [`plain`]: loops of scalars, which every kernel has.

mod chain;
mod channels;
mod contraction;
mod copies;
mod inner;
mod paddings;
mod permuted;
mod plain;
mod rows;
mod stages;
mod tile;

use crate::emit::MAX_STRIDE;
use crate::kernel::{Access, Axis, Kernel, Phases, Source, Statement};
use crate::plan::{Leaf, Loop, Node, Plan, Tail, TileDim};
use crate::resolve;
use minoan_ir::affine::AffineExpr;
use minoan_ir::{Body, Context, Op, ServiceTable, Traits, Type, TypeData};
use minoan_services::{Cost, Expand, IteratorType, MachineModel};
use std::cell::RefCell;

/// A family of kernels.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Family {
    /// Sums of products.
    Contraction,
    /// Sums of products of computed rows.
    Chain,
    /// Reductions and pointwise computations over shared outer axes.
    Rows,
    /// Pointwise computations of operands whose dimensions are in another order.
    Permuted,
    /// Any other kernel.
    Plain,
}

/// A plan with the reason why it was chosen.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The family of the kernel.
    pub family: Family,
    /// The plan.
    pub plan: Plan,
    /// The family, and why those before it do not apply.
    pub reasons: Vec<String>,
}

/// Proposes the plan of a family, or returns the reason why the kernel does not belong to the family.
type Propose = fn(&Chooser<'_>) -> Result<Plan, String>;

/// Chooses a plan for a kernel, whose statements are operations of `body`.
pub fn choose(kernel: &Kernel, body: &Body, machine: &MachineModel) -> Choice {
    choose_packing(kernel, body, machine, &|_| false)
}

/// Chooses a plan for a kernel with some constant arguments, whose copies are made at compile time.
pub fn choose_packing(
    kernel: &Kernel,
    body: &Body,
    machine: &MachineModel,
    is_constant: &dyn Fn(usize) -> bool,
) -> Choice {
    let cx = Chooser { kernel, body, machine, is_constant, notes: RefCell::default() };
    let families: [(&str, Family, Propose); 7] = [
        ("inner products", Family::Contraction, inner::plan),
        ("convolution by channels", Family::Contraction, channels::plan),
        ("contraction", Family::Contraction, contraction::plan),
        ("windows in stages", Family::Contraction, stages::plan),
        ("chain", Family::Chain, chain::plan),
        ("rows", Family::Rows, rows::plan),
        ("permuted", Family::Permuted, permuted::plan),
    ];
    let mut reasons = Vec::new();
    for (name, family, propose) in families {
        let legal = propose(&cx).and_then(|plan| match resolve(&plan, kernel) {
            Ok(_) => Ok(plan),
            Err(violation) => Err(violation.to_string()),
        });
        match legal {
            Ok(plan) => {
                reasons.push(format!("family: {name}"));
                reasons.append(&mut cx.notes.take());
                return Choice { family, plan, reasons };
            }
            Err(reason) => {
                cx.notes.take();
                reasons.push(format!("no {name}: {reason}"));
            }
        }
    }
    reasons.push("family: plain".to_owned());
    Choice { family: Family::Plain, plan: plain(kernel), reasons }
}

/// The number of axes that all statements have as parallel dimensions.
pub fn shared_axes(kernel: &Kernel) -> usize {
    let parallel =
        |statement: &Statement, axis: Axis| statement.dims().any(|dim| dim == (axis, IteratorType::Parallel));
    let leaves = || kernel.statements.iter().filter(|statement| !statement.is_inline);
    let shared = |&axis: &Axis| !kernel.is_unit(axis) && leaves().all(|statement| parallel(statement, axis));
    (0..kernel.axis_names.len()).filter(shared).count()
}

/// Whether a statement is a sum of products of two factors each of which lacks an axis of the other.
pub fn is_contraction(statement: &Statement) -> bool {
    let Some(reduction) = statement.reduction else { return false };
    let reads = (0..statement.reads.len()).filter(|&read| read != reduction.accumulator);
    let axes: Vec<Vec<Axis>> = reads.map(|read| statement.axes_of_read(read)).collect();
    let lacks = |a: &[Axis], b: &[Axis]| a.iter().any(|axis| !b.contains(axis));
    axes.iter().enumerate().any(|(at, a)| axes[..at].iter().any(|b| lacks(a, b) && lacks(b, a)))
}

/// The plan of scalar loops, which is legal for every kernel.
pub fn plain(kernel: &Kernel) -> Plan {
    plain::plan(kernel)
}

struct Chooser<'a> {
    kernel: &'a Kernel,
    body: &'a Body,
    machine: &'a MachineModel,
    /// Whether an argument is a constant that may be packed at compile time.
    is_constant: &'a dyn Fn(usize) -> bool,
    /// Remarks on the plan.
    notes: RefCell<Vec<String>>,
}

/// The tile with the least estimated time, and the next one.
struct Best<T> {
    first: (f64, T),
    second: Option<(f64, T)>,
}

impl<T: Copy + std::fmt::Display> Best<T> {
    /// `tile` is the fallback.
    fn new(tile: T) -> Self {
        Self { first: (f64::INFINITY, tile), second: None }
    }

    fn add(&mut self, time: f64, tile: T) {
        if time < self.first.0 {
            let before = std::mem::replace(&mut self.first, (time, tile));
            self.second = Some(before).filter(|(time, _)| time.is_finite());
        } else if self.second.as_ref().is_none_or(|(other, _)| time < *other) {
            self.second = Some((time, tile));
        }
    }

    fn best(&self) -> T {
        self.first.1
    }

    /// The estimated time of the best tile.
    fn time(&self) -> f64 {
        self.first.0
    }

    /// The best tile, with a remark on the next one.
    fn choose(self, cx: &Chooser<'_>) -> T {
        let (time, tile) = self.first;
        let other = match self.second {
            Some((other, next)) => {
                format!("; the next one, {next}, takes {:.2} times as long by the model", other / time)
            }
            None => String::new(),
        };
        cx.notes.borrow_mut().push(format!("tile: {tile}{other}"));
        tile
    }
}

/// Assumed extent of axes whose extent is unknown.
const MANY: i64 = 1024;

impl Chooser<'_> {
    fn name(&self, axis: Axis) -> String {
        self.kernel.axis_names[axis].clone()
    }

    /// The extent of an axis, assumed if unknown.
    fn extent(&self, axis: Axis) -> i64 {
        self.kernel.known_extent(axis).unwrap_or(MANY)
    }

    /// The statements that are leaves.
    fn leaves(&self) -> impl Iterator<Item = (usize, &Statement)> + '_ {
        self.kernel.statements.iter().enumerate().filter(|(_, statement)| !statement.is_inline)
    }

    fn unit_free(&self, axes: &[Axis]) -> Vec<Axis> {
        axes.iter().copied().filter(|&axis| !self.kernel.is_unit(axis)).collect()
    }

    /// The axes of the indices of a read that add several axes, such as those of a window; empty if the read has no such index.
    fn window_axes(&self, statement: &Statement, read: usize) -> Vec<Axis> {
        let of_index = |expr: &AffineExpr| {
            let mut axes = Vec::new();
            statement.axes_in(expr, &mut axes);
            self.unit_free(&axes)
        };
        let indices = statement.reads[read].map.results.iter().map(of_index);
        indices.filter(|axes| axes.len() > 1).flatten().collect()
    }

    /// The lanes of a register for the widest element type of the kernel.
    fn lanes(&self) -> i64 {
        self.kernel.lanes(self.body.context(), self.machine)
    }

    /// Checks that a statement has a vector form with lanes along an axis.
    fn check_lanes(&self, number: usize, axis: Axis) -> Result<(), String> {
        let statement = &self.kernel.statements[number];
        let name = &statement.name;
        if !statement.has_axis(axis) {
            return Ok(());
        }
        if statement.reduces(axis) && !statement.reorders() {
            return Err(format!("'{name}' combines elements in order"));
        }
        self.check_vector_form(statement)?;
        for (read, access) in statement.reads.iter().enumerate() {
            let is_accumulator = statement.reduction.is_some_and(|reduction| reduction.accumulator == read);
            if is_accumulator || !matches!(access.source, Source::Argument(_)) {
                continue;
            }
            let stride = self.stride(statement, &access.map.results, axis);
            let has_lanes = stride.is_some_and(|stride| (0..=MAX_STRIDE).contains(&stride))
                || self.has_phases(statement, access, axis);
            if !has_lanes {
                return Err(format!(
                    "'{name}' does not read consecutive elements along '{}'",
                    self.name(axis)
                ));
            }
        }
        let written = statement.write.results.iter().any(|expr| statement.axis_of(expr) == Some(axis));
        let written = written && self.kernel.output_of(number).is_some();
        if written && !self.is_contiguous(statement, &statement.write.results, axis) {
            return Err(format!("'{name}' does not write consecutive elements along '{}'", self.name(axis)));
        }
        Ok(())
    }

    /// Whether the vectors of a read of an argument repeat or interleave rows; see [`Statement::phases`].
    fn has_phases(&self, statement: &Statement, access: &Access, axis: Axis) -> bool {
        let (ctx, Source::Argument(argument)) = (self.body.context(), access.source) else { return false };
        let shape = self.body.ty(self.kernel.args[argument]).shape(ctx).unwrap_or(&[]);
        let is_usable = |phases: Phases| {
            let has_rows = phases.remainder.is_none_or(|dim| shape[dim] == phases.count);
            has_rows && phases.quotient + 1 == shape.len() && self.lanes() % phases.count == 0
        };
        access.outside.is_none() && statement.phases(&access.map.results, axis).is_some_and(is_usable)
    }

    /// Whether indices are consecutive elements along an axis, or do not depend on it.
    fn is_contiguous(&self, statement: &Statement, map: &[AffineExpr], axis: Axis) -> bool {
        matches!(self.stride(statement, map, axis), Some(0 | 1))
    }

    /// The distance in elements, within the last dimension, of two consecutive indices of an axis;
    /// 0 if they are the same. `None` if the distance is not constant.
    fn stride(&self, statement: &Statement, map: &[AffineExpr], axis: Axis) -> Option<i64> {
        // No tile has more lanes.
        self.stride_of_lanes(statement, map, axis, 4 * self.lanes())
    }

    /// [`stride`](Self::stride) within tiles of `lanes` indices.
    fn stride_of_lanes(
        &self,
        statement: &Statement,
        map: &[AffineExpr],
        axis: Axis,
        lanes: i64,
    ) -> Option<i64> {
        let Some((last, outer)) = map.split_last() else { return Some(0) };
        let is_fixed = outer.iter().all(|expr| statement.stride_of_lanes(expr, axis, lanes) == Some(0));
        statement.stride_of_lanes(last, axis, lanes).filter(|_| is_fixed)
    }

    /// The distance of the elements of a read at two indices of an axis that follow each other, in elements of a row-major
    /// tensor; `None` if it is not the same for all of them.
    fn distance(&self, statement: &Statement, read: usize, axis: Axis) -> Option<i64> {
        let access = &statement.reads[read];
        let extents: Vec<i64> = match access.source {
            Source::Argument(argument) => {
                let shape = self.body.ty(self.kernel.args[argument]).shape(self.body.context())?;
                shape.iter().map(|&extent| if extent < 0 { MANY } else { extent }).collect()
            }
            Source::Statement(producer) => {
                let axes = self.kernel.statements[producer].written_axes();
                axes.into_iter().map(|axis| axis.map_or(1, |axis| self.extent(axis))).collect()
            }
            _ => return None,
        };
        let (mut distance, mut size) = (0i64, 1i64);
        for (expr, extent) in access.map.results.iter().zip(extents).rev() {
            distance = distance.saturating_add(statement.stride(expr, axis)?.saturating_mul(size));
            size = size.saturating_mul(extent);
        }
        Some(distance)
    }

    fn check_vector_form(&self, statement: &Statement) -> Result<(), String> {
        if !statement.has_vectors {
            return Err(format!("vectors cannot have the elements of '{}'", statement.name));
        }
        match without_vector_form(self.body, statement.op) {
            None => Ok(()),
            Some(inner) => {
                let name = self.body.op(inner).name();
                Err(format!("'{name}' in '{}' has no vector form", statement.name))
            }
        }
    }
}

/// An operation of the scalar computation of a statement that has no vector form.
pub fn without_vector_form(body: &Body, statement: Op) -> Option<Op> {
    let blocks = body.op(statement).own_regions().flat_map(|region| body.region(region).blocks());
    let ops: Vec<Op> = blocks.flat_map(|block| body.block(block).ops()).collect();
    let (_, ops) = ops.split_last()?;
    ops.iter().copied().find(|&inner| {
        let inner = body.op(inner);
        let uniform = inner.has_trait(Traits::PURE) && inner.n_operands() == 0;
        !uniform && !inner.has_trait(Traits::ELEMENTWISE)
    })
}

/// Whether an operation, or one in its regions, computes a function that is expanded into many operations on vectors.
pub fn has_function(body: &Body, op: Op) -> bool {
    /// Minimum and maximum expand to a few instructions and are not counted as functions.
    const MANY: usize = 8;
    let ctx = body.context();
    let costs: Option<&ServiceTable<dyn Cost>> = ctx.service_table();
    let mut pending = vec![op];
    while let Some(op) = pending.pop() {
        let view = body.op(op);
        if ctx.service::<dyn Expand>(view.kind()).is_some() {
            let cost = costs.and_then(|costs| costs.get(view.kind()));
            if cost.is_some_and(|cost| cost.instructions(view) >= MANY) {
                return true;
            }
        }
        let blocks = body.op(op).own_regions().flat_map(|region| body.region(region).blocks());
        pending.extend(blocks.flat_map(|block| body.block(block).ops()));
    }
    false
}

/// The size of an element in memory in bits: that of integers is a power of two, of at least a byte.
pub fn bits(ctx: &Context, ty: Type) -> u32 {
    if let TypeData::Complex(part) = *ty.data(ctx) {
        return 2 * bits(ctx, part);
    }
    let float = ty.float_kind(ctx).map(|kind| kind.width());
    let integer = || ty.integer_width(ctx).map(|width| width.next_power_of_two().max(8));
    float.or_else(integer).unwrap_or(64)
}

fn counted(axis: &str, step: i64, body: Vec<Node>) -> Node {
    Node::Loop(Loop { parallel: false, axis: axis.to_owned(), step, tail: None, body })
}

fn parallel(axis: &str, step: i64, body: Vec<Node>) -> Node {
    Node::Loop(Loop { parallel: true, axis: axis.to_owned(), step, tail: None, body })
}

fn loop_over(is_parallel: bool, axis: &str, step: i64, body: Vec<Node>) -> Node {
    if is_parallel { parallel(axis, step, body) } else { counted(axis, step, body) }
}

/// Encloses nodes in a loop over each of the axes, the first one outermost.
fn nest(kernel: &Kernel, axes: &[Axis], nodes: Vec<Node>) -> Vec<Node> {
    let around = |nodes, &axis: &Axis| vec![counted(&kernel.axis_names[axis], 1, nodes)];
    axes.iter().rev().fold(nodes, around)
}

/// The same, with a parallel outermost loop.
fn nest_parallel(kernel: &Kernel, axes: &[Axis], nodes: Vec<Node>) -> Vec<Node> {
    match axes {
        [] => nodes,
        [first, inner @ ..] => vec![parallel(&kernel.axis_names[*first], 1, nest(kernel, inner, nodes))],
    }
}

fn shifted(axis: &str, step: i64, tail: Tail, body: Vec<Node>) -> Node {
    Node::Loop(Loop { parallel: false, axis: axis.to_owned(), step, tail: Some(tail), body })
}

fn leaf(statement: &Statement, tile: Vec<TileDim>) -> Node {
    Node::Leaf(Leaf { statement: statement.name.clone(), tile, nontemporal: false })
}

fn unrolled(axis: &str, size: i64) -> TileDim {
    TileDim { axis: axis.to_owned(), size, lanes: false }
}

fn vector(axis: &str, size: i64) -> TileDim {
    TileDim { axis: axis.to_owned(), size, lanes: true }
}
