//! The data types of the source that declarations are instances of.

use super::Emitter;
use crate::types::{Type, TypeId};
use minoan_data as data;
use minoan_frontend::with_stack;
use minoan_ir::{Attr, Type as IrType};
use minoan_relay_dialect as relay;

impl Emitter<'_> {
    /// The attribute [`relay::INSTANCE`] of the declaration of an instance of a data type; `None` if a type has no equivalent in
    /// the IR.
    pub(super) fn instance(&mut self, ty: TypeId) -> Option<Attr> {
        let program = self.program;
        let Type::Data(data, args) = self.types.get(ty).clone() else { return None };
        let name = program.module.text(program.module.data(data).name.name).to_owned();
        let vars = program.data_vars(data);
        let params: Vec<String> = vars.iter().map(|&var| self.types.var(var).name.to_string()).collect();
        let args = self.source_types(&args)?;
        let mut fields = Vec::new();
        // The declaration has the types of the fields of a data type without parameters.
        for ctor in program.module.ctors_of(data).filter(|_| !vars.is_empty()) {
            let types = program.function_type(program.ctor_ty(ctor)).map_or(&[][..], |(fields, _)| fields);
            fields.push(data::type_array(self.ctx, &self.source_types(types)?));
        }
        relay::Instance::checked(self.ctx, name, params, args, fields).ok().map(Attr::from)
    }

    /// The source type of a type, which may have type parameters.
    fn source_type(&mut self, ty: TypeId) -> Option<IrType> {
        let ty = self.representations.of(ty);
        if let Some(&known) = self.source_types.get(&ty) {
            return known;
        }
        let ctx = self.ctx;
        let found = match self.types.get(ty).clone() {
            Type::Tensor(..) => self.types.tensor_parts(ty).and_then(|(dims, dtype)| {
                let dims = dims.into_iter().map(|dim| dim.map_or(relay::Dim::Any, relay::Dim::Known));
                relay::to_ir(ctx, &relay::Type::tensor(dims, dtype))
            }),
            Type::Tuple(parts) => self.source_types(&parts).map(|parts| IrType::tuple(ctx, &parts)),
            Type::Fn(inputs, result) => self.source_types(&inputs).and_then(|inputs| {
                let signature = IrType::function(ctx, &inputs, &self.source_types(&[result])?);
                Some(data::ClosureType::get(ctx, signature).into())
            }),
            Type::Ref(contents) => {
                self.source_types(&[contents]).map(|contents| data::Ref::get(ctx, contents).into())
            }
            Type::Data(data, args) => self.source_types(&args).map(|args| {
                let name = self.program.module.text(self.program.module.data(data).name.name);
                relay::TypeCall::get(ctx, name.to_owned(), args).into()
            }),
            Type::Var(var) => Some(relay::TypeVar::get(ctx, self.types.var(var).name.to_string()).into()),
            _ => None,
        };
        self.source_types.insert(ty, found);
        found
    }

    fn source_types(&mut self, types: &[TypeId]) -> Option<Vec<IrType>> {
        types.iter().map(|&ty| with_stack(|| self.source_type(ty))).collect()
    }
}
