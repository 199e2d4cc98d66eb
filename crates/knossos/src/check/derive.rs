//! The existence and the types of derivatives.

use super::Checker;
use crate::ast::Derivation;
use crate::prelude::{PRELUDE, PreludeFn};
use crate::typed::{Callee, EdefId, FnName, FnRef, Gdef, GdefId};
use crate::types::{Type, TypeId, Types};
use minoan_diag::{Diagnostic, Span};

/// The signature of a callable function.
#[derive(Clone, Copy)]
pub(super) struct Signature {
    pub(super) callee: Callee,
    pub(super) arg: TypeId,
    pub(super) result: TypeId,
}

impl Checker<'_> {
    /// The argument type of the innermost function, as far as the argument type of a derivative determines it.
    pub(super) fn base_arg_of(&self, name: &FnName, arg: TypeId) -> Option<TypeId> {
        name.derivations.iter().try_fold(arg, |arg, derivation| match derivation {
            Derivation::Fwd | Derivation::Rev | Derivation::SufRev => match self.out.types.parts(arg)? {
                &[first, _] => Some(first),
                _ => None,
            },
            Derivation::SufRevPass => match self.out.types.parts(arg)? {
                &[_, bag] => match self.out.types.get(bag) {
                    Type::Bag(_, arg) => Some(*arg),
                    _ => None,
                },
                _ => None,
            },
            _ => Some(arg),
        })
    }

    /// The function with this name and argument type of the innermost function; derivatives that exist implicitly are
    /// created on demand.
    pub(super) fn find(&mut self, name: &FnName, base_arg: TypeId, span: Span) -> Option<Signature> {
        if let Some(function) = self.out.function(name, base_arg) {
            return Some(self.signature_of(function));
        }
        let Some(outermost) = name.derivations.first() else { return self.find_prelude(name, base_arg) };
        let plain = FnName { derivations: [].into(), base: name.base };
        let of_prelude =
            self.out.function(&plain, base_arg).is_none() && self.find_prelude(&plain, base_arg).is_some();
        let derivative = *outermost == Derivation::D && {
            let sibling = |derivation: Derivation| {
                let mut derivations = name.derivations.clone();
                derivations[0] = derivation;
                self.out.function(&FnName { derivations, base: name.base }, base_arg)
            };
            [Derivation::Fwd, Derivation::Rev]
                .into_iter()
                .filter_map(sibling)
                .any(|it| matches!(it, FnRef::Gdef(_)))
        };
        let gradient = *outermost == Derivation::Grad;
        if !of_prelude && !derivative && !gradient {
            return None;
        }
        self.derive(name, base_arg, span).ok().map(|function| self.signature_of(function))
    }

    fn find_prelude(&mut self, name: &FnName, arg: TypeId) -> Option<Signature> {
        let overload = self.prelude_overload(self.out.names.text(name.base).to_owned().as_str(), arg)?;
        let result = overload.result.intern(&mut self.out.types);
        Some(Signature { callee: Callee::Prelude(overload), arg, result })
    }

    /// The prelude overload for exactly this argument type.
    pub(super) fn prelude_overload(&mut self, name: &str, arg: TypeId) -> Option<&'static PreludeFn> {
        PRELUDE
            .iter()
            .filter(|overload| overload.name == name)
            .find(|overload| self.prelude_arg(overload) == arg)
    }

    pub(super) fn prelude_arg(&mut self, overload: &PreludeFn) -> TypeId {
        let params: Vec<_> = overload.params.iter().map(|param| param.intern(&mut self.out.types)).collect();
        self.out.types.argument(&params)
    }

    pub(super) fn signature_of(&self, function: FnRef) -> Signature {
        let (arg, result) = self.out.signature(function);
        let callee = match function {
            FnRef::Def(id) => Callee::User(id),
            FnRef::Gdef(id) => Callee::Gdef(id),
            FnRef::Edef(EdefId(id)) => {
                self.out.edefs[id as usize].prelude.map_or(Callee::Edef(EdefId(id)), Callee::Prelude)
            }
        };
        Signature { callee, arg, result }
    }

    /// Adds the function that `name` derives.
    pub(super) fn derive(
        &mut self,
        name: &FnName,
        base_arg: TypeId,
        span: Span,
    ) -> Result<FnRef, Box<Diagnostic>> {
        let Some((&outermost, inner)) = name.derivations.split_first() else {
            return Err(Box::new(Diagnostic::error("there is nothing to derive").at(span)));
        };
        let inner = FnName { derivations: inner.into(), base: name.base };
        let known = self.find(&inner, base_arg, span);
        let of = match known {
            // A derivative of a derivative requests that one, too.
            None if !inner.derivations.is_empty() => {
                self.derive(&inner, base_arg, span).ok().map(|function| self.signature_of(function))
            }
            known => known,
        };
        let Some(of) = of else {
            return Err(Box::new(self.nothing_to_derive(&inner, base_arg, span)));
        };
        if self.out.types.has_lam(of.arg) {
            let message = format!("'{}' takes a lambda and cannot be derived", self.out.name_text(&inner));
            return Err(Box::new(Diagnostic::error(message).at(span)));
        }
        if outermost == Derivation::Grad && of.result != Types::FLOAT {
            let (inner, found) = (self.out.name_text(&inner), self.text(of.result));
            let message =
                format!("'{inner}' has no gradient: its result must be of type 'Float', but is '{found}'");
            let error = Diagnostic::error(message).at(span);
            return Err(Box::new(error.help("request '[rev f]', which takes a cotangent of the result")));
        }
        let Some((arg, result)) = self.derived_types(outermost, name, base_arg, of) else {
            let message = format!("'{}' cannot be derived", outermost.text(&self.out.names));
            return Err(Box::new(Diagnostic::error(message).at(span)));
        };
        let id = GdefId(self.out.gdefs.len() as u32);
        self.out.gdefs.push(Gdef { name: name.clone(), base_arg, of: of.callee, arg, result, span });
        self.register(name.clone(), base_arg, FnRef::Gdef(id));
        Ok(FnRef::Gdef(id))
    }

    fn nothing_to_derive(&mut self, inner: &FnName, base_arg: TypeId, span: Span) -> Diagnostic {
        let base = self.out.names.text(inner.base).to_owned();
        let full = self.out.full_text(inner, base_arg);
        if inner.derivations.is_empty() && crate::prims::Prim::named(&base).is_some() {
            let error =
                Diagnostic::error(format!("the primitive '{base}' cannot be derived on its own")).at(span);
            return error.help("derive a function that calls it");
        }
        let error = Diagnostic::error(format!("there is no function '{full}' to derive")).at(span);
        let error = self.list_overloads(error, inner);
        match inner.derivations.first() {
            Some(first) => {
                let rest = FnName { derivations: inner.derivations[1..].into(), base: inner.base };
                let text = self.out.full_text(&rest, base_arg);
                error.help(format!("add '(gdef {} {text})'", first.text(&self.out.names)))
            }
            None => {
                let suggestion = self.nearest_function(&base);
                error.did_you_mean(suggestion.as_deref())
            }
        }
    }

    /// The argument and result types of the derivation of a function; `None` for unknown derivations.
    fn derived_types(
        &mut self,
        derivation: Derivation,
        name: &FnName,
        base_arg: TypeId,
        of: Signature,
    ) -> Option<(TypeId, TypeId)> {
        let Signature { arg, result, .. } = of;
        let types = &mut self.out.types;
        let (d_arg, d_result) = (types.tangent(arg), types.tangent(result));
        Some(match derivation {
            Derivation::D => (arg, types.intern(Type::LinearMap(arg, result))),
            Derivation::Fwd => (types.tuple([arg, d_arg]), d_result),
            Derivation::Rev | Derivation::SufRev => (types.tuple([arg, d_result]), d_arg),
            Derivation::Shape => (arg, types.shape(result)),
            Derivation::Cl => (arg, result),
            Derivation::Grad => (arg, d_arg),
            Derivation::SufFwdPass => {
                let bag = self.bag(name, base_arg, arg);
                (arg, self.out.types.tuple([result, bag]))
            }
            Derivation::SufRevPass => {
                let bag = self.bag(name, base_arg, arg);
                (self.out.types.tuple([d_result, bag]), d_arg)
            }
            Derivation::Other(_) => return None,
        })
    }

    /// The type of the values that the forward pass of the function under the outermost derivation saves for its
    /// reverse pass.
    fn bag(&mut self, name: &FnName, base_arg: TypeId, arg: TypeId) -> TypeId {
        let mut pass = name.clone();
        pass.derivations[0] = Derivation::SufFwdPass;
        if let Some(function) = self.out.function(&pass, base_arg)
            && let Some(&[_, bag]) = self.out.types.parts(self.out.signature(function).1)
        {
            return bag;
        }
        let inner = FnName { derivations: name.derivations[1..].into(), base: name.base };
        let text = self.out.name_text(&inner);
        self.out.types.intern(Type::Bag(text.into(), arg))
    }

    /// Checks that a derivative that the program supplies has the type of a derivative of its function.
    pub(super) fn check_supplied(&mut self, function: FnRef) {
        let (name, base_arg) = self.out.identity(function);
        let name = name.clone();
        let Some((&derivation, inner)) = name.derivations.split_first() else { return };
        let inner = FnName { derivations: inner.into(), base: name.base };
        let span = self.out.span(function);
        let Some(of) = self.find(&inner, base_arg, span) else { return };
        let Some((arg, result)) = self.derived_types(derivation, &name, base_arg, of) else { return };
        let (found_arg, found_result) = self.out.signature(function);
        let wrong = !self.fits(arg, found_arg) || !self.fits(result, found_result);
        if !wrong {
            return;
        }
        let full = self.out.full_text(&name, base_arg);
        let arrow = |arg, result| format!("{} -> {}", self.text(arg), self.text(result));
        let message = format!(
            "'{full}' must be of type '{}', but is of type '{}'",
            arrow(arg, result),
            arrow(found_arg, found_result)
        );
        let mut error = Diagnostic::error(message).at(span);
        let original = match of.callee {
            Callee::User(id) => Some(FnRef::Def(id)),
            Callee::Edef(id) => Some(FnRef::Edef(id)),
            Callee::Gdef(id) => Some(FnRef::Gdef(id)),
            _ => None,
        };
        if let Some(original) = original {
            error = error.label(self.out.span(original), "it is derived from this");
        }
        self.reporter.report(error);
    }

    /// Whether `found` matches `expected`, where any type matches the values saved by a forward pass.
    fn fits(&self, expected: TypeId, found: TypeId) -> bool {
        if expected == Types::ERROR || self.out.types.agree(expected, found) {
            return true;
        }
        match (self.out.types.parts(expected), self.out.types.parts(found)) {
            (Some(&[a, bag]), Some(&[b, _])) => {
                matches!(self.out.types.get(bag), Type::Bag(..)) && self.out.types.agree(a, b)
            }
            _ => false,
        }
    }
}
