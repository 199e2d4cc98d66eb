//! Conversion targets: the legality of operations.

use super::TypeConverter;
use minoan_ir::{Context, OpDef, OpKind, OpRef, Traits, Type};
use minoan_services::function_types;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The legality of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Legality {
    /// Legal.
    Legal,
    /// Recursively legal: legal with all nested operations.
    LegalWithin,
    /// Illegal.
    Illegal,
    /// Unspecified: the operation is converted if a pattern applies. Otherwise it is kept by a partial conversion,
    /// and is an error in a full conversion.
    Unknown,
}

impl Legality {
    fn legal_if(holds: bool) -> Self {
        if holds { Legality::Legal } else { Legality::Illegal }
    }
}

type Predicate = Arc<dyn Fn(OpRef<'_>) -> bool + Send + Sync>;

#[derive(Clone)]
enum Rule {
    Says(Legality),
    /// Legal if the predicate holds.
    If(Predicate),
    /// Legal if the converter keeps the types of all values.
    Types(Arc<TypeConverter>),
}

static LEGAL: Rule = Rule::Says(Legality::Legal);

impl Rule {
    fn of(&self, op: OpRef<'_>) -> Legality {
        match self {
            Rule::Says(legality) => *legality,
            Rule::If(predicate) => Legality::legal_if(predicate(op)),
            Rule::Types(types) => Legality::legal_if(types.are_legal(op.context(), value_types(op))),
        }
    }
}

/// The set of operations that are legal after a conversion. A rule for an operation takes precedence over one for its
/// dialect, and that over one for unknown operations.
#[derive(Clone, Default)]
pub struct ConversionTarget {
    ops: BTreeMap<String, Rule>,
    dialects: BTreeMap<String, Rule>,
    others: Option<Rule>,
}

impl ConversionTarget {
    /// Creates a target without rules.
    pub fn new() -> Self {
        Self::default()
    }

    fn op(&mut self, name: &str, rule: Rule) -> &mut Self {
        self.ops.insert(name.to_owned(), rule);
        self
    }

    /// Marks an operation as legal, by name.
    pub fn legal_op(&mut self, name: &str) -> &mut Self {
        self.op(name, Rule::Says(Legality::Legal))
    }

    /// Marks an operation as legal.
    pub fn legal<O: OpDef>(&mut self) -> &mut Self {
        self.legal_op(O::SPEC.name)
    }

    /// Marks an operation as recursively legal, by name.
    pub fn legal_within(&mut self, name: &str) -> &mut Self {
        self.op(name, Rule::Says(Legality::LegalWithin))
    }

    /// Marks an operation as illegal, by name.
    pub fn illegal_op(&mut self, name: &str) -> &mut Self {
        self.op(name, Rule::Says(Legality::Illegal))
    }

    /// Marks an operation as illegal.
    pub fn illegal<O: OpDef>(&mut self) -> &mut Self {
        self.illegal_op(O::SPEC.name)
    }

    /// Marks an operation as legal if a predicate holds and illegal otherwise, by name.
    pub fn legal_op_if(
        &mut self,
        name: &str,
        predicate: impl Fn(OpRef<'_>) -> bool + Send + Sync + 'static,
    ) -> &mut Self {
        self.op(name, Rule::If(Arc::new(predicate)))
    }

    /// Marks the operations of a dialect as legal.
    pub fn legal_dialect(&mut self, name: &str) -> &mut Self {
        self.dialects.insert(name.to_owned(), Rule::Says(Legality::Legal));
        self
    }

    /// Marks the operations of a dialect as illegal.
    pub fn illegal_dialect(&mut self, name: &str) -> &mut Self {
        self.dialects.insert(name.to_owned(), Rule::Says(Legality::Illegal));
        self
    }

    /// Marks the operations of a dialect as legal if a predicate holds and illegal otherwise.
    pub fn legal_dialect_if(
        &mut self,
        name: &str,
        predicate: impl Fn(OpRef<'_>) -> bool + Send + Sync + 'static,
    ) -> &mut Self {
        self.dialects.insert(name.to_owned(), Rule::If(Arc::new(predicate)));
        self
    }

    /// Marks operations without a rule as legal.
    pub fn unknown_legal(&mut self) -> &mut Self {
        self.others = Some(Rule::Says(Legality::Legal));
        self
    }

    /// Marks operations without a rule as illegal.
    pub fn unknown_illegal(&mut self) -> &mut Self {
        self.others = Some(Rule::Says(Legality::Illegal));
        self
    }

    /// Marks operations without a rule as legal if a predicate holds and illegal otherwise, except for those of the builtin
    /// dialect, which are legal.
    pub fn unknown_legal_if(
        &mut self,
        predicate: impl Fn(OpRef<'_>) -> bool + Send + Sync + 'static,
    ) -> &mut Self {
        self.others = Some(Rule::If(Arc::new(predicate)));
        self
    }

    /// Marks operations without a rule as legal if a converter keeps the types of their operands, results and block arguments
    /// and, for functions, of their signature; otherwise as illegal, except for those of the builtin dialect.
    pub fn legal_types(&mut self, types: &Arc<TypeConverter>) -> &mut Self {
        self.others = Some(Rule::Types(Arc::clone(types)));
        self
    }

    fn rule(&self, name: &str) -> Option<&Rule> {
        let dialect = || name.split_once('.').and_then(|(dialect, _)| self.dialects.get(dialect));
        self.ops.get(name).or_else(dialect).or_else(|| match &self.others {
            // Modules and casts have no types to convert.
            Some(Rule::If(_) | Rule::Types(_)) if name.starts_with("builtin.") => Some(&LEGAL),
            others => others.as_ref(),
        })
    }

    /// The legality of an operation.
    pub fn legality(&self, op: OpRef<'_>) -> Legality {
        self.rule(op.name()).map_or(Legality::Unknown, |rule| rule.of(op))
    }

    /// Resolves the rules for each kind of operation.
    pub(super) fn resolve(&self, ctx: &Context) -> Resolved<'_> {
        let rule = |kind: OpKind| self.rule(ctx.info(kind).map_or("", |info| info.name.as_str(ctx)));
        Resolved { target: self, by_kind: ctx.registered_kinds().map(rule).collect() }
    }
}

/// The types of the operands, results and block arguments of an operation, and those of its signature, if it is a function.
pub(super) fn value_types(op: OpRef<'_>) -> impl Iterator<Item = Type> {
    let may_have_signature = op.has_trait(Traits::FUNCTION_LIKE) || op.spec().is_none();
    let (inputs, results) = may_have_signature.then(|| function_types(op)).flatten().unwrap_or_default();
    let (body, regions) = op.inside();
    let blocks = regions.into_iter().flat_map(|region| body.region(region).blocks());
    let args = blocks.flat_map(|block| body.block(block).args()).map(|arg| body.ty(arg));
    let signature = inputs.iter().chain(results).copied();
    op.operand_types().chain(op.result_types()).chain(args).chain(signature)
}

/// Whether `test` holds for all [`value_types`].
fn all_value_types(op: OpRef<'_>, mut test: impl FnMut(Type) -> bool) -> bool {
    if op.spec().is_none() || op.has_trait(Traits::FUNCTION_LIKE) || op.nested().is_some() {
        return value_types(op).all(test);
    }
    // Most operations that patterns create, without iterators over nothing.
    let body = op.body();
    op.operand_types().all(&mut test)
        && op.result_types().all(&mut test)
        && op.own_regions().all(|region| {
            body.region(region).blocks().all(|block| body.block(block).args().all(|arg| test(body.ty(arg))))
        })
}

/// The rules of a target, indexed by kind of operation.
pub(super) struct Resolved<'t> {
    target: &'t ConversionTarget,
    by_kind: Vec<Option<&'t Rule>>,
}

impl Resolved<'_> {
    pub(super) fn legality(&self, op: OpRef<'_>, known: &mut KnownTypes) -> Legality {
        match self.by_kind.get(op.kind().index()) {
            Some(Some(Rule::Types(types))) => {
                Legality::legal_if(all_value_types(op, |ty| known.is_legal(types, op.context(), ty)))
            }
            Some(rule) => rule.map_or(Legality::Unknown, |rule| rule.of(op)),
            None => self.target.legality(op),
        }
    }
}

/// Whether a converter keeps the types asked for so far, by their index.
#[derive(Default)]
pub(super) struct KnownTypes(Vec<Option<bool>>);

impl KnownTypes {
    fn is_legal(&mut self, types: &TypeConverter, ctx: &Context, ty: Type) -> bool {
        if let Some(&Some(known)) = self.0.get(ty.index()) {
            return known;
        }
        let is_legal = types.is_legal(ctx, ty);
        if self.0.len() <= ty.index() {
            self.0.resize(ty.index() + 1, None);
        }
        self.0[ty.index()] = Some(is_legal);
        is_legal
    }
}
