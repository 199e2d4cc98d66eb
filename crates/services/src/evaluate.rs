//! What operations compute.

use crate::{Buffer, Datum, Tensor};
use minoan_ir::{Body, Loc, OpRef, Region, Value, service};
use std::fmt;

/// What an operation computes, in plain Rust. Asked by the interpreter and by folding; it is what compiled code is
/// tested against. Without an answer an operation cannot be run.
pub trait Evaluate: Send + Sync {
    /// Computes the results (or where control goes) from the operands. Regions run through `machine`.
    ///
    /// # Errors
    /// A [`Trap`] ends the run: a failed assertion, an index out of bounds, undefined behaviour.
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap>;
}
service!(dyn Evaluate, "Evaluate", Optional);

/// A function as an answer.
#[derive(Clone, Copy, Debug)]
pub struct EvaluateFn(pub fn(OpRef<'_>, &[Datum], &mut dyn Machine) -> Result<Flow, Trap>);

impl Evaluate for EvaluateFn {
    fn evaluate(&self, op: OpRef<'_>, operands: &[Datum], machine: &mut dyn Machine) -> Result<Flow, Trap> {
        (self.0)(op, operands, machine)
    }
}

/// What comes after an operation.
#[derive(Clone, PartialEq, Debug)]
pub enum Flow {
    /// The next operation; these are the results.
    Next(Vec<Datum>),
    /// The operation around this one gets these values: the region is done.
    Yield(Vec<Datum>),
    /// A block, by successor number, with its arguments.
    Branch(usize, Vec<Datum>),
}

impl Flow {
    /// One result.
    pub fn one(result: impl Into<Datum>) -> Result<Flow, Trap> {
        Ok(Flow::Next(vec![result.into()]))
    }

    /// No result.
    pub fn none() -> Result<Flow, Trap> {
        Ok(Flow::Next(Vec::new()))
    }
}

/// What an evaluation can call on.
pub trait Machine {
    /// Runs a region with arguments for its entry block, up to the values that it yields.
    fn run_region(&mut self, body: &Body, region: Region, args: &[Datum]) -> Result<Vec<Datum>, Trap>;
    /// The value of an operand of an operation inside, for one that evaluates the operations of its region itself.
    fn value(&self, body: &Body, value: Value) -> Result<Datum, Trap>;
    /// Calls a function of the module, or of the runtime, by its symbol.
    fn call(&mut self, symbol: &str, args: &[Datum], loc: Loc) -> Result<Vec<Datum>, Trap>;
    /// The constant contents of a symbol, such as a global.
    fn global(&mut self, symbol: &str) -> Result<Buffer, Trap>;
    /// New storage, which is watched for use after it is freed.
    fn alloc(&mut self, contents: Tensor) -> Buffer;
    /// Frees storage.
    fn free(&mut self, buffer: &Buffer) -> Result<(), Trap>;
    /// Where the innermost computation over an iteration domain stands.
    fn point(&self) -> &[i64];
    /// Goes to a point, and gives the one before it. Whoever enters a domain goes back when it leaves.
    fn go_to(&mut self, point: Vec<i64>) -> Vec<i64>;
    /// Counts work, so that a run without end can be bounded.
    fn tick(&mut self, steps: u64) -> Result<(), Trap>;
}

/// The end of a run that does not give values.
#[derive(Clone, PartialEq, Debug)]
pub struct Trap {
    /// What happened.
    pub message: String,
    /// Where, once known.
    pub loc: Loc,
    /// Whether the program's own assertion failed, and the message is its.
    pub is_assertion: bool,
}

impl Trap {
    /// A trap whose place the machine fills in.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), loc: Loc::UNKNOWN, is_assertion: false }
    }

    /// A failed assertion of the program.
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
