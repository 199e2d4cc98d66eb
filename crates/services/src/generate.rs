//! Random operations.

use minoan_ir::{Builder, Context, Op, OpKind, Type, Value, service};
use std::ops::Range;

/// Makes random operations that are valid, and defined whatever their operands are: no division by zero, no index out
/// of bounds, no loop without end. Asked by whoever tests passes with random programs; without an answer an operation
/// is in none of them.
///
/// Only operations that answer [`Evaluate`](crate::Evaluate) are asked for. [`Declared`](crate::Declared) answers for all
/// of which the declaration says enough.
pub trait Generate: Send + Sync {
    /// How often it is made, relative to the other operations of its dialect: dialects take turns.
    fn weight(&self, _ctx: &Context, _kind: OpKind) -> usize {
        1
    }

    /// Types of values that programs are to have for the sake of the dialect. Asked of dialects; those of scalars are
    /// there in any case.
    fn types(&self, _ctx: &Context) -> Vec<Type> {
        Vec::new()
    }

    /// Makes an operation of this kind at the cursor, which stands at the end of a block, and before it what it needs.
    /// The results can be used afterwards. `None` where it cannot be made from what there is; what was made by then
    /// stays, and must be valid.
    fn generate(&self, kind: OpKind, b: &mut Builder<'_>, maker: &mut dyn Maker) -> Option<Op>;
}
service!(dyn Generate, "Generate", Optional);

/// The extent that every dimension has at run time whose type leaves it open, in random programs.
pub const OPEN_EXTENT: i64 = 3;

/// A random program that is being made: what [`Generate`] can call on.
pub trait Maker {
    /// A random number from 0 up to, and without, `bound`, which is positive.
    fn below(&mut self, bound: usize) -> usize;

    /// A value that can be used at the cursor and whose type fits, the latest more often than others.
    fn existing(&mut self, b: &Builder<'_>, fits: &dyn Fn(Type) -> bool) -> Option<Value>;

    /// A value of a type: one that can be used at the cursor, or a constant; `None` where there is neither.
    fn value(&mut self, b: &mut Builder<'_>, ty: Type) -> Option<Value>;

    /// A constant of a type of integers, or of integers as elements, that are all `number`; `None` where no loaded
    /// dialect has such a constant.
    fn number(&mut self, b: &mut Builder<'_>, number: i64, ty: Type) -> Option<Value>;

    /// A value of type `index` that is in a range whatever happens: a constant, or one of [`Maker::promise`].
    fn index_in(&mut self, b: &mut Builder<'_>, range: Range<i64>) -> Option<Value>;

    /// Says that a value can be used from now on, which is not the result of the operation that is made.
    fn add(&mut self, value: Value);

    /// Says that a value is in a range whatever happens.
    fn promise(&mut self, value: Value, range: Range<i64>);

    /// One of the types that values of the program have, which fits.
    fn ty(&mut self, fits: &dyn Fn(Type) -> bool) -> Option<Type>;

    /// At most so many types of which [`Maker::value`] gives values at the cursor, and in regions there: what loops may
    /// carry and conditions may give.
    fn types(&mut self, b: &Builder<'_>, most: usize) -> Vec<Type>;

    /// Makes operations at the cursor, and gives values of the types `inside.gives`. What is made cannot be used
    /// afterwards, apart from what was given.
    ///
    /// # Panics
    /// If a type to give is not one of [`Maker::types`].
    fn inside(&mut self, b: &mut Builder<'_>, inside: &Inside<'_>) -> Vec<Value>;

    /// Whether other blocks may follow the one in which the cursor is: its region may have several.
    fn may_branch(&self) -> bool;

    /// How many operations the cursor is inside of that were made with [`Maker::inside`].
    fn depth(&self) -> usize;

    /// A call of a function that returns: the function's name, the operands, the types of its results.
    fn call(&mut self, b: &mut Builder<'_>) -> Option<(String, Vec<Value>, Vec<Type>)>;

    /// In a function that may call itself a number of times: that number, as a value of type `index`. Each call must pass
    /// one less, and none may be made when it is zero.
    fn countdown(&self) -> Option<Value>;

    /// Makes a call of the function that is being made, with a smaller number than [`Maker::countdown`], and gives its
    /// results. [`Maker::countdown`] gives none from then on: one such call is enough.
    fn again(&mut self, b: &mut Builder<'_>, countdown: Value) -> Option<Vec<Value>>;

    /// The types of the results of the function that is being made.
    fn results(&self) -> Vec<Type>;
}

/// What [`Maker::inside`] makes.
#[derive(Clone, Debug)]
pub struct Inside<'a> {
    /// Values that can be used there as well: the arguments of the block.
    pub args: &'a [Value],
    /// Which of them are in a range whatever happens.
    pub ranges: &'a [(Value, Range<i64>)],
    /// The types of the values that it gives.
    pub gives: &'a [Type],
    /// How often it runs at most.
    pub times: usize,
    /// Whether operations may have effects. Without them, they may be executed in any order, or not at all.
    pub effects: bool,
    /// Whether there may be several blocks.
    pub blocks: bool,
}

impl Inside<'_> {
    /// What runs once, with effects, in one block, and gives nothing.
    pub const ONCE: Inside<'static> =
        Inside { args: &[], ranges: &[], gives: &[], times: 1, effects: true, blocks: false };
}
