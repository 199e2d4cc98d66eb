//! Evaluation of operations.

use crate::{Buffer, Datum, Object, Tensor};
use minoan_ir::{Body, Loc, Name, OpDef, OpRef, Region, Value, service};
use std::fmt;

/// The executable semantics of an operation. Queried by the interpreter and by folding; compiled code is tested against
/// it. Default: the operation cannot be executed.
///
/// Undefined behavior is a [`Trap::undefined`]; an operation that traps on some operands must not be speculatable for
/// them (see [`Speculation`](crate::Speculation)). A result without a defined value is [`Datum::Poison`].
pub trait Evaluate: Send + Sync {
    /// Computes the results, or the control flow, from the operands. Regions are executed through `machine` or by the flow.
    ///
    /// # Errors
    /// A [`Trap`], which ends the execution: a failed assertion, an index out of bounds, undefined behavior.
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap>;
}
service!(dyn Evaluate, "Evaluate", Optional);

/// Implements [`Evaluate`] by a function.
#[derive(Clone, Copy, Debug)]
pub struct EvaluateFn(pub fn(OpRef<'_>, &[Datum], &mut dyn Machine) -> Result<Flow, Trap>);

impl Evaluate for EvaluateFn {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        (self.0)(op, operands, machine)
    }
}

/// Implements [`Evaluate`] for an operation of one kind with `N` operands and one result, by a function of its operands' values.
#[derive(Clone, Copy, Debug)]
pub struct EvaluateOp<O, const N: usize>(pub fn(O, &Body, [&Datum; N]) -> Result<Datum, Trap>);

impl<O: OpDef, const N: usize> Evaluate for EvaluateOp<O, N> {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        let wrong = |_| Trap::new(format!("'{}' has {} operands, not {N}", op.name(), operands.len()));
        let operands: &[Datum; N] = operands.try_into().map_err(wrong)?;
        Flow::one((self.0)(O::from_op_unchecked(op.id()), op.body(), operands.each_ref())?)
    }
}

/// Implements [`Evaluate`] for terminators that yield their operands to the operation around them.
#[derive(Clone, Copy, Debug)]
pub struct EvaluateYield;

impl Evaluate for EvaluateYield {
    fn evaluate(&self, _: OpRef<'_>, operands: &[Datum], _: &mut dyn Machine) -> Result<Flow, Trap> {
        Ok(Flow::Yield(operands.to_vec()))
    }
}

/// The continuation after an operation.
#[derive(Clone, PartialEq, Debug)]
pub enum Flow {
    /// Continues with the next operation; the values are the results.
    Next(Vec<Datum>),
    /// Leaves the region and returns the values to the enclosing operation.
    Yield(Vec<Datum>),
    /// Branches to a successor, by index, with its arguments.
    Branch(usize, Vec<Datum>),
    /// Executes a region of the operation once, with arguments for its entry block; the results are the values that it
    /// yields. Unlike [`Machine::run_region`], this takes no native stack.
    Enter(Region, Vec<Datum>),
    /// Calls a function by its symbol; the results are those of the call. Unlike [`Machine::call`], this takes no native
    /// stack.
    Call(Name, Vec<Datum>),
}

impl Flow {
    /// Continues with one result.
    pub fn one(result: impl Into<Datum>) -> Result<Flow, Trap> {
        Ok(Flow::Next(vec![result.into()]))
    }

    /// Continues without results.
    pub fn none() -> Result<Flow, Trap> {
        Ok(Flow::Next(Vec::new()))
    }
}

/// The execution environment of an evaluation.
pub trait Machine {
    /// Executes a region with arguments for its entry block; returns the values that it yields.
    fn run_region(&mut self, body: &Body, region: Region, args: &[Datum]) -> Result<Vec<Datum>, Trap>;
    /// The value of an operand of a nested operation, for operations that evaluate the operations of their regions
    /// themselves.
    fn value(&self, body: &Body, value: Value) -> Result<Datum, Trap>;
    /// Calls a function of the module, or an external function, by its symbol.
    fn call(&mut self, symbol: &str, args: &[Datum], loc: Loc) -> Result<Vec<Datum>, Trap>;
    /// The buffer of a global symbol.
    fn global(&mut self, symbol: &str) -> Result<Buffer, Trap>;
    /// Allocates a buffer, with detection of use after free.
    fn alloc(&mut self, contents: Tensor) -> Buffer;
    /// Allocates a buffer that the program may free, but need not: the buffer of a tensor.
    fn alloc_for_tensor(&mut self, contents: Tensor) -> Buffer {
        self.alloc(contents)
    }
    /// Frees a buffer.
    fn free(&mut self, buffer: &Buffer) -> Result<(), Trap>;
    /// The current point of the innermost iteration domain.
    fn point(&self) -> &[i64];
    /// Sets the current point and returns the previous one, which must be restored when the domain is left.
    fn go_to(&mut self, point: Vec<i64>) -> Vec<i64>;
    /// Counts steps, which limits nonterminating executions.
    fn tick(&mut self, steps: u64) -> Result<(), Trap>;
    /// Changes the number of live objects whose owners the program counts.
    fn count_objects(&mut self, change: i64) {
        let _ = change;
    }
    /// Records a new object whose owners the program counts.
    fn add_object(&mut self, object: &Object) {
        let _ = object;
        self.count_objects(1);
    }
}

/// The abnormal end of an execution.
#[derive(Clone, PartialEq, Debug)]
pub struct Trap {
    /// The message.
    pub message: String,
    /// The location, if known.
    pub loc: Loc,
    /// Whether the trap is a failed assertion of the program, whose message it has.
    pub is_assertion: bool,
    /// Whether the trap represents undefined behavior: compiled code may do anything.
    pub is_undefined: bool,
}

impl Trap {
    /// Creates a trap; the machine adds the location.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), loc: Loc::UNKNOWN, is_assertion: false, is_undefined: false }
    }

    /// Undefined behavior: a division by zero, a branch on poison.
    pub fn undefined(message: impl Into<String>) -> Self {
        Self { is_undefined: true, ..Self::new(message) }
    }

    /// Creates a trap for a failed assertion of the program.
    pub fn assertion(message: impl Into<String>) -> Self {
        Self { is_assertion: true, ..Self::new(message) }
    }
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)
    }
}

impl std::error::Error for Trap {}
