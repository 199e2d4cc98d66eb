//! Named sets of patterns, which dialects provide for particular purposes.

use crate::PatternSet;
use minoan_diag::{Diagnostic, Diagnostics, nearest};
use minoan_ir::{Context, service};

/// The point of the default pipeline at which a set of patterns is applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PatternStage {
    /// Never by default: the set is applied by its name.
    ByName,
    /// Before the dialect is lowered, after the sets listed before it.
    BeforeLowering,
    /// Before the dialect is lowered, if floats may be computed in another way.
    Fast,
    /// After derivatives are created: until then, an operation has the derivative that it declares.
    AfterDifferentiation,
    /// Before a module is translated to MLIR: the forms that MLIR or LLVM compile in linear time.
    BeforeTranslation,
}

/// A set of patterns with a name.
#[derive(Clone, Copy, Debug)]
pub struct NamedPatterns {
    /// The name, prefixed by that of the dialect: `relay-fold-scale-axis`.
    pub name: &'static str,
    /// A one-line description.
    pub description: &'static str,
    /// The stage at which it is applied without being named.
    pub stage: PatternStage,
    /// Adds the patterns.
    pub add: fn(&mut PatternSet),
}

/// The named sets of patterns of a dialect. Queried by `apply-patterns`. Default: there are none.
///
/// Each set must converge alone: its patterns are applied until a fixed point.
pub trait PatternSets: Send + Sync {
    /// The sets, in the order of their application.
    fn sets(&self) -> &'static [NamedPatterns];
}
service!(dyn PatternSets, "PatternSets", Optional);

impl PatternSets for &'static [NamedPatterns] {
    fn sets(&self) -> &'static [NamedPatterns] {
        self
    }
}

/// The sets with these names, or without names those of all dialects that are applied at a stage.
///
/// # Errors
/// A name is unknown.
pub fn named_patterns(
    ctx: &Context,
    names: &[String],
    stage: PatternStage,
) -> Result<Vec<NamedPatterns>, Diagnostics> {
    let dialects = ctx.dialects().iter().filter_map(|dialect| dialect.service::<dyn PatternSets>());
    let all: Vec<NamedPatterns> = dialects.flat_map(|service| service.sets().iter().copied()).collect();
    if names.is_empty() {
        return Ok(all.into_iter().filter(|set| set.stage == stage).collect());
    }
    let mut errors = Diagnostics::new();
    let mut found = Vec::new();
    for name in names {
        match all.iter().find(|set| set.name == name) {
            Some(set) => found.push(*set),
            None => {
                let near = nearest(name, all.iter().map(|set| set.name));
                let error = Diagnostic::error(format!("there is no set of patterns '{name}'"));
                errors.push(error.did_you_mean(near));
            }
        }
    }
    if errors.has_errors() { Err(errors) } else { Ok(found) }
}
