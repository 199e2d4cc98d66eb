//! Type converters.

use minoan_ir::{Builder, Context, Type, Value};
use smallvec::SmallVec;
use std::sync::Arc;

/// Stack that must be left to convert a nested type, and the stack that is allocated otherwise.
const RED_ZONE: usize = 64 * 1024;
const MORE_STACK: usize = 1024 * 1024;

/// The conversion of a type: one type, several, or none.
pub type Converted = SmallVec<[Type; 1]>;

type Rule = Arc<dyn Fn(&Context, Type) -> Option<Converted> + Send + Sync>;
type Materialization = Arc<dyn Fn(&mut Builder<'_>, &[Value], &[Type]) -> Option<Vec<Value>> + Send + Sync>;

/// Converts types, and materializes conversions between values of the original and the converted types. Rules and
/// materializations added later take precedence.
#[derive(Clone, Default)]
pub struct TypeConverter {
    rules: Vec<Rule>,
    to_source: Vec<Materialization>,
    to_target: Vec<Materialization>,
    keep_casts: bool,
    signatures: bool,
}

impl TypeConverter {
    /// Creates a converter without rules.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a converter that keeps every type for which no rule is added.
    pub fn identity() -> Self {
        let mut types = Self::new();
        types.one_to_one(|_, ty| Some(ty));
        types
    }

    /// Creates a converter of the types for which `rule` returns another one; it keeps all others.
    pub fn partial(rule: impl Fn(&Context, Type) -> Option<Type> + Send + Sync + 'static) -> Self {
        let mut types = Self::identity();
        types.one_to_one(rule);
        types
    }

    /// Adds a rule that converts a type, possibly to itself; `None` if the rule does not apply.
    pub fn add(
        &mut self,
        rule: impl Fn(&Context, Type) -> Option<Converted> + Send + Sync + 'static,
    ) -> &mut Self {
        self.rules.push(Arc::new(rule));
        self
    }

    /// Adds a rule from one type to one type.
    pub fn one_to_one(
        &mut self,
        rule: impl Fn(&Context, Type) -> Option<Type> + Send + Sync + 'static,
    ) -> &mut Self {
        self.add(move |ctx, ty| rule(ctx, ty).map(|ty| Converted::from_elem(ty, 1)))
    }

    /// Adds a source materialization: creates values of original types (for remaining uses of a result or block
    /// argument) from values of converted types. `None`, with nothing created, if it does not apply.
    pub fn materialize_source(
        &mut self,
        make: impl Fn(&mut Builder<'_>, &[Value], &[Type]) -> Option<Vec<Value>> + Send + Sync + 'static,
    ) -> &mut Self {
        self.to_source.push(Arc::new(make));
        self
    }

    /// Adds a target materialization: creates values of converted types (for operands of converted operations) from
    /// values of original types. `None`, with nothing created, if it does not apply.
    pub fn materialize_target(
        &mut self,
        make: impl Fn(&mut Builder<'_>, &[Value], &[Type]) -> Option<Vec<Value>> + Send + Sync + 'static,
    ) -> &mut Self {
        self.to_target.push(Arc::new(make));
        self
    }

    /// Adds a rule for function types: inputs and results are converted by all rules, those of nested function types among them.
    pub fn convert_signatures(&mut self) -> &mut Self {
        self.signatures = true;
        self
    }

    /// Keeps casts without a materialization, for another conversion to cancel; otherwise they are errors.
    pub fn keep_casts(&mut self) -> &mut Self {
        self.keep_casts = true;
        self
    }

    /// Converts a type; `None` if no rule applies.
    pub fn convert(&self, ctx: &Context, ty: Type) -> Option<Converted> {
        if self.signatures
            && let Some((inputs, results)) = ty.as_function(ctx)
        {
            return stacker::maybe_grow(RED_ZONE, MORE_STACK, || {
                let (inputs, results) =
                    (self.convert_all(ctx, inputs).ok()?, self.convert_all(ctx, results).ok()?);
                Some(Converted::from_elem(Type::function(ctx, &inputs, &results), 1))
            });
        }
        self.rules.iter().rev().find_map(|rule| rule(ctx, ty))
    }

    /// Converts types to a flat list.
    ///
    /// # Errors
    /// The first type that no rule converts.
    pub fn convert_all(&self, ctx: &Context, types: &[Type]) -> Result<Vec<Type>, Type> {
        let mut all = Vec::with_capacity(types.len());
        for &ty in types {
            all.extend(self.convert(ctx, ty).ok_or(ty)?);
        }
        Ok(all)
    }

    /// Whether a type converts to itself.
    pub fn is_legal(&self, ctx: &Context, ty: Type) -> bool {
        self.convert(ctx, ty).is_some_and(|types| types[..] == [ty])
    }

    /// Whether all types convert to themselves.
    pub fn are_legal(&self, ctx: &Context, types: impl IntoIterator<Item = Type>) -> bool {
        types.into_iter().all(|ty| self.is_legal(ctx, ty))
    }

    pub(super) fn keeps_casts(&self) -> bool {
        self.keep_casts
    }

    /// Creates values of other types by the materializations for the given side.
    pub(super) fn materialize(
        &self,
        b: &mut Builder<'_>,
        values: &[Value],
        types: &[Type],
    ) -> Option<Vec<Value>> {
        let ctx = b.context();
        let materializations =
            if self.are_legal(&ctx, types.iter().copied()) { &self.to_target } else { &self.to_source };
        let made = materializations.iter().rev().find_map(|make| make(b, values, types))?;
        let right =
            made.len() == types.len() && made.iter().zip(types).all(|(&value, &ty)| b.ty(value) == ty);
        right.then_some(made)
    }
}
