//! Running and compiling functions.

use crate::Failure;
use crate::session::{Entry, Session};
use minoan_diag::Diagnostic;
use minoan_interp::Interpreter;
use minoan_ir::{Attr, Module, Type, lookup_symbol};
use minoan_pass::{Pass, Pipeline};
use minoan_passes::differentiate::{CheckpointLoops, Differentiate};
use minoan_services::{Datum, DiffOps, Tensor, TensorData, Trap, function_types};
use std::rc::Rc;

/// The backend that executes a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Backend {
    /// Compiled to machine code in this process.
    Jit,
    /// Interpreted on tensors, one operation at a time: the reference for compiled code.
    Interpret,
    /// Interpreted on planned buffers; reports uses after free, double frees and leaks.
    InterpretBuffers,
}

/// A function that is ready to be called; see [`Session::prepare`].
pub struct Prepared<'s> {
    session: &'s Session,
    ready: Ready,
}

/// A function in the form that a back end executes.
enum Ready {
    /// On tensors, with the derivatives that it requests.
    Tensors(Entry),
    /// On buffers.
    Buffers(Entry),
    #[cfg(feature = "mlir")]
    Loaded(crate::Loaded),
}

impl Prepared<'_> {
    /// Calls the function, as [`Session::run`] does.
    ///
    /// # Errors
    /// As [`Session::run`].
    pub fn call(&self, args: &[Datum]) -> Result<Vec<Datum>, Failure> {
        match &self.ready {
            Ready::Tensors(Entry { module, symbol, interface }) => {
                interface.check_args(args)?;
                self.session.interpret(module, symbol, args)
            }
            Ready::Buffers(Entry { module, symbol, interface }) => {
                interface.check_args(args)?;
                self.session.interpret_buffers(module, symbol, args)
            }
            #[cfg(feature = "mlir")]
            Ready::Loaded(loaded) => loaded.call(args),
        }
    }
}

impl Session {
    /// Runs a function with arguments as [`Interface::parse_args`](crate::interface::Interface::parse_args) returns
    /// them. The output of the program goes to standard output.
    ///
    /// # Errors
    /// Arguments that do not match the interface, an undefined function, a back end that this build lacks; as
    /// [`FailureKind::Fault`](crate::FailureKind::Fault), a failure of the program while it runs.
    pub fn run(&self, entry: &Entry, args: &[Datum], backend: Backend) -> Result<Vec<Datum>, Failure> {
        self.check_linked(&entry.module)?;
        entry.interface.check_args(args)?;
        match backend {
            Backend::Interpret if <dyn DiffOps>::is_requested(entry.module.body()) => {
                let mut module = entry.module.clone();
                self.differentiate(&mut module)?;
                self.interpret(&module, &entry.symbol, args)
            }
            Backend::Interpret => self.interpret(&entry.module, &entry.symbol, args),
            Backend::InterpretBuffers => {
                let mut module = entry.module.clone();
                self.advance_to_interpret(&mut module)?;
                self.interpret_buffers(&module, &entry.symbol, args)
            }
            #[cfg(feature = "mlir")]
            Backend::Jit => self.jit(entry, args),
            #[cfg(not(feature = "mlir"))]
            Backend::Jit => Err(without_mlir()),
        }
    }

    /// Runs a function as machine code with the runtime in checking mode, and reports its allocations.
    ///
    /// # Errors
    /// As [`Session::run`]. Additionally, as faults: a block that is freed twice, and the blocks and objects that are left
    /// after the run, at the places where the blocks were allocated.
    #[cfg(feature = "mlir")]
    pub fn run_checked(
        &self,
        entry: &Entry,
        args: &[Datum],
    ) -> Result<(Vec<Datum>, minoan_runtime::MemoryReport), Failure> {
        let objects = minoan_runtime::live_objects();
        minoan_runtime::set_memory_check(true);
        let results = self.run(entry, args, Backend::Jit);
        let report = minoan_runtime::memory_report();
        minoan_runtime::set_memory_check(false);
        let results = results?;
        let mut leaks: minoan_diag::Diagnostics = report.live.iter().map(leak).collect();
        let left = minoan_runtime::live_objects() - objects;
        if left > 0 {
            leaks.push(Diagnostic::error(format!("{left} objects on the heap are not freed")));
        }
        if leaks.has_errors() {
            return Err(Failure::fault(leaks));
        }
        Ok((results, report))
    }

    /// Makes a function ready to be called many times: its derivatives are created, and it is compiled, only once.
    ///
    /// # Errors
    /// A function is not linked, the build lacks the back end, or passes, MLIR or LLVM report errors.
    pub fn prepare(&self, entry: &Entry, backend: Backend) -> Result<Prepared<'_>, Failure> {
        self.check_linked(&entry.module)?;
        let ready = match backend {
            Backend::Interpret => {
                let mut entry = entry.clone();
                self.differentiate(&mut entry.module)?;
                Ready::Tensors(entry)
            }
            Backend::InterpretBuffers => {
                let mut entry = entry.clone();
                self.advance_to_interpret(&mut entry.module)?;
                Ready::Buffers(entry)
            }
            #[cfg(feature = "mlir")]
            Backend::Jit => Ready::Loaded(self.load(entry)?),
            #[cfg(not(feature = "mlir"))]
            Backend::Jit => return Err(without_mlir()),
        };
        Ok(Prepared { session: self, ready })
    }

    /// Creates the derivatives that a module requests, which the other back ends do in their pipeline.
    fn differentiate(&self, module: &mut Module) -> Result<(), Failure> {
        let mut passes: Vec<Box<dyn Pass>> = vec![Box::new(Differentiate)];
        if self.options.checkpoint {
            passes.insert(0, Box::new(CheckpointLoops));
        }
        self.run_pipeline(module, &Pipeline::new(passes))
    }

    fn interpret(&self, module: &Module, symbol: &str, args: &[Datum]) -> Result<Vec<Datum>, Failure> {
        let mut machine = with_runtime(Interpreter::new(module));
        let args = self.arguments(&mut machine, module, symbol, args);
        let results = machine.call(symbol, &args).map_err(|trap| self.trapped(trap))?;
        minoan_runtime::minoan_flush();
        self.defined(self.contents(&results)?)
    }

    fn interpret_buffers(
        &self,
        module: &Module,
        symbol: &str,
        args: &[Datum],
    ) -> Result<Vec<Datum>, Failure> {
        let mut machine = with_runtime(Interpreter::new(module));
        let args = self.arguments(&mut machine, module, symbol, args);
        let given = args.iter().filter(|arg| matches!(arg, Datum::Buffer(_))).count();
        let results = machine.call(symbol, &args).map_err(|trap| self.trapped(trap))?;
        minoan_runtime::minoan_flush();
        let returned = results.iter().filter(|result| matches!(result, Datum::Buffer(_))).count();
        machine.check_owners(&results).map_err(|trap| self.trapped(trap))?;
        let leaked = machine.live_buffers().saturating_sub(given + returned);
        if leaked > 0 {
            return Err(Diagnostic::error(format!("{leaked} buffers were not freed")).into());
        }
        self.defined(self.contents(&results)?)
    }

    /// The arguments of a function in the interpreter: buffers for its parameters of memref types.
    fn arguments(
        &self,
        machine: &mut Interpreter<'_>,
        module: &Module,
        symbol: &str,
        args: &[Datum],
    ) -> Vec<Datum> {
        let parameters = parameters(module, symbol);
        let arg = |(index, arg): (usize, &Datum)| match (parameters.get(index), arg) {
            (Some(ty), Datum::Tensor(tensor)) if ty.is_memref(self.context()) => {
                Datum::Buffer(machine.buffer(Tensor::clone(tensor)))
            }
            _ => arg.clone(),
        };
        args.iter().enumerate().map(arg).collect()
    }

    /// Results with the contents of buffers in place of buffers, also in objects.
    fn contents(&self, results: &[Datum]) -> Result<Vec<Datum>, Failure> {
        let read = |result: &Datum| match result {
            Datum::Buffer(buffer) => buffer.read(|tensor| Ok(Datum::Tensor(Rc::new(tensor.clone())))),
            other => Ok(other.clone()),
        };
        let result = |result: &Datum| {
            if let Datum::Object(object) = result {
                object.replace_values(&read)?;
            }
            read(result)
        };
        results.iter().map(result).collect::<Result<_, _>>().map_err(|trap| self.trapped(trap))
    }

    /// Checks that no result is poison, which compiled code cannot represent.
    fn defined(&self, results: Vec<Datum>) -> Result<Vec<Datum>, Failure> {
        if results.iter().any(Datum::has_poison) {
            return Err(self.trapped(Trap::undefined("a result has no defined value")));
        }
        Ok(results)
    }

    fn trapped(&self, trap: Trap) -> Failure {
        minoan_runtime::minoan_flush();
        Failure::fault(Diagnostic::error(trap.message).at(trap.loc.place(self.context())))
    }
}

/// The error for blocks that a program does not free.
#[cfg(feature = "mlir")]
fn leak(blocks: &minoan_runtime::LiveBlocks) -> Diagnostic {
    let place = blocks.place.as_ref().map_or_else(String::new, |place| format!("{place}: "));
    let bytes = blocks.bytes;
    let text = match blocks.count {
        1 => format!("1 block of {bytes} bytes that is allocated here is not freed"),
        count => format!("{count} blocks of {bytes} bytes that are allocated here are not freed"),
    };
    minoan_llvm::located_error(&format!("{place}{text}"))
}

#[cfg(not(feature = "mlir"))]
fn without_mlir() -> Failure {
    Diagnostic::error("this build cannot compile to machine code: its feature 'mlir' is off").into()
}

/// The types of the parameters of a function; empty if the function does not exist.
fn parameters<'m>(module: &'m Module, symbol: &str) -> &'m [Type] {
    let body = module.body();
    let symbol = Attr::symbol_ref(body.context(), symbol);
    let types = lookup_symbol(body, symbol).and_then(|(body, op)| function_types(body.op(op)));
    types.map_or(&[], |(parameters, _)| parameters)
}

/// Registers the runtime functions that compiled code calls in the interpreter.
fn with_runtime<'m>(machine: Interpreter<'m>) -> Interpreter<'m> {
    type Run = fn(&[Datum]) -> Result<Option<Datum>, Trap>;
    let table: [(&str, Run); 10] = [
        ("minoan_print_i64", |args| {
            minoan_runtime::minoan_print_i64(args[0].int()?);
            Ok(None)
        }),
        ("minoan_print_u64", |args| {
            minoan_runtime::minoan_print_u64(args[0].int()? as u64);
            Ok(None)
        }),
        ("minoan_print_i1", |args| {
            minoan_runtime::minoan_print_bool(u8::from(args[0].bool()?));
            Ok(None)
        }),
        ("minoan_print_f32", |args| {
            minoan_runtime::minoan_print_f32(float(&args[0])? as f32);
            Ok(None)
        }),
        ("minoan_print_f64", |args| {
            minoan_runtime::minoan_print_f64(float(&args[0])?);
            Ok(None)
        }),
        ("minoan_print_text", |args| {
            let bytes = |tensor: &Tensor| match &tensor.data {
                TensorData::Int(data) => Ok(data.iter().map(|&byte| byte as u8).collect::<Vec<u8>>()),
                _ => Err(Trap::new("text is made of bytes")),
            };
            let bytes = match &args[0] {
                Datum::Buffer(buffer) => buffer.read(bytes)?,
                other => bytes(other.tensor()?)?,
            };
            minoan_runtime::write_bytes(&bytes);
            Ok(None)
        }),
        ("minoan_nanoseconds", |args| Ok(Some(minoan_runtime::minoan_nanoseconds(float(&args[0])?).into()))),
        ("minoan_ranhashdoub", |args| Ok(Some(minoan_runtime::ranhashdoub(args[0].int()?).into()))),
        ("minoan_lgamma", |args| Ok(Some(minoan_runtime::minoan_lgamma(float(&args[0])?).into()))),
        ("minoan_erf", |args| Ok(Some(minoan_runtime::minoan_erf(float(&args[0])?).into()))),
    ];
    table.into_iter().fold(machine, |machine, (name, run)| {
        let external = move |args: &[Datum]| {
            if args.len() != 1 {
                return Err(Trap::new(format!("'{name}' takes one argument")));
            }
            run(args).map(|result| result.into_iter().collect())
        };
        machine.with_external(name, Box::new(external))
    })
}

fn float(datum: &Datum) -> Result<f64, Trap> {
    match datum {
        Datum::F32(value) => Ok(f64::from(*value)),
        Datum::F64(value) => Ok(*value),
        other => Err(other.is_not("a float")),
    }
}
