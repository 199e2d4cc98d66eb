//! Types.

use super::Writer;
use minoan_data as data;
use minoan_frontend::with_stack;
use minoan_ir::{OpRef, Type};
use minoan_relay_dialect as relay;

impl Writer<'_> {
    /// The text of a type of an operation.
    pub(super) fn ty(&mut self, op: OpRef<'_>, ty: Type) -> String {
        self.type_text(ty).unwrap_or_else(|| {
            self.unsupported(op);
            String::new()
        })
    }

    /// The text of a type of the IR or of the source; `None` for a type that Relay does not have.
    pub(super) fn type_text(&self, ty: Type) -> Option<String> {
        let ctx = self.ctx;
        let all = |types: &[Type]| -> Option<Vec<String>> {
            types.iter().map(|&ty| with_stack(|| self.type_text(ty))).collect()
        };
        if let Some(parts) = ty.as_tuple(ctx) {
            let parts = all(parts)?;
            return Some(format!("({}{})", parts.join(", "), if parts.len() == 1 { "," } else { "" }));
        }
        if let Some(cell) = data::Cell::cast(ctx, ty) {
            return Some(self.datas.get(cell.name(ctx).root(ctx).as_str(ctx))?.name.clone());
        }
        if let Some(var) = relay::TypeVar::cast(ctx, ty) {
            return Some(var.name(ctx).to_owned());
        }
        if let Some(call) = relay::TypeCall::cast(ctx, ty) {
            let (name, args) = (call.name(ctx), all(&call.args(ctx))?);
            return Some(if args.is_empty() {
                name.to_owned()
            } else {
                format!("{name}[{}]", args.join(", "))
            });
        }
        if let Some(closure) = data::ClosureType::cast(ctx, ty) {
            let (inputs, results) = closure.signature(ctx).as_function(ctx)?;
            return Some(format!("fn ({}) -> {}", all(inputs)?.join(", "), all(results)?.first()?));
        }
        if let Some(reference) = data::Ref::cast(ctx, ty) {
            return Some(format!("ref({})", all(&reference.contents(ctx))?.first()?));
        }
        match relay::from_ir(ctx, ty) {
            tensor @ relay::Type::Tensor(_) => Some(tensor.to_string()),
            _ => None,
        }
    }
}
