//! Emission of derivatives: each becomes a private function that requests the derivative of the function it is derived from.

use super::Emitter;
use super::expr::Scope;
use super::linear::{Direction, tangent_type};
use crate::ast::Derivation;
use crate::query::Supplied;
use crate::typed::{Callee, FnName, FnRef, GdefId};
use crate::types::TypeId;
use minoan_ir::{Attr, Builder, Module, Name, OpDef, Type, Value};
use minoan_knossos_dialect::{self as ks, Visibility};
use rustc_hash::FxHashMap;

impl Emitter<'_> {
    /// The types of the parameters of the function for a derivative: the components of its argument.
    fn parameters(&self, arg: TypeId) -> Vec<TypeId> {
        self.program.types.parts(arg).map_or_else(|| vec![arg], <[TypeId]>::to_vec)
    }

    /// Emits the function for a derivative.
    pub(super) fn derivative(&mut self, module: &mut Module, id: GdefId, visibility: Visibility) {
        let program = self.program;
        let gdef = program.gdef(id);
        let function = FnRef::Gdef(id);
        if gdef.derivation() == Derivation::D {
            // Applications of the linear map request the derivative of the function.
            self.derived_symbol(module, id);
            return;
        }
        let params = self.parameters(gdef.arg);
        let inputs: Option<Vec<Type>> = params.iter().map(|&param| self.ty(param, gdef.span)).collect();
        let (Some(inputs), Some(result)) = (inputs, self.ty(gdef.result, gdef.span)) else { return };
        let Some(callee) = self.derived_symbol(module, id) else { return };
        let (loc, block) = (self.loc(gdef.span), module.block());
        let mut b = Builder::at_end(module.body_mut(), block).with_loc(loc);
        let symbol = self.symbols[&function].clone();
        let (func, entry) = ks::Func::define(&mut b, &symbol, &inputs, result, visibility);
        self.say_source(&mut b, func, function);
        let Some(body) = b.body_mut().nested_mut(func.op()) else { return };
        let mut b = Builder::at_end(body, entry).with_loc(loc);
        let args: Vec<Value> = b.body().block(entry).args().collect();
        let mut scope = Scope::new(self, FxHashMap::default());
        if let Some(value) = scope.derived(&mut b, id, &callee, &args, result) {
            ks::Return::build(&mut b, value);
        }
    }

    /// The symbol of the function that a derivative with the given symbol is derived from.
    pub(super) fn primal_symbol(&self, id: GdefId, derivative: &str) -> Option<String> {
        let of = match self.program.gdef(id).of {
            Callee::User(of) => FnRef::Def(of),
            Callee::Edef(of) => self.defined(FnRef::Edef(of)),
            Callee::Gdef(of) => FnRef::Gdef(of),
            Callee::Prelude(_) => return Some(primal_of_prelude(derivative)),
            Callee::Prim(_) | Callee::Lambda(_) => return None,
        };
        self.symbols.get(&of).cloned()
    }

    /// The symbol of the function that a derivative is derived from; a function of the prelude is emitted for this purpose.
    fn derived_symbol(&mut self, module: &mut Module, id: GdefId) -> Option<String> {
        let gdef = self.program.gdef(id);
        match gdef.of {
            Callee::Prelude(function) => {
                let base = self.parameters(gdef.base_arg);
                let inputs: Option<Vec<Type>> = base.iter().map(|&param| self.ty(param, gdef.span)).collect();
                let inputs = inputs?;
                let (loc, block) = (self.loc(gdef.span), module.block());
                let result = match function.result {
                    crate::PreludeType::Integer => Type::I64,
                    crate::PreludeType::Float => self.float,
                    crate::PreludeType::Bool => Type::I1,
                    crate::PreludeType::Vector => Type::tensor(self.ctx, &[minoan_ir::DYNAMIC], self.float),
                    crate::PreludeType::Matrix => {
                        Type::tensor(self.ctx, &[minoan_ir::DYNAMIC; 2], self.float)
                    }
                };
                let symbol = primal_of_prelude(&self.symbols[&FnRef::Gdef(id)]);
                let mut b = Builder::at_end(module.body_mut(), block).with_loc(loc);
                let (func, entry) = ks::Func::define(&mut b, &symbol, &inputs, result, Visibility::Private);
                let body = b.body_mut().nested_mut(func.op())?;
                let mut b = Builder::at_end(body, entry).with_loc(loc);
                let args: Vec<Value> = b.body().block(entry).args().collect();
                let name = if function.name == "mymul" { "mul" } else { function.name };
                let value = ks::Prelude::build(&mut b, &args, name, result).result(b.body());
                ks::Return::build(&mut b, value);
                Some(symbol)
            }
            Callee::Prim(_) | Callee::Lambda(_) => {
                self.unsupported(gdef.span, "the derivative of a primitive");
                None
            }
            _ => self.primal_symbol(id, ""),
        }
    }

    /// Records that a function of the program is the derivative of another one.
    pub(super) fn say_derivative(&self, b: &mut Builder<'_>, func: ks::Func, function: FnRef) {
        let program = self.program;
        let (name, base_arg) = program.identity(function);
        let Some((outermost, inner)) = name.derivations.split_first() else { return };
        let direction = match outermost {
            Derivation::Fwd => Direction::Forward,
            Derivation::Rev | Derivation::SufRev => Direction::Transposed,
            _ => return,
        };
        let inner = FnName { derivations: inner.into(), base: name.base };
        let of = program.function(&inner, base_arg).map(|of| self.defined(of));
        let Some(of) = of.and_then(|of| self.symbols.get(&of)) else { return };
        let pair = [Attr::symbol_ref(self.ctx, of), Attr::string(self.ctx, direction.mode())];
        let (name, pair) = (self.ctx.name(ks::DERIVATIVE_OF), Attr::array(self.ctx, &pair));
        b.body_mut().set_attr(func.op(), name, Some(pair));
    }
}

impl Emitter<'_> {
    /// Emits the functions through which a derivative that the program supplies as `[D f]`, or as a pair of passes, computes the
    /// derivatives of other functions.
    pub(super) fn supplied(&mut self, module: &mut Module, derivative: Supplied) {
        let program = self.program;
        let Supplied { function, of, pass } = derivative;
        let (arg, _) = program.signature(of);
        let (_, value) = program.signature(of);
        let span = program.span(function);
        let (Some(arg), Some(value)) = (self.ty(arg, span), self.ty(value, span)) else { return };
        let (d_arg, d_value) = (tangent_type(self.ctx, arg), tangent_type(self.ctx, value));
        let directions: &[(Direction, Type, Type)] = match pass {
            None => &[(Direction::Forward, d_arg, d_value), (Direction::Transposed, d_value, d_arg)],
            Some(_) => &[(Direction::Transposed, d_value, d_arg)],
        };
        for &(direction, seed, result) in directions {
            let supplied = |derivation: Derivation| {
                let (name, base_arg) = program.identity(of);
                let derivations =
                    std::iter::once(derivation).chain(name.derivations.iter().copied()).collect();
                let function = program.function(&FnName { derivations, base: name.base }, base_arg);
                function.is_some_and(|function| !matches!(function, FnRef::Gdef(_)))
            };
            let wins = match direction {
                Direction::Forward => supplied(Derivation::Fwd),
                Direction::Transposed => supplied(Derivation::Rev) || supplied(Derivation::SufRev),
            };
            let (Some(own), Some(primal), false) = (self.symbols.get(&function), self.symbols.get(&of), wins)
            else {
                continue;
            };
            let (symbol, primal) = (format!("{own}#{}", direction.mode()), primal.clone());
            let (loc, block) = (self.loc(span), module.block());
            let mut b = Builder::at_end(module.body_mut(), block).with_loc(loc);
            let (func, entry) = ks::Func::define(&mut b, &symbol, &[arg, seed], result, Visibility::Private);
            let pair = [Attr::symbol_ref(self.ctx, &primal), Attr::string(self.ctx, direction.mode())];
            let (name, pair) = (self.ctx.name(ks::DERIVATIVE_OF), Attr::array(self.ctx, &pair));
            b.body_mut().set_attr(func.op(), name, Some(pair));
            let Some(body) = b.body_mut().nested_mut(func.op()) else { return };
            let mut b = Builder::at_end(body, entry).with_loc(loc);
            let args: Vec<Value> = b.body().block(entry).args().collect();
            let mut scope = Scope::new(self, FxHashMap::default());
            let value = match pass {
                None => scope.apply_supplied(&mut b, function, args[0], direction, args[1]),
                Some(pass) => scope.run_passes(&mut b, pass, function, args[0], args[1]),
            };
            if let Some(value) = value {
                ks::Return::build(&mut b, value);
            }
        }
    }
}

impl Scope<'_, '_> {
    /// The cotangent of an argument by a forward pass and a reverse pass that the program defines.
    fn run_passes(
        &mut self,
        b: &mut Builder<'_>,
        forward: FnRef,
        reverse: FnRef,
        arg: Value,
        seed: Value,
    ) -> Option<Value> {
        let call = |scope: &mut Self, b: &mut Builder<'_>, function: FnRef, args: &[Value]| {
            let program = scope.emitter.program;
            let (arg, result) = program.signature(function);
            let count = match function {
                FnRef::Def(id) => program.def(id).params.len(),
                _ => program.types.parts(arg).map_or(1, <[TypeId]>::len),
            };
            let ty = scope.emitter.ty(result, program.span(function))?;
            let values = scope.spread(b, args, count);
            let callee = scope.emitter.ctx.name(scope.emitter.symbols.get(&function)?);
            Some(ks::Call::build(b, &values, callee, ty).result(b.body()))
        };
        let pair = call(self, b, forward, &[arg])?;
        let bag = self.get(b, pair, 1);
        call(self, b, reverse, &[seed, bag])
    }

    /// The number of parameters of the function that a derivative is derived from.
    pub(super) fn derived_parameters(&self, id: GdefId) -> usize {
        let program = self.emitter.program;
        let gdef = program.gdef(id);
        let defined = match gdef.of {
            Callee::User(def) => Some(def),
            Callee::Edef(edef) => program.edef(edef).definition,
            _ => None,
        };
        let arg = match gdef.of {
            Callee::User(def) => program.def(def).arg,
            Callee::Edef(edef) => program.edef(edef).arg,
            Callee::Gdef(inner) => program.gdef(inner).arg,
            _ => gdef.base_arg,
        };
        match defined {
            Some(def) => program.def(def).params.len(),
            None => self.emitter.parameters(arg).len(),
        }
    }

    /// The value of a derivative from the components of its argument.
    fn derived(
        &mut self,
        b: &mut Builder<'_>,
        id: GdefId,
        callee: &str,
        args: &[Value],
        result: Type,
    ) -> Option<Value> {
        let gdef = self.emitter.program.gdef(id);
        let (derivation, count) = (gdef.derivation(), self.derived_parameters(id));
        let symbol = self.emitter.ctx.name(callee);
        let call = |scope: &mut Self, b: &mut Builder<'_>, ty: Type| {
            let values = scope.spread(b, args, count);
            ks::Call::build(b, &values, symbol, ty).result(b.body())
        };
        match (derivation, args) {
            (Derivation::Cl, _) => Some(call(self, b, result)),
            (Derivation::Shape, _) => {
                let ty = self.derived_result(gdef.of, id)?;
                let value = call(self, b, ty);
                self.shape(b, value)
            }
            (Derivation::Fwd | Derivation::Rev | Derivation::SufRev, &[arg, seed]) => {
                let direction = match derivation {
                    Derivation::Fwd => Direction::Forward,
                    _ => Direction::Transposed,
                };
                Some(self.request(b, direction, symbol, count, [arg, seed], result))
            }
            (Derivation::Grad, _) => {
                let mut values = self.spread(b, args, count);
                let one = Attr::float(self.emitter.ctx, 1.0, self.emitter.float);
                values.push(ks::Constant::build(b, one).result(b.body()));
                Some(
                    ks::Derivative::build(b, &values, symbol, Direction::Transposed.mode(), result)
                        .result(b.body()),
                )
            }
            (Derivation::SufRevPass, &[seed, bag]) => {
                Some(self.request(b, Direction::Transposed, symbol, count, [bag, seed], result))
            }
            // A reverse pass recomputes everything from the argument, so the forward pass saves the argument.
            (Derivation::SufFwdPass, _) => {
                let ty = self.derived_result(gdef.of, id)?;
                let value = call(self, b, ty);
                let bag = match args {
                    &[arg]
                        if result.as_tuple(self.emitter.ctx).and_then(|parts| parts.get(1))
                            == Some(&b.ty(arg)) =>
                    {
                        arg
                    }
                    args => self.tuple(b, args),
                };
                Some(self.tuple(b, &[value, bag]))
            }
            _ => {
                self.emitter.unsupported(
                    gdef.span,
                    &format!("the derivation '{}'", derivation.text(&self.emitter.program.names)),
                );
                None
            }
        }
    }

    /// The type of the result of the function that a derivative is derived from.
    fn derived_result(&mut self, of: Callee, id: GdefId) -> Option<Type> {
        let program = self.emitter.program;
        let span = program.gdef(id).span;
        let ty = match of {
            Callee::User(def) => program.def(def).result,
            Callee::Edef(edef) => program.edef(edef).result,
            Callee::Gdef(gdef) => program.gdef(gdef).result,
            Callee::Prelude(function) => match function.result {
                crate::PreludeType::Float => crate::Types::FLOAT,
                crate::PreludeType::Integer => crate::Types::INTEGER,
                crate::PreludeType::Bool => crate::Types::BOOL,
                _ => {
                    self.emitter.unsupported(span, "the shape of a function of the prelude");
                    return None;
                }
            },
            Callee::Prim(_) | Callee::Lambda(_) => return None,
        };
        self.emitter.ty(ty, span)
    }

    /// The derivative of a function of `count` parameters at an argument, applied to a tangent or cotangent.
    pub(super) fn request(
        &mut self,
        b: &mut Builder<'_>,
        direction: Direction,
        callee: Name,
        count: usize,
        [arg, seed]: [Value; 2],
        result: Type,
    ) -> Value {
        let mut values = self.spread(b, &[arg], count);
        values.push(seed);
        ks::Derivative::build(b, &values, callee, direction.mode(), result).result(b.body())
    }
}

/// The symbol of the function for a prelude function that a derivative is derived from.
fn primal_of_prelude(derivative: &str) -> String {
    format!("{derivative}.primal")
}
