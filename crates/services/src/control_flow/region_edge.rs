//! Verification of values along region control flow edges.

use minoan_ir::text::print_type;
use minoan_ir::{OpRef, Type, Violation, Violations};

/// Verifies that the operands along a control flow edge match the inputs of the region successor; returns whether
/// they do.
///
/// `edge` uses upstream's wording: "Operation scf.yield to parent".
pub fn check_edge(
    edge: &str,
    from: OpRef<'_>,
    given: &[Type],
    taken: &[Type],
    errors: &mut Violations,
) -> bool {
    let show = |ty: Type| print_type(from.context(), ty);
    let what = if given.len() != taken.len() {
        let (given, taken) = (given.len(), taken.len());
        format!("region branch point has {given} operands, but region successor needs {taken} inputs")
    } else if let Some(index) = given.iter().zip(taken).position(|(given, taken)| given != taken) {
        format!(
            "successor operand type #{index} '{}' should match successor input type #{index} '{}'",
            show(given[index]),
            show(taken[index])
        )
    } else {
        return true;
    };
    let message = format!("along control flow edge from {edge}: {what}");
    errors.push(Violation::from(message).note(from, "region branch point"));
    false
}
