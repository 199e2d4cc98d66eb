//! What types become.

use minoan_ir::{Builder, Context, Type, Value};
use smallvec::SmallVec;
use std::sync::Arc;

/// What one type becomes: one type, several, or none.
pub type Converted = SmallVec<[Type; 1]>;

type Rule = Arc<dyn Fn(&Context, Type) -> Option<Converted> + Send + Sync>;
type Materialization = Arc<dyn Fn(&mut Builder<'_>, &[Value], &[Type]) -> Option<Vec<Value>> + Send + Sync>;

/// Says what types become, and how values of converted types are made from values of the types before, and the other
/// way round. Rules and materializations that were added later are asked first.
#[derive(Clone, Default)]
pub struct TypeConverter {
    rules: Vec<Rule>,
    to_source: Vec<Materialization>,
    to_target: Vec<Materialization>,
    keep_casts: bool,
}

impl TypeConverter {
    /// No type has a conversion.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a rule: what a type becomes, itself included when it stays; `None` when the rule says nothing of it.
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

    /// Adds a way back: makes values of types before the conversion (a result or a block argument that is still used as
    /// it was) from values of converted types. `None` when it cannot, with nothing created.
    pub fn materialize_source(
        &mut self,
        make: impl Fn(&mut Builder<'_>, &[Value], &[Type]) -> Option<Vec<Value>> + Send + Sync + 'static,
    ) -> &mut Self {
        self.to_source.push(Arc::new(make));
        self
    }

    /// Adds a way there: makes values of converted types (operands of converted operations) from values of types before
    /// the conversion. `None` when it cannot, with nothing created.
    pub fn materialize_target(
        &mut self,
        make: impl Fn(&mut Builder<'_>, &[Value], &[Type]) -> Option<Vec<Value>> + Send + Sync + 'static,
    ) -> &mut Self {
        self.to_target.push(Arc::new(make));
        self
    }

    /// Casts that no materialization makes real stay, for another conversion to meet them; they are errors otherwise.
    pub fn keep_casts(&mut self) -> &mut Self {
        self.keep_casts = true;
        self
    }

    /// What a type becomes; `None` when no rule says.
    pub fn convert(&self, ctx: &Context, ty: Type) -> Option<Converted> {
        self.rules.iter().rev().find_map(|rule| rule(ctx, ty))
    }

    /// What types become, one after another.
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

    /// Whether a type stays as it is.
    pub fn is_legal(&self, ctx: &Context, ty: Type) -> bool {
        self.convert(ctx, ty).is_some_and(|types| types[..] == [ty])
    }

    /// Whether all types stay as they are.
    pub fn are_legal(&self, ctx: &Context, types: impl IntoIterator<Item = Type>) -> bool {
        types.into_iter().all(|ty| self.is_legal(ctx, ty))
    }

    pub(super) fn keeps_casts(&self) -> bool {
        self.keep_casts
    }

    /// Values of other types, by the materializations for where these types belong.
    pub(super) fn materialize(
        &self,
        b: &mut Builder<'_>,
        values: &[Value],
        types: &[Type],
    ) -> Option<Vec<Value>> {
        let ctx = b.context();
        let ways =
            if self.are_legal(&ctx, types.iter().copied()) { &self.to_target } else { &self.to_source };
        let made = ways.iter().rev().find_map(|make| make(b, values, types))?;
        let right =
            made.len() == types.len() && made.iter().zip(types).all(|(&value, &ty)| b.ty(value) == ty);
        right.then_some(made)
    }
}
