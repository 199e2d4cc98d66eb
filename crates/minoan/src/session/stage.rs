//! The stages of compilation.

use crate::language::Languages;
use minoan_diag::{Diagnostic, nearest};

/// A stage of compilation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// The dialect of the front end.
    FrontEnd,
    /// The shared dialects, on tensors.
    Shared,
    /// The shared dialects, on tensors, with kernels and their plans.
    Schedule,
    /// The shared dialects, on buffers with planned lifetimes.
    Buffers,
    /// MLIR's `llvm` dialect.
    LlvmDialect,
    /// Optimized LLVM IR.
    LlvmIr,
    /// Assembly.
    Assembly,
    /// An object file.
    Object,
    /// A shared library that contains the runtime.
    SharedLibrary,
    /// A program that contains the runtime.
    Executable,
    /// A header in C and C++ that declares the functions of an object or shared library.
    Header,
}

impl Stage {
    /// All stages with their names, in order of compilation.
    pub const ALL: [(&'static str, Stage); 11] = [
        ("source", Stage::FrontEnd),
        ("shared", Stage::Shared),
        ("schedule", Stage::Schedule),
        ("buffers", Stage::Buffers),
        ("llvm-dialect", Stage::LlvmDialect),
        ("llvm-ir", Stage::LlvmIr),
        ("asm", Stage::Assembly),
        ("obj", Stage::Object),
        ("so", Stage::SharedLibrary),
        ("exe", Stage::Executable),
        ("header", Stage::Header),
    ];

    /// Looks up a stage by name. The name of a front end denotes its dialect, `mlir` the shared dialects.
    ///
    /// # Errors
    /// The stage does not exist.
    pub fn named(name: &str) -> Result<Stage, Diagnostic> {
        Self::named_until(Stage::Header, &[], name)
    }

    /// [`Stage::named`] among the stages up to `last`, for a tool that supports no later ones. `others` are names that the tool
    /// accepts besides; the error lists them, too.
    ///
    /// # Errors
    /// The stage does not exist, or is later than `last`.
    pub fn named_until(last: Stage, others: &[&str], name: &str) -> Result<Stage, Diagnostic> {
        let known = match name {
            "mlir" => "shared",
            name if Languages::default().named(name).is_ok() => "source",
            name => name,
        };
        let stages = || Stage::ALL.into_iter().filter(|&(_, stage)| stage <= last);
        let found = stages().find(|(stage, _)| *stage == known).map(|(_, stage)| stage);
        found.ok_or_else(|| {
            let names: Vec<&str> = others.iter().copied().chain(stages().map(|(name, _)| name)).collect();
            let near = nearest(name, names.iter().copied());
            let near = near.map_or(String::new(), |near| format!("; did you mean '{near}'?"));
            Diagnostic::error(format!("the stages are {}{near}", names.join(", ")))
        })
    }
}
