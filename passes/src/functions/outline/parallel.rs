//! `outline-parallel`: moves the bodies of parallel loops to functions, which a runtime may call on several threads.
//!
//! A loop becomes a private function `@f_parallel_0(%lower, %upper, captures..)`, which executes a range of the iterations
//! of the outermost dimension, and a call of the declared function `@f_parallel_0.parallel(%n, %grain, captures..)`: it
//! calls the former for all chunks of `%grain` of `%n` iterations, in any order or at the same time. The interpreter
//! does so; there are no pointers to functions in the IR. Parallel loops inside of a body stay loops.
//!
//! A chunk has at least `TASK` estimated operations, so that the threads do more than wait for each other. A loop whose
//! number of operations is known to make fewer than two chunks stays a loop.

use super::{Captures, Part};
use crate::analysis::call_sites::functions_in;
use minoan_diag::Diagnostics;
use minoan_ir::{
    Attr, Block, Body, Builder, Context, InsertionPoint, Mapping, Op, SymbolTable, Traits, Type, Value,
};
use minoan_pass::{Anchor, Pass, PassRun, own_options, pass_options, queries};
use minoan_services::{
    Bound, FunctionMaterializer, IndexOps, LoopLike, LoopOps, RegionExecution, RegionFlow, constant_of,
};

pass_options! {
    /// The options of the pass.
    pub struct OutlineParallelOptions {
        /// Iterations of the outermost dimension per chunk; 0 for a number that depends on the operations of an iteration
        "grain" grain: i64 = 0,
    }
}

/// The minimum number of operations of a chunk: some microseconds.
const TASK: i64 = 20_000;

/// The assumed trip count of loops with unknown bounds.
const ASSUMED_TRIPS: i64 = 64;

/// The number of lanes that an operation on vectors computes at once.
const LANES: i64 = 8;

/// The nesting depth up to which operations are counted.
const MAX_DEPTH: usize = 32;

/// Outlines the bodies of parallel loops.
#[derive(Default)]
pub struct OutlineParallel {
    /// The options of this pass.
    pub options: OutlineParallelOptions,
}

impl Pass for OutlineParallel {
    fn name(&self) -> &'static str {
        "outline-parallel"
    }

    fn description(&self) -> &'static str {
        "move the bodies of parallel loops to functions that are called for chunks of iterations"
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    own_options!();

    queries!(FunctionMaterializer, IndexOps, LoopLike, LoopOps, RegionFlow);

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-outlined", "Number of parallel loops that became functions")]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let (Some(loops), Some(indices)) = (<dyn LoopOps>::any(&ctx), <dyn IndexOps>::any(&ctx)) else {
            return Ok(());
        };
        let any = <dyn FunctionMaterializer>::any(&ctx);
        let body = run.module_mut().body_mut();
        let owners = functions_in(body);
        let mut symbols = SymbolTable::of(body);
        let mut made = 0;
        for owner in owners {
            let Some(name) = body.op(owner).symbol_name().map(str::to_owned) else { continue };
            let own = ctx.service::<dyn FunctionMaterializer>(body.op(owner).kind());
            let fits = |functions: &&dyn FunctionMaterializer| functions.fits(&ctx, &[], 1);
            let Some(functions) = own.into_iter().chain(any).find(fits) else { continue };
            let Some(inside) = body.nested_mut(owner) else { continue };
            let grain = self.options.grain;
            let mut outliner = Outliner { ctx: &ctx, functions, loops, indices, grain, name, number: 0 };
            let mut at = owner;
            for part in outliner.run(inside, &symbols) {
                let mut b = Builder::new(body, InsertionPoint::After(at)).with_loc(part.loc);
                let called = called(&part.name);
                let declared = functions.declare(&mut b, &called, &part.inputs, &[]);
                body.set_attr(declared, ctx.name(BODY), Some(Attr::symbol_ref(&ctx, &part.name)));
                let mut b = Builder::new(body, InsertionPoint::After(declared)).with_loc(part.loc);
                at = functions.declare(&mut b, &part.name, &part.inputs, &[]);
                *body.nested_mut(at).expect("a function owns its body") = part.body;
                symbols.insert(ctx.name(&called), declared);
                symbols.insert(ctx.name(&part.name), at);
                made += 1;
            }
        }
        run.count("num-outlined", made);
        Ok(())
    }
}

/// The attribute of a declared function that calls the body of a parallel loop for chunks of iterations: the function with the
/// body, which therefore has a use. The definition follows in machine code.
pub const BODY: &str = "minoan.parallel_body";

/// The declared function that calls a function for all chunks.
fn called(name: &str) -> String {
    format!("{name}.parallel")
}

/// The state of outlining from a function.
struct Outliner<'c> {
    ctx: &'c Context,
    functions: &'c dyn FunctionMaterializer,
    loops: &'c dyn LoopOps,
    indices: &'c dyn IndexOps,
    grain: i64,
    name: String,
    number: usize,
}

/// A parallel loop without results.
struct Loop {
    block: Block,
    /// The lower bound, the upper bound and the step of each dimension.
    ranges: Vec<[Value; 3]>,
    /// The induction variables.
    point: Vec<Value>,
}

impl Loop {
    fn of(body: &Body, op: Op) -> Option<Self> {
        let (ctx, view) = (body.context(), body.op(op));
        let execution = ctx.service::<dyn RegionFlow>(view.kind())?.execution(view);
        let inductions = ctx.service::<dyn LoopLike>(view.kind())?.inductions(view);
        if execution != RegionExecution::Parallel || view.n_results() > 0 || view.n_regions() != 1 {
            return None;
        }
        let region = body.region(view.region(0));
        let block = region.entry().filter(|_| region.blocks().count() == 1)?;
        let last = body.op(body.block(block).last()?);
        let is_plain = last.has_trait(Traits::TERMINATOR) && last.n_operands() == 0 && last.n_regions() == 0;
        let value = |bound: Bound| match bound {
            Bound::Value(value) => Some(value),
            Bound::Constant(_) => None,
        };
        let ranges = inductions.iter().map(|induction| {
            Some([value(induction.lower)?, value(induction.upper)?, value(induction.step)?])
        });
        let ranges: Vec<[Value; 3]> = ranges.collect::<Option<_>>()?;
        let point: Vec<Value> = inductions.iter().map(|induction| induction.value).collect();
        let has_index = point.iter().all(|&index| body.ty(index) == Type::INDEX);
        (is_plain && has_index && !point.is_empty()).then_some(Self { block, ranges, point })
    }
}

impl Loop {
    /// The number of iterations of the outermost dimension that are worth a chunk; `None` if the loop is not worth two.
    fn grain(&self, body: &Body) -> Option<i64> {
        let inner = self.ranges[1..].iter().map(|&range| trips(body, range).unwrap_or(ASSUMED_TRIPS));
        let each = inner.fold(operations(body, self.block, 0), i64::saturating_mul).max(1);
        let total = trips(body, self.ranges[0]).map_or(i64::MAX, |trips| trips.saturating_mul(each));
        (total >= 2 * TASK).then_some((TASK - 1) / each + 1)
    }
}

/// The trip count of a range with constant bounds.
fn trips(body: &Body, range: [Value; 3]) -> Option<i64> {
    let number = |value| constant_of(body, value).and_then(|attr| attr.as_i64(body.context()));
    let [lower, upper, step] = [number(range[0])?, number(range[1])?, number(range[2])?];
    let distance = upper.checked_sub(lower)?.max(0);
    (step > 0).then(|| distance / step + i64::from(distance % step > 0))
}

/// The estimated number of operations that one execution of a block takes.
fn operations(body: &Body, block: Block, depth: usize) -> i64 {
    let ctx = body.context();
    let each = |op: Op| {
        let view = body.op(op);
        let types = view.result_types().chain(view.operand_types());
        let lanes = types.filter(|ty| ty.is_vector(ctx)).filter_map(|ty| ty.shape(ctx));
        let lanes = lanes.map(|shape| shape.iter().copied().fold(1, i64::saturating_mul)).max().unwrap_or(1);
        let own = (lanes / LANES).max(1);
        if depth >= MAX_DEPTH || view.n_regions() == 0 {
            return own;
        }
        let blocks = view.own_regions().flat_map(|region| body.region(region).blocks());
        let inside = blocks.map(|inner| operations(body, inner, depth + 1)).fold(0, i64::saturating_add);
        let Some(like) = ctx.service::<dyn LoopLike>(view.kind()) else { return own.saturating_add(inside) };
        let bound = |bound: Bound| match bound {
            Bound::Value(value) => Some(value),
            Bound::Constant(_) => None,
        };
        let count = |induction: &minoan_services::Induction| {
            trips(body, [bound(induction.lower)?, bound(induction.upper)?, bound(induction.step)?])
        };
        let inductions = like.inductions(view);
        let known = inductions.iter().map(|induction| count(induction).unwrap_or(ASSUMED_TRIPS));
        let trips = if inductions.is_empty() { ASSUMED_TRIPS } else { known.fold(1, i64::saturating_mul) };
        inside.saturating_mul(trips)
    };
    body.block(block).ops().map(each).fold(0, i64::saturating_add)
}

impl<'c> Outliner<'c> {
    /// Outlines the outermost parallel loops of a body.
    fn run(&mut self, body: &mut Body, symbols: &SymbolTable) -> Vec<Part<'c>> {
        let mut parts = Vec::new();
        for op in body.walk() {
            // The operation may have been outlined with a loop around it.
            if !body.contains(op) {
                continue;
            }
            if let Some(parallel) = Loop::of(body, op) {
                let grain = match self.grain {
                    0 => parallel.grain(body),
                    given => Some(given),
                };
                if let Some(grain) = grain {
                    parts.push(self.outline(body, op, &parallel, grain, symbols));
                }
            }
        }
        parts
    }

    fn fresh(&mut self, symbols: &SymbolTable) -> String {
        loop {
            let name = format!("{}_parallel_{}", self.name, self.number);
            self.number += 1;
            if [name.as_str(), &called(&name)].iter().all(|name| symbols.get(self.ctx.name(name)).is_none()) {
                return name;
            }
        }
    }

    /// Replaces a loop by a call; returns the function of its body.
    fn outline(
        &mut self,
        body: &mut Body,
        op: Op,
        parallel: &Loop,
        grain: i64,
        symbols: &SymbolTable,
    ) -> Part<'c> {
        let (ctx, loc) = (self.ctx, body.op(op).loc());
        let Captures { values, constants } = Captures::collect(body, &[op], std::iter::empty());
        let captured = values.iter().map(|&value| body.ty(value));
        let inputs: Vec<Type> = [Type::INDEX; 2].into_iter().chain(captured).collect();
        let mut new = Body::new(ctx, 1);
        let root = new.root(0);
        let entry = new.add_block(root, &inputs);
        let args: Vec<Value> = new.block(entry).args().collect();
        let mut mapping = Mapping::new();
        for (at, &value) in values.iter().enumerate() {
            mapping.map(value, args[2 + at]);
            new.set_arg_loc(entry, 2 + at, body.value_loc(value));
        }
        for constant in constants {
            new.clone_op_from(body, constant, InsertionPoint::End(entry), &mut mapping);
        }
        let mut b = Builder::at_end(&mut new, entry).with_loc(loc);
        let one = self.indices.index(&mut b, 1);
        let [lower, _, step] = parallel.ranges[0].map(|value| mapping.value(value));
        self.loops.repeat(&mut b, [args[0], args[1], one], &[], &mut |b, number, _| {
            let offset = self.indices.mul(b, number, step);
            let index = self.indices.add(b, lower, offset);
            mapping.map(parallel.point[0], index);
            self.inner(b, body, parallel, 1, &mut mapping);
            Vec::new()
        });
        let end = self.functions.return_op(ctx, &[]).loc(loc);
        b.create(end);
        let name = self.fresh(symbols);
        self.call(body, op, &name, parallel.ranges[0], grain.max(1), &values);
        Part {
            functions: self.functions,
            name,
            inputs,
            results: Vec::new(),
            body: new,
            loc,
            is_out_of_line: true,
            packed: None,
        }
    }

    /// Creates the dimensions from `dim` on, and copies the loop body.
    fn inner(&self, b: &mut Builder<'_>, from: &Body, parallel: &Loop, dim: usize, mapping: &mut Mapping) {
        let Some(range) = parallel.ranges.get(dim) else {
            let ops: Vec<Op> = from.block(parallel.block).ops().collect();
            for &op in &ops[..ops.len() - 1] {
                let point = b.insertion_point();
                b.body_mut().clone_op_from(from, op, point, mapping);
            }
            return;
        };
        let range = range.map(|value| mapping.value(value));
        self.loops.repeat(b, range, &[], &mut |b, index, _| {
            mapping.map(parallel.point[dim], index);
            self.inner(b, from, parallel, dim + 1, mapping);
            Vec::new()
        });
    }

    /// Replaces a loop by the call for all its chunks.
    fn call(&self, body: &mut Body, op: Op, name: &str, range: [Value; 3], grain: i64, values: &[Value]) {
        let [lower, upper, step] = range;
        let indices = self.indices;
        let mut b = Builder::before(body, op);
        let (zero, one) = (indices.index(&mut b, 0), indices.index(&mut b, 1));
        let distance = indices.sub(&mut b, upper, lower);
        let distance = indices.max(&mut b, distance, zero);
        let rounding = indices.sub(&mut b, step, one);
        let sum = indices.add(&mut b, distance, rounding);
        let count = indices.div(&mut b, sum, step);
        let grain = indices.index(&mut b, grain);
        let operands: Vec<Value> = [count, grain].into_iter().chain(values.iter().copied()).collect();
        let call = self.functions.call(self.ctx, &called(name), &operands, &[]);
        b.create(call);
        body.erase(op);
    }
}
