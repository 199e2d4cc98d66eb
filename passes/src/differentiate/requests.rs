//! Requests of derivatives.

use super::tape::TapeRole;
use super::{Engine, Key, Request};
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Body, Builder, Op, Type, Value};
use minoan_services::{DiffMode, DiffOps, DiffRequest, GUARD, TangentClass};

/// Replaces operations that only matter for derivatives by their operand, and erases declarations of derivatives and marks of
/// guards.
pub(super) fn drop_markers(module: &mut Body, ops: &dyn DiffOps) {
    let guard = module.context().name(GUARD);
    for op in module.walk() {
        if ops.rule(module.op(op)).is_some() {
            module.erase(op);
        } else if let Some(body) = module.nested_mut(op) {
            for inner in body.walk() {
                if let Some(value) = ops.stopped(body.op(inner)) {
                    body.replace(inner, &[value]);
                } else if body.op(inner).attr(guard).is_some() {
                    body.set_attr(inner, guard, None);
                }
            }
        }
    }
}

/// A request, with the signature of the function that is differentiated.
struct Site<'r> {
    request: &'r DiffRequest,
    /// The types of the arguments.
    args: Vec<Type>,
    /// The types of the results.
    results: Vec<Type>,
    /// For each argument, whether it is differentiated with respect to.
    wrt: Vec<bool>,
    /// The arguments with a tangent or cotangent at the request: those whose types may have one.
    of_args: Vec<usize>,
    /// The results with a tangent or cotangent at the request.
    of_results: Vec<usize>,
    /// The number of tangents of each argument.
    lanes: usize,
}

impl Site<'_> {
    /// Whether the derivative computes the results of the function as well.
    fn computes_value(&self) -> bool {
        self.request.mode == DiffMode::Forward || self.request.value
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
        let site = self.site(request, args, results, operands.len());
        let Some((name, types)) = self.derivative(module, self.key(&site), place) else {
            return Err(refused("the derivative of an external function is unknown".to_owned()));
        };
        let body = module.nested_mut(function).expect("it has a request");
        let mut b = Builder::before(body, op);
        let (primals, tangents) = operands.split_at(site.args.len());
        let given = self.operands(&mut b, &site, primals, tangents);
        let state = self.functions.call(self.ctx, name.as_str(self.ctx), &given, &types);
        let call = b.create(state);
        let all: Vec<Value> = b.body().op(call).results().collect();
        let found = self.results(&mut b, &site, primals, &all);
        body.replace(op, &found);
        self.flush(module);
        Ok(())
    }

    /// A request with `operands` operands for a function with these types.
    fn site<'r>(
        &self,
        request: &'r DiffRequest,
        args: Vec<Type>,
        results: Vec<Type>,
        operands: usize,
    ) -> Site<'r> {
        let is_chosen = |at: usize| request.wrt.as_ref().is_none_or(|wrt| wrt.contains(&at));
        let wrt = args.iter().enumerate().map(|(at, &ty)| self.takes_part(ty) && is_chosen(at)).collect();
        let of_args: Vec<usize> =
            (0..args.len()).filter(|&at| self.is_requested_type(args[at]) && is_chosen(at)).collect();
        let of_results = (0..results.len()).filter(|&at| self.is_requested_type(results[at])).collect();
        let lanes = match request.mode {
            DiffMode::Forward => ((operands - args.len()) / of_args.len().max(1)).max(1),
            DiffMode::Reverse => 1,
        };
        Site { request, args, results, wrt, of_args, of_results, lanes }
    }

    /// The key of the requested derivative.
    fn key(&self, site: &Site<'_>) -> Key {
        let seeds = match site.request.mode {
            DiffMode::Forward => Vec::new(),
            DiffMode::Reverse => site.results.iter().map(|&ty| self.takes_part(ty)).collect(),
        };
        Key {
            of: site.request.callee,
            mode: site.request.mode,
            args: site.wrt.clone(),
            seeds,
            ones: site.request.ones,
            lanes: site.lanes,
            value: site.computes_value(),
            silent: false,
            role: TapeRole::Whole,
        }
    }

    /// The operands of the call of the derivative, made of the primal operands and the tangents or cotangents of a request.
    fn operands(
        &self,
        b: &mut Builder<'_>,
        site: &Site<'_>,
        primals: &[Value],
        tangents: &[Value],
    ) -> Vec<Value> {
        let mut given = primals.to_vec();
        match site.request.mode {
            DiffMode::Forward => {
                let of_lanes = site.of_args.iter().cycle().zip(tangents);
                for (&at, &tangent) in of_lanes.filter(|(at, _)| site.wrt[**at]) {
                    self.ops.check_extents(b, tangent, primals[at]);
                    given.push(self.import(b, tangent));
                }
            }
            DiffMode::Reverse => {
                let of_results = site.of_results.iter().zip(tangents);
                let active = of_results.filter(|(at, _)| self.takes_part(site.results[**at]));
                for (_, &cotangent) in active.filter(|_| !site.request.ones) {
                    given.push(self.import(b, cotangent));
                }
                // Cotangents of dense types are accumulated into zeros that the caller provides.
                for (at, _) in site.wrt.iter().enumerate().filter(|&(_, &active)| active) {
                    if self.class(site.args[at]) == TangentClass::Dense {
                        given.push(self.zero(b, primals[at]));
                    }
                }
            }
        }
        given
    }

    /// The results of a request, made of those of the call of the derivative.
    fn results(&self, b: &mut Builder<'_>, site: &Site<'_>, primals: &[Value], all: &[Value]) -> Vec<Value> {
        let (values, derivatives) = all.split_at(if site.computes_value() { site.results.len() } else { 0 });
        let mut found = if site.request.value { values.to_vec() } else { Vec::new() };
        let is_forward = site.request.mode == DiffMode::Forward;
        let (wanted, like) = if is_forward { (&site.of_results, values) } else { (&site.of_args, primals) };
        let mut derivatives = derivatives.iter();
        for &at in std::iter::repeat_n(wanted, site.lanes).flatten() {
            let is_active = if is_forward { self.takes_part(site.results[at]) } else { site.wrt[at] };
            found.push(match if is_active { derivatives.next() } else { None } {
                Some(&derivative) => self.export(b, like[at], derivative),
                // A value without floats is its own derivative.
                None => like[at],
            });
        }
        found
    }
}
