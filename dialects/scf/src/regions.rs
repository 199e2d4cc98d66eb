//! `scf.execute_region` and `scf.index_switch`.

use crate::{Yield, flow, generate, pass_through, reduce, services};
use minoan_ir::constraints::{ANY, INDEX};
use minoan_ir::text::{OpParser, OpPrinter, ParseError, RegionStyle, print_type};
use minoan_ir::{Attr, Block, Body, Op, OpRef, Region, Type, Violations, op};
use minoan_services::{Evaluate, Generate, PassThrough, Reduce, RegionFlow, check_edge};
use rustc_hash::FxHashMap;

/// Executes its region once.
///
/// The region may have several blocks, even in an operation whose own region is limited to one: `scf.execute_region
/// -> i64 { .. scf.yield %x : i64 }`.
#[op(
    "scf.execute_region",
    traits(RECURSIVE_EFFECTS),
    assembly = custom(parse_execute, print_execute),
    verify = verify_execute,
    services(
        Evaluate = services::EvaluateOnce,
        Generate = generate::AnyOnce,
        RegionFlow = flow::OnceFlow,
        PassThrough = pass_through::Once,
        Reduce = reduce::OneWay,
    )
)]
pub struct ExecuteRegion {
    /// Whether the region must not be inlined.
    #[attr(unit)]
    no_inline: bool,
    /// The yielded values.
    results: Vec<OpResult<ANY>>,
    /// The region.
    region: Region,
}

fn parse_execute(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let types = p.optional_arrow_types()?;
    p.add_results(&types);
    if p.optional_keyword("no_inline") {
        p.set_attr("no_inline", Attr::UNIT);
    }
    p.region(&[])?;
    p.attr_dict()
}

fn print_execute(p: &mut OpPrinter<'_, '_>) {
    let op = p.op();
    let types: Vec<Type> = op.result_types().collect();
    p.arrow_types(&types);
    if op.attr_named("no_inline").is_some() {
        p.text(" no_inline");
    }
    p.text(" ");
    p.region(0, RegionStyle::FULL);
    p.attr_dict(&["no_inline"]);
}

fn verify_execute(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let region = body.region(view.region(0));
    let Some(entry) = region.entry() else {
        return errors.push("region needs to have at least one block");
    };
    if body.block(entry).n_args() > 0 {
        errors.push("region cannot have any arguments");
    }
    let results: Vec<Type> = view.result_types().collect();
    for last in region.blocks().filter_map(|block| yield_of(body, block)) {
        let given: Vec<Type> = last.operand_types().collect();
        if !check_edge("Operation scf.yield to parent", last, &given, &results, errors) {
            return;
        }
    }
}

/// Executes the region of the case that equals its operand, or the default region: `scf.index_switch %i -> i32 case 2
/// { .. } default { .. }`. MLIR accepts regions with arguments, which have no values, and loses them when it prints.
#[op(
    "scf.index_switch",
    traits(RECURSIVE_EFFECTS, SINGLE_BLOCK, NO_REGION_ARGS, IMPLICIT_TERMINATOR),
    terminator = "scf.yield",
    assembly = custom(parse_switch, print_switch),
    verify = verify_switch,
    services(
        Evaluate = services::EvaluateSwitch,
        Generate = generate::AnySwitch,
        RegionFlow = flow::SwitchFlow,
        PassThrough = pass_through::Once,
        Reduce = reduce::OneWay,
    )
)]
pub struct IndexSwitch {
    /// The selector.
    arg: Operand<INDEX>,
    /// The case values.
    cases: Vec<i64>,
    /// The values yielded by the executed region.
    results: Vec<OpResult<ANY>>,
    /// Executed if no case matches.
    #[region(name = "defaultRegion", non_empty)]
    default_region: Region,
    /// One region per case.
    #[region(name = "caseRegions", non_empty)]
    case_regions: Vec<Region>,
}

fn parse_switch(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let arg = p.operand()?;
    p.add_operands(&[arg], &[Type::INDEX])?;
    p.attr_dict()?;
    if p.optional_punct("->") {
        let types = p.type_list()?;
        p.add_results(&types);
    }
    let mut cases = Vec::new();
    while p.optional_keyword("case") {
        cases.push(p.integer()?);
        p.region(&[])?;
    }
    p.keyword("default")?;
    p.region(&[])?;
    // The default region is the last in the assembly and the first of the operation.
    p.last_region_first();
    let cases = Attr::dense_i64(p.ctx(), &cases);
    p.set_attr("cases", cases);
    Ok(())
}

fn print_switch(p: &mut OpPrinter<'_, '_>) {
    let (op, body) = (p.op(), p.body());
    p.text(" ");
    op.operands().for_each(|arg| p.value(arg));
    p.attr_dict(&["cases"]);
    let types: Vec<Type> = op.result_types().collect();
    if !types.is_empty() {
        p.text(" -> ");
        p.types(&types);
    }
    p.text(" ");
    for (case, value) in case_values(op).into_iter().enumerate() {
        p.newline();
        p.text(&format!("case {value} "));
        p.region(case + 1, RegionStyle::FULL.without_entry_args());
    }
    p.newline();
    p.text("default ");
    let bare = |last: OpRef<'_>| last.n_operands() == 0 && last.attrs() == Attr::EMPTY;
    let default = op.own_regions().next().and_then(|region| body.region(region).entry());
    let yields = default.and_then(|block| yield_of(body, block)).is_some_and(|last| !bare(last));
    p.region(0, RegionStyle::FULL.with_terminator(yields));
}

/// The case values.
pub(crate) fn case_values(op: OpRef<'_>) -> Vec<i64> {
    op.attr_named("cases").and_then(|cases| cases.as_dense_i64(op.context())).unwrap_or_default()
}

fn verify_switch(body: &Body, op: Op, errors: &mut Violations) {
    let view = body.op(op);
    let cases = case_values(view);
    let regions = view.n_regions() - 1;
    if cases.len() != regions {
        return errors.push(format!("has {regions} case regions but {} case values", cases.len()));
    }
    let mut counts: FxHashMap<i64, usize> = FxHashMap::default();
    cases.iter().for_each(|&case| *counts.entry(case).or_default() += 1);
    if let Some(twice) = cases.iter().find(|&case| counts[case] > 1) {
        return errors.push(format!("has duplicate case value: {twice}"));
    }
    let results: Vec<Type> = view.result_types().collect();
    for (index, region) in view.own_regions().enumerate() {
        let name = match index {
            0 => "default region".to_owned(),
            case => format!("case region #{}", case - 1),
        };
        if !yields(body, region, &results, &name, errors) {
            return;
        }
    }
}

/// Verifies that a region of a switch yields these types.
fn yields(body: &Body, region: Region, results: &[Type], name: &str, errors: &mut Violations) -> bool {
    let Some(last) = body.region(region).entry().and_then(|block| yield_of(body, block)) else { return true };
    let given: Vec<Type> = last.operand_types().collect();
    if given.len() != results.len() {
        let (want, have) = (results.len(), given.len());
        errors.push(format!("expected each region to return {want} values, but {name} returns {have}"));
        return false;
    }
    let mismatch = given.iter().zip(results).position(|(given, result)| given != result);
    if let Some(index) = mismatch {
        let want = print_type(body.context(), results[index]);
        errors.push(format!("expected result #{index} of each region to be '{want}'"));
    }
    mismatch.is_none()
}

/// The `scf.yield` that terminates a block.
pub(crate) fn yield_of(body: &Body, block: Block) -> Option<OpRef<'_>> {
    body.block(block).last().map(|last| body.op(last)).filter(|last| last.is::<Yield>())
}
