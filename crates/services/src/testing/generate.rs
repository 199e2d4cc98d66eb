//! Random generation of operations.

use minoan_ir::{Builder, Context, Op, OpKind, Type, Value, service};
use std::ops::Range;

/// Generates random operations that are valid, and defined for all operands: no division by zero, no index out of
/// bounds, no infinite loop. Queried by differential testing of passes with random programs. Default: the operation is
/// not generated.
///
/// Only operations that implement [`Evaluate`](crate::Evaluate) are generated. [`Declared`](crate::Declared) suits
/// operations whose declaration is sufficient.
pub trait Generate: Send + Sync {
    /// The relative frequency among the operations of its dialect; dialects are equally likely.
    fn weight(&self, _ctx: &Context, _kind: OpKind) -> usize {
        1
    }

    /// Types of values that programs should contain for this dialect, in addition to scalars. Queried per dialect.
    fn types(&self, _ctx: &Context) -> Vec<Type> {
        Vec::new()
    }

    /// Generates an operation of this kind at the insertion point, which is at the end of a block, preceded by the
    /// operations that it needs. Its results become available. `None` if it cannot be generated; operations created
    /// so far remain and must be valid.
    fn generate(&self, kind: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op>;
}
service!(dyn Generate, "Generate", Optional);

/// The run-time extent of all dynamic dimensions in random programs.
pub const OPEN_EXTENT: i64 = 3;

/// The state of a random program under construction, through which [`Generate`] creates values and regions.
pub trait Maker {
    /// A random number in `0..bound`; `bound` must be positive.
    fn below(&mut self, bound: usize) -> usize;

    /// An available value whose type satisfies a predicate, with a preference for recent ones.
    fn existing(&mut self, b: &Builder<'_>, fits: &dyn Fn(Type) -> bool) -> Option<Value>;

    /// A value of a type: an available one or a constant; `None` if there is neither.
    fn value(&mut self, b: &mut Builder<'_>, ty: Type) -> Option<Value>;

    /// A constant of an integer type, or a splat of integers, with value `number`; `None` if no loaded dialect has
    /// such a constant.
    fn number(&mut self, b: &mut Builder<'_>, number: i64, ty: Type) -> Option<Value>;

    /// A value of type `index` that is always in a range: a constant, or a value registered by [`Maker::promise`].
    fn index_in(&mut self, b: &mut Builder<'_>, range: Range<i64>) -> Option<Value>;

    /// Makes a value available that is not a result of the generated operation.
    fn add(&mut self, value: Value);

    /// Registers that a value is always in a range.
    fn promise(&mut self, value: Value, range: Range<i64>);

    /// A type of the program's values that satisfies a predicate.
    fn ty(&mut self, fits: &dyn Fn(Type) -> bool) -> Option<Type>;

    /// At most `most` types for which [`Maker::value`] succeeds at the insertion point and in nested regions, for
    /// loop-carried values and results of conditionals.
    fn types(&mut self, b: &Builder<'_>, most: usize) -> Vec<Type>;

    /// Generates operations at the insertion point, and returns values of the types `inside.gives`. Nothing generated
    /// is available afterwards except the returned values.
    ///
    /// # Panics
    /// Panics if a requested type is not one of [`Maker::types`].
    fn inside(&mut self, b: &mut Builder<'_>, inside: &Inside<'_>) -> Vec<Value>;

    /// Whether the region at the insertion point may have several blocks.
    fn may_branch(&self) -> bool;

    /// The number of enclosing [`Maker::inside`] calls.
    fn depth(&self) -> usize;

    /// Chooses a function to call: its name, operands, and result types.
    fn call(&mut self, b: &mut Builder<'_>) -> Option<(String, Vec<Value>, Vec<Type>)>;

    /// In a recursive function: the recursion bound, a value of type `index`. A recursive call must pass a smaller
    /// bound, and is only allowed if the bound is not zero.
    fn countdown(&self) -> Option<Value>;

    /// Creates a recursive call of the current function with a smaller bound than [`Maker::countdown`], and returns
    /// its results. Afterwards [`Maker::countdown`] returns `None`, since one such call suffices.
    fn again(&mut self, b: &mut Builder<'_>, countdown: Value) -> Option<Vec<Value>>;

    /// The result types of the current function.
    fn results(&self) -> Vec<Type>;
}

/// The parameters of [`Maker::inside`].
#[derive(Clone, Debug)]
pub struct Inside<'a> {
    /// Additional available values: the arguments of the block.
    pub args: &'a [Value],
    /// Ranges of these values.
    pub ranges: &'a [(Value, Range<i64>)],
    /// The types of the values to return.
    pub gives: &'a [Type],
    /// Upper bound on the number of executions.
    pub times: usize,
    /// Whether operations may have side effects. If not, they may be executed in any order, or not at all.
    pub effects: bool,
    /// Whether several blocks are allowed.
    pub blocks: bool,
}

impl Inside<'_> {
    /// A single block, executed once, with side effects and without results.
    pub const ONCE: Inside<'static> =
        Inside { args: &[], ranges: &[], gives: &[], times: 1, effects: true, blocks: false };
}
