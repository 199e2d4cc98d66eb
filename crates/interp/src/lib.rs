//! The interpreter: runs a module by asking each operation what it computes.
//!
//! It knows no dialect. Operations answer [`Evaluate`]; functions are symbols whose
//! operation has the trait `FUNCTION_LIKE`; blocks follow one another by [`Flow::Branch`](minoan_services::Flow);
//! a global's contents are what its operation evaluates to.
//!
//! Guarantees:
//! * A module never crashes it. Undefined behaviour, an operation that nobody can evaluate, recursion and loops
//!   without end (where [`Interpreter::with_max_steps`] sets a bound) give a [`Trap`], with
//!   the location of the operation.
//! * Storage is watched: use after free, a second free and what was never freed
//!   ([`Interpreter::live_buffers`]) are found out.
//! * Results are deterministic.
//!
//! ```
//! use minoan_interp::Interpreter;
//! use minoan_ir::{Context, Loc, Module};
//! let module = Module::new(&Context::bare(), Loc::UNKNOWN);
//! let mut run = Interpreter::new(&module);
//! let trap = run.call("main", &[]).expect_err("there is no function");
//! assert_eq!(trap.message, "no function '@main'");
//! ```
#![forbid(unsafe_code)]

mod calls;
mod frame;
mod memory;

use frame::Frame;
use memory::Memory;
use minoan_ir::{Module, Op, ServiceTable, SymbolTable};
use minoan_services::{Buffer, Datum, Evaluate, Tensor, Trap};
use rustc_hash::FxHashMap;

/// A function of the runtime: what a declaration without body stands for.
pub type External<'m> = Box<dyn FnMut(&[Datum]) -> Result<Vec<Datum>, Trap> + 'm>;

/// How many calls may be under way at once, where nothing else is said.
pub const MAX_CALLS: usize = 1_000_000;

/// Runs the functions of a module.
pub struct Interpreter<'m> {
    module: &'m Module,
    symbols: SymbolTable,
    answers: Option<&'m ServiceTable<dyn Evaluate>>,
    externals: FxHashMap<String, External<'m>>,
    frames: Vec<Frame>,
    /// Value tables of calls that are over, to use again.
    spare: Vec<Vec<Option<Datum>>>,
    /// What constants that are not scalars evaluated to, by operation.
    constants: FxHashMap<Op, Datum>,
    memory: Memory,
    /// Where the innermost iteration domain stands.
    point: Vec<i64>,
    /// Calls and regions under way.
    depth: usize,
    steps: u64,
    max_steps: u64,
    max_calls: usize,
}

impl<'m> Interpreter<'m> {
    /// An interpreter for a module that the verifier accepts.
    pub fn new(module: &'m Module) -> Self {
        Self {
            module,
            symbols: SymbolTable::of(module.body()),
            answers: module.context().service_table::<dyn Evaluate>(),
            externals: FxHashMap::default(),
            point: Vec::new(),
            frames: Vec::new(),
            spare: Vec::new(),
            constants: FxHashMap::default(),
            memory: Memory::default(),
            depth: 0,
            steps: 0,
            max_steps: u64::MAX,
            max_calls: MAX_CALLS,
        }
    }

    /// Bounds the work: an operation counts 1, and each element that it computes.
    pub fn with_max_steps(mut self, steps: u64) -> Self {
        self.max_steps = steps;
        self
    }

    /// Bounds how many calls and regions may be under way at once; [`MAX_CALLS`] at first.
    pub fn with_max_calls(mut self, calls: usize) -> Self {
        self.max_calls = calls;
        self
    }

    /// Registers a function of the runtime. Declarations without body, and calls of symbols that the module does
    /// not declare, go to it.
    pub fn with_external(mut self, name: impl Into<String>, function: External<'m>) -> Self {
        self.externals.insert(name.into(), function);
        self
    }

    /// Calls a function.
    ///
    /// # Errors
    /// What ended the run; there is no such function; the number of arguments is not that of the function.
    pub fn call(&mut self, symbol: &str, args: &[Datum]) -> Result<Vec<Datum>, Trap> {
        self.call_symbol(symbol, args)
    }

    /// New storage, as if the program had allocated it.
    pub fn buffer(&mut self, contents: Tensor) -> Buffer {
        self.memory.alloc(contents)
    }

    /// How many buffers were allocated and not freed.
    pub fn live_buffers(&self) -> usize {
        self.memory.live()
    }

    /// How much work was done so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }
}
