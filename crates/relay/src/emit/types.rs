//! Conversion of types to IR types.

use super::Emitter;
use crate::types::{TyVarId, Type, TypeId, Types};
use minoan_diag::Span;
use minoan_frontend::with_stack;
use minoan_ir::Type as IrType;
use minoan_relay_dialect as relay;
use rustc_hash::FxHashMap;

/// Upper bound on tuple components: tuples are flattened later, and types that share components could grow
/// exponentially.
const MAX_PARTS: usize = 1000;

impl Emitter<'_> {
    /// Substitutes the type parameters of an instance.
    pub(super) fn concrete(&mut self, ty: TypeId, subst: &FxHashMap<TyVarId, TypeId>) -> TypeId {
        if !self.types.has_var(ty) {
            return ty;
        }
        self.types.replace(ty, &mut |types: &mut Types, id| match types.get(id) {
            Type::Var(var) => subst.get(var).copied(),
            _ => None,
        })
    }

    /// Converts a type; reports an error at `span` if the IR has no equivalent.
    pub(super) fn ir_type(&mut self, ty: TypeId, span: Span) -> Option<IrType> {
        if let Some(&known) = self.ir_types.get(&ty)
            && known.is_some()
        {
            return known;
        }
        let mut parts = 0;
        let found = match self.value_type(ty, 0, &mut parts) {
            Ok(value) => relay::to_ir(self.ctx, &value),
            Err(what) => {
                self.unsupported(span, &what);
                return None;
            }
        };
        if found.is_none() {
            let what = format!("a value of type '{}'", self.types.text(ty));
            self.unsupported(span, &what);
        }
        self.ir_types.insert(ty, found);
        found
    }

    /// Converts a type to the operators' representation.
    fn value_type(&self, ty: TypeId, depth: usize, parts: &mut usize) -> Result<relay::Type, String> {
        *parts += 1;
        if *parts > MAX_PARTS || depth > relay::MAX_TUPLE_DEPTH {
            return Err(format!(
                "a tuple of more than {MAX_PARTS} parts, or nested deeper than {}",
                relay::MAX_TUPLE_DEPTH
            ));
        }
        let what = match self.types.get(ty) {
            Type::Tensor(..) => match self.types.tensor_parts(ty) {
                Some((dims, dtype)) => {
                    let dims = dims.into_iter().map(|dim| dim.map_or(relay::Dim::Any, relay::Dim::Known));
                    return Ok(relay::Type::tensor(dims, dtype));
                }
                None => "a tensor",
            },
            Type::Tuple(items) => {
                let items = items.iter().map(|&item| with_stack(|| self.value_type(item, depth + 1, parts)));
                return Ok(relay::Type::Tuple(items.collect::<Result<_, _>>()?));
            }
            Type::Fn(..) | Type::Poly(_) => "a function as a value",
            Type::Data(..) => "a value of a data type",
            Type::Ref(_) => "a reference",
            _ => "a value",
        };
        Err(format!("{what}, of type '{}'", self.types.text(ty)))
    }
}
