//! `print-op-stats`: counts operations by name.

use minoan_diag::Diagnostics;
use minoan_ir::Body;
use minoan_pass::{Pass, PassRun, own_options, pass_options};
use std::collections::BTreeMap;
use std::fmt::Write;

pass_options! {
    /// The options of the pass.
    pub struct PrintOpStatsOptions {
        /// Print JSON
        "json" json: bool = false,
    }
}

/// Prints the number of operations of each kind to standard error, excluding the operations that the pass runs on.
#[derive(Default)]
pub struct PrintOpStats {
    /// The options of this pass.
    pub options: PrintOpStatsOptions,
}

impl Pass for PrintOpStats {
    fn name(&self) -> &'static str {
        "print-op-stats"
    }

    fn description(&self) -> &'static str {
        "print statistics of operations"
    }

    own_options!();

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let mut counts: BTreeMap<&str, u64> = BTreeMap::from([(ctx.kind_name(run.op().kind), 1)]);
        let mut pending: Vec<&Body> = vec![run.body()];
        while let Some(body) = pending.pop() {
            for op in body.walk() {
                *counts.entry(ctx.kind_name(body.op(op).kind())).or_default() += 1;
                pending.extend(body.nested(op));
            }
        }
        eprint!("{}", if self.options.json { json(&counts) } else { table(&counts) });
        Ok(())
    }
}

/// Names aligned at the dot, in the format of `mlir-opt`.
fn table(counts: &BTreeMap<&str, u64>) -> String {
    let split = |name: &str| match name.split_once('.') {
        Some((dialect, op)) => (dialect.to_owned(), op.to_owned()),
        None => (String::new(), name.to_owned()),
    };
    let widest = |part: fn(&(String, String)) -> usize| {
        counts.keys().map(|name| part(&split(name))).max().unwrap_or(0)
    };
    let (dialects, ops) = (widest(|(dialect, _)| dialect.len()), widest(|(_, op)| op.len()));
    let mut text = String::from("Operations encountered:\n-----------------------\n");
    for (name, count) in counts {
        let (dialect, op) = split(name);
        let dot = if dialect.is_empty() { ' ' } else { '.' };
        writeln!(text, "{dialect:>width$}{dot}{op:<ops$} , {count}", width = dialects + 2)
            .expect("a string takes it");
    }
    text
}

fn json(counts: &BTreeMap<&str, u64>) -> String {
    let entries: Vec<String> = counts.iter().map(|(name, count)| format!("  \"{name}\" : {count}")).collect();
    format!("{{\n{}\n}}\n", entries.join(",\n"))
}
