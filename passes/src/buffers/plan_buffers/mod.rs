//! `plan-buffers`: converts tensors to buffers with planned lifetimes, in one linear walk over each function.
//!
//! Every tensor is *owned* by the block that defines it, or *borrowed*: an argument of the function, a value from an
//! enclosing region, a constant. Operations borrow their operands unless `Ownership` or `AliasModel` says that they
//! consume or update one. An owned tensor moves into the operation that uses it last; any other tensor that is consumed is
//! copied first. A tensor that is still owned after its last use is deallocated there. So an insertion into a tensor that
//! is not used again is one store, a loop that carries an array works in place, and there are no double frees.
//!
//! * The regions of an operation that executes exactly one of them may consume tensors that die with the operation:
//!   both branches of a condition update in place.
//! * A read of an element of a tensor that is updated before it is executed before the update, if that is possible ([`reads`]).
//! * A view keeps its base alive. A slice that is only read, by operations that read it in any layout, is a view ([`views`]).
//! * An operation that overwrites an output with results that depend, element by element, on an input that dies writes
//!   to the storage of that input (`AliasModel::may_reuse`), and the output is not allocated.
//! * A select of tensors whose result is only read is a select of their buffers; both stay alive for its uses.
//! * Tensor results of a function belong to the caller; its tensor arguments remain owned by the caller. A result that is an
//!   argument, or a view of one, is lent if all callers are known: it is not copied, and is a view for the caller
//!   ([`lent_results`]).
//! * A function takes a tensor argument that it updates or returns if all callers are known and do not need it afterwards
//!   ([`taken_arguments`]).
//! * The type of a function value is converted with the function: both have buffers for tensors.
//! * Operations that use only memrefs are not changed: their storage is managed by the program.
//! * The buffer of a tensor that the program accesses lives as long as the tensor. A tensor that is read from a buffer of the program
//!   is a view of it if nothing is written as long as it is used, and one that is written to a buffer is computed there if nothing
//!   observes it ([`exchanges`]).
//!
//! * A block owns its arguments: a branch transfers tensors to the block that it leads to. Tensors that are used in other blocks
//!   are passed to them as arguments first ([`between_blocks`]).
//!
//! [`storage`] computes liveness, [`planner`] makes the decisions.

mod between_blocks;
mod convert;
mod copy_reason;
mod exchanges;
mod large_splats;
mod lent_results;
mod planner;
mod reads;
mod storage;
mod taken_arguments;
mod views;

pub(crate) use views::writes_any_layout;

use between_blocks::{UnknownBranch, pass_between_blocks};
use large_splats::fill_large_splats;
use lent_results::LentResults;
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Attr, Body, Builder, Context, InsertionPoint, Name, Op, SymbolTable, Traits, Type, Value};
use minoan_pass::{Anchor, Pass, PassRun, queries, requires};
use minoan_services::{
    AliasModel, Branches, BufferExchange, BufferOps, Calls, Effects, ElementAccess, ExtentOf, IndexOps,
    IterationDomain, KernelOps, Ownership, RegionFlow, TensorOps, ToBuffers,
};
use planner::Planner;
use rustc_hash::FxHashMap;
use storage::Classes;
use taken_arguments::TakenArguments;

/// Converts all tensors of a module to buffers.
pub struct PlanBuffers;

impl Pass for PlanBuffers {
    fn name(&self) -> &'static str {
        "plan-buffers"
    }

    fn description(&self) -> &'static str {
        "bufferize tensors: updates in place at last uses, copies elsewhere, deallocations after last uses"
    }

    requires!(BufferOps);

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    queries!(
        AliasModel,
        Branches,
        BufferExchange,
        Calls,
        Effects,
        ElementAccess,
        ExtentOf,
        IndexOps,
        IterationDomain,
        KernelOps,
        Ownership,
        RegionFlow,
        TensorOps,
        ToBuffers
    );

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let mut remarks = run.wants_remarks().then(Vec::new);
        let module = run.module_mut();
        let ctx = module.context().clone();
        let dialect = ctx.dialects_with::<dyn BufferOps>().next();
        let Some(buffers) = dialect.and_then(|dialect| dialect.service::<dyn BufferOps>()) else {
            return Err(Diagnostic::error("no loaded dialect implements buffers").into());
        };
        let block = module.block();
        let body = module.body_mut();
        let mut constants = Constants { symbols: SymbolTable::of(body), by_contents: FxHashMap::default() };
        let mut errors = Diagnostics::new();
        let lent = LentResults::of(body, &ctx);
        let taken = TakenArguments::of(body, &ctx, &lent);
        let functions: Vec<Op> =
            body.block(block).ops().filter(|&op| body.op(op).has_trait(Traits::FUNCTION_LIKE)).collect();
        for op in functions {
            let signature = body.op(op).attr(ctx.names().function_type);
            if let Some(signature) = signature {
                let signature = signature.as_type(&ctx).map(|ty| buffer_type(&ctx, ty, buffers));
                let signature = signature.map(|ty| Attr::ty(&ctx, ty));
                body.set_attr(op, ctx.names().function_type, signature);
            }
            let symbol = body.op(op).symbol_name().map(|symbol| ctx.name(symbol));
            let inside = body.nested_mut(op).expect("a function owns its body");
            convert_function_values(inside, &ctx, buffers);
            if let Err(UnknownBranch(branch)) = pass_between_blocks(inside, &ctx) {
                let view = inside.op(branch);
                let message = format!("'{}' op does not state how it passes tensors to blocks", view.name());
                errors.push(Diagnostic::error(message).at(view.loc().place(&ctx)));
                continue;
            }
            fill_large_splats(inside, &ctx);
            reads::read_before_updates(inside, &ctx);
            let classes = Classes::of(inside, &ctx, &lent, &taken, symbol);
            let forwarded = exchanges::forwarded(inside, &ctx, classes.tracked());
            if !forwarded.is_empty() {
                forwarded.into_iter().for_each(|error| errors.push(error));
                continue;
            }
            let takes = |index: usize| symbol.is_some_and(|symbol| taken.by_function(symbol, index));
            Planner::plan(inside, classes, &takes, buffers, &mut constants, &mut errors, remarks.as_mut());
        }
        let mut b = Builder::new(body, InsertionPoint::Start(block));
        let mut declared: Vec<(Attr, Name)> = constants.by_contents.into_iter().collect();
        declared.sort_by_key(|(_, name)| name.as_str(&ctx).to_owned());
        for (contents, name) in declared {
            buffers.declare_constant(&mut b, name.as_str(&ctx), contents);
        }
        remarks.into_iter().flatten().for_each(|(kind, remark)| run.remark(kind, remark));
        if errors.has_errors() { Err(errors) } else { Ok(()) }
    }
}

/// The type of the buffer of a tensor; a function type with buffers for tensors, also in the types of functions that it takes
/// or returns; any other type itself.
fn buffer_type(ctx: &Context, ty: Type, buffers: &dyn BufferOps) -> Type {
    let Some((inputs, results)) = ty.as_function(ctx) else {
        return buffers.buffer_type(ctx, ty).unwrap_or(ty);
    };
    let convert =
        |types: &[Type]| -> Vec<Type> { types.iter().map(|&ty| buffer_type(ctx, ty, buffers)).collect() };
    minoan_ir::with_stack(|| Type::function(ctx, &convert(inputs), &convert(results)))
}

/// Converts the types of all function values of a function.
fn convert_function_values(body: &mut Body, ctx: &Context, buffers: &dyn BufferOps) {
    let ops = body.walk();
    let results = ops.iter().flat_map(|&op| body.op(op).results());
    let regions = body.regions().chain(ops.iter().flat_map(|&op| body.op(op).own_regions()));
    let args =
        regions.flat_map(|region| body.region(region).blocks()).flat_map(|block| body.block(block).args());
    let is_function = |&value: &Value| body.ty(value).as_function(ctx).is_some();
    let functions: Vec<Value> = results.chain(args).filter(is_function).collect();
    for value in functions {
        let ty = buffer_type(ctx, body.ty(value), buffers);
        body.set_type(value, ty);
    }
}

/// The constants of the module, by contents.
struct Constants {
    symbols: SymbolTable,
    by_contents: FxHashMap<Attr, Name>,
}

impl Constants {
    fn name(&mut self, ctx: &Context, contents: Attr, op: Op) -> Name {
        let Constants { symbols, by_contents } = self;
        *by_contents.entry(contents).or_insert_with(|| {
            let name = symbols.fresh(ctx, "__constant");
            symbols.insert(name, op);
            name
        })
    }
}
