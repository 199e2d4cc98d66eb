//! Conversion of operations of other dialects that forward values whose types the lowering changes.

use crate::mixed::is_mixed;
use crate::{Functional, Parts, flat, signature};
use minoan_diag::Diagnostics;
use minoan_ir::{Attr, Body, Builder, Context, Module, Op, OpRef, Traits, Type, Value};
use minoan_rewrite::{Converted, DialectConversion, TypeConverter, reconcile_casts, unresolved_cast};
use minoan_services::{Lower, UnrealizedCast, function_types};

/// The types of the components of a value of type `ty`, if the lowering changes the type.
pub(crate) fn changed<'a, L: Functional<'a>>(ctx: &Context, ty: Type) -> Option<Vec<Type>> {
    if !L::is_value(ctx, ty) {
        return None;
    }
    let types = flat::<L>(ctx, ty);
    (types != [ty]).then_some(types)
}

/// Creates an unrealized cast, unless there are no results.
pub(crate) fn cast(b: &mut Builder<'_>, values: &[Value], types: &[Type]) -> Parts {
    let ctx = b.context();
    let service = <dyn UnrealizedCast>::kind(&ctx).and_then(|kind| ctx.service::<dyn UnrealizedCast>(kind));
    match service {
        Some(service) if !types.is_empty() => {
            let op = b.create(service.cast(&ctx, values, types));
            b.body().op(op).results().collect()
        }
        _ => Parts::new(),
    }
}

/// The conversion of the types of a language to those of the components, in the signatures of function values as well. It keeps
/// all other types.
fn type_converter<'a, L: Functional<'a>>() -> TypeConverter {
    let rule: fn(&Context, Type) -> Option<Converted> =
        |ctx, ty| Some(Converted::from_vec(changed::<L>(ctx, ty)?));
    let mut types = TypeConverter::identity();
    types.add(rule).convert_signatures().keep_casts();
    types
}

/// Finishes the lowering of a module: converts the operations of other dialects that forward values of the language (functions,
/// calls, branches, structured control flow), and reconciles casts. `source` is the module before the lowering.
///
/// Operations of dialects that are lowered on their own are kept, with casts for their values, which their lowering reconciles.
///
/// # Errors
/// An operation has a value of the language, but is not converted, as for a [`DialectConversion`]; or a value depends on itself.
pub fn finish<'a, L: Functional<'a>>(source: &Module, module: &mut Module) -> Result<(), Diagnostics> {
    if !is_mixed::<L>(source) {
        return Ok(());
    }
    let ctx = module.context().clone();
    let signatures = Signature::all::<L>(module);
    let mut conversion = DialectConversion::partial(type_converter::<L>(), |_, _| ());
    for dialect in ctx.dialects_with::<dyn Lower>().filter(|dialect| dialect.name() != L::DIALECT) {
        conversion = conversion.target(|target| target.legal_dialect(dialect.name()));
    }
    conversion.illegal_dialect(L::DIALECT).run(module)?;
    signatures.into_iter().for_each(|signature| signature.keep::<L>(module.body_mut()));
    reconcile_casts(module.holder_mut());
    let mut errors = Diagnostics::new();
    module.ops().filter(|&op| in_cycle(op)).for_each(|op| errors.push(unresolved_cast(op)));
    if errors.has_errors() { Err(errors) } else { Ok(()) }
}

/// Whether an operation is a cast in a cycle of casts: one that cancels, but could not be erased.
fn in_cycle(op: OpRef<'_>) -> bool {
    op.context().service::<dyn UnrealizedCast>(op.kind()).is_some()
        && <dyn UnrealizedCast>::undone(op).is_some()
}

/// The signature of a public function of another dialect whose types are converted.
struct Signature {
    function: Op,
    inputs: Vec<Type>,
    results: Vec<Type>,
}

impl Signature {
    fn all<'a, L: Functional<'a>>(module: &Module) -> Vec<Signature> {
        let (ctx, body) = (module.context(), module.body());
        let functions = body.block(module.block()).ops().filter_map(|function| {
            let op = body.op(function);
            let is_private =
                op.attr(ctx.names().sym_visibility).and_then(|attr| attr.as_str(ctx)) == Some("private");
            let (inputs, results) = function_types(op).filter(|_| op.has_trait(Traits::FUNCTION_LIKE))?;
            let is_changed = inputs.iter().chain(results).any(|&ty| changed::<L>(ctx, ty).is_some());
            let (inputs, results) = (inputs.to_vec(), results.to_vec());
            (is_changed && !is_private).then_some(Signature { function, inputs, results })
        });
        functions.collect()
    }

    /// Adds the attributes that keep what the conversion dropped, as for functions of the language.
    fn keep<'a, L: Functional<'a>>(self, body: &mut Body) {
        let ctx = body.context().clone();
        let components = |ty| changed::<L>(&ctx, ty).unwrap_or_else(|| vec![ty]);
        for (name, added) in [
            (ctx.names().arg_attrs, signature::argument_attrs(&ctx, &self.inputs, &components)),
            (ctx.names().res_attrs, signature::result_attrs(&ctx, &self.results, &components)),
        ] {
            let Some(added) = added.and_then(|added| added.as_array(&ctx)) else { continue };
            let given = body.op(self.function).attr(name).and_then(|given| given.as_array(&ctx));
            let merged = added.iter().enumerate().map(|(at, &added)| {
                let given = given.and_then(|given| given.get(at)?.as_dictionary(&ctx)).unwrap_or(&[]);
                Attr::dictionary(&ctx, &[given, added.as_dictionary(&ctx).unwrap_or(&[])].concat())
            });
            let merged = Attr::array(&ctx, &merged.collect::<Vec<_>>());
            body.set_attr(self.function, name, Some(merged));
        }
    }
}
