//! What is legal.

use minoan_ir::{Context, OpDef, OpKind, OpRef};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Whether an operation may stay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Legality {
    /// It stays.
    Legal,
    /// It stays with everything inside it.
    LegalWithin,
    /// It must go.
    Illegal,
    /// Nothing was said of it: it is converted where a pattern applies. Otherwise it stays in a partial conversion, and is
    /// an error in a full one.
    Unknown,
}

type Predicate = Arc<dyn Fn(OpRef<'_>) -> bool + Send + Sync>;

#[derive(Clone)]
enum Rule {
    Says(Legality),
    /// Legal where it holds.
    If(Predicate),
}

impl Rule {
    fn of(&self, op: OpRef<'_>) -> Legality {
        match self {
            Rule::Says(legality) => *legality,
            Rule::If(predicate) if predicate(op) => Legality::Legal,
            Rule::If(_) => Legality::Illegal,
        }
    }
}

/// Says which operations are legal after a conversion. What is said of an operation counts more than what is said of its
/// dialect, and that more than what is said of all others.
#[derive(Clone, Default)]
pub struct ConversionTarget {
    ops: BTreeMap<String, Rule>,
    dialects: BTreeMap<String, Rule>,
    others: Option<Rule>,
}

impl ConversionTarget {
    /// Nothing is known to be legal or illegal.
    pub fn new() -> Self {
        Self::default()
    }

    fn op(&mut self, name: &str, rule: Rule) -> &mut Self {
        self.ops.insert(name.to_owned(), rule);
        self
    }

    /// Operations of a name are legal.
    pub fn legal_op(&mut self, name: &str) -> &mut Self {
        self.op(name, Rule::Says(Legality::Legal))
    }

    /// Operations of one kind are legal.
    pub fn legal<O: OpDef>(&mut self) -> &mut Self {
        self.legal_op(O::SPEC.name)
    }

    /// Operations of a name are legal, with everything inside them.
    pub fn legal_within(&mut self, name: &str) -> &mut Self {
        self.op(name, Rule::Says(Legality::LegalWithin))
    }

    /// Operations of a name are illegal.
    pub fn illegal_op(&mut self, name: &str) -> &mut Self {
        self.op(name, Rule::Says(Legality::Illegal))
    }

    /// Operations of one kind are illegal.
    pub fn illegal<O: OpDef>(&mut self) -> &mut Self {
        self.illegal_op(O::SPEC.name)
    }

    /// Operations of a name are legal where a predicate holds, and illegal elsewhere.
    pub fn legal_op_if(
        &mut self,
        name: &str,
        predicate: impl Fn(OpRef<'_>) -> bool + Send + Sync + 'static,
    ) -> &mut Self {
        self.op(name, Rule::If(Arc::new(predicate)))
    }

    /// All other operations of a dialect are legal.
    pub fn legal_dialect(&mut self, name: &str) -> &mut Self {
        self.dialects.insert(name.to_owned(), Rule::Says(Legality::Legal));
        self
    }

    /// All other operations of a dialect are illegal.
    pub fn illegal_dialect(&mut self, name: &str) -> &mut Self {
        self.dialects.insert(name.to_owned(), Rule::Says(Legality::Illegal));
        self
    }

    /// All other operations of a dialect are legal where a predicate holds, and illegal elsewhere.
    pub fn legal_dialect_if(
        &mut self,
        name: &str,
        predicate: impl Fn(OpRef<'_>) -> bool + Send + Sync + 'static,
    ) -> &mut Self {
        self.dialects.insert(name.to_owned(), Rule::If(Arc::new(predicate)));
        self
    }

    /// Operations of which nothing else was said are legal.
    pub fn unknown_legal(&mut self) -> &mut Self {
        self.others = Some(Rule::Says(Legality::Legal));
        self
    }

    /// Operations of which nothing else was said are illegal.
    pub fn unknown_illegal(&mut self) -> &mut Self {
        self.others = Some(Rule::Says(Legality::Illegal));
        self
    }

    /// Operations of which nothing else was said are legal where a predicate holds, and illegal elsewhere.
    pub fn unknown_legal_if(
        &mut self,
        predicate: impl Fn(OpRef<'_>) -> bool + Send + Sync + 'static,
    ) -> &mut Self {
        self.others = Some(Rule::If(Arc::new(predicate)));
        self
    }

    fn rule(&self, name: &str) -> Option<&Rule> {
        let dialect = || name.split_once('.').and_then(|(dialect, _)| self.dialects.get(dialect));
        self.ops.get(name).or_else(dialect).or(self.others.as_ref())
    }

    /// Whether an operation may stay.
    pub fn legality(&self, op: OpRef<'_>) -> Legality {
        self.rule(op.name()).map_or(Legality::Unknown, |rule| rule.of(op))
    }

    /// The rules by kind of operation.
    pub(super) fn resolve(&self, ctx: &Context) -> Resolved<'_> {
        let rule = |kind: OpKind| self.rule(ctx.info(kind).map_or("", |info| info.name.as_str(ctx)));
        Resolved { target: self, by_kind: ctx.registered_kinds().map(rule).collect() }
    }
}

/// The rules of a target, an index away.
pub(super) struct Resolved<'t> {
    target: &'t ConversionTarget,
    by_kind: Vec<Option<&'t Rule>>,
}

impl Resolved<'_> {
    pub(super) fn legality(&self, op: OpRef<'_>) -> Legality {
        match self.by_kind.get(op.kind().index()) {
            Some(rule) => rule.map_or(Legality::Unknown, |rule| rule.of(op)),
            None => self.target.legality(op),
        }
    }
}
