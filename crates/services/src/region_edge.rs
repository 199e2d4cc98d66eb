//! What the verifier says of values that go from one region to another, or out of an operation.

use minoan_ir::text::print_type;
use minoan_ir::{Context, Type};

/// Reports values that a terminator gives and that are not what the next region, or the operation, takes.
///
/// `edge` is as upstream words it: "Operation scf.yield to parent".
pub fn check_edge(ctx: &Context, edge: &str, given: &[Type], taken: &[Type], error: &mut dyn FnMut(String)) {
    let edge = format!("along control flow edge from {edge}");
    if given.len() != taken.len() {
        error(format!(
            "{edge}: region branch point has {} operands, but region successor needs {} inputs",
            given.len(),
            taken.len()
        ));
        return;
    }
    let mismatch = given.iter().zip(taken).position(|(given, taken)| given != taken);
    if let Some(index) = mismatch {
        error(format!(
            "{edge}: successor operand type #{index} '{}' should match successor input type #{index} '{}'",
            print_type(ctx, given[index]),
            print_type(ctx, taken[index])
        ));
    }
}
