//! Operation declarations generated from the operator table.

use super::calls;
use super::types::VALUE;
use crate::operators::{Operator, all};
use minoan_ir::constraints::ANY_ATTR;
use minoan_ir::{Arity, Assembly, AttrSpec, OpSpec, Traits, ValueSpec};
use std::sync::LazyLock;

static RESULTS: [ValueSpec; 1] = [ValueSpec { name: "result", arity: Arity::One, constraint: &VALUE }];
static ANY_NUMBER: [ValueSpec; 1] = [ValueSpec { name: "args", arity: Arity::Variadic, constraint: &VALUE }];

/// One declaration per operator, shared by all contexts.
static SPECS: LazyLock<Vec<OpSpec>> = LazyLock::new(|| {
    let mut specs = Vec::with_capacity(all().count());
    specs.extend(all().map(spec));
    specs
});

pub(super) fn specs() -> &'static [OpSpec] {
    &SPECS
}

fn spec(op: &'static Operator) -> OpSpec {
    let operands: &'static [ValueSpec] = if op.variadic {
        &ANY_NUMBER
    } else {
        let operand = |&name: &&'static str| ValueSpec { name, arity: Arity::One, constraint: &VALUE };
        op.args.iter().map(operand).collect::<Vec<_>>().leak()
    };
    let attr = |name: &'static str| AttrSpec { name, constraint: &ANY_ATTR, optional: true, default: None };
    OpSpec {
        name: format!("relay.{}", op.name).leak(),
        summary: op.meaning(),
        description: "",
        operands,
        results: &RESULTS,
        attrs: op.fields.iter().map(|field| attr(field.name)).collect::<Vec<_>>().leak(),
        regions: &[],
        successors: &[],
        traits: traits(op),
        same_types: &[],
        derived: &[],
        parents: &[],
        assembly: Assembly::Custom { parse: calls::parse, print: calls::print },
        verify: Some(calls::verify),
        infer: None,
        compatible: None,
        terminator: None,
        op_traits: &[],
    }
}

/// Operators whose result is undefined for some integers: they are not speculatable.
const DIVISIONS: [&str; 6] = ["divide", "mod", "floor_divide", "floor_mod", "trunc_divide", "trunc_mod"];

fn traits(op: &Operator) -> Traits {
    if op.facts.stateful || DIVISIONS.contains(&op.name) { Traits::NONE } else { Traits::PURE }
}
