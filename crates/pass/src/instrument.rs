//! What wants to know when passes run; and the printing of IR around passes.

use crate::run::rooted;
use crate::{OpHeader, Pass};
use minoan_ir::text::{self, PrintFlags};
use minoan_ir::verify::verify;
use minoan_ir::{Context, Module, Op};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// A pass that is about to run, or has run.
pub struct PassEvent<'a> {
    /// The pass.
    pub pass: &'a dyn Pass,
    /// Number of the pass in its pipeline.
    pub node: usize,
    /// The operation it runs on.
    pub op: OpHeader,
    /// The context.
    pub ctx: &'a Context,
    /// Afterwards: whether the pass edited anything.
    pub edited: bool,
    /// The module, and the way from it to the operation; only for who asked with [`Instrumentation::wants_ir`].
    pub ir: Option<(&'a Module, &'a [Op])>,
}

/// Hears of each pass before and after it runs.
pub trait Instrumentation: Send + Sync {
    /// Whether it looks at the IR. Passes run on one thread then.
    fn wants_ir(&self) -> bool {
        false
    }
    /// A pass is about to run.
    fn before(&self, _: &PassEvent<'_>) {}
    /// A pass has run.
    fn after(&self, _: &PassEvent<'_>) {}
    /// A pass has failed, or left invalid IR.
    fn failed(&self, _: &PassEvent<'_>) {}
}

/// Around which passes IR is printed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum PrintWhen {
    /// None.
    #[default]
    Never,
    /// Those of these names.
    Passes(Vec<String>),
    /// All.
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

/// Prints IR around passes: `--mlir-print-ir-before` and its kin.
#[derive(Default)]
pub struct PrintIr {
    /// Before these passes.
    pub before: PrintWhen,
    /// After these passes.
    pub after: PrintWhen,
    /// Afterwards only if the pass edited anything.
    pub after_change: bool,
    /// Afterwards only if the pass failed.
    pub after_failure: bool,
    /// The whole module, not just the operation.
    pub module_scope: bool,
    /// How it is printed. What breaks a rule is printed in generic form, since custom forms rely on the rules.
    pub flags: PrintFlags,
    /// Print custom forms without asking whether the rules are obeyed.
    pub assume_verified: bool,
    /// A file for each printing, in a tree of folders like the operations, in place of standard error.
    pub tree: Option<PathBuf>,
    /// Number of the last file in each folder. As in MLIR, files further inside are numbered under it.
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
            // As MLIR does: one more empty line after what is printed as a whole.
            None => eprint!("{text}{}", if self.module_scope || path.is_empty() { "\n" } else { "" }),
            Some(tree) => {
                if let Err(error) = self.file(tree, module, path, moment.pass.name(), &text) {
                    eprintln!("cannot write below '{}': {error}", tree.display());
                }
            }
        }
    }

    /// `builtin_module_no-symbol-name/func_func_main/0_1_cse.mlir`: one number for each level.
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
        // "After change" alone means after all passes that change something.
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
