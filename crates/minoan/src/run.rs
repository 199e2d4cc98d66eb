//! Running and compiling functions.

use crate::Failure;
use crate::session::{Entry, Session, Stage};
use minoan_diag::Diagnostic;
use minoan_interp::Interpreter;
use minoan_ir::Module;
use minoan_pass::{PassManager, Pipeline};
use minoan_passes::differentiate::Differentiate;
use minoan_services::{Datum, DiffOps, Tensor, TensorData, Trap};
use std::rc::Rc;

/// How a function is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Backend {
    /// Compiled to machine code in this process.
    Jit,
    /// Interpreted on tensors, one operation at a time: the reference for compiled code.
    Interpret,
    /// Interpreted on planned buffers; reports uses after free, double frees and leaks.
    InterpretBuffers,
}

impl Session {
    /// Runs a function with arguments as [`Interface::parse_args`](crate::interface::Interface::parse_args) returns
    /// them. The output of the program goes to standard output.
    ///
    /// # Errors
    /// Arguments that do not match the interface, an undefined function, a back end that this build lacks; with the
    /// exit code [`Fault::EXIT_CODE`](minoan_runtime::Fault::EXIT_CODE), a fault of the program: a failed assertion,
    /// a division by zero, recursion that is too deep.
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
                self.advance(&mut module, Stage::Buffers)?;
                self.interpret_buffers(&module, &entry.symbol, args)
            }
            #[cfg(feature = "mlir")]
            Backend::Jit => self.jit(entry, args),
            #[cfg(not(feature = "mlir"))]
            Backend::Jit => {
                Err(Diagnostic::error("this build cannot compile to machine code: its feature 'mlir' is off")
                    .into())
            }
        }
    }

    /// Creates the derivatives that a module requests, which the other back ends do in their pipeline.
    fn differentiate(&self, module: &mut Module) -> Result<(), Failure> {
        let pipeline = Pipeline::new(vec![Box::new(Differentiate)]);
        PassManager::new(&pipeline).verify_each(self.options.verify_each).run(module).into_result()?;
        Ok(())
    }

    fn interpret(&self, module: &Module, symbol: &str, args: &[Datum]) -> Result<Vec<Datum>, Failure> {
        let mut machine = with_runtime(Interpreter::new(module));
        let results = machine.call(symbol, args).map_err(|trap| self.trapped(trap))?;
        minoan_runtime::minoan_flush();
        self.defined(results)
    }

    fn interpret_buffers(
        &self,
        module: &Module,
        symbol: &str,
        args: &[Datum],
    ) -> Result<Vec<Datum>, Failure> {
        let mut machine = with_runtime(Interpreter::new(module));
        let args: Vec<Datum> = args
            .iter()
            .map(|arg| match arg {
                Datum::Tensor(tensor) => Datum::Buffer(machine.buffer(Tensor::clone(tensor))),
                scalar => scalar.clone(),
            })
            .collect();
        let given = args.iter().filter(|arg| matches!(arg, Datum::Buffer(_))).count();
        let results = machine.call(symbol, &args).map_err(|trap| self.trapped(trap))?;
        minoan_runtime::minoan_flush();
        let returned = results.iter().filter(|result| matches!(result, Datum::Buffer(_))).count();
        let leaked = machine.live_buffers().saturating_sub(given + returned);
        if leaked > 0 {
            return Err(Diagnostic::error(format!("{leaked} buffers were not freed")).into());
        }
        let read = |result: &Datum| match result {
            Datum::Buffer(buffer) => buffer.read(|tensor| Ok(Datum::Tensor(Rc::new(tensor.clone())))),
            scalar => Ok(scalar.clone()),
        };
        let contents =
            results.iter().map(read).collect::<Result<_, _>>().map_err(|trap| self.trapped(trap))?;
        self.defined(contents)
    }

    /// Results that compiled code would give as well: none is poison.
    fn defined(&self, results: Vec<Datum>) -> Result<Vec<Datum>, Failure> {
        if results.iter().any(Datum::has_poison) {
            return Err(self.trapped(Trap::undefined("a result has no defined value")));
        }
        Ok(results)
    }

    fn trapped(&self, trap: Trap) -> Failure {
        minoan_runtime::minoan_flush();
        let diagnostic = Diagnostic::error(trap.message).at(trap.loc.place(self.context()));
        Failure { diagnostics: diagnostic.into(), exit_code: minoan_runtime::Fault::EXIT_CODE }
    }
}

/// Gives the interpreter the runtime functions that compiled code calls.
fn with_runtime<'m>(machine: Interpreter<'m>) -> Interpreter<'m> {
    type Run = fn(&[Datum]) -> Result<Option<Datum>, Trap>;
    let table: [(&str, Run); 8] = [
        ("minoan_print_i64", |args| {
            minoan_runtime::minoan_print_i64(args[0].int()?);
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
        other => Err(Trap::new(format!("expected a float, found {other:?}"))),
    }
}

#[cfg(feature = "mlir")]
mod compile {
    use super::*;
    use crate::mlir::{CompileOptions, Compiled, Entries};
    use crate::recursion::recursive_functions;
    use crate::session::Options;
    use half::{bf16, f16};
    use minoan_diag::{Diagnostics, Place, Severity};
    use minoan_llvm::{
        AbiType, CallError, Jit, JitOptions, MemRef, Output, Scalar, Target, TargetOptions, Value,
    };
    use minoan_passes::convert_scf_to_cf::ConvertScfToCf;
    use minoan_runtime::{Fault, StackLimit};

    impl Session {
        pub(super) fn jit(&self, entry: &Entry, args: &[Datum]) -> Result<Vec<Datum>, Failure> {
            let compiled = self.compile(entry, &Entries::Jit, Output::Object)?;
            let loaded = minoan_mlir::load(&compiled, &JitOptions::default()).map_err(Diagnostics::from)?;
            call(&loaded, &entry.symbol, args, &recursive_functions(&entry.module))
        }

        /// Compiles a function to be called many times.
        ///
        /// # Errors
        /// What the passes, MLIR or LLVM report.
        pub fn load(&self, entry: &Entry) -> Result<Loaded, Failure> {
            let compiled = self.compile(entry, &Entries::Jit, Output::Object)?;
            let jit = minoan_mlir::load(&compiled, &JitOptions::default()).map_err(Diagnostics::from)?;
            let recursive = recursive_functions(&entry.module);
            Ok(Loaded { jit, symbol: entry.symbol.clone(), recursive })
        }

        /// Compiles a function to an object, assembly, LLVM IR or bitcode.
        ///
        /// # Errors
        /// What the passes, MLIR or LLVM report.
        pub fn compile(&self, entry: &Entry, entries: &Entries, output: Output) -> Result<Compiled, Failure> {
            self.compile_with(entry, entries, CompileOptions { output, ..CompileOptions::default() })
        }

        /// Compiles a function to the object of a shared library, which carries the
        /// [table](minoan_sip::table) of its functions and their signatures.
        ///
        /// # Errors
        /// What the passes, MLIR or LLVM report.
        pub fn compile_library(&self, entry: &Entry) -> Result<Compiled, Failure> {
            let table = crate::signature::table(&crate::signature::of_module(&entry.module)?);
            let data = vec![(minoan_sip::table::SYMBOL.to_owned(), table)];
            self.compile_with(entry, &Entries::Library, CompileOptions { data, ..CompileOptions::default() })
        }

        fn compile_with(
            &self,
            entry: &Entry,
            entries: &Entries,
            options: CompileOptions,
        ) -> Result<Compiled, Failure> {
            let mut module = entry.module.clone();
            self.advance(&mut module, Stage::Buffers)?;
            self.branches(&mut module)?;
            let Options { cpu, .. } = &self.options;
            let target = Target::host(&TargetOptions { cpu: cpu.clone(), ..TargetOptions::default() })
                .map_err(Diagnostics::from)?;
            let compile = |backend: &minoan_mlir::Backend| {
                let mut translated = backend.translate(&module)?;
                backend.verify(&translated)?;
                Ok(backend.compile(&mut translated, &target, entries, &options)?)
            };
            on_large_stack(&module, || self.with_backend(compile))
        }

        /// Converts structured control flow to branches, for MLIR takes quadratic time and deep recursion for nested
        /// regions. A module with structured control flow inside of other operations, such as `linalg.generic`, stays
        /// as it is, for those take one block only; MLIR converts it later.
        fn branches(&self, module: &mut Module) -> Result<(), Failure> {
            if !minoan_passes::convert_scf_to_cf::applies(module) {
                return Ok(());
            }
            let pipeline = Pipeline::new(vec![Box::new(ConvertScfToCf)]);
            PassManager::new(&pipeline).verify_each(self.options.verify_each).run(module).into_result()?;
            Ok(())
        }

        /// Lowers a module on buffers to the `llvm` dialect, as text.
        ///
        /// # Errors
        /// What MLIR reports.
        pub fn llvm_dialect(&self, module: &Module) -> Result<String, Failure> {
            let mut module = module.clone();
            self.branches(&mut module)?;
            let lower = |backend: &minoan_mlir::Backend| {
                let mut translated = backend.translate(&module)?;
                backend.verify(&translated)?;
                backend.lower_to_llvm_dialect(&mut translated, false)?;
                Ok(translated.as_operation().to_string())
            };
            on_large_stack(&module, || self.with_backend(lower))
        }
    }

    /// Stack for MLIR and LLVM, whose recursion follows the nesting of regions and the length of dependence chains.
    const COMPILER_STACK: StackLimit = StackLimit(1 << 30);

    /// Modules of more operations than this are compiled on the large stack.
    const MAX_OPS_ON_STACK: usize = 2_000;

    /// Compiles a module: a large one on a large stack, others on that of the thread.
    fn on_large_stack<R>(module: &Module, run: impl FnOnce() -> Result<R, Failure>) -> Result<R, Failure> {
        if module.ops().take(MAX_OPS_ON_STACK + 1).count() <= MAX_OPS_ON_STACK {
            return run();
        }
        minoan_runtime::run_on_big_stack(COMPILER_STACK, run)
            .unwrap_or_else(|fault| Err(Diagnostic::error(fault.to_string()).into()))
    }

    /// A compiled function in this process.
    pub struct Loaded {
        jit: Jit,
        symbol: String,
        /// The recursive functions, one of which exhausts the stack when that happens.
        recursive: Vec<Place>,
    }

    impl Loaded {
        /// Calls the function.
        ///
        /// # Errors
        /// Arguments that do not match the function's signature, or a fault of the program.
        pub fn call(&self, args: &[Datum]) -> Result<Vec<Datum>, Failure> {
            self.call_function(&self.symbol, args)
        }

        /// Calls any public function of its module.
        ///
        /// # Errors
        /// As [`Loaded::call`].
        pub fn call_function(&self, symbol: &str, args: &[Datum]) -> Result<Vec<Datum>, Failure> {
            call(&self.jit, symbol, args, &self.recursive)
        }
    }

    fn call(jit: &Jit, symbol: &str, args: &[Datum], recursive: &[Place]) -> Result<Vec<Datum>, Failure> {
        let types: &[AbiType] = jit.function(symbol).map_or(&[], |function| &function.signature.arguments);
        if types.len() != args.len() {
            let message = format!("'{symbol}' takes {} values, but {} are given", types.len(), args.len());
            return Err(Diagnostic::error(message).into());
        }
        let pairs = types.iter().zip(args);
        let mut values: Vec<Value> =
            pairs.map(|(ty, arg)| to_value(ty, arg)).collect::<Result<_, _>>().map_err(Diagnostics::from)?;
        let called = jit.call(symbol, &mut values);
        minoan_runtime::minoan_flush();
        match called {
            Ok(results) => Ok(results.iter().map(from_value).collect()),
            Err(error) => {
                let mut diagnostic = error.diagnostic();
                if let (CallError::Fault(Fault::StackOverflow(_)), Some(place)) = (&error, recursive.first())
                {
                    diagnostic = diagnostic.at(place.clone());
                    for other in &recursive[1..] {
                        let note = Diagnostic::new(Severity::Note, "this function is recursive, too");
                        diagnostic.notes.push(note.at(other.clone()));
                    }
                }
                Err(Failure { diagnostics: diagnostic.into(), exit_code: error.exit_code() })
            }
        }
    }

    /// A datum as a value of the compiled function: integers are truncated to their width.
    fn to_value(ty: &AbiType, datum: &Datum) -> Result<Value, Diagnostic> {
        let mismatch = || Diagnostic::error(format!("a value of type {ty} is expected"));
        match (ty, datum) {
            (AbiType::MemRef { element, .. }, Datum::Tensor(tensor)) => {
                let mut array = MemRef::zeros(*element, &tensor.shape)?;
                let size = element.size();
                for (at, slot) in array.bytes_mut().chunks_exact_mut(size).enumerate() {
                    match (tensor.data.get(at), element) {
                        (Datum::Int(value), _) => slot.copy_from_slice(&value.to_le_bytes()[..size]),
                        (Datum::F32(value), Scalar::F32) => slot.copy_from_slice(&value.to_le_bytes()),
                        (Datum::F32(value), Scalar::F16) => {
                            slot.copy_from_slice(&f16::from_f32(value).to_le_bytes());
                        }
                        (Datum::F32(value), Scalar::BF16) => {
                            slot.copy_from_slice(&bf16::from_f32(value).to_le_bytes());
                        }
                        (Datum::F64(value), Scalar::F64) => slot.copy_from_slice(&value.to_le_bytes()),
                        _ => return Err(mismatch()),
                    }
                }
                Ok(Value::MemRef(array))
            }
            (AbiType::Scalar(scalar), Datum::Int(value)) => match scalar {
                Scalar::I1 => Ok(Value::I1(*value != 0)),
                Scalar::I8 => Ok(Value::I8(*value as i8)),
                Scalar::I16 => Ok(Value::I16(*value as i16)),
                Scalar::I32 => Ok(Value::I32(*value as i32)),
                Scalar::I64 => Ok(Value::I64(*value)),
                _ => Err(mismatch()),
            },
            (AbiType::Scalar(Scalar::F16), Datum::F32(value)) => {
                Ok(Value::F16(f16::from_f32(*value).to_bits()))
            }
            (AbiType::Scalar(Scalar::BF16), Datum::F32(value)) => {
                Ok(Value::BF16(bf16::from_f32(*value).to_bits()))
            }
            (AbiType::Scalar(Scalar::F32), Datum::F32(value)) => Ok(Value::F32(*value)),
            (AbiType::Scalar(Scalar::F64), Datum::F64(value)) => Ok(Value::F64(*value)),
            _ => Err(mismatch()),
        }
    }

    fn from_value(value: &Value) -> Datum {
        match value {
            Value::I1(value) => (*value).into(),
            Value::I8(value) => Datum::Int(i64::from(*value)),
            Value::I16(value) => Datum::Int(i64::from(*value)),
            Value::I32(value) => Datum::Int(i64::from(*value)),
            Value::I64(value) => Datum::Int(*value),
            Value::F16(bits) => Datum::F32(f16::from_bits(*bits).to_f32()),
            Value::BF16(bits) => Datum::F32(bf16::from_bits(*bits).to_f32()),
            Value::F32(value) => Datum::F32(*value),
            Value::F64(value) => Datum::F64(*value),
            Value::MemRef(array) => from_array(array).into(),
        }
    }

    fn from_array(array: &MemRef) -> Tensor {
        let shape = array.shape().to_vec();
        let size = array.element().size();
        let halves = || array.bytes().chunks_exact(2).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]));
        let data = match array.element() {
            Scalar::F16 => TensorData::F32(halves().map(|bits| f16::from_bits(bits).to_f32()).collect()),
            Scalar::BF16 => TensorData::F32(halves().map(|bits| bf16::from_bits(bits).to_f32()).collect()),
            Scalar::F32 => TensorData::F32(array.as_slice::<f32>().unwrap_or(&[]).to_vec()),
            Scalar::F64 => TensorData::F64(array.as_slice::<f64>().unwrap_or(&[]).to_vec()),
            scalar => {
                let signed = scalar != Scalar::I1;
                let integer = |bytes: &[u8]| {
                    let fill = if signed && bytes[size - 1] >> 7 == 1 { 0xff } else { 0 };
                    let mut word = [fill; 8];
                    word[..size].copy_from_slice(bytes);
                    i64::from_le_bytes(word)
                };
                TensorData::Int(array.bytes().chunks_exact(size).map(integer).collect())
            }
        };
        Tensor { shape, data }
    }
}

#[cfg(feature = "mlir")]
pub use compile::Loaded;
