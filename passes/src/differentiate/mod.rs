//! `differentiate`: creates the derivatives that a module requests.
//!
//! A request ([`DiffRequest`]) names a function and becomes a call of its derivative, which is a new private function. The
//! derivative of a call calls a derivative of the callee; derivatives are keyed by function, direction and the arguments
//! and results that take part ([`Key`]), so recursion ends and each is created once.
//!
//! * A derivative starts as a copy of the function. [`activity`] finds the values that depend on the differentiated
//!   arguments. The derivatives of operations over iteration domains are such operations ([`domains`]); those that have no
//!   such form are expanded into loops first ([`expand`]).
//! * [`forward`] computes the tangent of each active value directly after the value.
//! * A request may ask for several tangents at once: the lanes. The values are computed once, and each has one tangent per
//!   lane. Operands and results of derivatives are ordered by lane, then by argument or result.
//! * An active value that flows into one with floats, but without a tangent, is an error ([`objects`]).
//! * [`reverse`] appends a sweep over the operations in reverse order, which computes cotangents. The pullback of an operation
//!   is obtained by transposing its tangent rule ([`pullback`]).
//! * Cotangents are values. Where an operation uses a part of a tensor, the cotangent of the tensor is updated; it is carried
//!   through the loops and conditionals of the reverse sweep, so that bufferization makes the update a store.
//! * The reverse of a conditional executes the same region again, except for what is costly and known from the primal
//!   execution ([`branches`]), and for conditionals in it whose results are not needed ([`deferred`]).
//! * The reverse sweep of a loop executes the iterations in reverse order ([`loops`], [`whiles`]). Each computes its own values
//!   again from the loop-carried values at its start. Only those of them that are used are saved by the loop, or the elements
//!   and slices read from them if they are tensors, also in conditionals ([`guarded`]), and results of costly operations
//!   ([`residuals`], [`saving`]).
//! * A loop in a loop saves into storage that the outermost loop carries ([`nested`], [`carry`]).
//! * A marked loop is first split in segments ([`checkpoint`]), and the values at the start of each are saved.
//! * Recursive calls whose results a reverse sweep needs are recorded on a [`tape`].
//! * Memory that is read again must not have been overwritten ([`memory`]).
//!
//! The derivative executes each operation of the function a number of times that depends on its nesting depth only, so it
//! takes time proportional to that of the function and the sizes of the arguments.

mod activity;
mod branches;
mod build;
mod carry;
mod checkpoint;
mod deferred;
mod directions;
mod domains;
mod expand;
mod forward;
mod gradients;
mod guarded;
mod lift;
mod loops;
mod memory;
mod nested;
mod objects;
mod prepare;
mod pullback;
mod recursion;
mod requests;
mod residuals;
mod reverse;
mod rules;
mod saving;
mod stacks;
mod tape;
mod whiles;
mod work;

pub use checkpoint::{CHECKPOINT, CheckpointLoops};
pub use gradients::{Gradient, GradientOptions};
pub use prepare::PrepareDerivatives;

use crate::analysis::call_sites::components;
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{
    Body, Builder, Context, InsertionPoint, Loc, Name, Op, OpRef, ServiceTable, SymbolTable, Type,
};
use minoan_pass::{Anchor, Pass, PassRun, queries};
use minoan_services::{
    Algebra, Alias, AliasModel, Calls, Cost, CountOps, DiffMode, DiffOps, Differentiate as DerivativeOf,
    DomainOps, Effects, EffectsTable, FunctionMaterializer, IterationDomain, LoopLike, ModuleObjects,
    ObjectTangents, RegionFlow, SelectLike, TangentClass, TangentSpace,
};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use tape::TapeRole;

/// Creates the derivatives that a module requests.
pub struct Differentiate;

impl Pass for Differentiate {
    fn name(&self) -> &'static str {
        "differentiate"
    }

    fn description(&self) -> &'static str {
        "create the derivatives that a module requests"
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    queries!(
        DiffOps,
        TangentSpace,
        ObjectTangents,
        DerivativeOf,
        IterationDomain,
        DomainOps,
        Algebra,
        RegionFlow,
        LoopLike,
        Calls,
        AliasModel,
        Effects,
        CountOps,
        Cost,
        SelectLike,
        FunctionMaterializer
    );

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("num-derivatives", "Number of derivatives created"),
            ("num-copied", "Number of values copied for reverse sweeps"),
            (
                "num-carried",
                "Number of results of loops that were created anew to save into a nest's storage",
            ),
        ]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let Some(ops) = <dyn DiffOps>::any(&ctx) else { return Ok(()) };
        if !<dyn DiffOps>::is_requested(run.module_mut().body()) {
            requests::drop_markers(run.module_mut().body_mut(), ops);
            return Ok(());
        }
        let Some(functions) = <dyn FunctionMaterializer>::any(&ctx) else {
            return Err(Diagnostic::error("no loaded dialect creates functions").into());
        };
        objects::prepare(run)?;
        let body = run.module_mut().body_mut();
        let mut engine = Engine::new(&ctx, ops, functions, body);
        engine.resolve(body)?;
        let count = engine.build_all(body);
        requests::drop_markers(body, ops);
        let (copied, carried) = (engine.copied, engine.carried);
        engine.finish()?;
        run.count("num-derivatives", count);
        run.count("num-copied", copied);
        run.count("num-carried", carried);
        Ok(())
    }
}

/// A derivative of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Key {
    of: Name,
    mode: DiffMode,
    /// The arguments to differentiate with respect to.
    args: Vec<bool>,
    /// In reverse mode, the results that have a cotangent.
    seeds: Vec<bool>,
    /// In reverse mode, whether these cotangents are ones, which are not given then.
    ones: bool,
    /// In forward mode, the number of tangents of each argument and result; otherwise 1.
    lanes: usize,
    /// Whether the results of the function are returned, too. Always in forward mode.
    value: bool,
    /// Whether the operations that are executed for their effects are left out, since the function itself is called.
    silent: bool,
    /// Whether it records or replays a tape.
    role: TapeRole,
}

/// An active operation without a derivative.
struct Missing {
    loc: Loc,
    message: String,
    /// The request that wants it.
    request: Request,
}

/// A place that requests derivatives.
#[derive(Clone, Copy)]
struct Request {
    loc: Loc,
    callee: Name,
}

/// The state of a run of the pass.
struct Engine<'c> {
    ctx: &'c Context,
    ops: &'c dyn DiffOps,
    functions: &'c dyn FunctionMaterializer,
    rules: Option<&'c ServiceTable<dyn DerivativeOf>>,
    flow: Option<&'c ServiceTable<dyn RegionFlow>>,
    loops: Option<&'c ServiceTable<dyn LoopLike>>,
    calls: Option<&'c ServiceTable<dyn Calls>>,
    domains: Option<&'c ServiceTable<dyn IterationDomain>>,
    algebra: Option<&'c ServiceTable<dyn Algebra>>,
    makers: Option<&'c dyn DomainOps>,
    aliases: Option<&'c ServiceTable<dyn AliasModel>>,
    effects: EffectsTable<'c>,
    objects: Vec<Box<dyn ModuleObjects + 'c>>,
    counts: Vec<&'c dyn CountOps>,
    symbols: SymbolTable,
    /// The derivatives that the program defines itself.
    defined: FxHashMap<(Name, DiffMode), Name>,
    /// The derivatives so far, with the request that led to each.
    memo: FxHashMap<Key, (Name, Request)>,
    /// The keys of the derivatives by their names.
    keys: FxHashMap<Name, Key>,
    /// The declared derivatives without a body.
    pending: VecDeque<(Key, Op)>,
    missing: Vec<Missing>,
    /// The number of values that reverse sweeps compute again, before those that are not needed are erased.
    copied: u64,
    /// The number of results of the loops that were created anew to save into the storage of a nest.
    carried: u64,
    /// The components of the graph of calls, of the functions that call each other.
    components: std::cell::OnceCell<FxHashMap<Name, usize>>,
    /// The types of the numbers on tapes, by component.
    tapes: std::cell::OnceCell<FxHashMap<usize, Vec<Type>>>,
    /// The memory that the functions of the module access.
    memory: std::cell::OnceCell<memory::ModuleMemory>,
}

impl<'c> Engine<'c> {
    fn new(
        ctx: &'c Context,
        ops: &'c dyn DiffOps,
        functions: &'c dyn FunctionMaterializer,
        module: &Body,
    ) -> Self {
        let rules = module.walk().into_iter().filter_map(|op| ops.rule(module.op(op)));
        Self {
            ctx,
            ops,
            functions,
            rules: ctx.service_table(),
            flow: ctx.service_table(),
            loops: ctx.service_table(),
            calls: ctx.service_table(),
            domains: ctx.service_table(),
            algebra: ctx.service_table(),
            makers: <dyn DomainOps>::any(ctx),
            aliases: ctx.service_table(),
            effects: EffectsTable::new(ctx),
            objects: <dyn ObjectTangents>::all(ctx).map(|objects| objects.of_module(ctx, module)).collect(),
            counts: ctx
                .dialects_with::<dyn CountOps>()
                .filter_map(|dialect| dialect.service::<dyn CountOps>())
                .collect(),
            symbols: SymbolTable::of(module),
            defined: rules.map(|rule| ((rule.of, rule.mode), rule.derivative)).collect(),
            memo: FxHashMap::default(),
            keys: FxHashMap::default(),
            pending: VecDeque::new(),
            missing: Vec::new(),
            copied: 0,
            carried: 0,
            components: std::cell::OnceCell::new(),
            tapes: std::cell::OnceCell::new(),
            memory: std::cell::OnceCell::new(),
        }
    }

    /// The tangent class of a type.
    fn class(&self, ty: Type) -> TangentClass {
        match <dyn TangentSpace>::of(self.ctx, ty) {
            Some((_, class)) => class,
            None if self.object_tangent(ty).is_some() => TangentClass::Object,
            None => TangentClass::Inactive,
        }
    }

    fn is_active_type(&self, ty: Type) -> bool {
        self.class(ty) != TangentClass::Inactive
    }

    /// The components of the graph of calls. Derivatives are not in it.
    fn components(&self, module: &Body) -> &FxHashMap<Name, usize> {
        self.components.get_or_init(|| {
            let mut edges = Vec::new();
            for function in module.walk() {
                let view = module.op(function);
                let (Some(caller), Some(body)) = (view.symbol_name(), view.nested()) else { continue };
                let caller = self.ctx.name(caller);
                for op in body.walk() {
                    let view = body.op(op);
                    let calls = self.calls.and_then(|table| table.get(view.kind()));
                    let callee = calls.and_then(|calls| calls.callee(view)?.as_flat_symbol(self.ctx));
                    edges.extend(callee.map(|callee| (caller, callee)));
                }
            }
            components(edges.into_iter())
        })
    }

    /// The argument and result types of a function.
    fn signature(&self, module: &Body, function: Name) -> Option<(Vec<Type>, Vec<Type>)> {
        let view = module.op(self.symbols.get(function)?);
        let ty = view.attr(self.ctx.names().function_type)?.as_type(self.ctx)?;
        let (inputs, results) = ty.as_function(self.ctx)?;
        Some((inputs.to_vec(), results.to_vec()))
    }

    /// The argument and result types of a derivative.
    fn derived_signature(&self, key: &Key, args: &[Type], results: &[Type]) -> (Vec<Type>, Vec<Type>) {
        let chosen = || args.iter().zip(&key.args).filter(|&(_, &active)| active).map(|(&ty, _)| ty);
        let tangents = || chosen().map(|ty| self.tangent_type(ty));
        let mut inputs = args.to_vec();
        let stacks = if key.role == TapeRole::Whole { Vec::new() } else { self.stack_types(key.of) };
        if key.role == TapeRole::Record {
            return ([args, &stacks].concat(), [results, &stacks].concat());
        }
        let mut outputs = if key.value { results.to_vec() } else { Vec::new() };
        match key.mode {
            DiffMode::Forward => {
                for _ in 0..key.lanes {
                    inputs.extend(tangents());
                    let active = results.iter().copied().filter(|&ty| self.is_active_type(ty));
                    outputs.extend(active.map(|ty| self.tangent_type(ty)));
                }
            }
            DiffMode::Reverse => {
                let seeded = results.iter().zip(&key.seeds).filter(|&(_, &seed)| seed);
                inputs.extend(seeded.filter(|_| !key.ones).map(|(&ty, _)| self.tangent_type(ty)));
                inputs.extend(chosen().filter(|&ty| self.class(ty) == TangentClass::Dense));
                outputs.extend(tangents());
            }
        }
        inputs.extend(&stacks);
        outputs.extend(&stacks);
        (inputs, outputs)
    }

    /// The name of a derivative with its result types. A new one is declared, and gets its body later.
    fn derivative(&mut self, module: &mut Body, key: Key, request: Request) -> Option<(Name, Vec<Type>)> {
        let (args, results) = self.signature(module, key.of)?;
        let (inputs, outputs) = self.derived_signature(&key, &args, &results);
        if let Some(&(name, _)) = self.memo.get(&key) {
            return Some((name, outputs));
        }
        let source = self.symbols.get(key.of)?;
        let suffix = match (key.role, key.mode) {
            (TapeRole::Record, _) => "record",
            (TapeRole::Replay, _) => "replay",
            (TapeRole::Whole, DiffMode::Forward) => "fwd",
            (TapeRole::Whole, DiffMode::Reverse) => "rev",
        };
        let name = self.symbols.fresh(self.ctx, &format!("{}.{suffix}", key.of.as_str(self.ctx)));
        let loc = module.op(source).loc();
        let mut b = Builder::new(module, InsertionPoint::After(source)).with_loc(loc);
        let op = self.functions.declare(&mut b, name.as_str(self.ctx), &inputs, &outputs);
        self.symbols.insert(name, op);
        self.memo.insert(key.clone(), (name, request));
        self.keys.insert(name, key.clone());
        self.pending.push_back((key, op));
        Some((name, outputs))
    }

    /// Creates the bodies of all declared derivatives; returns their number.
    fn build_all(&mut self, module: &mut Body) -> u64 {
        let mut count = 0;
        while let Some((key, op)) = self.pending.pop_front() {
            self.build(module, &key, op);
            self.flush(module);
            count += 1;
        }
        count
    }

    /// The errors, one for each request with the operations that have no derivative.
    fn finish(self) -> Result<(), Diagnostics> {
        let mut errors = Diagnostics::new();
        let mut of_request: Vec<(Request, Vec<Missing>)> = Vec::new();
        for missing in self.missing {
            let request = missing.request;
            match of_request
                .iter_mut()
                .find(|(other, _)| other.loc == request.loc && other.callee == request.callee)
            {
                Some((_, list)) => list.push(missing),
                None => of_request.push((request, vec![missing])),
            }
        }
        for (request, mut list) in of_request {
            list.dedup_by(|a, b| a.loc == b.loc && a.message == b.message);
            let name = request.callee.as_str(self.ctx);
            let mut error = Diagnostic::error(format!("'{name}' cannot be differentiated"))
                .at(request.loc.place(self.ctx));
            for missing in list {
                error = error.note_at(missing.loc.place(self.ctx), missing.message);
            }
            errors.push(error);
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}

/// For each result of an operation, the operand that it updates.
fn updated_operands(aliases: Option<&ServiceTable<dyn AliasModel>>, op: OpRef<'_>) -> Vec<Option<usize>> {
    let aliases = aliases.and_then(|table| table.get(op.kind()));
    let updated = |result| match aliases?.alias(op, result) {
        Alias::UpdateOf(operand) => Some(operand),
        _ => None,
    };
    (0..op.n_results()).map(updated).collect()
}
