//! The log of patterns that `--debug-patterns` asks for.

use minoan_ir::Context;
use minoan_pass::OpHeader;
use minoan_rewrite::TreeLog;
use std::io::Stderr;

/// A log on standard error, headed by the pass and the operation that it works on.
pub(crate) fn pattern_log(pass: &str, op: OpHeader, ctx: &Context) -> TreeLog<Stderr> {
    let symbol = op.symbol(ctx).map_or(String::new(), |symbol| format!(" @{symbol}"));
    eprintln!("{pass} on '{}'{symbol}", ctx.kind_name(op.kind));
    TreeLog::new(std::io::stderr())
}
