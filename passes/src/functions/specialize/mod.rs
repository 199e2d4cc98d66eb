//! `specialize`: clones functions for calls with known arguments.
//!
//! An argument is known if it is a constant, or made by a [`Constructor`]: a value of a data type, a closure or a tuple, whose
//! parts may be known or not. A call with known arguments calls a copy of its callee instead, which makes them itself; the
//! unknown parts are its arguments. The copy is canonicalized, so that conditions and matches that have become known select a
//! branch, and then its own calls are specialized: recursion on known values is unrolled. Calls of the same function with the
//! same known arguments share a copy.
//!
//! Values that a function only returns, or makes others of, need not be known. An argument that grows from a recursive call to
//! the next, while none becomes smaller, is not known there, and neither is, after many calls, a constant that changes. The
//! number of copies is bounded; calls beyond it stay as they are.

mod known;

use crate::analysis::call_sites::functions_in;
use crate::canonicalize::{CanonicalizeOptions, Canonicalizer};
use known::{Known, known_of, unknown_parts};
use minoan_diag::Diagnostics;
use minoan_ir::{
    Block, Body, Builder, Context, InsertionPoint, Loc, Mapping, Name, Op, SymbolTable, Traits, Type, Value,
};
use minoan_pass::{Anchor, Pass, PassRun, own_options, pass_options, queries};
use minoan_services::{Calls, Constructor, FunctionMaterializer, Inliner};
use rustc_hash::FxHashMap;

pass_options! {
    /// The options of the pass.
    pub struct SpecializeOptions {
        /// Upper bound on the number of copies of functions
        "max-functions" max_functions: usize = 256,
    }
}

/// Specializes functions.
#[derive(Default)]
pub struct Specialize {
    /// The options of this pass.
    pub options: SpecializeOptions,
}

impl Pass for Specialize {
    fn name(&self) -> &'static str {
        "specialize"
    }

    fn description(&self) -> &'static str {
        "clone functions for calls with known arguments"
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    own_options!();

    queries!(Calls, Constructor, Inliner, FunctionMaterializer);

    fn statistics(&self) -> &'static [(&'static str, &'static str)] {
        &[("num-specialized", "Number of functions cloned"), ("num-calls", "Number of calls of clones")]
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let canonicalizer = Canonicalizer::new(&ctx, CanonicalizeOptions::default())?;
        let body = run.module_mut().body_mut();
        let mut pending = functions_in(body);
        pending.retain(|&op| body.nested(op).is_some());
        pending.reverse();
        let mut state = Specializer {
            ctx: &ctx,
            symbols: SymbolTable::of(body),
            copies: FxHashMap::default(),
            origins: FxHashMap::default(),
            inspected: FxHashMap::default(),
            last: FxHashMap::default(),
            most: self.options.max_functions,
            calls: 0,
        };
        while let Some(function) = pending.pop() {
            for copy in state.calls_in(body, function) {
                canonicalizer.driver().run_nested(body.nested_mut(copy).expect(OWNER));
                pending.push(copy);
            }
        }
        let (copies, calls) = (state.copies.len() as u64, state.calls);
        run.count("num-specialized", copies);
        run.count("num-calls", calls);
        Ok(())
    }
}

/// Limit on the recursive calls that are unrolled while constants change.
const MAX_UNROLLED: usize = 64;

const OWNER: &str = "a function owns its body";

/// A callee with the known ones among its arguments.
type Key = (Name, Vec<Option<Known>>);

struct Specializer<'c> {
    ctx: &'c Context,
    symbols: SymbolTable,
    /// The names of the copies.
    copies: FxHashMap<Key, Name>,
    /// For each copy, its key, and the function for which it was made first.
    origins: FxHashMap<Op, (Key, Op)>,
    /// The arguments that functions take apart.
    inspected: FxHashMap<Op, Vec<bool>>,
    /// The last copy of each function.
    last: FxHashMap<Op, Op>,
    most: usize,
    calls: u64,
}

/// A call with known arguments, whose operands are those of the callee.
struct Site {
    call: Op,
    callee: Op,
    key: Key,
}

impl Specializer<'_> {
    /// Specializes the calls in a function; returns the new functions.
    fn calls_in(&mut self, body: &mut Body, function: Op) -> Vec<Op> {
        let inside = body.nested(function).expect(OWNER);
        let sites: Vec<Site> =
            inside.walk().into_iter().filter_map(|op| self.site(body, function, op)).collect();
        let mut made = Vec::new();
        for Site { call, callee, key } in sites {
            let Some(functions) = self.ctx.service::<dyn FunctionMaterializer>(body.op(callee).kind()) else {
                continue;
            };
            // Read now, since earlier replacements of calls may have changed the operands.
            let args: Vec<Value> = body.nested(function).expect(OWNER).op(call).operands().collect();
            let name = match self.copies.get(&key) {
                Some(&name) => name,
                None if self.copies.len() >= self.most => continue,
                None => {
                    let Some((name, copy)) = self.copy(body, function, callee, &key, &args, functions) else {
                        continue;
                    };
                    self.copies.insert(key.clone(), name);
                    self.origins.insert(copy, (key.clone(), function));
                    made.push(copy);
                    name
                }
            };
            let inside = body.nested_mut(function).expect(OWNER);
            let view = inside.op(call);
            let (loc, results): (Loc, Vec<Type>) = (view.loc(), view.result_types().collect());
            let unknown = args.iter().zip(&key.1).filter(|(_, known)| known.is_none()).map(|(&arg, _)| arg);
            let mut kept: Vec<Value> = unknown.collect();
            for (&arg, known) in args.iter().zip(&key.1) {
                known.iter().for_each(|known| unknown_parts(inside, arg, known, &mut kept));
            }
            let state = functions.call(self.ctx, name.as_str(self.ctx), &kept, &results).loc(loc);
            let new = inside.create(&state, InsertionPoint::Before(call));
            let results: Vec<Value> = inside.op(new).results().collect();
            inside.replace(call, &results);
            self.calls += 1;
        }
        made
    }

    /// An operation of a function, if it is a call with known arguments of a function whose body is known.
    fn site(&mut self, module: &Body, function: Op, op: Op) -> Option<Site> {
        let body = module.nested(function).expect(OWNER);
        let (ctx, view) = (self.ctx, body.op(op));
        if !ctx.service::<dyn Inliner>(view.kind())?.is_legal_to_inline(view) {
            return None;
        }
        let calls = ctx.service::<dyn Calls>(view.kind())?;
        let name = calls.callee(view)?.as_flat_symbol(ctx)?;
        let callee = self.symbols.get(name)?;
        let inner = module.nested(callee)?;
        let entry = inner.region(inner.root(0)).entry()?;
        let args: Vec<Value> =
            view.operands().skip(calls.args(view).start).take(calls.args(view).len()).collect();
        let fits = inner.block(entry).args().len() == args.len() && view.n_operands() == args.len();
        let legal = ctx.service::<dyn Inliner>(module.op(callee).kind());
        let legal = legal.is_none_or(|legal| legal.is_legal_to_inline(module.op(callee)));
        if !fits || !legal {
            return None;
        }
        let inspected = self.inspected(module, callee, entry);
        let of_use = |(at, &arg): (usize, &Value)| {
            known_of(body, arg).filter(|known| inspected[at] || matches!(known, Known::Constant(..)))
        };
        let mut known: Vec<Option<Known>> = args.iter().enumerate().map(of_use).collect();
        self.generalize(module, function, name, &mut known);
        known.iter().any(Option::is_some).then_some(Site { call: op, callee, key: (name, known) })
    }

    /// Forgets the arguments of a recursive call that grow, if none becomes smaller, and after many calls the constants that
    /// change.
    fn generalize(&self, module: &Body, function: Op, callee: Name, known: &mut [Option<Known>]) {
        let mut around = vec![function];
        let mut copies = Vec::new();
        while let Some((key, from)) = around.last().and_then(|last| self.origins.get(last)) {
            if key.0 == callee {
                copies.push(&key.1);
            }
            around.push(*from);
        }
        // The first function of the chain is no copy: nothing is known about its arguments.
        let root = around.last().and_then(|&root| module.op(root).symbol_name());
        let unknown = vec![None; known.len()];
        let before = match copies.first() {
            Some(before) => before,
            None if root == Some(callee.as_str(self.ctx)) => &unknown,
            None => return,
        };
        let size = |known: &Option<Known>| known.as_ref().map_or(0, Known::size);
        if known.iter().zip(before).any(|(new, old)| size(new) < size(old)) {
            return;
        }
        for (known, old) in known.iter_mut().zip(before) {
            if size(known) > size(old) || copies.len() >= MAX_UNROLLED && known != old {
                *known = None;
            }
        }
    }

    /// For each argument, whether a function takes it apart, or passes it on to one that may. Others need not be known.
    fn inspected(&mut self, module: &Body, callee: Op, entry: Block) -> &[bool] {
        let ctx = self.ctx;
        self.inspected.entry(callee).or_insert_with(|| {
            let Some(inside) = module.nested(callee) else { return Vec::new() };
            let own = module.op(callee).symbol_name();
            let looks = |(at, arg): (usize, Value)| {
                inside.uses(arg).any(|user| {
                    let op = inside.op(user.op);
                    let constructs =
                        ctx.service::<dyn Constructor>(op.kind()).is_some_and(|it| it.is_constructor(op));
                    let calls = ctx.service::<dyn Calls>(op.kind());
                    let passes = calls.is_some_and(|calls| {
                        let name = calls.callee(op).and_then(|name| name.as_flat_symbol(ctx));
                        name.is_some_and(|name| Some(name.as_str(ctx)) == own)
                            && user.index == calls.args(op).start + at
                    });
                    !(constructs || passes || op.has_trait(Traits::TERMINATOR))
                })
            };
            inside.block(entry).args().enumerate().map(looks).collect()
        })
    }

    /// Creates a copy of a function that makes the known ones of its arguments.
    fn copy(
        &mut self,
        body: &mut Body,
        caller: Op,
        callee: Op,
        (name, known): &Key,
        args: &[Value],
        functions: &dyn FunctionMaterializer,
    ) -> Option<(Name, Op)> {
        let source = body.nested(callee)?;
        let mut new = Body::new(self.ctx, 1);
        let root = new.root(0);
        new.clone_region_from(source, source.root(0), root, &mut Mapping::new());
        let entry = new.region(root).entry()?;
        let returned = |op: &Op| new.op(*op).has_trait(Traits::RETURN_LIKE);
        let last = new.region(root).blocks().find_map(|block| new.block(block).last().filter(returned))?;
        let results: Vec<Type> = new.op(last).operand_types().collect();
        let outside = body.nested(caller)?;
        let first = new.block(entry).first()?;
        for (at, known) in known.iter().enumerate() {
            if let Some(known) = known {
                let value = known.rebuild(outside, args[at], &mut new, (entry, first))?;
                let old = new.block(entry).arg(at);
                new.replace_all_uses(old, value);
            }
        }
        for (at, _) in known.iter().enumerate().rev().filter(|(_, known)| known.is_some()) {
            new.erase_arg(entry, at);
        }
        let inputs: Vec<Type> = new.block(entry).args().map(|arg| new.ty(arg)).collect();
        let fresh = self.symbols.fresh(self.ctx, name.as_str(self.ctx));
        let loc = body.op(callee).loc();
        let after = self.last.get(&callee).copied().unwrap_or(callee);
        let mut b = Builder::new(body, InsertionPoint::After(after)).with_loc(loc);
        let op = functions.declare(&mut b, fresh.as_str(self.ctx), &inputs, &results);
        *body.nested_mut(op).expect(OWNER) = new;
        self.symbols.insert(fresh, op);
        self.last.insert(callee, op);
        Some((fresh, op))
    }
}
