//! Instrumentation of passes, and IR printing.

use crate::run::rooted;
use crate::{OpHeader, Pass};
use minoan_ir::text::{self, PrintFlags};
use minoan_ir::verify::verify;
use minoan_ir::{Context, Module, Op};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// A pass execution that an [`Instrumentation`] observes.
pub struct PassEvent<'a> {
    /// The pass.
    pub pass: &'a dyn Pass,
    /// Index of the pass in its pipeline.
    pub node: usize,
    /// The operation that it runs on.
    pub op: OpHeader,
    /// The context.
    pub ctx: &'a Context,
    /// After the pass: whether it edited the body.
    pub edited: bool,
    /// The module and the path from it to the operation; only if [`Instrumentation::wants_ir`].
    pub ir: Option<(&'a Module, &'a [Op])>,
}

/// Observes each pass before and after it runs.
pub trait Instrumentation: Send + Sync {
    /// Whether the instrumentation inspects the IR, which disables threading.
    fn wants_ir(&self) -> bool {
        false
    }
    /// Called before a pass runs.
    fn before(&self, _: &PassEvent<'_>) {}
    /// Called after a pass has run.
    fn after(&self, _: &PassEvent<'_>) {}
    /// Called after a pass has failed or produced invalid IR.
    fn failed(&self, _: &PassEvent<'_>) {}
}

/// The passes around which IR is printed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum PrintWhen {
    /// No pass.
    #[default]
    Never,
    /// Passes with these names.
    Passes(Vec<String>),
    /// All passes.
    Always,
}

impl PrintWhen {
    fn fits(&self, pass: &dyn Pass) -> bool {
        match self {
            PrintWhen::Never => false,
            PrintWhen::Passes(names) => names.iter().any(|name| name == pass.name()),
            PrintWhen::Always => true,
        }
    }
}

/// Prints IR around passes: `--mlir-print-ir-before` and related flags.
#[derive(Default)]
pub struct PrintIr {
    /// Print before these passes.
    pub before: PrintWhen,
    /// Print after these passes.
    pub after: PrintWhen,
    /// After a pass, print only if it changed the IR.
    pub after_change: bool,
    /// After a pass, print only if it failed.
    pub after_failure: bool,
    /// Print the whole module instead of the operation.
    pub module_scope: bool,
    /// Print flags. Invalid IR is printed in generic form, since custom assemblies rely on verified IR.
    pub flags: PrintFlags,
    /// Print custom assemblies without verifying first.
    pub assume_verified: bool,
    /// Write each dump to a file in a directory tree that mirrors the operations, instead of standard error.
    pub tree: Option<PathBuf>,
    /// The number of the last file in each directory. As in MLIR, files in subdirectories continue its numbering.
    numbers: Mutex<std::collections::HashMap<PathBuf, usize>>,
}

impl PrintIr {
    /// Whether anything is ever printed.
    pub fn is_active(&self) -> bool {
        let PrintIr { before, after, after_change, after_failure, .. } = self;
        *before != PrintWhen::Never || *after != PrintWhen::Never || *after_change || *after_failure
    }

    fn print(&self, moment: &PassEvent<'_>, what: &str) {
        let Some((module, path)) = moment.ir else { return };
        let (body, op) = rooted(module, path);
        let view = body.op(op);
        let mut banner = format!("// -----// IR Dump {what}");
        if self.module_scope {
            let symbol = view.symbol_name().map_or(String::new(), |name| format!(": @{name}"));
            banner.push_str(&format!(" ('{}' operation{symbol})", view.name()));
        }
        banner.push_str(" //----- //");
        let generic = self.flags.generic || (!self.assume_verified && verify(module).is_err());
        let flags = PrintFlags { generic, ..self.flags.clone() };
        let ir = if self.module_scope || path.is_empty() {
            text::print_module(module, &flags)
        } else {
            text::print_op(body, op, &PrintFlags { local_scope: true, ..flags })
        };
        let text = format!("{banner}\n{}\n\n", ir.trim_end_matches('\n'));
        match &self.tree {
            // MLIR prints an additional empty line after a module.
            None => eprint!("{text}{}", if self.module_scope || path.is_empty() { "\n" } else { "" }),
            Some(tree) => {
                if let Err(error) = self.file(tree, module, path, moment.pass.name(), &text) {
                    eprintln!("cannot write below '{}': {error}", tree.display());
                }
            }
        }
    }

    /// The path of a dump, such as `builtin_module_no-symbol-name/func_func_main/0_1_cse.mlir`, with one number per
    /// level.
    fn file(&self, tree: &Path, module: &Module, path: &[Op], pass: &str, text: &str) -> std::io::Result<()> {
        let mut folder = tree.to_path_buf();
        let mut numbers = self.numbers.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut name = String::new();
        for depth in 0..=path.len() {
            let (body, op) = rooted(module, &path[..depth]);
            let view = body.op(op);
            let symbol = view.symbol_name().unwrap_or("no-symbol-name");
            let safe = |text: &str| text.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-', "_");
            folder.push(format!("{}_{}", safe(view.name()), safe(symbol)));
            let entry = numbers.entry(folder.clone());
            let number = if depth == path.len() { entry.and_modify(|last| *last += 1) } else { entry };
            name.push_str(&format!("{}_", number.or_insert(0)));
        }
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join(format!("{name}{pass}.mlir")), text)
    }
}

impl Instrumentation for PrintIr {
    fn wants_ir(&self) -> bool {
        self.is_active()
    }

    fn before(&self, moment: &PassEvent<'_>) {
        if self.before.fits(moment.pass) {
            self.print(moment, &format!("Before {}", moment.pass.name()));
        }
    }

    fn after(&self, moment: &PassEvent<'_>) {
        if self.after_failure || (self.after_change && !moment.edited) {
            return;
        }
        // "After change" without a list of passes applies to all passes.
        let fits = self.after.fits(moment.pass) || (self.after_change && self.after == PrintWhen::Never);
        if fits {
            self.print(moment, &format!("After {}", moment.pass.name()));
        }
    }

    fn failed(&self, moment: &PassEvent<'_>) {
        if self.after_failure || self.after.fits(moment.pass) {
            self.print(moment, &format!("After {} Failed", moment.pass.name()));
        }
    }
}
