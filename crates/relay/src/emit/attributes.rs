//! Encoding of the attributes of functions and parameters.
//!
//! Strings, integers, numbers, booleans, lists and `None` become strings, `i64`, `f64`, `bool`, arrays and `unit`. A reference
//! into the metadata section becomes `{index = 0, meta = "VirtualDevice"}`.

use crate::ast::{AttrId, AttrKind, Attrs, FnNode, Literal, Module};
use minoan_frontend::with_stack;
use minoan_ir::{Attr, Context, Name, Type};

/// The attributes of a function or parameter.
pub(super) fn entries(ctx: &Context, module: &Module, attrs: &Attrs) -> Vec<(Name, Attr)> {
    let entry = |attr: &crate::ast::Attr| {
        Some((ctx.name(module.text(attr.name.name)), value(ctx, module, attr.value)?))
    };
    attrs.list.iter().filter_map(entry).collect()
}

/// The attributes of each parameter of a function; `None` if there are none.
pub(super) fn of_params(ctx: &Context, module: &Module, function: &FnNode) -> Option<Attr> {
    let attrs = function.params.iter().map(|&param| &module.binder(param).attrs);
    if attrs.clone().all(Attrs::is_empty) {
        return None;
    }
    let params: Vec<Attr> = attrs.map(|attrs| Attr::dictionary(ctx, &entries(ctx, module, attrs))).collect();
    Some(Attr::array(ctx, &params))
}

/// The value of an attribute; `None` for an expression.
fn value(ctx: &Context, module: &Module, id: AttrId) -> Option<Attr> {
    Some(match &module.attr(id).kind {
        AttrKind::Literal(Literal::Int(value, _)) => Attr::i64(ctx, *value),
        AttrKind::Literal(Literal::Float(value, _)) => Attr::float(ctx, *value, Type::F64),
        AttrKind::Literal(Literal::Bool(value)) => Attr::bool(*value),
        AttrKind::Str(text) => Attr::string(ctx, &**text),
        AttrKind::None => Attr::UNIT,
        AttrKind::List(items) => {
            let items = items.iter().map(|&item| with_stack(|| value(ctx, module, item)));
            Attr::array(ctx, &items.collect::<Option<Vec<_>>>()?)
        }
        AttrKind::Meta(meta) => {
            let key = (ctx.name("meta"), Attr::string(ctx, module.text(meta.key)));
            let index = (ctx.name("index"), Attr::i64(ctx, meta.index.into()));
            Attr::dictionary(ctx, &[key, index])
        }
        AttrKind::Expr(_) => return None,
    })
}
