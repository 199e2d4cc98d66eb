//! `specialize`: clones functions for calls with constant arguments.
//!
//! A call with constant arguments calls a copy of its callee instead, in which the constants take the place of the arguments. The copy
//! is canonicalized, so that conditions that have become known select a branch, and then its own calls are specialized: recursion
//! on constants is unrolled. Calls of the same function with the same constants share a copy. The number of copies is bounded; calls
//! beyond it stay as they are.

use crate::analysis::call_sites::functions_in;
use crate::canonicalize::{CanonicalizeOptions, Canonicalizer};
use minoan_diag::Diagnostics;
use minoan_ir::{
    Attr, Body, Builder, Context, InsertionPoint, Loc, Mapping, Name, Op, SymbolTable, Traits, Type, Value,
};
use minoan_pass::{Anchor, Pass, PassRun, own_options, pass_options, queries};
use minoan_services::{Calls, FunctionMaterializer, Inliner, constant_of};
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
        "clone functions for calls with constant arguments"
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    own_options!();

    queries!(Calls, Inliner, FunctionMaterializer);

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

const OWNER: &str = "a function owns its body";

/// A callee with the constants among its arguments.
type Key = (Name, Vec<Option<Attr>>);

struct Specializer<'c> {
    ctx: &'c Context,
    symbols: SymbolTable,
    /// The names of the copies.
    copies: FxHashMap<Key, Name>,
    /// The last copy of each function.
    last: FxHashMap<Op, Op>,
    most: usize,
    calls: u64,
}

/// A call with constant arguments, whose operands are those of the callee.
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
            inside.walk().into_iter().filter_map(|op| self.site(body, inside, op)).collect();
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
                    made.push(copy);
                    name
                }
            };
            let inside = body.nested_mut(function).expect(OWNER);
            let view = inside.op(call);
            let (loc, results): (Loc, Vec<Type>) = (view.loc(), view.result_types().collect());
            let kept = args.iter().zip(&key.1).filter(|(_, constant)| constant.is_none());
            let kept: Vec<Value> = kept.map(|(&arg, _)| arg).collect();
            let state = functions.call(self.ctx, name.as_str(self.ctx), &kept, &results).loc(loc);
            let new = inside.create(&state, InsertionPoint::Before(call));
            let results: Vec<Value> = inside.op(new).results().collect();
            inside.replace(call, &results);
            self.calls += 1;
        }
        made
    }

    /// An operation, if it is a call with constant arguments of a function whose body is known.
    fn site(&self, module: &Body, body: &Body, op: Op) -> Option<Site> {
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
        let constants: Vec<Option<Attr>> = args.iter().map(|&arg| constant_of(body, arg)).collect();
        let fits = inner.block(entry).args().len() == args.len() && view.n_operands() == args.len();
        let legal = ctx.service::<dyn Inliner>(module.op(callee).kind());
        let legal = legal.is_none_or(|legal| legal.is_legal_to_inline(module.op(callee)));
        (fits && legal && constants.iter().any(Option::is_some)).then_some(Site {
            call: op,
            callee,
            key: (name, constants),
        })
    }

    /// Creates a copy of a function in which constants take the place of arguments.
    fn copy(
        &mut self,
        body: &mut Body,
        caller: Op,
        callee: Op,
        (name, constants): &Key,
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
        for (at, constant) in constants.iter().enumerate().rev() {
            if constant.is_none() {
                continue;
            }
            let made = outside.defining_op(args[at])?;
            let number = outside.op(made).results().position(|result| result == args[at])?;
            let copy = new.clone_op_from(outside, made, InsertionPoint::Start(entry), &mut Mapping::new());
            let (old, value) = (new.block(entry).arg(at), new.op(copy).result(number));
            new.replace_all_uses(old, value);
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
