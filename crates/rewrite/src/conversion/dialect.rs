//! A conversion by its parts, from which passes are made.

use super::{Conversion, ConversionMode, ConversionTarget, TypeConverter};
use crate::{FrozenPatterns, PatternFilter, PatternSet};
use minoan_diag::Diagnostics;
use minoan_ir::{Context, Module};
use std::sync::Arc;

/// A type converter, patterns and a target: everything that a [`Conversion`] needs, without a context.
///
/// Also converts the signatures of functions, the operands of their returns, and operations that only forward values.
/// Operations of unspecified legality are legal if the converter keeps their types.
#[derive(Clone)]
pub struct DialectConversion {
    types: Arc<TypeConverter>,
    patterns: PatternSet,
    target: ConversionTarget,
    mode: ConversionMode,
}

impl DialectConversion {
    /// Creates a conversion after which all operations are legal. `patterns` adds the patterns.
    pub fn full(types: TypeConverter, patterns: impl FnOnce(&mut PatternSet, &Arc<TypeConverter>)) -> Self {
        let types = Arc::new(types);
        let (mut set, mut target) = (PatternSet::new(), ConversionTarget::new());
        set.add_signatures(&types).add_structural(&types);
        patterns(&mut set, &types);
        target.legal_types(&types);
        Self { types, patterns: set, target, mode: ConversionMode::Full }
    }

    /// Creates a conversion after which no operation is left that the target marks as illegal. `patterns` adds the patterns.
    pub fn partial(
        types: TypeConverter,
        patterns: impl FnOnce(&mut PatternSet, &Arc<TypeConverter>),
    ) -> Self {
        Self { mode: ConversionMode::Partial, ..Self::full(types, patterns) }
    }

    /// Marks the operations of a dialect as illegal.
    #[must_use]
    pub fn illegal_dialect(self, dialect: &str) -> Self {
        self.target(|target| target.illegal_dialect(dialect))
    }

    /// Replaces the target; operations without a rule are legal if the converter keeps their types.
    pub(super) fn with_target(mut self, mut target: ConversionTarget) -> Self {
        target.legal_types(&self.types);
        self.target = target;
        self
    }

    /// Adds rules to the target.
    #[must_use]
    pub fn target(mut self, rules: impl FnOnce(&mut ConversionTarget) -> &mut ConversionTarget) -> Self {
        rules(&mut self.target);
        self
    }

    /// The patterns, for [`DialectConversion::conversion`].
    ///
    /// # Errors
    /// Two patterns have the same name.
    pub fn freeze(&self, ctx: &Context) -> Result<FrozenPatterns, Diagnostics> {
        self.patterns.freeze(ctx, &PatternFilter::default())
    }

    /// The conversion of bodies of a context.
    pub fn conversion<'c>(&'c self, ctx: &Context, patterns: &'c FrozenPatterns) -> Conversion<'c> {
        Conversion::new(ctx, &self.target, patterns, self.mode).with_types(&self.types)
    }

    /// Converts a module.
    ///
    /// # Errors
    /// As for [`Conversion::run_nested`].
    pub fn run(&self, module: &mut Module) -> Result<(), Diagnostics> {
        let ctx = module.context().clone();
        let patterns = self.freeze(&ctx)?;
        self.conversion(&ctx, &patterns).run_nested(module.holder_mut()).map(drop)
    }
}
