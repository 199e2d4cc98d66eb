//! The log of pattern applications for `--debug-patterns`.

use minoan_ir::Context;
use minoan_pass::OpHeader;
use minoan_rewrite::TreeLog;
use std::io::Stderr;

/// Creates a log on standard error, with the pass and its operation as the heading.
pub(crate) fn pattern_log(pass: &str, op: OpHeader, ctx: &Context) -> TreeLog<Stderr> {
    let symbol = op.symbol(ctx).map_or(String::new(), |symbol| format!(" @{symbol}"));
    eprintln!("{pass} on '{}'{symbol}", ctx.kind_name(op.kind));
    TreeLog::new(std::io::stderr())
}
