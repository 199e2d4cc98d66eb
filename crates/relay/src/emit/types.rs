//! Conversion of types to IR types.

use super::Emitter;
use crate::types::{TyVarId, Type, TypeId, Types};
use minoan_diag::Span;
use minoan_frontend::with_stack;
use minoan_ir::{SymbolRef, Type as IrType};
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
            Ok(found) => found,
            Err(_) if self.types.has_var(ty) => {
                let what = format!("a polymorphic function as a value, of type '{}'", self.types.text(ty));
                self.unsupported(span, &what);
                return None;
            }
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

    /// Converts a type; `None` for a tensor without an equivalent.
    fn value_type(&mut self, ty: TypeId, depth: usize, parts: &mut usize) -> Result<Option<IrType>, String> {
        *parts += 1;
        if *parts > MAX_PARTS || depth > relay::MAX_TUPLE_DEPTH {
            return Err(format!(
                "a tuple of more than {MAX_PARTS} parts, or nested deeper than {}",
                relay::MAX_TUPLE_DEPTH
            ));
        }
        let ty = self.representations.of(ty);
        let found = self.type_of(ty, depth, parts)?;
        if let Some(found) = found {
            self.relay_types.entry(found).or_insert(ty);
        }
        Ok(found)
    }

    fn type_of(&mut self, ty: TypeId, depth: usize, parts: &mut usize) -> Result<Option<IrType>, String> {
        let ctx = self.ctx;
        let what = match self.types.get(ty).clone() {
            Type::Tensor(..) => match self.types.tensor_parts(ty) {
                Some((dims, dtype)) => {
                    let dims = dims.into_iter().map(|dim| dim.map_or(relay::Dim::Any, relay::Dim::Known));
                    return Ok(relay::to_ir(ctx, &relay::Type::tensor(dims, dtype)));
                }
                None => "a tensor",
            },
            Type::Tuple(items) => {
                let items = self.value_types(&items, depth, parts)?;
                return Ok(items.map(|items| IrType::tuple(ctx, &items)));
            }
            Type::Fn(inputs, result) => {
                let inputs = self.value_types(&inputs, depth, parts)?;
                let result = self.value_types(&[result], depth, parts)?;
                let (Some(inputs), Some(result)) = (inputs, result) else { return Ok(None) };
                let signature = IrType::function(ctx, &inputs, &result);
                return Ok(Some(minoan_data::ClosureType::get(ctx, signature).into()));
            }
            Type::Ref(contents) => {
                let contents = self.value_types(&[contents], depth, parts)?;
                return Ok(contents.map(|contents| minoan_data::Ref::get(ctx, contents).into()));
            }
            Type::Data(data, _) if self.types.is_larger(ty, MAX_PARTS) => {
                let name = self.program.module.text(self.program.module.data(data).name.name);
                return Err(format!("an instance of the data type '{name}' of more than {MAX_PARTS} parts"));
            }
            Type::Data(..) => {
                let symbol = self.data_symbol(ty);
                return Ok(Some(minoan_data::Cell::get(ctx, SymbolRef::flat(ctx, &symbol)).into()));
            }
            Type::Poly(_) => "a polymorphic function as a value",
            _ => "a value",
        };
        Err(format!("{what}, of type '{}'", self.types.text(ty)))
    }

    fn value_types(
        &mut self,
        types: &[TypeId],
        depth: usize,
        parts: &mut usize,
    ) -> Result<Option<Vec<IrType>>, String> {
        let types = types.iter().map(|&ty| with_stack(|| self.value_type(ty, depth + 1, parts)));
        types.collect::<Result<Option<Vec<_>>, String>>()
    }
}
