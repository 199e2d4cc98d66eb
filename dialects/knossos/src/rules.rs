//! Rewrite rules.

use crate::ops::Yield;
use minoan_ir::{Block, Body, Builder, Op, OpDef, OpRef, Type, Value, Violations, op};
use minoan_services::RewriteRule;

/// A rewrite rule, which `apply-rules` applies and removes.
///
/// `knossos.rule "name" { ^bb0(%x: f32): .. knossos.yield %l : f32 } to { ^bb0(%x: f32): .. knossos.yield %r : f32 }`:
/// the arguments of both regions are the variables.
#[op(
    "knossos.rule",
    traits(ISOLATED),
    assembly = "$name $pattern `to` $replacement attr-dict",
    verify = verify_rule,
    services(RewriteRule = Rules)
)]
pub struct Rule {
    /// The name.
    name: String,
    /// The reason why the rule cannot be applied.
    ignored: Option<String>,
    /// Computes the value to replace; empty if the rule cannot be applied.
    pattern: Region,
    /// Computes the value that replaces it.
    replacement: Region,
}

impl Rule {
    /// Creates a rule over variables of these types; `fill` computes the pattern, then the replacement. If one of them is
    /// `None`, the rule is left incomplete.
    pub fn with(
        b: &mut Builder<'_>,
        name: &str,
        params: &[Type],
        mut fill: impl FnMut(&mut Builder<'_>, &[Value], bool) -> Option<Value>,
    ) -> (Op, bool) {
        let rule = Rule::build(b, name, None);
        let (op, loc) = (rule.op(), b.loc());
        let mut complete = true;
        if let Some(body) = b.body_mut().nested_mut(op) {
            for (index, is_pattern) in [true, false].into_iter().enumerate() {
                let region = body.root(index);
                let block = body.add_block(region, params);
                let args: Vec<Value> = body.block(block).args().collect();
                let mut b = Builder::at_end(body, block).with_loc(loc);
                match fill(&mut b, &args, is_pattern) {
                    Some(value) => _ = Yield::build(&mut b, value),
                    None => complete = false,
                }
            }
        }
        (op, complete)
    }
}

fn verify_rule(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let Some(inside) = view.nested() else { return };
    let sides: Vec<Vec<Block>> =
        (0..2).map(|index| inside.region(inside.root(index)).blocks().collect()).collect();
    if view.attr_named("ignored").is_some() {
        if sides.iter().any(|blocks| !blocks.is_empty()) {
            errors.push("must be empty if it is ignored");
        }
        return;
    }
    let [pattern, replacement] = &sides[..] else { return };
    let (&[pattern], &[replacement]) = (&pattern[..], &replacement[..]) else {
        return errors.push("expected one block in each region");
    };
    let args = |block: Block| inside.block(block).args().map(|arg| inside.ty(arg)).collect::<Vec<Type>>();
    if args(pattern) != args(replacement) {
        errors.push("both regions must have the same arguments");
    }
    let yielded = |block: Block| {
        let last = inside.block(block).last().map(|op| inside.op(op)).filter(|op| op.is::<Yield>())?;
        last.operand_types().next()
    };
    match (yielded(pattern), yielded(replacement)) {
        (Some(a), Some(b)) if a == b => {}
        _ => errors.push("both regions must yield values of one type"),
    }
}

/// Implementations of [`Rule`].
pub(crate) struct Rules;

impl RewriteRule for Rules {
    fn name(&self, op: OpRef<'_>) -> String {
        op.attr_value::<String>("name").unwrap_or_default().to_owned()
    }

    fn ignored(&self, op: OpRef<'_>) -> Option<String> {
        op.attr_value::<String>("ignored").map(str::to_owned)
    }
}
