//! `gradient`: adds the gradient functions of functions, by the conventions of Relay.
//!
//! The function `f.gradient` has the arguments of `f`. Its results are those of `f`, followed by the gradient of the sum of the
//! elements of the first result that has a tangent, with respect to each argument. The gradient with respect to integers is
//! zero.

use super::tape::TapeRole;
use super::{Engine, Key, Request};
use minoan_diag::{Diagnostic, Diagnostics, nearest};
use minoan_ir::{Body, Builder, InsertionPoint, Name, ServiceId, Type, Value};
use minoan_pass::{Anchor, Pass, PassRun, own_options, pass_options};
use minoan_services::{DiffMode, DiffOps, FunctionMaterializer, TangentClass};

pass_options! {
    /// The options of the pass.
    pub struct GradientOptions {
        /// Names of the functions
        "functions" functions: Vec<String> = Vec::new(),
    }
}

/// Adds gradient functions.
#[derive(Default)]
pub struct Gradient {
    /// The options of the pass.
    pub options: GradientOptions,
}

impl Pass for Gradient {
    fn name(&self) -> &'static str {
        "gradient"
    }

    fn description(&self) -> &'static str {
        "add functions that compute values and gradients of functions"
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    own_options!();

    fn queries(&self) -> Vec<ServiceId> {
        super::Differentiate.queries()
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let Some(ops) = <dyn DiffOps>::any(&ctx) else { return Ok(()) };
        let Some(functions) = <dyn FunctionMaterializer>::any(&ctx) else {
            return Err(Diagnostic::error("no loaded dialect creates functions").into());
        };
        super::objects::prepare(run)?;
        let body = run.module_mut().body_mut();
        let mut engine = Engine::new(&ctx, ops, functions, body);
        for name in &self.options.functions {
            engine.add_gradient(body, name)?;
        }
        engine.build_all(body);
        engine.finish()
    }
}

impl Engine<'_> {
    /// Adds the gradient function of a function.
    fn add_gradient(&mut self, module: &mut Body, name: &str) -> Result<(), Diagnostic> {
        let of: Name = self.ctx.name(name);
        let (Some(source), Some((args, results))) = (self.symbols.get(of), self.signature(module, of)) else {
            let mut known: Vec<&str> = self.symbols.names().map(|known| known.as_str(self.ctx)).collect();
            known.sort_unstable();
            let error = Diagnostic::error(format!("there is no function '{name}' to differentiate"));
            return Err(error.did_you_mean(nearest(name, known)));
        };
        let loc = module.op(source).loc();
        let seeded = results.iter().position(|&ty| self.is_active_type(ty));
        let seeds: Vec<bool> = (0..results.len()).map(|at| Some(at) == seeded).collect();
        let active: Vec<bool> = args.iter().map(|&ty| seeded.is_some() && self.is_active_type(ty)).collect();
        let key = Key {
            of,
            mode: DiffMode::Reverse,
            args: active.clone(),
            seeds,
            ones: true,
            lanes: 1,
            value: true,
            silent: false,
            role: TapeRole::Whole,
        };
        let Some((derivative, types)) = self.derivative(module, key, Request { loc, callee: of }) else {
            return Err(
                Diagnostic::error(format!("the derivative of '{name}' is unknown")).at(loc.place(self.ctx))
            );
        };
        let symbol = self.symbols.fresh(self.ctx, &format!("{name}.gradient"));
        let outputs = [&results[..], &args].concat();
        let mut b = Builder::new(module, InsertionPoint::After(source)).with_loc(loc);
        let op = self.functions.declare(&mut b, symbol.as_str(self.ctx), &args, &outputs);
        self.symbols.insert(symbol, op);
        module.set_attr(op, self.ctx.names().sym_visibility, None);
        let (mut body, entry, given) = self.new_function(&args);
        let mut b = Builder::at_end(&mut body, entry).with_loc(loc);
        let refused = |ty: Type| {
            let ty = minoan_ir::text::print_type(self.ctx, ty);
            Diagnostic::error(format!("an argument of '{name}' has type '{ty}', which has no zero"))
                .at(loc.place(self.ctx))
        };
        let mut operands = given.clone();
        for (at, _) in active.iter().enumerate().filter(|&(_, &active)| active) {
            if self.class(args[at]) == TangentClass::Dense {
                operands.push(self.zero(&mut b, given[at]));
            }
        }
        let mut values = self.call(&mut b, derivative, &operands, &types);
        let mut gradients = values.split_off(results.len()).into_iter();
        for (at, &active) in active.iter().enumerate() {
            values.push(match if active { gradients.next() } else { None } {
                Some(gradient) => self.export(&mut b, given[at], gradient),
                // An object without floats is its own gradient.
                None => match self.ops.filled_like(&mut b, given[at], 0) {
                    Some(zero) => zero,
                    None if self.is_requested_type(args[at]) => given[at],
                    None => return Err(refused(args[at])),
                },
            });
        }
        b.create(self.functions.return_op(self.ctx, &values));
        *module.nested_mut(op).expect("a declared function has storage for a body") = body;
        self.flush(module);
        Ok(())
    }

    /// Creates the cotangent of a value with 1 for each float.
    pub(super) fn ones(&self, b: &mut Builder<'_>, value: Value) -> Option<Value> {
        let ones = self.ops.filled_like(b, value, 1);
        let ones =
            ones.or_else(|| self.objects.iter().find_map(|objects| objects.filled_like(b, value, 1)))?;
        Some(self.import(b, ones))
    }
}
