//! The source of the declarations of instances of data types.

use super::Emitter;
use crate::types::{Type, TypeId};
use minoan_ir::Attr;

impl Emitter<'_> {
    /// Attributes of the declaration of an instance of a data type with type parameters: the parameters, their values, and the
    /// types of the fields of each constructor, as in the source. The text of a module has the declaration of the source then.
    pub(super) fn generic_type(&self, ty: TypeId) -> Vec<(&'static str, Attr)> {
        let program = self.program;
        let Type::Data(data, args) = self.types.get(ty) else { return Vec::new() };
        let vars = program.data_vars(*data);
        if vars.is_empty() {
            return Vec::new();
        }
        let strings = |texts: &mut dyn Iterator<Item = String>| {
            let texts: Vec<Attr> = texts.map(|text| Attr::string(self.ctx, text)).collect();
            Attr::array(self.ctx, &texts)
        };
        let mut fields = Vec::new();
        for ctor in program.module.ctors_of(*data) {
            let types = program.function_type(program.ctor_ty(ctor)).map_or(&[][..], |(fields, _)| fields);
            fields.push(strings(&mut types.iter().map(|&field| self.types.text(field))));
        }
        vec![
            ("relay.type_params", strings(&mut vars.iter().map(|&var| self.types.var(var).name.to_string()))),
            ("relay.type_args", strings(&mut args.iter().map(|&arg| self.types.text(arg)))),
            ("relay.type_fields", Attr::array(self.ctx, &fields)),
        ]
    }
}
