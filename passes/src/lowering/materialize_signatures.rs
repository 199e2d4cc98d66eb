//! `materialize-signatures`: writes the raw and the structured signature of each public function as attributes.
//!
//! A public function with a body gets the attributes `abi`, `abiv`, `sip`, `f` and `fv`. The raw signature `f` has the
//! type that [`RawAbi`] states for each argument and result, or for the attribute `minoan.type`, its type in the
//! source. The structured signature `sip` has the index paths of arguments and results, the attribute
//! `minoan.index_path` of each; without any, arguments are a sequence, one result stands alone and several are a
//! sequence. Both attributes are removed. A function that has signatures keeps them if they match its type.

use minoan_diag::{Diagnostic, Diagnostics};
use minoan_ir::{Attr, Context, Module, Name, Op, OpRef, Traits, Type};
use minoan_pass::{Anchor, Pass, PassRun, own_options, pass_options, queries};
use minoan_services::{
    FunctionSignature, INDEX_PATH, RawAbi, SOURCE_TYPE, Symbols, Visibility, function_types, index_path,
};
use minoan_sip::{Key, RawSignature, RawType, SipSignature, Structure};

pass_options! {
    /// The options of the pass.
    pub struct MaterializeSignaturesOptions {
        /// Warn about arguments and results whose types the raw ABI does not have
        "warn" warn: bool = true,
    }
}

/// The pass `materialize-signatures`.
#[derive(Default)]
pub struct MaterializeSignatures {
    /// The options of this pass.
    pub options: MaterializeSignaturesOptions,
}

impl Pass for MaterializeSignatures {
    fn name(&self) -> &'static str {
        "materialize-signatures"
    }

    fn description(&self) -> &'static str {
        "write the raw and structured signatures of public functions as attributes"
    }

    fn anchor(&self) -> Anchor {
        Anchor::Module
    }

    own_options!();

    queries!(RawAbi, Symbols);

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let warnings = materialize_signatures(run.module_mut())?;
        if self.options.warn {
            warnings.into_iter().for_each(|warning| run.emit(warning));
        }
        Ok(())
    }
}

/// Writes the signatures of the public functions of a module; returns warnings about types that the raw ABI does not
/// have.
///
/// # Errors
/// Index paths that are not arrays of integers and strings, are missing beside others, or exclude each other; existing
/// signatures that do not match.
pub fn materialize_signatures(module: &mut Module) -> Result<Diagnostics, Diagnostics> {
    let ctx = module.context().clone();
    let body = module.body();
    let (mut warnings, mut errors) = (Diagnostics::new(), Diagnostics::new());
    let mut signatures: Vec<(Op, FunctionSignature)> = Vec::new();
    for op in body.block(module.block()).ops().filter(|&op| is_public_function(body.op(op))) {
        let function = body.op(op);
        match FunctionSignature::read(function) {
            Ok(Some(_)) => {}
            Ok(None) => match signature(function, &mut warnings) {
                Ok(signature) => signatures.push((op, signature)),
                Err(message) => errors.push(Diagnostic::error(message).at(function.loc().place(&ctx))),
            },
            Err(message) => errors.push(Diagnostic::error(message).at(function.loc().place(&ctx))),
        }
    }
    if errors.has_errors() {
        return Err(errors);
    }
    let names = [ctx.names().arg_attrs, ctx.names().res_attrs];
    let body = module.body_mut();
    for (op, signature) in signatures {
        for (name, value) in signature.attributes(&ctx) {
            body.set_attr(op, ctx.name(name), Some(value));
        }
        for name in names {
            if let Some(attrs) = body.op(op).attr(name) {
                let rest = without_source(&ctx, attrs);
                body.set_attr(op, name, rest);
            }
        }
    }
    Ok(warnings)
}

/// Whether an operation is a public function with a body.
fn is_public_function(op: OpRef<'_>) -> bool {
    let public = <dyn Symbols>::of(op).visibility(op) == Visibility::Public;
    let defined = op.nested().is_some_and(|inside| inside.region(inside.root(0)).entry().is_some());
    op.has_trait(Traits::FUNCTION_LIKE) && public && defined
}

fn signature(function: OpRef<'_>, warnings: &mut Diagnostics) -> Result<FunctionSignature, String> {
    let ctx = function.context();
    let (inputs, results) = function_types(function).unwrap_or_default();
    let name = function.symbol_name().unwrap_or_default();
    let names = ctx.names();
    let source_type = ctx.name(SOURCE_TYPE);
    let mut raw_types = |types: &[Type], attrs: Name, what: &str| -> Vec<RawType> {
        let attrs = function.attr(attrs).and_then(|attrs| attrs.as_array(ctx)).unwrap_or_default();
        let mut row = Vec::with_capacity(types.len());
        for (index, &ty) in types.iter().enumerate() {
            let source = attrs.get(index).and_then(|attrs| attrs.get(ctx, source_type)?.as_type(ctx));
            let raw = raw_type(ctx, source.unwrap_or(ty));
            if raw == RawType::Unrecognized {
                let message = format!(
                    "{what} #{index} of function {name} is not a recognized public ABI type and the function may not be invokable by standard tools"
                );
                warnings.push(Diagnostic::warning(message).at(function.loc().place(ctx)));
            }
            row.push(raw);
        }
        row
    };
    let raw = RawSignature {
        inputs: raw_types(inputs, names.arg_attrs, "Argument"),
        results: raw_types(results, names.res_attrs, "Result"),
    };
    let count = |types: &[Type]| u32::try_from(types.len()).unwrap_or(u32::MAX);
    let default = SipSignature::positional(count(inputs), count(results));
    let sip = SipSignature {
        inputs: structure(function, names.arg_attrs, inputs.len(), "argument")?.unwrap_or(default.inputs),
        results: structure(function, names.res_attrs, results.len(), "result")?.unwrap_or(default.results),
    };
    Ok(FunctionSignature { raw, sip })
}

fn raw_type(ctx: &Context, ty: Type) -> RawType {
    ctx.dialects_with::<dyn RawAbi>()
        .filter_map(|dialect| dialect.service::<dyn RawAbi>())
        .find_map(|service| service.raw_type(ctx, ty))
        .unwrap_or(RawType::Unrecognized)
}

/// The structure formed by the index paths of all arguments or all results; `None` if they have no index paths.
fn structure(
    function: OpRef<'_>,
    attrs: Name,
    count: usize,
    what: &str,
) -> Result<Option<Structure>, String> {
    let ctx = function.context();
    let path_name = ctx.name(INDEX_PATH);
    let attrs = function.attr(attrs).and_then(|attrs| attrs.as_array(ctx)).unwrap_or_default();
    let mut paths: Vec<(Vec<Key>, i32)> = Vec::new();
    let mut missing = None;
    for index in 0..count {
        let path = attrs.get(index).and_then(|attrs| attrs.get(ctx, path_name));
        let Some(path) = path else {
            missing = missing.or(Some(index));
            continue;
        };
        let path = index_path(ctx, path).map_err(|message| format!("{what} #{index}: {message}"))?;
        paths.push((path, i32::try_from(index).map_err(|_| format!("more {what}s than can be numbered"))?));
    }
    match missing {
        _ if paths.is_empty() => Ok(None),
        Some(index) => Err(format!("{what} #{index} has no '{INDEX_PATH}', but others have one")),
        None => Structure::from_paths(paths)
            .map(Some)
            .map_err(|error| format!("unable to generate mangled form for index paths of {what}s: {error}")),
    }
}

/// Attributes of arguments or results without those of their source; `None` if none are left.
fn without_source(ctx: &Context, attrs: Attr) -> Option<Attr> {
    let dropped = [INDEX_PATH, SOURCE_TYPE].map(|name| ctx.name(name));
    let mut is_empty = true;
    let strip = |attrs: &Attr| {
        let mut entries = attrs.as_dictionary(ctx).unwrap_or_default().to_vec();
        entries.retain(|(name, _)| !dropped.contains(name));
        is_empty &= entries.is_empty();
        Attr::dictionary(ctx, &entries)
    };
    let rest: Vec<Attr> = attrs.as_array(ctx)?.iter().map(strip).collect();
    (!is_empty).then(|| Attr::array(ctx, &rest))
}
