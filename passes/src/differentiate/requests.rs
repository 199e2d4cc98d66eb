//! Requests, and the bodies of derivatives.

use super::recursion::SolvedCalls;
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
        let key =
            Key { of: request.callee, mode: request.mode, args: wrt.clone(), seeds, value, silent: false };
        let Some((name, types)) = self.derivative(module, key, place) else {
            return Err(refused("the derivative of an external function is unknown".to_owned()));
        };
        let body = module.nested_mut(function).expect("it has a request");
        let mut b = Builder::before(body, op);
        let (primals, tangents) = operands.split_at(args.len());
        let mut given = primals.to_vec();
        // A request has a tangent for each type that may have one.
        let requested = |types: &[Type], wrt: Option<&Vec<usize>>| -> Vec<usize> {
            let is_wanted =
                |&at: &usize| self.is_requested_type(types[at]) && wrt.is_none_or(|wrt| wrt.contains(&at));
            (0..types.len()).filter(is_wanted).collect()
        };
        let (of_args, of_results) = (requested(&args, request.wrt.as_ref()), requested(&results, None));
        if is_forward {
            for (&at, &tangent) in of_args.iter().zip(tangents).filter(|(at, _)| wrt[**at]) {
                self.ops.check_extents(&mut b, tangent, primals[at]);
                given.push(self.import(&mut b, tangent));
            }
        } else {
            let active = of_results.iter().zip(tangents).filter(|(at, _)| self.takes_part(results[**at]));
            for (_, &cotangent) in active {
                given.push(self.import(&mut b, cotangent));
            }
            // Heavy cotangents are accumulated into zeros that the caller provides.
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
        for &at in wanted {
            let is_active = if is_forward { self.takes_part(results[at]) } else { wrt[at] };
            found.push(match if is_active { derivatives.next() } else { None } {
                Some(&derivative) => self.export(&mut b, like[at], derivative),
                // A value without floats.
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
        if is_defined.contains(&true) {
            let (args, results) = self.signature(module, key.of).expect("the function exists");
            if args.iter().chain(&results).any(|&ty| self.class(ty) == TangentClass::Object) {
                let (loc, name) = (module.op(source).loc(), key.of.as_str(self.ctx));
                let message =
                    format!("function '{name}' takes or returns objects, so it cannot have a 'diff.rule'");
                return self.missing.push(Missing { loc, message, request });
            }
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
        let Some(ret) = body.block(entry).last().filter(|&op| body.op(op).has_trait(Traits::RETURN_LIKE))
        else {
            return refuse("does not end with a return");
        };
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
        let solved = SolvedCalls::default();
        let mut work = Work { engine: self, module, request, active, fresh, derivatives, solved, stores };
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
        let outputs = match key.mode {
            DiffMode::Forward => work.forward_function(&mut body, entry, ret, &chosen, &extra),
            DiffMode::Reverse => {
                work.solve_recursive_calls(&mut body, entry, key);
                originals.extend(work.solved.ops());
                let outputs = work.reverse_function(&mut body, entry, ret, key, &chosen, &extra);
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
        if key.mode == DiffMode::Reverse {
            work.report_repeated(&body, &originals);
        }
        *module.nested_mut(target).expect("a declared function has storage for a body") = body;
    }

    fn derived_types(&self, module: &Body, key: &Key) -> Vec<Type> {
        let (args, results) = self.signature(module, key.of).expect("the function exists");
        self.derived_signature(key, &args, &results).0
    }

    /// Creates a derivative that calls the one that the program defines.
    fn build_from_rule(&mut self, module: &mut Body, key: &Key, target: Op, derivative: minoan_ir::Name) {
        let (args, results) = self.signature(module, key.of).expect("the function exists");
        let (inputs, _) = self.derived_signature(key, &args, &results);
        let loc = module.op(target).loc();
        let mut body = Body::new(self.ctx, 1);
        let root = body.root(0);
        let entry = body.add_block(root, &inputs);
        let given: Vec<Value> = body.block(entry).args().collect();
        let own = args.len();
        let mut b = Builder::at_end(&mut body, entry).with_loc(loc);
        let mut outputs = Vec::new();
        let call = |b: &mut Builder<'_>, name: minoan_ir::Name, operands: &[Value], types: &[Type]| {
            let op = b.create(self.functions.call(self.ctx, name.as_str(self.ctx), operands, types));
            b.body().op(op).results().collect::<Vec<Value>>()
        };
        if key.value || key.mode == DiffMode::Reverse {
            outputs = call(&mut b, key.of, &given[..own], &results);
        }
        let mut operands = given[..own].to_vec();
        let mut extra = given[own..].iter().copied();
        let active = |types: &[Type]| types.iter().map(|&ty| self.is_active_type(ty)).collect::<Vec<bool>>();
        let (wanted, active_args) = (active(&results), active(&args));
        match key.mode {
            DiffMode::Forward => {
                for at in (0..own).filter(|&at| active_args[at]) {
                    let tangent = if key.args[at] { extra.next() } else { None };
                    operands.push(tangent.unwrap_or_else(|| self.zero(&mut b, given[at])));
                }
                let types: Vec<Type> =
                    results.iter().zip(&wanted).filter(|(_, active)| **active).map(|(&ty, _)| ty).collect();
                let tangents = call(&mut b, derivative, &operands, &types);
                outputs.extend(tangents);
            }
            DiffMode::Reverse => {
                for at in (0..results.len()).filter(|&at| wanted[at]) {
                    let cotangent = if key.seeds[at] { extra.next() } else { None };
                    operands.push(cotangent.unwrap_or_else(|| self.zero(&mut b, outputs[at])));
                }
                let types: Vec<Type> =
                    args.iter().zip(&active_args).filter(|(_, active)| **active).map(|(&ty, _)| ty).collect();
                let cotangents = call(&mut b, derivative, &operands, &types);
                if !key.value {
                    outputs.clear();
                }
                let places = (0..own).filter(|&at| active_args[at]);
                for (at, cotangent) in places.zip(cotangents) {
                    if !key.args[at] {
                        continue;
                    }
                    let space = <dyn minoan_services::TangentSpace>::of(self.ctx, args[at]);
                    outputs.push(match space {
                        Some((space, TangentClass::Dense)) => {
                            let so_far = extra.next().expect("an accumulator for each heavy argument");
                            space.add(&mut b, cotangent, so_far)
                        }
                        _ => cotangent,
                    });
                }
            }
        }
        b.create(self.functions.return_op(self.ctx, &outputs));
        self.clean_all(&mut body);
        *module.nested_mut(target).expect("a declared function has storage for a body") = body;
    }

    fn has_body(&self, module: &Body, function: minoan_ir::Name) -> bool {
        let body = self.symbols.get(function).and_then(|op| module.op(op).nested());
        body.is_some_and(|body| body.region(body.root(0)).entry().is_some())
    }

    /// Creates a derivative from the one in the other direction, which the program defines: a derivative is linear in the
    /// tangents or cotangents that it takes, so the reverse derivative with respect to those is its transpose.
    fn build_by_transposing(
        &mut self,
        module: &mut Body,
        key: &Key,
        target: Op,
        derivative: minoan_ir::Name,
    ) {
        let request = self.memo[key].1;
        let (args, results) = self.signature(module, key.of).expect("the function exists");
        let (inputs, _) = self.derived_signature(key, &args, &results);
        let active = |types: &[Type]| types.iter().map(|&ty| self.is_active_type(ty)).collect::<Vec<bool>>();
        let (active_args, active_results) = (active(&args), active(&results));
        let masked = |mask: &[bool], of: &[bool]| -> Vec<bool> {
            mask.iter().zip(of).filter(|(_, active)| **active).map(|(&chosen, _)| chosen).collect()
        };
        let is_forward = key.mode == DiffMode::Forward;
        // The given derivative takes a tangent for each active argument, or a cotangent for each active result.
        let (taken, given) = match is_forward {
            false => (masked(&key.args, &active_args), masked(&key.seeds, &active_results)),
            true => (masked(&active_results, &active_results), masked(&key.args, &active_args)),
        };
        let transpose = Key {
            of: derivative,
            mode: DiffMode::Reverse,
            args: args.iter().map(|_| false).chain(taken.iter().copied()).collect(),
            seeds: given,
            value: false,
            silent: true,
        };
        let Some((name, outputs)) = self.derivative(module, transpose, request) else { return };
        let loc = module.op(target).loc();
        let mut body = Body::new(self.ctx, 1);
        let root = body.root(0);
        let entry = body.add_block(root, &inputs);
        let all: Vec<Value> = body.block(entry).args().collect();
        let (own, extra) = all.split_at(args.len());
        let mut b = Builder::at_end(&mut body, entry).with_loc(loc);
        let call = |b: &mut Builder<'_>, name: minoan_ir::Name, operands: &[Value], types: &[Type]| {
            let op = b.create(self.functions.call(self.ctx, name.as_str(self.ctx), operands, types));
            b.body().op(op).results().collect::<Vec<Value>>()
        };
        let values = if key.value || is_forward { call(&mut b, key.of, own, &results) } else { Vec::new() };
        let linear: &[Value] = if is_forward { &values } else { own };
        let is_active = if is_forward { &active_results } else { &active_args };
        let mut operands = own.to_vec();
        for (&value, _) in linear.iter().zip(is_active).filter(|(_, active)| **active) {
            operands.push(self.zero(&mut b, value));
        }
        // In reverse mode the seeds are followed by the accumulators, which the transpose takes in the same order.
        operands.extend(extra);
        if is_forward {
            for (&value, &ty) in values.iter().zip(&results) {
                if self.class(ty) == TangentClass::Dense {
                    operands.push(self.zero(&mut b, value));
                }
            }
        }
        let derivatives = call(&mut b, name, &operands, &outputs);
        let mut returned = if key.value { values } else { Vec::new() };
        returned.extend(derivatives);
        b.create(self.functions.return_op(self.ctx, &returned));
        self.clean_all(&mut body);
        *module.nested_mut(target).expect("a declared function has storage for a body") = body;
    }

    /// Erases what is not used in a finished derivative.
    fn clean_all(&self, body: &mut Body) {
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
