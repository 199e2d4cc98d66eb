//! The lowering of front-end dialects: one conversion, to which each dialect contributes.

use super::casts::materialize_casts;
use super::{ConversionTarget, DialectConversion, TypeConverter, unresolved_cast};
use crate::PatternSet;
use minoan_diag::Diagnostics;
use minoan_ir::{Attr, Context, Module, OpRef, Traits, Type, service};
use minoan_services::{UnrealizedCast, argument_attrs, function_types, result_attrs};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// Contributes to the lowering of a module to shared dialects: type conversions, patterns, and illegal operations. Queried by
/// [`lower`], for each dialect, even if the module has no operation of it. Default: the operations are kept.
pub trait Lower: Send + Sync {
    /// Contributes to the lowering of `module`. May edit or replace the module where patterns cannot express the lowering; the
    /// edits must not change its semantics. [`Cow::to_mut`] copies a module that has not been edited yet: ids obtained before are
    /// invalid in the copy.
    ///
    /// # Errors
    /// The operations that cannot be lowered, at their locations; the module is unchanged. Operations that the contributed
    /// patterns cannot convert are reported in addition.
    fn contribute(&self, module: &mut Cow<'_, Module>, lowering: &mut Lowering) -> Result<(), Diagnostics>;
}
service!(dyn Lower, "Lower", Optional);

/// Implements [`Lower`] by a function that does not depend on the module.
#[derive(Clone, Copy, Debug)]
pub struct LowerBy(pub fn(&mut Lowering));

impl Lower for LowerBy {
    fn contribute(&self, _: &mut Cow<'_, Module>, lowering: &mut Lowering) -> Result<(), Diagnostics> {
        (self.0)(lowering);
        Ok(())
    }
}

type AddPatterns = Box<dyn FnOnce(&mut PatternSet, &Arc<TypeConverter>)>;

/// The conversion that lowers a module, during its construction.
///
/// It also converts the signatures of functions, and operations that only forward values. Types that no rule converts are kept,
/// and so are operations that are not illegal, if their types are.
pub struct Lowering {
    types: Option<TypeConverter>,
    target: ConversionTarget,
    patterns: Vec<AddPatterns>,
    is_last: bool,
}

impl fmt::Debug for Lowering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lowering").finish_non_exhaustive()
    }
}

impl Lowering {
    fn new(round: Round) -> Self {
        let is_last = round == Round::Last;
        Self { types: None, target: ConversionTarget::new(), patterns: Vec::new(), is_last }
    }

    /// The type converter, which converts function types by their inputs and results. Rules of dialects that contribute later
    /// take precedence.
    pub fn types(&mut self) -> &mut TypeConverter {
        self.types.get_or_insert_with(|| {
            let mut types = TypeConverter::identity();
            types.convert_signatures();
            types
        })
    }

    /// The target, for the legality of operations.
    pub fn target(&mut self) -> &mut ConversionTarget {
        &mut self.target
    }

    /// Marks the operations of a dialect as illegal, except for those that its contribution replaces by editing the module, for
    /// which `is_edited` holds: if a pattern creates one, it is legal until the next contribution. It is illegal if the
    /// contributions make no progress.
    pub fn edited(&mut self, dialect: &str, is_edited: fn(OpRef<'_>) -> bool) -> &mut Self {
        match self.is_last {
            true => self.target.illegal_dialect(dialect),
            false => self.target.legal_dialect_if(dialect, is_edited),
        };
        self
    }

    /// Adds patterns, for the type converter with the rules of all dialects. A pattern with a higher benefit takes precedence
    /// over that of another dialect.
    pub fn patterns(
        &mut self,
        add: impl FnOnce(&mut PatternSet, &Arc<TypeConverter>) + 'static,
    ) -> &mut Self {
        self.patterns.push(Box::new(add));
        self
    }

    /// The conversion and its types.
    fn conversion(mut self) -> (DialectConversion, TypeConverter) {
        self.types();
        let Self { types, target, patterns, .. } = self;
        let types = types.unwrap_or_default();
        let converter = types.clone();
        let add = |set: &mut PatternSet, types: &Arc<TypeConverter>| {
            patterns.into_iter().for_each(|add| add(set, types));
        };
        (DialectConversion::partial(types, add).with_target(target), converter)
    }

    /// The errors of operations that are illegal, whatever their types, in a module that cannot be converted.
    fn errors(self, module: &Module) -> Diagnostics {
        if self.patterns.is_empty() || self.is_last {
            return Diagnostics::new();
        }
        let conversion = self.conversion().0.target(|target| target.unknown_legal());
        conversion.run(&mut module.clone()).err().unwrap_or_default()
    }

    /// Runs the conversion, if there is anything to convert.
    fn run(self, module: &mut Cow<'_, Module>) -> Result<(), Diagnostics> {
        if self.types.is_none() && self.patterns.is_empty() && !self.is_last {
            return Ok(());
        }
        let module = module.to_mut();
        let (conversion, converter) = self.conversion();
        let signatures = Signatures::of(module, &converter);
        conversion.run(module)?;
        signatures.keep(module, &converter);
        if !converter.keeps_casts() || !materialize_casts(module.holder_mut(), &converter) {
            return Ok(());
        }
        let mut errors = Diagnostics::new();
        module.ops().filter(|&op| in_cycle(op)).for_each(|op| errors.push(unresolved_cast(op)));
        if errors.has_errors() { Err(errors) } else { Ok(()) }
    }
}

/// The position of a conversion in the lowering of a module.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Round {
    /// Another one may follow.
    Early,
    /// No operation that a dialect lowers remains legal.
    Last,
}

/// Lowers the dialects of front ends to shared ones: converts the module once, with the contributions of all dialects that
/// implement [`Lower`]; and again while patterns create operations of a dialect that contributes by editing the module, at most
/// once for each dialect.
///
/// # Errors
/// The operations that cannot be lowered, with the reasons of the patterns. The module is unchanged.
pub fn lower(module: &mut Module) -> Result<(), Diagnostics> {
    let is_lowered = lowered_kinds(module.context());
    // The numbers of operations to lower, by kind.
    let count = |module: &Module| {
        let mut counts: FxHashMap<usize, usize> = FxHashMap::default();
        for kind in module.ops().map(|op| op.kind().index()) {
            if is_lowered.get(kind).copied().unwrap_or(false) {
                *counts.entry(kind).or_default() += 1;
            }
        }
        counts
    };
    let mut remaining = count(module);
    if remaining.is_empty() {
        return Ok(());
    }
    let mut lowered = Cow::Borrowed(&*module);
    for _ in module.context().dialects_with::<dyn Lower>() {
        convert(&mut lowered, Round::Early)?;
        let before = std::mem::replace(&mut remaining, count(&lowered));
        if remaining.is_empty() || remaining == before {
            break;
        }
    }
    if !remaining.is_empty() {
        convert(&mut lowered, Round::Last)?;
    }
    if let Cow::Owned(lowered) = lowered {
        *module = lowered;
    }
    Ok(())
}

/// Converts a module once, with the contributions of all dialects.
fn convert(module: &mut Cow<'_, Module>, round: Round) -> Result<(), Diagnostics> {
    let ctx = module.context().clone();
    let (mut lowering, mut errors) = (Lowering::new(round), Diagnostics::new());
    for service in ctx.dialects_with::<dyn Lower>().filter_map(|dialect| dialect.service::<dyn Lower>()) {
        if let Err(found) = service.contribute(module, &mut lowering) {
            found.into_iter().for_each(|error| errors.push(error));
        }
    }
    if !errors.has_errors() {
        return lowering.run(module);
    }
    lowering.errors(module).into_iter().for_each(|error| errors.push(error));
    Err(errors)
}

/// For each kind of operation, whether its dialect implements [`Lower`].
fn lowered_kinds(ctx: &Context) -> Vec<bool> {
    let mut lowered = Vec::new();
    for &kind in ctx.dialects_with::<dyn Lower>().flat_map(|dialect| dialect.ops()) {
        if lowered.len() <= kind.index() {
            lowered.resize(kind.index() + 1, false);
        }
        lowered[kind.index()] = true;
    }
    lowered
}

/// Whether an operation is a cast in a cycle of casts: one that cancels, but could not be erased.
fn in_cycle(op: OpRef<'_>) -> bool {
    op.context().service::<dyn UnrealizedCast>(op.kind()).is_some()
        && <dyn UnrealizedCast>::undone(op).is_some()
}

/// The inputs and results of the public functions whose types are converted, by symbol.
struct Signatures(FxHashMap<String, (Vec<Type>, Vec<Type>)>);

impl Signatures {
    fn of(module: &Module, types: &TypeConverter) -> Self {
        let (ctx, body) = (module.context(), module.body());
        let functions = body.block(module.block()).ops().filter_map(|function| {
            let op = body.op(function);
            let is_private =
                op.attr(ctx.names().sym_visibility).and_then(|attr| attr.as_str(ctx)) == Some("private");
            let (inputs, results) = function_types(op).filter(|_| op.has_trait(Traits::FUNCTION_LIKE))?;
            let is_kept = types.are_legal(ctx, inputs.iter().chain(results).copied());
            let symbol = op.symbol_name().filter(|_| !is_private && !is_kept)?;
            Some((symbol.to_owned(), (inputs.to_vec(), results.to_vec())))
        });
        Self(functions.collect())
    }

    /// Adds the attributes that keep what the conversion dropped: tuples, and the signs of integers.
    fn keep(&self, module: &mut Module, types: &TypeConverter) {
        if self.0.is_empty() {
            return;
        }
        let (ctx, block) = (module.context().clone(), module.block());
        let body = module.body_mut();
        let components = |ty| types.convert(&ctx, ty).map_or_else(|| vec![ty], |types| types.into_vec());
        for function in body.block(block).ops().collect::<Vec<_>>() {
            let signature = body.op(function).symbol_name().and_then(|symbol| self.0.get(symbol));
            let Some((inputs, results)) = signature else { continue };
            for (name, added) in [
                (ctx.names().arg_attrs, argument_attrs(&ctx, inputs, &components)),
                (ctx.names().res_attrs, result_attrs(&ctx, results, &components)),
            ] {
                let Some(added) = added.and_then(|added| added.as_array(&ctx)) else { continue };
                let given = body.op(function).attr(name).and_then(|given| given.as_array(&ctx));
                let merged = added.iter().enumerate().map(|(at, &added)| {
                    let given = given.and_then(|given| given.get(at)?.as_dictionary(&ctx)).unwrap_or(&[]);
                    Attr::dictionary(&ctx, &[given, added.as_dictionary(&ctx).unwrap_or(&[])].concat())
                });
                let merged = Attr::array(&ctx, &merged.collect::<Vec<_>>());
                body.set_attr(function, name, Some(merged));
            }
        }
    }
}
