//! Requests, and the bodies of derivatives.

use super::recursion::SolvedCalls;
use super::tape::{Part, return_of};
use super::work::Work;
use super::{Engine, Key, Missing, Request};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Block, Body, Builder, Op, Traits, Type, Value};
use minoan_services::{DiffMode, DiffOps, DiffRequest, TangentClass};
use rustc_hash::FxHashMap;

/// Replaces operations that only matter for derivatives by their operand, and erases declarations of derivatives.
pub(super) fn drop_markers(module: &mut Body, ops: &dyn DiffOps) {
    for op in module.walk() {
        if ops.rule(module.op(op)).is_some() {
            module.erase(op);
        } else if let Some(body) = module.nested_mut(op) {
            for inner in body.walk() {
                if let Some(value) = ops.stopped(body.op(inner)) {
                    body.replace(inner, &[value]);
                }
            }
        }
    }
}

impl Engine<'_> {
    /// Replaces the requests of a module by calls of derivatives.
    pub(super) fn resolve(&mut self, module: &mut Body) -> Result<(), Diagnostics> {
        let mut errors = Diagnostics::new();
        let functions: Vec<Op> =
            module.walk().into_iter().filter(|&op| module.op(op).nested().is_some()).collect();
        for function in functions {
            let body = module.op(function).nested().expect("it has one");
            let requests: Vec<(Op, DiffRequest)> =
                body.walk().into_iter().filter_map(|op| Some((op, self.ops.request(body.op(op))?))).collect();
            for (op, request) in requests {
                if let Err(error) = self.resolve_one(module, function, op, &request) {
                    errors.push(error);
                }
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    fn resolve_one(
        &mut self,
        module: &mut Body,
        function: Op,
        op: Op,
        request: &DiffRequest,
    ) -> Result<(), Diagnostic> {
        let view = module.op(function).nested().expect("it has a request").op(op);
        let (loc, operands): (_, Vec<Value>) = (view.loc(), view.operands().collect());
        let place = Request { loc, callee: request.callee };
        let refused = |why: String| Diagnostic::error(why).at(loc.place(self.ctx));
        let Some((args, results)) = self.signature(module, request.callee) else {
            let name = request.callee.as_str(self.ctx);
            return Err(refused(format!("'{name}' does not reference a valid function")));
        };
        let mask = |types: &[Type]| types.iter().map(|&ty| self.takes_part(ty)).collect::<Vec<bool>>();
        let mut wrt = mask(&args);
        if let Some(chosen) = &request.wrt {
            wrt.iter_mut().enumerate().for_each(|(at, active)| *active &= chosen.contains(&at));
        }
        let is_forward = request.mode == DiffMode::Forward;
        let seeds = if is_forward { Vec::new() } else { mask(&results) };
        let value = is_forward || request.value;
        // A request has a tangent for each type that may have one.
        let requested = |types: &[Type], wrt: Option<&Vec<usize>>| -> Vec<usize> {
            let is_wanted =
                |&at: &usize| self.is_requested_type(types[at]) && wrt.is_none_or(|wrt| wrt.contains(&at));
            (0..types.len()).filter(is_wanted).collect()
        };
        let (of_args, of_results) = (requested(&args, request.wrt.as_ref()), requested(&results, None));
        let per_lane = of_args.len().max(1);
        let lanes = if is_forward { ((operands.len() - args.len()) / per_lane).max(1) } else { 1 };
        let key = Key {
            of: request.callee,
            mode: request.mode,
            args: wrt.clone(),
            seeds,
            ones: request.ones,
            lanes,
            value,
            silent: false,
            part: Part::Whole,
        };
        let Some((name, types)) = self.derivative(module, key, place) else {
            return Err(refused("the derivative of an external function is unknown".to_owned()));
        };
        let body = module.nested_mut(function).expect("it has a request");
        let mut b = Builder::before(body, op);
        let (primals, tangents) = operands.split_at(args.len());
        let mut given = primals.to_vec();
        if is_forward {
            let of_lanes = of_args.iter().cycle().zip(tangents);
            for (&at, &tangent) in of_lanes.filter(|(at, _)| wrt[**at]) {
                self.ops.check_extents(&mut b, tangent, primals[at]);
                given.push(self.import(&mut b, tangent));
            }
        } else {
            let active = of_results.iter().zip(tangents).filter(|(at, _)| self.takes_part(results[**at]));
            for (_, &cotangent) in active.filter(|_| !request.ones) {
                given.push(self.import(&mut b, cotangent));
            }
            // Cotangents of dense types are accumulated into zeros that the caller provides.
            for (at, _) in wrt.iter().enumerate().filter(|&(_, &active)| active) {
                if self.class(args[at]) == TangentClass::Dense {
                    given.push(self.zero(&mut b, primals[at]));
                }
            }
        }
        let state = self.functions.call(self.ctx, name.as_str(self.ctx), &given, &types);
        let call = b.create(state);
        let all: Vec<Value> = b.body().op(call).results().collect();
        let (values, derivatives) = all.split_at(if value { results.len() } else { 0 });
        let mut found = if request.value { values.to_vec() } else { Vec::new() };
        let (wanted, like) = if is_forward { (&of_results, values) } else { (&of_args, primals) };
        let mut derivatives = derivatives.iter();
        for &at in std::iter::repeat_n(wanted, lanes).flatten() {
            let is_active = if is_forward { self.takes_part(results[at]) } else { wrt[at] };
            found.push(match if is_active { derivatives.next() } else { None } {
                Some(&derivative) => self.export(&mut b, like[at], derivative),
                // A value without floats is its own derivative.
                None => like[at],
            });
        }
        body.replace(op, &found);
        self.flush(module);
        Ok(())
    }

    /// Creates the body of a declared derivative.
    pub(super) fn build(&mut self, module: &mut Body, key: &Key, target: Op) {
        let request = self.memo[key].1;
        let Some(source) = self.symbols.get(key.of) else { return };
        let is_defined =
            [DiffMode::Forward, DiffMode::Reverse].map(|mode| self.defined.contains_key(&(key.of, mode)));
        if is_defined.contains(&true) && !self.fits_rule(module, key, source) {
            return;
        }
        if is_defined.contains(&true) && key.lanes > 1 {
            return self.build_by_lanes(module, key, target);
        }
        if is_defined.contains(&true) && key.ones {
            return self.build_for_ones(module, key, target);
        }
        if let Some(&derivative) = self.defined.get(&(key.of, key.mode)) {
            return self.build_from_rule(module, key, target, derivative);
        }
        let other = match key.mode {
            DiffMode::Forward => DiffMode::Reverse,
            DiffMode::Reverse => DiffMode::Forward,
        };
        if let Some(&derivative) = self.defined.get(&(key.of, other))
            && self.has_body(module, derivative)
            && (key.mode == DiffMode::Reverse || !self.has_body(module, key.of))
        {
            return self.build_by_transposing(module, key, target, derivative);
        }
        let view = module.op(source);
        let (loc, name) = (view.loc(), key.of.as_str(self.ctx));
        let mut refuse = |why: &str| {
            self.missing.push(Missing { loc, message: format!("function '{name}' {why}"), request });
        };
        let Some(mut body) = view.nested().map(Body::duplicate) else { return refuse("has no body") };
        let blocks: Vec<Block> = body.region(body.root(0)).blocks().collect();
        let entry = match blocks[..] {
            [] => return refuse("is external, and no 'diff.rule' declares its derivative"),
            [entry] => entry,
            _ => return refuse("branches between blocks; derivatives need structured control flow"),
        };
        let Some(ret) = return_of(&body, entry) else {
            return refuse("does not end with a return");
        };
        if key.mode == DiffMode::Reverse {
            self.split_marked(&mut body);
        }
        let args: Vec<Value> = body.block(entry).args().collect();
        let (own, types) = (args.len(), self.derived_types(module, key));
        for &ty in types.iter().skip(own) {
            body.add_arg(entry, ty, loc);
        }
        let extra: Vec<Value> = body.block(entry).args().skip(own).collect();
        let chosen: Vec<Value> =
            args.iter().zip(&key.args).filter(|&(_, &active)| active).map(|(&arg, _)| arg).collect();
        let mut seeds = chosen.clone();
        if key.mode == DiffMode::Forward {
            seeds.extend(self.storage_values(&body));
        }
        let (active, fresh) = self.expand(&mut body, &seeds, key.mode);
        let stores = active.iter().any(|&value| self.is_storage(body.ty(value)));
        let derivatives = FxHashMap::default();
        let other_lanes = vec![FxHashMap::default(); key.lanes - 1];
        let solved = SolvedCalls::default();
        let reported = self.missing.len();
        let tape = Vec::new();
        let mut work = Work {
            engine: self,
            module,
            request,
            active,
            fresh,
            derivatives,
            other_lanes,
            replaced: FxHashMap::default(),
            solved,
            stores,
            sources: FxHashMap::default(),
            nest: Vec::new(),
            pending: Vec::new(),
            tape,
        };
        if key.mode == DiffMode::Reverse && work.return_costly(&mut body) {
            work.active = work.engine.active_values(&body, &seeds);
        }
        work.report_lost(&body, key.mode);
        let mut originals = work.originals(&body, key.silent);
        if key.silent {
            for op in body.block(entry).ops().collect::<Vec<Op>>() {
                work.silence(&mut body, op);
                if work.is_effect(body.op(op)) {
                    body.erase(op);
                }
            }
        }
        let (extra, stacks) = match key.part {
            Part::Replay => extra.split_at(extra.len() - work.engine.stack_types(key.of).len()),
            _ => (&extra[..], &extra[..]),
        };
        let outputs = match key.mode {
            _ if key.part == Part::Record => work.record_function(&mut body, entry, ret, key, stacks),
            DiffMode::Forward => work.forward_function(&mut body, entry, ret, &chosen, extra),
            DiffMode::Reverse => {
                if key.part == Part::Replay {
                    work.replay_tape(&mut body, entry, key, stacks);
                } else {
                    work.solve_recursive_calls(&mut body, entry, key);
                }
                originals.extend(work.solved.ops());
                let mut outputs = work.reverse_function(&mut body, entry, ret, key, &chosen, extra);
                outputs.extend(work.final_tape());
                work.drop_copies(&mut body);
                outputs
            }
        };
        let state = work.engine.functions.return_op(work.engine.ctx, &outputs).loc(body.op(ret).loc());
        Builder::before(&mut body, ret).create(state);
        body.erase(ret);
        if key.silent {
            work.clean(&mut body, entry, None);
        }
        work.engine.clean_all(&mut body);
        let is_complete = work.engine.missing.len() == reported;
        if is_complete && work.engine.wants_tape(work.module, key, &body) {
            return self.build_taped(module, key, target);
        }
        if key.mode == DiffMode::Reverse {
            work.engine.report_repeated(work.module, &body, &originals, request);
        }
        *module.nested_mut(target).expect("a declared function has storage for a body") = body;
    }

    fn derived_types(&self, module: &Body, key: &Key) -> Vec<Type> {
        let (args, results) = self.signature(module, key.of).expect("the function exists");
        self.derived_signature(key, &args, &results).0
    }

    fn has_body(&self, module: &Body, function: minoan_ir::Name) -> bool {
        let body = self.symbols.get(function).and_then(|op| module.op(op).nested());
        body.is_some_and(|body| body.region(body.root(0)).entry().is_some())
    }

    /// Erases what is not used in a finished derivative.
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
