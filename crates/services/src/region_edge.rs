//! What the verifier says of values that go from one region to another, or out of an operation.

use minoan_ir::text::print_type;
use minoan_ir::{Context, Type, Violations};

/// Reports values that a terminator gives and that are not what the next region, or the operation, takes.
///
/// `edge` is as upstream words it: "Operation scf.yield to parent".
pub fn check_edge(ctx: &Context, edge: &str, given: &[Type], taken: &[Type], errors: &mut Violations) {
    let edge = format!("along control flow edge from {edge}");
    if given.len() != taken.len() {
        errors.push(format!(
            "{edge}: region branch point has {} operands, but region successor needs {} inputs",
            given.len(),
            taken.len()
        ));
        return;
    }
    let mismatch = given.iter().zip(taken).position(|(given, taken)| given != taken);
    if let Some(index) = mismatch {
        errors.push(format!(
            "{edge}: successor operand type #{index} '{}' should match successor input type #{index} '{}'",
            print_type(ctx, given[index]),
            print_type(ctx, taken[index])
        ));
    }
}
