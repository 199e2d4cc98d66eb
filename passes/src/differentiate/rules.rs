//! Derivatives that are defined by functions of the program.
//!
//! In these functions, as in requests, the tangent of an object has the type of the object. The derivatives that this pass creates
//! use the types of [`ObjectTangents`](minoan_services::ObjectTangents), so the tangents of objects are converted in calls from
//! one kind of function to the other.

use super::tape::TapeRole;
use super::{Engine, Key, Missing};
use minoan_ir::{Block, Body, Builder, Name, Op, Type, Value};
use minoan_services::{DiffMode, TangentClass};

impl Engine<'_> {
    /// The body of a new function, its entry block, and the arguments of that.
    pub(super) fn new_function(&self, inputs: &[Type]) -> (Body, Block, Vec<Value>) {
        let mut body = Body::new(self.ctx, 1);
        let root = body.root(0);
        let entry = body.add_block(root, inputs);
        let args = body.block(entry).args().collect();
        (body, entry, args)
    }

    /// The types that a derivative with respect to all arguments takes and returns at a request.
    fn requested_signature(&self, mode: DiffMode, args: &[Type], results: &[Type]) -> (Vec<Type>, Vec<Type>) {
        let tangents = |types: &[Type]| -> Vec<Type> {
            types.iter().copied().filter(|&ty| self.is_requested_type(ty)).collect()
        };
        let (of_args, of_results) = (tangents(args), tangents(results));
        match mode {
            DiffMode::Forward => ([args, &of_args].concat(), of_results),
            DiffMode::Reverse => ([args, &of_results].concat(), of_args),
        }
    }

    /// Whether a function can have the derivative that the program defines. Otherwise this is reported.
    pub(super) fn fits_rule(&mut self, module: &Body, key: &Key, source: Op) -> bool {
        let (args, results) = self.signature(module, key.of).expect("the function exists");
        let fits = |mode: DiffMode| {
            self.defined.get(&(key.of, mode)).is_none_or(|&derivative| {
                self.signature(module, derivative) == Some(self.requested_signature(mode, &args, &results))
            })
        };
        let why = if args.iter().chain(&results).any(|&ty| self.is_storage(ty)) {
            "takes or returns references to floats, so it cannot have a 'diff.rule'"
        } else if !fits(DiffMode::Forward) || !fits(DiffMode::Reverse) {
            "takes or returns closures, so it cannot have a 'diff.rule'"
        } else {
            return true;
        };
        let message = format!("function '{}' {why}", key.of.as_str(self.ctx));
        let request = self.memo[key].1;
        self.missing.push(Missing { loc: module.op(source).loc(), message, request });
        false
    }

    /// The positions of the types that have a tangent at a request.
    fn requested(&self, types: &[Type]) -> Vec<usize> {
        (0..types.len()).filter(|&at| self.is_requested_type(types[at])).collect()
    }

    /// Creates a call; returns its results.
    pub(super) fn call(
        &self,
        b: &mut Builder<'_>,
        name: Name,
        operands: &[Value],
        types: &[Type],
    ) -> Vec<Value> {
        let op = b.create(self.functions.call(self.ctx, name.as_str(self.ctx), operands, types));
        b.body().op(op).results().collect()
    }

    /// The next tangent of a value, or a zero, in the form that functions of the program take. For a value without floats, the value
    /// itself.
    fn handed(
        &self,
        b: &mut Builder<'_>,
        value: Value,
        is_given: bool,
        tangents: &mut dyn Iterator<Item = Value>,
    ) -> Value {
        let ty = b.ty(value);
        if !self.is_active_type(ty) {
            return value;
        }
        let tangent = if is_given { tangents.next() } else { None };
        match tangent {
            Some(tangent) => self.export(b, value, tangent),
            None => self.zero_object(b, value),
        }
    }

    /// The zero tangent of a value with the type of the value.
    fn zero_object(&self, b: &mut Builder<'_>, value: Value) -> Value {
        let zero = self.zero(b, value);
        self.export(b, value, zero)
    }

    /// Creates a derivative that calls the user-defined one.
    pub(super) fn build_from_rule(
        &mut self,
        module: &mut Body,
        key: &Key,
        target: Op,
        derivative: minoan_ir::Name,
    ) {
        let (args, results) = self.signature(module, key.of).expect("the function exists");
        let (inputs, _) = self.derived_signature(key, &args, &results);
        let loc = module.op(target).loc();
        let (mut body, entry, given) = self.new_function(&inputs);
        let own = args.len();
        let mut b = Builder::at_end(&mut body, entry).with_loc(loc);
        let mut outputs = Vec::new();
        if key.value || key.mode == DiffMode::Reverse {
            outputs = self.call(&mut b, key.of, &given[..own], &results);
        }
        let mut operands = given[..own].to_vec();
        let mut extra = given[own..].iter().copied();
        let (of_args, of_results) = (self.requested(&args), self.requested(&results));
        match key.mode {
            DiffMode::Forward => {
                for &at in &of_args {
                    operands.push(self.handed(&mut b, given[at], key.args[at], &mut extra));
                }
                let types: Vec<Type> = of_results.iter().map(|&at| results[at]).collect();
                let tangents = self.call(&mut b, derivative, &operands, &types);
                for (&at, tangent) in of_results.iter().zip(tangents) {
                    if self.is_active_type(results[at]) {
                        outputs.push(self.import(&mut b, tangent));
                    }
                }
            }
            DiffMode::Reverse => {
                for &at in &of_results {
                    operands.push(self.handed(&mut b, outputs[at], key.seeds[at], &mut extra));
                }
                let types: Vec<Type> = of_args.iter().map(|&at| args[at]).collect();
                let cotangents = self.call(&mut b, derivative, &operands, &types);
                if !key.value {
                    outputs.clear();
                }
                for (&at, cotangent) in of_args.iter().zip(cotangents) {
                    if !key.args[at] {
                        continue;
                    }
                    let space = <dyn minoan_services::TangentSpace>::of(self.ctx, args[at]);
                    outputs.push(match space {
                        Some((space, TangentClass::Dense)) => {
                            let so_far = extra.next().expect("an accumulator for each heavy argument");
                            space.add(&mut b, cotangent, so_far)
                        }
                        _ => self.import(&mut b, cotangent),
                    });
                }
            }
        }
        b.create(self.functions.return_op(self.ctx, &outputs));
        self.clean_all(&mut body);
        self.flush(module);
        if key.silent {
            self.report_repeated(module, &body, &Default::default(), self.memo[key].1);
        }
        *module.nested_mut(target).expect("a declared function has storage for a body") = body;
    }

    /// Creates a derivative in several lanes, which calls the derivative in one lane for each of them.
    pub(super) fn build_by_lanes(&mut self, module: &mut Body, key: &Key, target: Op) {
        let request = self.memo[key].1;
        let (args, results) = self.signature(module, key.of).expect("the function exists");
        let (inputs, _) = self.derived_signature(key, &args, &results);
        let single = Key { lanes: 1, ..key.clone() };
        let Some((name, outputs)) = self.derivative(module, single, request) else { return };
        let loc = module.op(target).loc();
        let (mut body, entry, given) = self.new_function(&inputs);
        let (own, tangents) = given.split_at(args.len());
        let mut b = Builder::at_end(&mut body, entry).with_loc(loc);
        let (mut values, mut derivatives) = (Vec::new(), Vec::new());
        for lane in tangents.chunks((tangents.len() / key.lanes).max(1)) {
            let mut found = self.call(&mut b, name, &[own, lane].concat(), &outputs);
            derivatives.extend(found.split_off(results.len()));
            values = found;
        }
        values.extend(derivatives);
        b.create(self.functions.return_op(self.ctx, &values));
        *module.nested_mut(target).expect("a declared function has storage for a body") = body;
    }

    /// Creates a derivative for cotangents that are ones, which calls the function, and then its derivative with these cotangents.
    pub(super) fn build_for_ones(&mut self, module: &mut Body, key: &Key, target: Op) {
        let request = self.memo[key].1;
        let (args, results) = self.signature(module, key.of).expect("the function exists");
        let (inputs, _) = self.derived_signature(key, &args, &results);
        let given = Key { ones: false, value: false, silent: true, ..key.clone() };
        let Some((name, outputs)) = self.derivative(module, given, request) else { return };
        let loc = module.op(target).loc();
        let (mut body, entry, all) = self.new_function(&inputs);
        let (own, accumulators) = all.split_at(args.len());
        let mut b = Builder::at_end(&mut body, entry).with_loc(loc);
        let values = self.call(&mut b, key.of, own, &results);
        let mut operands = own.to_vec();
        for (&value, _) in values.iter().zip(&key.seeds).filter(|&(_, &seed)| seed) {
            operands.extend(self.ones(&mut b, value));
        }
        operands.extend(accumulators);
        let mut returned = self.call(&mut b, name, &operands, &outputs);
        if key.value {
            returned.splice(..0, values);
        }
        b.create(self.functions.return_op(self.ctx, &returned));
        self.clean_all(&mut body);
        self.flush(module);
        *module.nested_mut(target).expect("a declared function has storage for a body") = body;
    }

    /// Creates a derivative from the program's own definition in the other mode: a derivative is linear in the tangents or
    /// cotangents that it takes, so its reverse derivative with respect to those is its transpose.
    pub(super) fn build_by_transposing(
        &mut self,
        module: &mut Body,
        key: &Key,
        target: Op,
        derivative: minoan_ir::Name,
    ) {
        let request = self.memo[key].1;
        let (args, results) = self.signature(module, key.of).expect("the function exists");
        let (inputs, _) = self.derived_signature(key, &args, &results);
        let (of_args, of_results) = (self.requested(&args), self.requested(&results));
        let is_forward = key.mode == DiffMode::Forward;
        // The given derivative takes a tangent for each argument that has one, or a cotangent for each such result.
        let args_taken = |&at: &usize| key.args[at] && self.is_active_type(args[at]);
        let all_active = |&at: &usize| self.is_active_type(results[at]);
        let (taken, given): (Vec<bool>, Vec<bool>) = match is_forward {
            false => (
                of_args.iter().map(args_taken).collect(),
                of_results.iter().map(|&at| key.seeds[at]).collect(),
            ),
            true => (of_results.iter().map(all_active).collect(), of_args.iter().map(args_taken).collect()),
        };
        let transpose = Key {
            of: derivative,
            mode: DiffMode::Reverse,
            args: args.iter().map(|_| false).chain(taken.iter().copied()).collect(),
            seeds: given,
            ones: false,
            lanes: 1,
            value: false,
            silent: true,
            role: TapeRole::Whole,
        };
        let Some((name, outputs)) = self.derivative(module, transpose, request) else { return };
        let loc = module.op(target).loc();
        let (mut body, entry, all) = self.new_function(&inputs);
        let (own, extra) = all.split_at(args.len());
        let mut b = Builder::at_end(&mut body, entry).with_loc(loc);
        let values =
            if key.value || is_forward { self.call(&mut b, key.of, own, &results) } else { Vec::new() };
        let linear: &[Value] = if is_forward { &values } else { own };
        let places = if is_forward { &of_results } else { &of_args };
        let mut operands = own.to_vec();
        for &at in places {
            operands.push(self.handed(&mut b, linear[at], false, &mut std::iter::empty()));
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
        let derivatives = self.call(&mut b, name, &operands, &outputs);
        let mut returned = if key.value { values } else { Vec::new() };
        returned.extend(derivatives);
        b.create(self.functions.return_op(self.ctx, &returned));
        self.clean_all(&mut body);
        self.flush(module);
        *module.nested_mut(target).expect("a declared function has storage for a body") = body;
    }
}
