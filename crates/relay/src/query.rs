//! Queries of a typed program.

use crate::typed::{Def, DefId, Signature, TypedProgram};
use minoan_diag::Diagnostic;
use minoan_frontend::with_known_names;

impl TypedProgram {
    /// The global functions of the file, in order.
    pub fn entries(&self) -> impl Iterator<Item = DefId> {
        let own = |&index: &u32| !self.defs[index as usize].prelude;
        (0..self.defs.len() as u32).filter(own).map(DefId)
    }

    /// The global function with this name, with or without the `@`.
    ///
    /// # Errors
    /// There is no such function; the error suggests a similar name.
    pub fn find_entry(&self, name: &str) -> Result<DefId, Box<Diagnostic>> {
        let name = name.strip_prefix('@').unwrap_or(name);
        if let Some(&def) = self.def_of.get(name) {
            return Ok(def);
        }
        let error = Diagnostic::error(format!("there is no function '@{name}'"));
        let known: Vec<String> = self.entries().map(|def| format!("@{}", self.def(def).name)).collect();
        let known = known.iter().map(String::as_str);
        Err(Box::new(with_known_names(error, &format!("@{name}"), "function", known)))
    }

    /// The signature of a global function; `None` if its type has errors.
    pub fn signature(&self, def: DefId) -> Option<Signature> {
        let Def { ty, function, .. } = *self.def(def);
        let (types, result) = self.function_type(ty)?;
        let params = &self.module.function(function).params;
        let name = |&param| self.module.text(self.module.binder(param).name.name).into();
        let params = params.iter().map(name).zip(types.iter().copied()).collect();
        let vars = self.scheme(ty).map(|scheme| scheme.vars.clone()).unwrap_or_default();
        Some(Signature { vars, params, result })
    }

    /// The type of a global function as source text: `fn (Tensor[(3, 4), float32]) -> Tensor[(3, 4), float32]`.
    pub fn signature_text(&self, def: DefId) -> String {
        self.types.text(self.def(def).ty)
    }
}
