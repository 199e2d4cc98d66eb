//! The bodies of derivatives.

use super::tape::{TapeRole, return_of};
use super::work::Work;
use super::{Engine, Key, Missing};
use minoan_ir::{Block, Body, Builder, Op, Traits, Type, Value};
use minoan_services::DiffMode;
use rustc_hash::FxHashSet;

/// A copy of the body of a function, which becomes the body of its derivative.
struct Source {
    body: Body,
    entry: Block,
    ret: Op,
    /// The arguments that the derivative is with respect to.
    chosen: Vec<Value>,
    /// The arguments of the derivative that the function does not have.
    extra: Vec<Value>,
}

impl Engine<'_> {
    /// Creates the body of a declared derivative.
    pub(super) fn build(&mut self, module: &mut Body, key: &Key, target: Op) {
        let request = self.memo[key].1;
        let Some(function) = self.symbols.get(key.of) else { return };
        if self.build_from_definition(module, key, function, target) {
            return;
        }
        let mut source = match self.source(module, key, function) {
            Ok(source) => source,
            Err(why) => {
                let message = format!("function '{}' {why}", key.of.as_str(self.ctx));
                self.missing.push(Missing { loc: module.op(function).loc(), message, request });
                return;
            }
        };
        let mut seeds = source.chosen.clone();
        if key.mode == DiffMode::Forward {
            seeds.extend(self.storage_values(&source.body));
        }
        let (active, fresh) = self.expand(&mut source.body, &seeds, key.mode);
        if self.is_by_directions(module, key, &source.body, source.entry, &active) {
            return self.build_by_directions(module, key, target);
        }
        let reported = self.missing.len();
        let mut work = Work::new(self, module, request, &source.body, active, fresh, key.lanes);
        if key.mode == DiffMode::Reverse && key.role != TapeRole::Record {
            if work.return_costly(&mut source.body) {
                work.active = work.engine.active_values(&source.body, &seeds);
            }
            work.return_reads(&mut source.body);
        }
        let originals = work.differentiate_body(&mut source, key);
        let body = source.body;
        let is_complete = self.missing.len() == reported;
        if is_complete && self.wants_tape(module, key, &body) {
            return self.build_taped(module, key, target);
        }
        if key.mode == DiffMode::Reverse {
            self.report_repeated(module, &body, &originals, request);
        }
        *module.nested_mut(target).expect("a declared function has storage for a body") = body;
    }

    /// Creates the body of a derivative from a derivative that the program defines for the function. Returns `false` if there is
    /// none.
    fn build_from_definition(&mut self, module: &mut Body, key: &Key, function: Op, target: Op) -> bool {
        let is_defined =
            [DiffMode::Forward, DiffMode::Reverse].map(|mode| self.defined.contains_key(&(key.of, mode)));
        if !is_defined.contains(&true) {
            return false;
        }
        if !self.fits_rule(module, key, function) {
            return true;
        }
        if key.lanes > 1 {
            self.build_by_lanes(module, key, target);
            return true;
        }
        if key.ones {
            self.build_for_ones(module, key, target);
            return true;
        }
        if let Some(&derivative) = self.defined.get(&(key.of, key.mode)) {
            self.build_from_rule(module, key, target, derivative);
            return true;
        }
        let other = match key.mode {
            DiffMode::Forward => DiffMode::Reverse,
            DiffMode::Reverse => DiffMode::Forward,
        };
        if let Some(&derivative) = self.defined.get(&(key.of, other))
            && self.has_body(module, derivative)
        {
            self.build_by_transposing(module, key, target, derivative);
            return true;
        }
        false
    }

    /// Copies the body of a function, with the arguments of its derivative.
    ///
    /// # Errors
    /// The reason why the function has no derivative.
    fn source(&self, module: &Body, key: &Key, function: Op) -> Result<Source, &'static str> {
        let view = module.op(function);
        let mut body = view.nested().map(Body::duplicate).ok_or("has no body")?;
        let blocks: Vec<Block> = body.region(body.root(0)).blocks().collect();
        let entry = match blocks[..] {
            [] => return Err("is external, and no 'diff.rule' declares its derivative"),
            [entry] => entry,
            _ => return Err("branches between blocks; derivatives need structured control flow"),
        };
        let ret = return_of(&body, entry).ok_or("does not end with a return")?;
        if key.mode == DiffMode::Reverse {
            self.split_marked(&mut body);
        }
        let args: Vec<Value> = body.block(entry).args().collect();
        for &ty in self.derived_types(module, key).iter().skip(args.len()) {
            body.add_arg(entry, ty, view.loc());
        }
        let extra = body.block(entry).args().skip(args.len()).collect();
        let active = args.iter().zip(&key.args).filter(|&(_, &active)| active);
        let chosen = active.map(|(&arg, _)| arg).collect();
        Ok(Source { body, entry, ret, chosen, extra })
    }

    fn derived_types(&self, module: &Body, key: &Key) -> Vec<Type> {
        let (args, results) = self.signature(module, key.of).expect("the function exists");
        self.derived_signature(key, &args, &results).0
    }

    fn has_body(&self, module: &Body, function: minoan_ir::Name) -> bool {
        let body = self.symbols.get(function).and_then(|op| module.op(op).nested());
        body.is_some_and(|body| body.region(body.root(0)).entry().is_some())
    }

    /// Erases unused operations of a finished derivative.
    pub(super) fn clean_all(&self, body: &mut Body) {
        for op in body.walk().into_iter().rev() {
            let view = body.op(op);
            let unused = !view.has_trait(Traits::TERMINATOR)
                && view.n_results() > 0
                && view.results().all(|result| !body.is_used(result))
                && self.effects.all(view).removable();
            if unused {
                body.erase(op);
            }
        }
    }
}

impl Work<'_, '_> {
    /// Turns a body into that of its derivative. Returns the operations that the derivative must not execute again.
    fn differentiate_body(&mut self, source: &mut Source, key: &Key) -> FxHashSet<Op> {
        let Source { body, entry, ret, chosen, extra } = source;
        let (entry, ret) = (*entry, *ret);
        self.report_lost(body, key.mode);
        let mut originals = self.originals(body, key.silent);
        if key.silent {
            for op in body.block(entry).ops().collect::<Vec<Op>>() {
                self.silence(body, op);
                if self.is_effect(body.op(op)) {
                    body.erase(op);
                }
            }
        }
        let (extra, stacks) = match key.role {
            TapeRole::Replay => extra.split_at(extra.len() - self.engine.stack_types(key.of).len()),
            _ => (&extra[..], &extra[..]),
        };
        let outputs = match key.mode {
            _ if key.role == TapeRole::Record => self.record_function(body, entry, ret, key, stacks),
            DiffMode::Forward => self.forward_function(body, entry, ret, chosen, extra),
            DiffMode::Reverse => {
                if key.role == TapeRole::Replay {
                    self.replay_tape(body, entry, key, stacks);
                } else {
                    self.solve_recursive_calls(body, entry, key);
                }
                originals.extend(self.solved.ops());
                let mut outputs = self.reverse_function(body, entry, ret, key, chosen, extra);
                outputs.extend(self.final_tape());
                self.drop_copies(body);
                outputs
            }
        };
        let state = self.engine.functions.return_op(self.engine.ctx, &outputs).loc(body.op(ret).loc());
        Builder::before(body, ret).create(state);
        body.erase(ret);
        if key.silent {
            self.clean(body, entry, None);
        }
        self.engine.clean_all(body);
        originals
    }
}
