//! `take-destinations`: functions write their results to buffers of the caller.
//!
//! A public function that no other refers to gets one more argument for each result that is a buffer: a *destination*, of the
//! type of the result. Where the function allocates a result in its outermost block, it takes the destination in place of the
//! allocation, if the extents agree. The results stay: the caller sees by their addresses which destinations were taken, and
//! copies and frees other results. So every function can be called in this way, whatever it returns: an argument of a call, a
//! buffer from a branch, one that is allocated with an alignment.
//!
//! The caller passes destinations that overlap neither with each other nor with an argument.
//!
//! With `copies`, no function changes its type, so that other functions may refer to it, and a copy, [`copy_name`], takes
//! the destinations. If the copy takes all of them whatever their extents, and no function refers to the original, the original
//! allocates its results and calls the copy, so that the code exists once.

use crate::analysis::call_sites::{SymbolUses, levels, symbol_uses};
use crate::hoist_buffers::handed_around;
use crate::symbol_dce::is_private;
use minoan_diag::{Diagnostic, Diagnostics, nearest};
use minoan_ir::{
    Attr, Body, Builder, Context, DYNAMIC, InsertionPoint, Mapping, Op, SymbolTable, Traits, Type, TypeData,
    Value,
};
use minoan_pass::{Anchor, Pass, PassRun, own_options, pass_options, queries, requires};
use minoan_services::{BufferOps, Calls, FunctionMaterializer, IndexOps, LoopOps, function_types};

/// The maximum number of nested loops that a result is followed into.
const MAX_LEVELS: usize = 32;

pass_options! {
    /// The options of the pass.
    pub struct TakeDestinationsOptions {
        /// Names of the functions that take destinations; if empty, all public functions
        "functions" functions: Vec<String> = Vec::new(),
        /// Do not change the types of functions; add the destinations to a copy NAME.into of each
        "copies" copies: bool = false,
    }
}

/// The name of the copy of a function that takes destinations.
pub fn copy_name(function: &str) -> String {
    format!("{function}.into")
}

/// Adds destinations to functions.
#[derive(Default)]
pub struct TakeDestinations {
    /// The options of the pass.
    pub options: TakeDestinationsOptions,
}

impl Pass for TakeDestinations {
    fn name(&self) -> &'static str {
        "take-destinations"
    }

    fn description(&self) -> &'static str {
        "add arguments for the buffers that functions return, and write results to them"
    }

    requires!(BufferOps);

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    own_options!();

    queries!(Calls, FunctionMaterializer, IndexOps, LoopOps);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let module = run.module_mut();
        let ctx = module.context().clone();
        let Some(makers) = Makers::of(&ctx) else { return Ok(()) };
        let block = module.block();
        let body = module.body_mut();
        let symbols = SymbolTable::of(body);
        if let Some(name) = self.options.functions.iter().find(|name| symbols.get(ctx.name(name)).is_none()) {
            let known = body.block(block).ops().filter_map(|op| body.op(op).symbol_name());
            let error = Diagnostic::error(format!("there is no function '{name}' to take destinations"));
            return Err(error.did_you_mean(nearest(name, known)).into());
        }
        let SymbolUses { callees, named } =
            symbol_uses(&ctx, &levels(body), ctx.service_table::<dyn Calls>());
        let wanted = |name: &str| {
            self.options.functions.is_empty() || self.options.functions.iter().any(|wanted| wanted == name)
        };
        let copies = self.options.copies;
        let functions: Vec<(Op, bool)> = body
            .block(block)
            .ops()
            .filter(|&op| body.op(op).has_trait(Traits::FUNCTION_LIKE) && !is_private(body.op(op)))
            .filter_map(|op| {
                let name = body.op(op).symbol_name().filter(|name| wanted(name))?;
                let symbol = ctx.name(name);
                let is_free = !callees.contains(&symbol) && !named.contains(&symbol);
                (copies || is_free).then_some((op, is_free))
            })
            .collect();
        for (op, is_free) in functions {
            if !copies {
                add_destinations(&ctx, body, op, &makers);
                continue;
            }
            let Some(copy) = copy_of(&ctx, body, op, &symbols)? else { continue };
            let takes = add_destinations(&ctx, body, copy, &makers);
            if is_free && takes == Takes::Always {
                call_copy(&ctx, body, op, &makers);
            }
        }
        Ok(())
    }
}

struct Makers<'c> {
    buffers: &'c dyn BufferOps,
    index: &'c dyn IndexOps,
    loops: &'c dyn LoopOps,
}

impl<'c> Makers<'c> {
    fn of(ctx: &'c Context) -> Option<Self> {
        Some(Self {
            buffers: ctx.dialects_with::<dyn BufferOps>().next()?.service::<dyn BufferOps>()?,
            index: <dyn IndexOps>::any(ctx)?,
            loops: <dyn LoopOps>::any(ctx)?,
        })
    }
}

fn is_buffer(ctx: &Context, ty: Type) -> bool {
    matches!(ty.data(ctx), TypeData::MemRef { .. })
}

/// A copy of a function after it, under another name, if the function is defined and returns buffers.
fn copy_of(
    ctx: &Context,
    body: &mut Body,
    function: Op,
    symbols: &SymbolTable,
) -> Result<Option<Op>, Diagnostics> {
    let view = body.op(function);
    let returns_buffers =
        function_types(view).is_some_and(|(_, results)| results.iter().any(|&ty| is_buffer(ctx, ty)));
    let is_defined = body.nested(function).is_some_and(|inside| {
        inside.regions().next().is_some_and(|region| !inside.region(region).is_empty())
    });
    let Some(name) = view.symbol_name().filter(|_| returns_buffers && is_defined).map(copy_name) else {
        return Ok(None);
    };
    if let Some(other) = symbols.get(ctx.name(&name)) {
        let error = Diagnostic::error(format!(
            "the copy of a function that takes destinations is named '{name}', but there is such a symbol"
        ));
        return Err(error.at(body.op(other).loc().place(ctx)).into());
    }
    let copy = body.clone_op(function, InsertionPoint::After(function), &mut Mapping::new());
    body.set_attr(copy, ctx.names().sym_name, Some(Attr::string(ctx, &name)));
    Ok(Some(copy))
}

/// Makes a function allocate its results and call its copy that takes them.
fn call_copy(ctx: &Context, body: &mut Body, function: Op, makers: &Makers<'_>) {
    let Some(functions) = <dyn FunctionMaterializer>::any(ctx) else { return };
    let view = body.op(function);
    let (Some((inputs, results)), Some(copy)) = (function_types(view), view.symbol_name().map(copy_name))
    else {
        return;
    };
    let (inputs, results): (Vec<Type>, Vec<Type>) = (inputs.to_vec(), results.to_vec());
    let loc = view.loc();
    if let Some(inside) = body.nested_mut(function) {
        *inside = Body::new(ctx, 1);
    }
    let mut b = Builder::before(body, function).with_loc(loc);
    b.region(function, 0, &inputs, |b, args| {
        let mut operands = args.to_vec();
        for &ty in results.iter().filter(|&&ty| is_buffer(ctx, ty)) {
            operands.push(makers.buffers.alloc(b, ty, &[]));
        }
        let call = b.create(functions.call(ctx, &copy, &operands, &results));
        let values: Vec<Value> = b.body().op(call).results().collect();
        b.create(functions.return_op(ctx, &values));
    });
}

/// The condition under which a function writes its results to the destinations.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// Always, all of them.
    Always,
    /// Not all of them, or only where the extents agree.
    Sometimes,
}

/// Adds the destinations of a function that is defined.
fn add_destinations(ctx: &Context, body: &mut Body, function: Op, makers: &Makers<'_>) -> Takes {
    let Some((inputs, results)) = function_types(body.op(function)) else { return Takes::Sometimes };
    let (mut inputs, results) = (inputs.to_vec(), results.to_vec());
    let loc = body.op(function).loc();
    let wanted: Vec<(usize, Type)> =
        results.iter().copied().enumerate().filter(|&(_, ty)| is_buffer(ctx, ty)).collect();
    let Some(inside) = body.nested_mut(function).filter(|_| !wanted.is_empty()) else {
        return Takes::Sometimes;
    };
    let Some(region) = inside.regions().next() else { return Takes::Sometimes };
    let Some(entry) = inside.region(region).entry() else { return Takes::Sometimes };
    let is_single = inside.region(region).blocks().count() == 1;
    let added: Vec<Value> = wanted.iter().map(|&(_, ty)| inside.add_arg(entry, ty, loc)).collect();
    let end = inside.block(entry).ops().last().filter(|_| is_single);
    let mut n_taken = 0;
    for (&(index, ty), &destination) in wanted.iter().zip(&added) {
        let Some(end) = end else { continue };
        let result = handed_around(inside, inside.op(end).operand(index), MAX_LEVELS);
        let Some(alloc) = inside.defining_op(result) else { continue };
        let view = inside.op(alloc);
        let has_alignment = view.attr(ctx.name("alignment")).is_some();
        if makers.buffers.is_alloc(view)
            && view.block() == Some(entry)
            && inside.ty(result) == ty
            && !has_alignment
        {
            n_taken += usize::from(inside.op(alloc).n_operands() == 0);
            take(ctx, inside, alloc, destination, makers);
        }
    }
    inputs.extend(wanted.iter().map(|&(_, ty)| ty));
    let count = wanted.len();
    let ty = Attr::ty(ctx, Type::function(ctx, &inputs, &results));
    body.set_attr(function, ctx.names().function_type, Some(ty));
    let name = ctx.names().arg_attrs;
    if let Some(said) = body.op(function).attr(name).and_then(|attr| attr.as_array(ctx)) {
        let empty = Attr::dictionary(ctx, &[]);
        let said: Vec<Attr> = said.iter().copied().chain(std::iter::repeat_n(empty, count)).collect();
        body.set_attr(function, name, Some(Attr::array(ctx, &said)));
    }
    if n_taken == count { Takes::Always } else { Takes::Sometimes }
}

/// Replaces an allocation by a destination of the same type, on condition that the extents agree unless they are static.
fn take(ctx: &Context, body: &mut Body, alloc: Op, destination: Value, makers: &Makers<'_>) {
    let sizes: Vec<Value> = body.op(alloc).operands().collect();
    let (result, ty) = (body.op(alloc).result(0), body.ty(destination));
    let TypeData::MemRef { shape, .. } = ty.data(ctx) else { return };
    let dynamic: Vec<usize> =
        shape.iter().enumerate().filter(|(_, extent)| **extent == DYNAMIC).map(|(dim, _)| dim).collect();
    if dynamic.len() != sizes.len() {
        return;
    }
    let mut b = Builder::new(body, InsertionPoint::Before(alloc));
    let mut differs: Option<Value> = None;
    for (&dim, &size) in dynamic.iter().zip(&sizes) {
        let extent = makers.buffers.extent(&mut b, destination, dim);
        for (lhs, rhs) in [(extent, size), (size, extent)] {
            let less = makers.index.less(&mut b, lhs, rhs);
            differs = Some(match differs {
                None => less,
                Some(before) => {
                    let yes = makers.index.constant(&mut b, Attr::TRUE);
                    makers.index.select(&mut b, before, yes, less)
                }
            });
        }
    }
    let storage = match differs {
        None => destination,
        Some(differs) => {
            let chosen = makers.loops.choose(
                &mut b,
                differs,
                &[ty],
                &mut |b| vec![makers.buffers.alloc(b, ty, &sizes)],
                &mut |_| vec![destination],
            );
            let &[chosen] = &chosen[..] else { return };
            chosen
        }
    };
    body.replace_all_uses(result, storage);
    body.erase(alloc);
}
