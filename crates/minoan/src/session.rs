//! The way of a program through the compiler.

use crate::interface::Interface;
use crate::{Failure, context};
use minoan_diag::{Diagnostic, Diagnostics, FileId, SourceMap, nearest};
use minoan_func::Func;
use minoan_ir::text::{ParseOptions, parse_module};
use minoan_ir::{Context, Module, OpDef, verify::verify};
use minoan_knossos::emit::{EmitOptions, emit};
use minoan_knossos::{FnRef, TypedProgram};
use minoan_pass::{Pass, PassManager, Pipeline};
use minoan_passes::{
    dce::Dce, hoist_buffers::HoistBuffers, inline::Inline, lower::LowerFrontEnds,
    materialize_signatures::MaterializeSignatures, plan_buffers::PlanBuffers,
};
use minoan_services::FunctionSignature;
use std::path::Path;

/// The width of Knossos's `Float`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Float {
    /// 32 bits.
    #[default]
    F32,
    /// 64 bits.
    F64,
}

/// How far a program has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// The front end's own dialect.
    FrontEnd,
    /// The shared dialects, on tensors.
    Shared,
    /// The shared dialects, on buffers with a planned life.
    Buffers,
    /// MLIR's `llvm` dialect.
    LlvmDialect,
    /// LLVM IR, optimised.
    LlvmIr,
    /// Assembly.
    Assembly,
    /// An object file.
    Object,
    /// A shared library with the runtime inside.
    SharedLibrary,
}

impl Stage {
    /// Every stage with its name, in the order of the way.
    pub const ALL: [(&'static str, Stage); 8] = [
        ("knossos", Stage::FrontEnd),
        ("mlir", Stage::Shared),
        ("buffers", Stage::Buffers),
        ("llvm-dialect", Stage::LlvmDialect),
        ("llvm-ir", Stage::LlvmIr),
        ("asm", Stage::Assembly),
        ("obj", Stage::Object),
        ("so", Stage::SharedLibrary),
    ];
}

/// How to compile.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// A processor by LLVM's name; this one when `None`.
    pub cpu: Option<String>,
    /// Whether an index out of bounds ends the run with a message; without it, that is not checked.
    pub check_bounds: bool,
    /// Whether every pass is followed by the verifier.
    pub verify_each: bool,
}

/// A program that was read and checked.
pub enum Program {
    /// A Knossos program, and the warnings about it.
    Knossos(Box<TypedProgram>, Diagnostics),
    /// A module of operations.
    Module(Box<Module>),
}

impl Program {
    /// What is suspicious in it, though it is valid.
    pub fn warnings(&self) -> Diagnostics {
        match self {
            Program::Knossos(_, warnings) => warnings.clone(),
            Program::Module(_) => Diagnostics::new(),
        }
    }
}

/// A function of a program, in shared dialects on tensors, ready to run or to be compiled.
pub struct Entry {
    /// The module; the function in it is public.
    pub module: Module,
    /// Its symbol.
    pub symbol: String,
    /// What it takes and gives, as its source says.
    pub interface: Interface,
}

/// The name of standard input in messages and locations.
const STDIN: &str = "<stdin>";

/// One context, the files that were read, and how to compile.
pub struct Session {
    ctx: Context,
    sources: SourceMap,
    /// How to compile.
    pub options: Options,
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl Session {
    /// With all dialects of Minoan.
    pub fn new() -> Self {
        Self::with_context(context())
    }

    /// With a context of your own, which may hold more dialects.
    pub fn with_context(ctx: Context) -> Self {
        let options = Options { verify_each: true, ..Options::default() };
        Self { ctx, sources: SourceMap::new(), options }
    }

    /// The context.
    pub fn context(&self) -> &Context {
        &self.ctx
    }

    /// The files that were read: what diagnostics point into.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// Reads a file; `-` is standard input. Its ending says what it is: `.ks`, else MLIR's text. Standard input is
    /// Knossos when it begins with a parenthesis or one of Knossos's comments, as no module of MLIR does.
    ///
    /// # Errors
    /// The file cannot be read, is not UTF-8, or is not a valid program.
    pub fn read(&self, path: &str) -> Result<Program, Failure> {
        self.read_with(path, &ParseOptions::default())
    }

    /// The same, with options for MLIR's text.
    ///
    /// # Errors
    /// As [`Session::read`].
    pub fn read_with(&self, path: &str, options: &ParseOptions) -> Result<Program, Failure> {
        self.read_loaded(self.open(path)?, options)
    }

    /// The text of a file, not yet read as a program; `-` is standard input.
    ///
    /// # Errors
    /// The file cannot be read, or is not UTF-8.
    pub fn open(&self, path: &str) -> Result<FileId, Failure> {
        let bytes = if path == "-" {
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes).map(|_| bytes)
        } else {
            std::fs::read(path)
        };
        let bytes = bytes.map_err(|error| Diagnostic::error(format!("cannot read '{path}': {error}")))?;
        let name = if path == "-" { STDIN } else { path };
        Ok(minoan_knossos::load(&self.sources, name, bytes)?)
    }

    /// Reads a program that is in memory already.
    ///
    /// # Errors
    /// It is not a valid program.
    pub fn read_text(&self, name: &str, text: &str) -> Result<Program, Failure> {
        self.read_loaded(self.sources.add(name, text), &ParseOptions::default())
    }

    /// Reads a program from a text that is among the sources.
    ///
    /// # Errors
    /// It is not a valid program.
    pub fn read_loaded(&self, file: FileId, options: &ParseOptions) -> Result<Program, Failure> {
        if self.is_knossos(file) {
            let (program, mut diagnostics) = minoan_knossos::parse(&self.sources, file);
            let (typed, found) = minoan_knossos::check(&program);
            diagnostics.append(found);
            if diagnostics.has_errors() {
                return Err(diagnostics.into());
            }
            Ok(Program::Knossos(Box::new(typed), diagnostics))
        } else {
            let module = parse_module(&self.ctx, &self.sources, file, options)?;
            verify(&module)?;
            Ok(Program::Module(Box::new(module)))
        }
    }

    fn is_knossos(&self, file: FileId) -> bool {
        let source = self.sources.file(file);
        let (name, text) = (&**source.name(), source.text().trim_start());
        match Path::new(name).extension() {
            Some(ending) => ending == "ks",
            None => name == STDIN && ["(", ")", ";", "#|"].iter().any(|start| text.starts_with(start)),
        }
    }

    /// A program as a module of operations, in its front end's dialect; of a Knossos program, what the roots reach,
    /// or all that can be called when there are none.
    ///
    /// # Errors
    /// What has no form yet, at its place.
    pub fn into_module(&self, program: Program, roots: &[FnRef], float: Float) -> Result<Module, Failure> {
        match program {
            Program::Module(module) => Ok(*module),
            Program::Knossos(..) => self.module(&program, roots, float),
        }
    }

    /// The same of a program that is kept.
    ///
    /// # Errors
    /// As [`Session::into_module`].
    pub fn module(&self, program: &Program, roots: &[FnRef], float: Float) -> Result<Module, Failure> {
        match program {
            Program::Module(module) => Ok((**module).clone()),
            Program::Knossos(typed, _) => {
                let all: Vec<FnRef> = match roots {
                    [] => typed
                        .defs
                        .iter()
                        .enumerate()
                        .map(|(at, _)| FnRef::Def(minoan_knossos::DefId(at as u32)))
                        .collect(),
                    roots => roots.to_vec(),
                };
                let options = EmitOptions {
                    float: match float {
                        Float::F32 => minoan_knossos::emit::FloatWidth::F32,
                        Float::F64 => minoan_knossos::emit::FloatWidth::F64,
                    },
                    check_bounds: self.options.check_bounds,
                };
                let module = emit(&self.ctx, &self.sources, typed, &all, &options)?;
                verify(&module)?;
                Ok(module)
            }
        }
    }

    /// Takes a module to a stage that is still Minoan's own IR.
    ///
    /// # Errors
    /// What the passes report.
    pub fn advance(&self, module: &mut Module, stage: Stage) -> Result<(), Failure> {
        let mut passes: Vec<Box<dyn Pass>> = Vec::new();
        if stage >= Stage::Shared {
            passes.push(Box::new(LowerFrontEnds));
            passes.push(Box::new(MaterializeSignatures));
        }
        if stage >= Stage::Buffers {
            passes.push(Box::new(Inline::default()));
            passes.push(Box::new(Dce));
            passes.push(Box::new(PlanBuffers));
            passes.push(Box::new(HoistBuffers));
        }
        let pipeline = Pipeline::new(passes);
        PassManager::new(&pipeline).verify_each(self.options.verify_each).run(module).into_result()?;
        Ok(())
    }

    /// A function of a program, in shared dialects. Of a Knossos program only what it reaches is taken.
    ///
    /// # Errors
    /// There is no such function, or a part of it has no form yet.
    pub fn entry(&self, program: &Program, name: &str, float: Float) -> Result<Entry, Failure> {
        match program {
            Program::Knossos(typed, _) => {
                let function = typed.find_entry(name)?;
                let mut module = self.module(program, &[function], float)?;
                self.advance(&mut module, Stage::Shared)?;
                let (arg, result) = typed.signature(function);
                let params = match function {
                    FnRef::Def(def) => typed.def(def).params.len(),
                    _ => 1,
                };
                let interface = Interface::of_knossos(&typed.types, arg, params, result, float);
                let symbol = public_symbol(&module, None)?;
                Ok(Entry { module, symbol, interface })
            }
            Program::Module(module) => {
                let mut module = (**module).clone();
                self.advance(&mut module, Stage::Shared)?;
                let symbol = public_symbol(&module, Some(name))?;
                let body = module.body();
                let table = minoan_ir::SymbolTable::of(body);
                let func = table.get(self.ctx.name(&symbol)).and_then(|op| body.op(op).cast::<Func>());
                let (inputs, results) =
                    func.map_or((&[][..], &[][..]), |func| func.signature(body, &self.ctx));
                let mut interface = Interface::of_types(&self.ctx, inputs, results)?;
                let signature = func.map(|func| FunctionSignature::read(body.op(func.op()))).transpose();
                if let Some(signature) = signature.map_err(Diagnostic::error)?.flatten() {
                    interface = interface.structured(signature.sip)?;
                }
                Ok(Entry { module, symbol, interface })
            }
        }
    }
}

/// The public function of a name, or the only one.
fn public_symbol(module: &Module, name: Option<&str>) -> Result<String, Failure> {
    let (body, ctx) = (module.body(), module.context());
    let is_public = |op: &minoan_ir::Op| {
        let view = body.op(*op);
        let visibility = view.attr(ctx.names().sym_visibility).and_then(|attr| attr.as_str(ctx));
        view.is::<Func>() && visibility.unwrap_or("public") == "public"
    };
    let public: Vec<&str> = body
        .block(module.block())
        .ops()
        .filter(is_public)
        .filter_map(|op| body.op(op).symbol_name())
        .collect();
    let found = match name {
        Some(name) => public.iter().find(|&&symbol| symbol == name),
        None => public.first(),
    };
    match found {
        Some(symbol) => Ok((*symbol).to_owned()),
        None => {
            let name = name.unwrap_or("main");
            let error = Diagnostic::error(format!("there is no public function '{name}'"));
            Err(error.did_you_mean(nearest(name, public)).into())
        }
    }
}
