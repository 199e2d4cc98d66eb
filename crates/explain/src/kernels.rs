//! Kernels: their statements, plans and costs.

use minoan_ir::affine::AffineExpr;
use minoan_ir::text::print_type;
use minoan_ir::{Body, Module, Op, OpRef, Traits};
use minoan_schedule::{Axis, Kernel, Statement, choose};
use minoan_services::{Cost, DataLayout, IteratorType, KernelOps, KernelParts, LayoutSpec, MachineModel};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// A kernel.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct KernelInfo {
    pub(crate) function: String,
    /// The line of its operation, from 0.
    pub(crate) line: u32,
    /// The plan, if it has one.
    pub(crate) plan: Option<String>,
    /// The structure that the plan is chosen by, and why others do not apply.
    pub(crate) reasons: Vec<String>,
    pub(crate) axes: Vec<AxisInfo>,
    pub(crate) statements: Vec<StatementInfo>,
    /// The types of inputs and outputs.
    pub(crate) inputs: Vec<String>,
    pub(crate) outputs: Vec<String>,
    /// The bytes of inputs and outputs, if static.
    pub(crate) bytes: Option<u64>,
    /// The number of scalar instructions of all statements, if the extents are static.
    pub(crate) instructions: Option<u64>,
}

/// An axis of a kernel.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct AxisInfo {
    pub(crate) name: String,
    /// The extent, if it is static.
    pub(crate) extent: Option<i64>,
}

/// A statement of a kernel.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct StatementInfo {
    pub(crate) name: String,
    /// The computed element and the elements that are read: `[i, j] <- [i, k], [k, j]`.
    pub(crate) access: String,
    /// The reduced axes.
    pub(crate) reduced: Vec<String>,
    /// The number of points, if the extents are static.
    pub(crate) points: Option<u64>,
    /// Instructions at one point.
    pub(crate) instructions: u64,
}

/// The kernels of a module. `lines` has the line of each operation.
pub(crate) fn of_module(module: &Module, lines: &FxHashMap<Op, u32>) -> Vec<KernelInfo> {
    let (ctx, body) = (module.context(), module.body());
    let Some(service) = <dyn KernelOps>::any(ctx) else { return Vec::new() };
    let attrs = module.holder().op(module.op()).attrs();
    let machine = MachineModel::of(ctx, attrs).unwrap_or_default();
    let spec = LayoutSpec::of(ctx, attrs);
    let mut found = Vec::new();
    for op in body.block(module.block()).ops() {
        let view = body.op(op);
        let Some(inside) = body.nested(op).filter(|_| view.has_trait(Traits::FUNCTION_LIKE)) else {
            continue;
        };
        for kernel in inside.walk() {
            let kernel = inside.op(kernel);
            let Some(parts) = service.kernel(kernel) else { continue };
            let line = lines.get(&kernel.id()).copied().unwrap_or(0);
            let function = view.symbol_name().unwrap_or("").to_owned();
            found.extend(info(kernel, parts, function, line, &machine, &spec));
        }
    }
    found
}

/// Whether a module has kernels.
pub(crate) fn any(module: &Module) -> bool {
    let (ctx, body) = (module.context(), module.body());
    let Some(service) = <dyn KernelOps>::any(ctx) else { return false };
    let mut bodies = body.block(module.block()).ops().filter_map(|op| body.nested(op));
    bodies.any(|inside| inside.walk().into_iter().any(|op| service.kernel(inside.op(op)).is_some()))
}

fn info(
    op: OpRef<'_>,
    parts: KernelParts,
    function: String,
    line: u32,
    machine: &MachineModel,
    spec: &LayoutSpec,
) -> Option<KernelInfo> {
    let ctx = op.context();
    let nested = op.nested()?;
    let entry = nested.region(nested.root(0)).entry()?;
    let kernel = Kernel::of_block(nested, entry, parts.inputs).ok()?;
    let types =
        |range: std::ops::Range<usize>| -> Vec<_> { op.operand_types().collect::<Vec<_>>()[range].to_vec() };
    let (ins, outs) = (types(0..kernel.inputs), types(kernel.inputs..kernel.args.len()));
    let bytes = ins.iter().chain(&outs).filter(|ty| ty.shape(ctx).is_some());
    let bytes = bytes.map(|&ty| <dyn DataLayout>::bytes_of_elements(ctx, ty, spec));
    let statements: Vec<StatementInfo> = kernel
        .statements
        .iter()
        .filter(|statement| !statement.is_inline)
        .map(|one| statement(nested, &kernel, one))
        .collect();
    let instructions = statements
        .iter()
        .map(|one| one.points?.checked_mul(one.instructions))
        .try_fold(0u64, |sum, one| sum.checked_add(one?));
    let axes = (0..kernel.axis_names.len())
        .map(|axis| AxisInfo { name: kernel.axis_names[axis].clone(), extent: kernel.known_extent(axis) });
    Some(KernelInfo {
        function,
        line,
        plan: parts.plan,
        reasons: choose::choose(&kernel, nested, machine).reasons,
        axes: axes.collect(),
        statements,
        inputs: ins.iter().map(|&ty| print_type(ctx, ty)).collect(),
        outputs: outs.iter().map(|&ty| print_type(ctx, ty)).collect(),
        bytes: bytes.sum(),
        instructions,
    })
}

fn statement(body: &Body, kernel: &Kernel, statement: &Statement) -> StatementInfo {
    let indices = |results: &[AffineExpr]| {
        let index = |expr: &AffineExpr| match statement.axis_of(expr) {
            Some(axis) => kernel.axis_names[axis].clone(),
            None => {
                let mut axes: Vec<Axis> = Vec::new();
                statement.axes_in(expr, &mut axes);
                let names: Vec<&str> = axes.iter().map(|&axis| kernel.axis_names[axis].as_str()).collect();
                if names.is_empty() { "_".to_owned() } else { format!("f({})", names.join(", ")) }
            }
        };
        format!("[{}]", results.iter().map(index).collect::<Vec<_>>().join(", "))
    };
    let accumulator = statement.reduction.map(|reduction| reduction.accumulator);
    let reads = statement.reads.iter().enumerate().filter(|&(at, _)| Some(at) != accumulator);
    let reads: Vec<String> = reads.map(|(_, read)| indices(&read.map.results)).collect();
    let reduced = statement.dims().filter(|&(_, iterator)| iterator == IteratorType::Reduction);
    let extents = statement.axes.iter().map(|&axis| kernel.known_extent(axis));
    let mut points = extents.map(|extent| u64::try_from(extent?).ok());
    StatementInfo {
        name: statement.name.clone(),
        access: format!("{} <- {}", indices(&statement.write.results), reads.join(", ")),
        reduced: reduced.map(|(axis, _)| kernel.axis_names[axis].clone()).collect(),
        points: points.try_fold(1u64, |all, extent| all.checked_mul(extent?)),
        instructions: instructions(body, statement.op),
    }
}

/// The instructions at one point: those of the operations in the regions; of an operation without regions, its own.
fn instructions(body: &Body, op: Op) -> u64 {
    let cost = |op: OpRef<'_>| -> u64 {
        let service = op.context().service::<dyn Cost>(op.kind());
        service.map_or(1, |service| service.instructions(op)) as u64
    };
    let (mut sum, mut pending) = (0u64, vec![op]);
    while let Some(around) = pending.pop() {
        let view = body.op(around);
        for block in view.own_regions().flat_map(|region| body.region(region).blocks().collect::<Vec<_>>()) {
            for inner in body.block(block).ops() {
                if !body.op(inner).has_trait(Traits::TERMINATOR) {
                    sum = sum.saturating_add(cost(body.op(inner)));
                }
                pending.push(inner);
            }
        }
    }
    if body.op(op).n_regions() == 0 { cost(body.op(op)) } else { sum }
}
