//! `tail-recursion-modulo-constructor`: makes recursive calls tail calls whose results only become parts of new objects that are
//! returned.
//!
//! `map` creates a list cell from the result of its recursive call. It can instead create the cell first, with a hole, and call a
//! function that writes its result to the hole and returns nothing. That call is a tail call, which needs no stack:
//!
//! * `f(..) = make(.., f(..))` becomes `f(..) = { c = make(.., nothing); f$fill(.., hole of c); c }`.
//! * In `f$fill`, a copy of `f` with a hole as last argument, a value `v` in tail position becomes `fill(hole, v)`, a call of
//!   `f` one of `f$fill` with the same hole, and `make(.., f(..))` a cell that fills the hole, and has a hole that a call fills.
//!
//! Tail position is in the block of the function, and in the regions of operations that execute one region once (`RegionFlow`)
//! and end such a block. The operations between the call and the end must have no effects, since it is executed before the call.
//! The time is linear.

use minoan_diag::Diagnostics;
use minoan_ir::{
    Attr, Block, Body, Builder, Context, InsertionPoint, Mapping, Name, Op, ServiceTable, SymbolTable,
    Traits, Type, Value,
};
use minoan_pass::{Anchor, Pass, PassRun, queries};
use minoan_services::{
    ByAttributes, Calls, CountOps, FunctionMaterializer, HoleOps, RegionExecution, RegionFlow, RegionTarget,
    SpeculationTable, Symbols, Visibility, function_types,
};

/// Makes calls tail calls whose results become parts of new objects.
pub struct TailRecursionModuloConstructor;

impl Pass for TailRecursionModuloConstructor {
    fn name(&self) -> &'static str {
        "tail-recursion-modulo-constructor"
    }

    fn description(&self) -> &'static str {
        "transform calls into tail calls modulo constructors"
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    queries!(Calls, CountOps, HoleOps, RegionFlow, FunctionMaterializer);

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-functions", "Number of functions whose calls became tail calls")]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let (Some(holes), Some(functions)) =
            (<dyn HoleOps>::any(&ctx), <dyn FunctionMaterializer>::any(&ctx))
        else {
            return Ok(());
        };
        let top = run.module_mut().body_mut();
        let speculation = SpeculationTable::new(&ctx);
        let mut table = SymbolTable::of(top);
        let mut count = 0;
        for function in top.walk() {
            let view = top.op(function);
            let name = view.symbol_name().filter(|_| view.has_trait(Traits::FUNCTION_LIKE));
            let Some(name) = name.map(|name| ctx.name(name)) else { continue };
            let pass = Rewriting {
                ctx: &ctx,
                holes,
                functions,
                calls: ctx.service_table(),
                flows: ctx.service_table(),
                speculation: &speculation,
                name,
            };
            count += u64::from(pass.function(top, function, &mut table).is_some());
        }
        run.count("num-functions", count);
        Ok(())
    }
}

/// A call in tail position whose result is a part of a new object.
struct Site {
    call: Op,
    make: Op,
    /// The operand of `make` that is the result of the call.
    operand: usize,
}

/// The terminator of a block, by its role.
enum End {
    /// A recursive call.
    Call(Op),
    /// An object with the result of a recursive call.
    Make(Site),
    /// An operation that executes exactly one of these blocks.
    Choice(Op, Vec<Block>),
    /// Any other value.
    Value,
}

struct Rewriting<'a> {
    ctx: &'a Context,
    holes: &'a dyn HoleOps,
    functions: &'a dyn FunctionMaterializer,
    calls: Option<&'a ServiceTable<dyn Calls>>,
    flows: Option<&'a ServiceTable<dyn RegionFlow>>,
    speculation: &'a SpeculationTable<'a>,
    /// The function.
    name: Name,
}

impl Rewriting<'_> {
    /// Changes a function that has such calls, and adds its copy with a hole.
    fn function(&self, top: &mut Body, function: Op, table: &mut SymbolTable) -> Option<()> {
        let ctx = self.ctx;
        let (inputs, results) = function_types(top.op(function))?;
        let &[result] = results else { return None };
        let counts = <dyn CountOps>::any(ctx)?;
        let entry = single_block(top.nested(function)?)?;
        if !counts.is_counted(ctx, result) || !self.has_site(top.nested(function)?, entry) {
            return None;
        }
        let hole = self.holes.hole_type(ctx, result);
        let inputs: Vec<Type> = inputs.iter().copied().chain([hole]).collect();
        let fill = table.fresh(ctx, &format!("{}$fill", self.name.as_str(ctx)));
        let copy = top.clone_op(function, InsertionPoint::After(function), &mut Mapping::default());
        let symbols = ctx.service::<dyn Symbols>(top.op(copy).kind()).unwrap_or(&ByAttributes);
        symbols.set_name(top, copy, fill);
        symbols.set_visibility(top, copy, Visibility::Private);
        table.insert(fill, copy);
        let names = ctx.names();
        let signature = crate::scalarize_tensors::SIGNATURE.map(|name| ctx.name(name));
        for name in signature.into_iter().chain([names.arg_attrs, names.res_attrs]) {
            top.set_attr(copy, name, None);
        }
        top.set_attr(copy, names.function_type, Some(Attr::ty(ctx, Type::function(ctx, &inputs, &[]))));
        let loc = top.op(function).loc();
        let body = top.nested_mut(copy)?;
        let block = single_block(body)?;
        let hole = body.add_arg(block, hole, loc);
        self.fill(body, block, fill, hole);
        let body = top.nested_mut(function)?;
        self.keep(body, entry, fill);
        Some(())
    }

    /// The end of a block whose terminator yields one value.
    fn end(&self, body: &Body, block: Block) -> End {
        let Some(last) = body.block(block).last().map(|last| body.op(last)) else { return End::Value };
        let (Some(value), 1) = (last.operands().next(), last.n_operands()) else { return End::Value };
        let Some(op) = body.defining_op(value).map(|op| body.op(op)) else { return End::Value };
        if op.block() != Some(block) || body.only_use(value).is_none() {
            return End::Value;
        }
        if op.next() == Some(last.id()) {
            if self.is_call(body, op.id()) {
                return End::Call(op.id());
            }
            if let Some(blocks) = self.choice(body, op.id()) {
                return End::Choice(op.id(), blocks);
            }
        }
        // Of several calls, such as those for the two subtrees of a tree, the last one becomes the tail call.
        let sites = op.operands().enumerate().filter_map(|(operand, part)| {
            let call = body.defining_op(part).filter(|&call| self.is_call(body, call))?;
            let alone = body.only_use(part).is_some() && body.op(call).block() == Some(block);
            (alone && self.holes.stores(op, operand)).then_some(Site { call, make: op.id(), operand })
        });
        let sites: Vec<Site> = sites.collect();
        let mut at = Some(last.id());
        while let Some(op) = at {
            if let Some(site) = sites.iter().position(|site| site.call == op) {
                return End::Make(sites.into_iter().nth(site).expect("it is there"));
            }
            let view = body.op(op);
            if op != last.id() && !self.speculation.is_harmless(view) {
                break;
            }
            at = view.prev();
        }
        End::Value
    }

    fn is_call(&self, body: &Body, op: Op) -> bool {
        let view = body.op(op);
        let callee = self.calls.and_then(|table| table.get(view.kind())?.callee(view));
        callee.and_then(|symbol| symbol.as_flat_symbol(self.ctx)) == Some(self.name)
    }

    /// The blocks of an operation that executes exactly one of them, each of which yields the operation's only result.
    fn choice(&self, body: &Body, op: Op) -> Option<Vec<Block>> {
        let view = body.op(op);
        let flow = self.flows.and_then(|table| table.get(view.kind()))?;
        if view.n_regions() == 0
            || view.n_results() != 1
            || flow.execution(view) != RegionExecution::ExactlyOne
        {
            return None;
        }
        let mut found = Vec::new();
        for (number, region) in view.own_regions().enumerate() {
            let mut blocks = body.region(region).blocks();
            let (Some(block), None) = (blocks.next(), blocks.next()) else { return None };
            let last = body.op(body.block(block).last()?);
            let successors = flow.terminator_successors(view, number, last, &vec![None; last.n_operands()]);
            let [successor] = &successors[..] else { return None };
            if successor.target != RegionTarget::Parent
                || successor.operands != (0..1)
                || last.n_operands() != 1
            {
                return None;
            }
            found.push(block);
        }
        Some(found)
    }

    fn has_site(&self, body: &Body, block: Block) -> bool {
        let mut pending = vec![block];
        while let Some(block) = pending.pop() {
            match self.end(body, block) {
                End::Make(_) => return true,
                End::Choice(_, blocks) => pending.extend(blocks),
                End::Call(_) | End::Value => {}
            }
        }
        false
    }

    /// Changes a block of the function.
    fn keep(&self, body: &mut Body, block: Block, fill: Name) {
        let mut pending = vec![block];
        while let Some(block) = pending.pop() {
            match self.end(body, block) {
                End::Make(site) => self.make(body, block, &site, fill, None),
                End::Choice(_, blocks) => pending.extend(blocks),
                End::Call(_) | End::Value => {}
            }
        }
    }

    /// Changes a block of the copy, which fills a hole and has no results.
    fn fill(&self, body: &mut Body, block: Block, fill: Name, hole: Value) {
        let mut pending = vec![block];
        let mut choices = Vec::new();
        while let Some(block) = pending.pop() {
            let Some(last) = body.block(block).last() else { continue };
            let end = self.end(body, block);
            let value = body.op(last).operand(0);
            let loc = body.op(last).loc();
            body.set_operands(last, &[]);
            match end {
                End::Call(call) => {
                    self.call(body, call, last, fill, hole);
                    body.erase(call);
                }
                End::Make(site) => self.make(body, block, &site, fill, Some(hole)),
                End::Choice(op, blocks) => {
                    choices.push(op);
                    pending.extend(blocks);
                }
                End::Value => self.holes.fill(&mut Builder::before(body, last).with_loc(loc), hole, value),
            }
        }
        // Innermost first: enclosing choices come before nested ones in `choices`.
        for op in choices.into_iter().rev() {
            let operands: Vec<Value> = body.op(op).operands().collect();
            body.recreate(op, &operands, &[]);
            body.erase(op);
        }
    }

    /// Creates the object before the call, which fills its hole; the object itself fills `outer`.
    fn make(&self, body: &mut Body, block: Block, site: &Site, fill: Name, outer: Option<Value>) {
        let Some(last) = body.block(block).last() else { return };
        let loc = body.op(site.make).loc();
        let (object, hole) = (body.op(site.make).result(0), self.holes.open(body, site.make, site.operand));
        if let Some(outer) = outer {
            self.holes.fill(&mut Builder::before(body, last).with_loc(loc), outer, object);
        }
        self.call(body, site.call, last, fill, hole);
        body.erase(site.call);
    }

    /// Creates a call of the copy with the arguments of a call and a hole.
    fn call(&self, body: &mut Body, call: Op, before: Op, fill: Name, hole: Value) {
        let view = body.op(call);
        let args = self.calls.and_then(|table| table.get(view.kind())).map_or(0..0, |calls| calls.args(view));
        let args = view.operands().skip(args.start).take(args.len()).chain([hole]);
        let args: Vec<Value> = args.collect();
        let state = self.functions.call(self.ctx, fill.as_str(self.ctx), &args, &[]).loc(view.loc());
        body.create(&state, InsertionPoint::Before(before));
    }
}

/// The block of a function that has only one.
fn single_block(body: &Body) -> Option<Block> {
    let mut blocks = body.regions().next().map(|region| body.region(region).blocks())?;
    let (Some(block), None) = (blocks.next(), blocks.next()) else { return None };
    Some(block)
}
