//! Pattern rewriting: patterns, and the drivers that apply them.
//!
//! * A [`Pattern`] matches an operation and rewrites it through a [`Rewriter`], which notifies a [`Listener`] of
//!   every edit. [`pattern!`] creates one from a left-hand and a right-hand side, which are checked at compile time.
//! * A [`PatternSet`] is frozen for a context: indexed by kind of operation, sorted by benefit and then by name, with
//!   patterns enabled and disabled by name.
//! * [`GreedyDriver`] folds, erases dead operations and applies patterns until a fixed point. [`walk_and_apply`]
//!   visits each operation once.
//! * [`Conversion`] rewrites operations that are illegal for a [`ConversionTarget`], with the types of a
//!   [`TypeConverter`].
//! * Dialects provide the patterns of `canonicalize` by the service [`CanonicalPatterns`], and named sets of patterns for other
//!   purposes by [`PatternSets`].
//!
//! The crate names no operation. The result of a driver depends only on the body, the patterns and the configuration, not on
//! threading. Bodies of isolated operations are separate and can be rewritten in parallel.
//!
//! ```
//! use minoan_ir::constraints::ANY;
//! use minoan_ir::{Builder, Context, Loc, Module, Op, Registry, Type, Value, dialect, op};
//! use minoan_rewrite::{GreedyConfig, GreedyDriver, PatternFilter, PatternSet, pattern};
//!
//! /// A number.
//! #[op("toy.number", assembly = "attr-dict `:` type($result)")]
//! pub struct Number {
//!     #[result(ANY)]
//!     result: Value,
//! }
//!
//! /// A negation.
//! #[op("toy.neg", traits(PURE, SAME_OPERANDS_AND_RESULT), assembly = "$operand attr-dict `:` type($result)")]
//! pub struct Neg {
//!     #[operand(ANY)]
//!     operand: Value,
//!     #[result(ANY)]
//!     result: Value,
//! }
//!
//! dialect! {
//!     /// Numbers and negations.
//!     pub ToyDialect = "toy": ops(Neg, Number)
//! }
//!
//! let mut registry = Registry::new();
//! registry.add(ToyDialect);
//! let ctx = Context::new(registry).expect("one dialect");
//! let mut module = Module::new(&ctx, Loc::UNKNOWN);
//! let block = module.block();
//! let mut b = Builder::at_end(module.body_mut(), block);
//! let x = Number::build(&mut b, Type::I32).result(b.body());
//! let negative = Neg::build(&mut b, x).result(b.body());
//! let twice = Neg::build(&mut b, negative).result(b.body());
//! let last = Neg::build(&mut b, twice);
//!
//! let mut patterns = PatternSet::new();
//! patterns.add(pattern!("negated-twice": Neg(Neg(x)) => x));
//! let frozen = patterns.freeze(&ctx, &PatternFilter::default()).expect("names differ");
//! assert!(GreedyDriver::new(&frozen, GreedyConfig::default()).run(module.body_mut()).changed);
//! ```
#![forbid(unsafe_code)]

mod attempt;
mod branch_table;
mod canonical;
mod cfg;
mod constants;
mod control_flow;
mod conversion;
mod dead;
mod dead_code;
mod gate;
mod greedy;
mod known;
mod merge_blocks;
mod named;
mod pattern;
mod regions;
mod rewriter;
mod set;
mod statistics;
mod trace;
mod walk;
mod worklist;

pub use branch_table::{BranchTable, Edge};
pub use canonical::{AddPatterns, CanonicalPatterns, canonical_patterns};
pub use cfg::{CfgStatistics, simplify_cfg};
pub use control_flow::{ToBranches, ToLoops};
pub use conversion::{
    Conversion, ConversionMode, ConversionTarget, Converted, DialectConversion, Legality, Lower, LowerBy,
    Lowering, TypeConversion, TypeConverter, Values, lower, reconcile_casts, unresolved_cast,
};
pub use dead::DeadOps;
pub use dead_code::{eliminate_dead_code, is_live_root};
pub use gate::Gate;
use gate::SKIPPED;
pub use greedy::{Bound, GreedyConfig, GreedyDriver, Outcome, RegionSimplify};
pub use merge_blocks::merge_identical_blocks;
pub use minoan_macros::pattern;
pub use named::{NamedPatterns, PatternSets, PatternStage, named_patterns};
pub use pattern::{Matched, NoMatch, Pattern, Root};
pub use regions::erase_unreachable_blocks;
pub use rewriter::{Listener, Rewriter};
pub use set::{FrozenPatterns, PatternFilter, PatternSet};
pub use statistics::{PatternStatistics, Statistics};
pub use trace::{Event, Trace, TreeLog};
pub use walk::{post_order, pre_order, walk_and_apply};
