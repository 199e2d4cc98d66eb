//! The interpreter: executes a module by evaluating its operations through the [`Evaluate`] service.
//!
//! The interpreter knows no dialect. Operations implement [`Evaluate`]; functions are symbols whose operation has the trait
//! `FUNCTION_LIKE`; control passes between blocks by [`Flow::Branch`](minoan_services::Flow); the contents of a global are the
//! value of its operation.
//!
//! Guarantees:
//! * No module crashes the interpreter. Undefined behavior, operations without an evaluation, and unbounded
//!   recursion and loops (with a limit set by [`Interpreter::with_max_steps`]) produce a [`Trap`] at the location of
//!   the operation.
//! * Memory errors are detected: use after free, double free and leaks ([`Interpreter::live_buffers`]).
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
mod objects;

use frame::Frame;
use memory::Memory;
use minoan_ir::{Module, Op, ServiceTable, SymbolTable};
use minoan_services::{Buffer, Datum, Evaluate, Tensor, Trap};
use objects::Objects;
use rustc_hash::FxHashMap;

/// An external function, called for a function declaration without a body.
pub type External<'m> = Box<dyn FnMut(&[Datum]) -> Result<Vec<Datum>, Trap> + 'm>;

/// The default limit of the depth of calls.
pub const MAX_CALLS: usize = 10_000_000;

/// Upper bound on the memory of the values and positions of active calls, in bytes.
const MAX_STACK: usize = 1 << 30;

/// Upper bound on the value tables that are kept for reuse.
const MAX_SPARE: usize = 64;

/// Upper bound on the nesting of operations that execute their regions themselves, such as loops, with calls in them.
const MAX_NESTING: usize = 100_000;

/// Executes the functions of a module.
pub struct Interpreter<'m> {
    module: &'m Module,
    symbols: SymbolTable,
    services: Option<&'m ServiceTable<dyn Evaluate>>,
    externals: FxHashMap<String, External<'m>>,
    frames: Vec<Frame>,
    /// Value tables of finished calls, kept for reuse, at most [`MAX_SPARE`].
    spare: Vec<Vec<Option<Datum>>>,
    /// Cached values of non-scalar constants, by operation.
    constants: FxHashMap<Op, Datum>,
    memory: Memory,
    /// The current index vector of the innermost iteration domain.
    point: Vec<i64>,
    /// The number of active calls and regions.
    depth: usize,
    /// The memory of the values and positions of active calls and regions, in bytes.
    stack: usize,
    /// The number of active levels on the native stack.
    nesting: usize,
    steps: u64,
    objects: Objects,
    max_steps: u64,
    max_calls: usize,
}

impl<'m> Interpreter<'m> {
    /// Creates an interpreter for a module that passes the verifier.
    pub fn new(module: &'m Module) -> Self {
        Self {
            module,
            symbols: SymbolTable::of(module.body()),
            services: module.context().service_table::<dyn Evaluate>(),
            externals: FxHashMap::default(),
            point: Vec::new(),
            frames: Vec::new(),
            spare: Vec::new(),
            constants: FxHashMap::default(),
            memory: Memory::default(),
            depth: 0,
            stack: 0,
            nesting: 0,
            steps: 0,
            objects: Objects::default(),
            max_steps: u64::MAX,
            max_calls: MAX_CALLS,
        }
    }

    /// Limits the number of steps: each operation counts 1, plus the number of elements that it computes.
    pub fn with_max_steps(mut self, steps: u64) -> Self {
        self.max_steps = steps;
        self
    }

    /// Limits the number of nested calls and regions; [`MAX_CALLS`] by default.
    pub fn with_max_calls(mut self, calls: usize) -> Self {
        self.max_calls = calls;
        self
    }

    /// Registers an external function, which is called for declarations without a body and for symbols that the
    /// module does not declare.
    pub fn with_external(mut self, name: impl Into<String>, function: External<'m>) -> Self {
        self.externals.insert(name.into(), function);
        self
    }

    /// Calls a function.
    ///
    /// # Errors
    /// The trap that ended the execution, an unknown function, or a wrong number of arguments.
    pub fn call(&mut self, symbol: &str, args: &[Datum]) -> Result<Vec<Datum>, Trap> {
        self.call_symbol(symbol, args)
    }

    /// Allocates a buffer as if the program had done so.
    pub fn buffer(&mut self, contents: Tensor) -> Buffer {
        self.memory.alloc(contents)
    }

    /// The number of objects whose owners the program counts and that are not freed.
    pub fn live_objects(&self) -> i64 {
        self.objects.live()
    }

    /// Compares the counts of the live objects with their owners, which are the slots of live objects and `owned`, the
    /// results of a call. Returns the number of objects that are unreachable from `owned` and own each other through a
    /// reference, so that only a collector of cycles frees them.
    ///
    /// # Errors
    /// The count of an object differs from the number of its owners: the object is never freed, or freed too early.
    pub fn check_owners(&self, owned: &[Datum]) -> Result<usize, Trap> {
        self.objects.check(owned)
    }

    /// The number of buffers that have been allocated and not freed.
    pub fn live_buffers(&self) -> usize {
        self.memory.live()
    }

    /// The number of steps executed so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }
}
