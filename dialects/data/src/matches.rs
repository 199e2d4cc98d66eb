//! `data.match`.

use crate::declare::CtorFits;
use crate::ops::{Tag, Yield};
use crate::types::Cell;
use crate::{Project, evaluate};
use minoan_ir::constraints::ANY;
use minoan_ir::text::{OpParser, OpPrinter, ParseError, RegionStyle};
use minoan_ir::{
    Array, Attr, Body, Builder, Op, OpDef, OpRef, OpState, Region, SymbolUser, Type, Value, Violations, op,
};
use minoan_scf::IndexSwitch;
use minoan_services::{
    Differentiate, Evaluate, EvaluateFn, Expand, FloatPolicy, MachineModel, PassThrough, RegionExecution,
    RegionFlow, RegionSuccessor, RegionSuccessors, RegionTarget, TangentCx, ThreadedEnd, ThreadedOp,
    check_edge, with_more_results, yields_to_parent,
};
use rustc_hash::FxHashSet;

/// Executes the region of the constructor of a value, with its fields as arguments, or the default region:
///
/// ```mlir
/// data.match %xs : !data.cell<@List> -> i32 {
/// case "Cons"[0](%x: i32, %rest: !data.cell<@List>) {
///   data.yield %x : i32
/// }
/// default {
///   data.yield %zero : i32
/// }
/// }
/// ```
///
/// Without a default region, there is a case for each constructor.
#[op(
    "data.match",
    traits(SINGLE_BLOCK, RECURSIVE_EFFECTS),
    assembly = custom(parse_match, print_match),
    verify = verify_match,
    services(
        Evaluate = EvaluateFn(evaluate::matches),
        SymbolUser = CtorFits,
        RegionFlow = MatchFlow,
        PassThrough = Once,
        Differentiate = ToSwitch,
        Expand = ToSwitch,
    )
)]
pub struct Match {
    /// The value.
    cell: Operand<Cell>,
    /// The names of the constructors that have a case.
    ctors: Array<String>,
    /// Their positions in the declaration.
    tags: Vec<i64>,
    /// The values that the executed region yields.
    results: Vec<OpResult<ANY>>,
    /// One region per case, and maybe the default region.
    #[region(non_empty)]
    case_regions: Vec<Region>,
}

/// The constructor of a case: name and position, and the types of its fields.
pub type Case = (String, i64, Vec<Type>);

/// Whether the cases of a match include all constructors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// Every constructor has a case.
    Exhaustive,
    /// A default region follows, for the other constructors.
    WithDefault,
}

impl Coverage {
    /// The coverage of a number of cases, with a region for each and maybe another one.
    pub fn of(n_cases: usize, n_regions: usize) -> Self {
        if n_regions > n_cases { Coverage::WithDefault } else { Coverage::Exhaustive }
    }

    fn n_regions(self, n_cases: usize) -> usize {
        match self {
            Coverage::Exhaustive => n_cases,
            Coverage::WithDefault => n_cases + 1,
        }
    }
}

impl Match {
    /// Creates a match; `fill` creates a region, given its number and arguments, and returns the values that it yields;
    /// `None` leaves it incomplete. The default region comes last.
    pub fn with(
        b: &mut Builder<'_>,
        cell: Value,
        cases: &[Case],
        coverage: Coverage,
        results: &[Type],
        mut fill: impl FnMut(&mut Builder<'_>, usize, &[Value]) -> Option<Vec<Value>>,
    ) -> Option<Vec<Value>> {
        let names: Array<String> = cases.iter().map(|(name, ..)| name.clone()).collect();
        let tags: Vec<i64> = cases.iter().map(|(_, tag, _)| *tag).collect();
        let n_regions = coverage.n_regions(cases.len());
        let op = Match::build(b, cell, names, tags, results, n_regions).op();
        let mut complete = true;
        for index in 0..n_regions {
            let fields = cases.get(index).map_or(&[][..], |(_, _, fields)| fields);
            let (block, outside) = b.enter(op, index, fields);
            let args: Vec<Value> = b.body().block(block).args().collect();
            match fill(b, index, &args) {
                Some(values) => _ = Yield::build(b, &values),
                None => complete = false,
            }
            b.set_insertion_point(outside);
        }
        complete.then(|| b.body().op(op).results().collect())
    }
}

/// The name and the position of the constructor of each case.
pub fn cases(op: OpRef<'_>) -> Vec<(&str, i64)> {
    let names = op.attr_value::<Array<String>>("ctors");
    let tags = op.attr_value::<Vec<i64>>("tags");
    names.zip(tags).map_or_else(Vec::new, |(names, tags)| names.iter().zip(tags).collect())
}

/// The region that is executed for a constructor, and whether it is a case instead of the default.
pub(crate) fn region_of(op: OpRef<'_>, tag: i64) -> Option<(usize, bool)> {
    let cases = cases(op);
    match cases.iter().position(|(_, case)| *case == tag) {
        Some(at) => Some((at, true)),
        None => (op.n_regions() > cases.len()).then_some((cases.len(), false)),
    }
}

fn parse_match(p: &mut OpParser<'_, '_>) -> Result<(), ParseError> {
    let cell = p.operand()?;
    p.punct(":")?;
    let ty = p.ty()?;
    p.add_operands(&[cell], &[ty])?;
    let results = p.optional_arrow_types()?;
    p.add_results(&results);
    p.attr_dict_with_keyword()?;
    p.punct("{")?;
    let (mut names, mut tags) = (Vec::new(), Vec::new());
    while p.optional_keyword("case") {
        let name = p.string()?;
        names.push(Attr::string(p.ctx(), name));
        p.punct("[")?;
        tags.push(p.integer()?);
        p.punct("]")?;
        p.punct("(")?;
        let mut args = Vec::new();
        if !p.optional_punct(")") {
            loop {
                args.push(p.region_arg()?);
                if !p.optional_punct(",") {
                    break;
                }
            }
            p.punct(")")?;
        }
        p.region(&args)?;
    }
    if p.optional_keyword("default") {
        p.region(&[])?;
    }
    p.punct("}")?;
    let (names, tags) = (Attr::array(p.ctx(), &names), Attr::dense_i64(p.ctx(), &tags));
    p.set_attr("ctors", names);
    p.set_attr("tags", tags);
    Ok(())
}

fn print_match(p: &mut OpPrinter<'_, '_>) {
    let (op, body) = (p.op(), p.body());
    p.text(" ");
    p.value(op.operand(0));
    p.text(" : ");
    p.ty(body.ty(op.operand(0)));
    let types: Vec<Type> = op.result_types().collect();
    p.arrow_types(&types);
    p.attr_dict_with_keyword(&["ctors", "tags"]);
    p.text(" {");
    let cases = cases(op);
    for (at, (name, tag)) in cases.iter().enumerate() {
        p.newline();
        p.text("case ");
        p.string(name.as_bytes());
        p.text(&format!("[{tag}]("));
        let entry = body.region(op.region(at)).entry();
        let args = entry.map_or_else(Vec::new, |entry| body.block(entry).args().collect());
        for (at, arg) in args.into_iter().enumerate() {
            p.text(if at == 0 { "" } else { ", " });
            p.region_arg(arg);
        }
        p.text(") ");
        p.region(at, RegionStyle::FULL.without_entry_args());
    }
    if op.n_regions() > cases.len() {
        p.newline();
        p.text("default ");
        p.region(cases.len(), RegionStyle::FULL.without_entry_args());
    }
    p.newline();
    p.text("}");
}

fn verify_match(op: Match, body: &Body, errors: &mut Violations) {
    let (view, names, tags) = (body.op(op.op()), op.ctors(body), op.tags(body).to_vec());
    if names.len() != tags.len() || ![0, 1].contains(&(view.n_regions() as i64 - tags.len() as i64)) {
        let (names, tags, regions) = (names.len(), tags.len(), view.n_regions());
        return errors
            .push(format!("has {names} names and {tags} positions of constructors, and {regions} regions"));
    }
    let mut seen = FxHashSet::default();
    for tag in &tags {
        if !seen.insert(tag) {
            return errors.push(format!("has two cases for constructor {tag}"));
        }
    }
    let results: Vec<Type> = view.result_types().collect();
    for (index, region) in view.own_regions().enumerate() {
        let Some(entry) = body.region(region).entry() else { continue };
        if index == tags.len() && body.block(entry).n_args() > 0 {
            errors.push("the default region must not have arguments");
        }
        match body.block(entry).last().map(|op| body.op(op)).filter(|op| op.is::<Yield>()) {
            None => errors.push(format!("expects region #{index} to end with 'data.yield'")),
            Some(last) => {
                let given: Vec<Type> = last.operand_types().collect();
                check_edge("Operation data.yield to parent", last, &given, &results, errors);
            }
        }
    }
}

/// Exactly one region is executed.
pub(crate) struct MatchFlow;

/// One region is executed, which yields the results.
pub(crate) struct Once;

impl PassThrough for Once {
    fn can_thread(&self, op: OpRef<'_>) -> bool {
        op.n_regions() > 0
    }

    fn thread(&self, body: &mut Body, op: Op, values: &[Value]) -> ThreadedOp {
        let (op, results) = with_more_results(body, op, &[], values);
        let regions: Vec<Region> = body.op(op).own_regions().collect();
        let ends: Vec<Op> =
            regions.iter().filter_map(|&region| body.block(body.region(region).entry()?).last()).collect();
        let ends = ends.into_iter().filter(|&end| body.op(end).is::<Yield>()).collect::<Vec<Op>>();
        let ends = ends.into_iter().map(|end| ThreadedEnd::extend(body, end, values)).collect();
        ThreadedOp { op, args: vec![values.to_vec(); regions.len()], ends, results }
    }
}

impl RegionFlow for MatchFlow {
    fn execution(&self, _: OpRef<'_>) -> RegionExecution {
        RegionExecution::ExactlyOne
    }

    fn entry_successors(&self, op: OpRef<'_>, _: &[Option<Attr>]) -> RegionSuccessors {
        (0..op.n_regions()).map(|region| RegionSuccessor::new(RegionTarget::Region(region))).collect()
    }

    fn terminator_successors(
        &self,
        _: OpRef<'_>,
        _: usize,
        terminator: OpRef<'_>,
        _: &[Option<Attr>],
    ) -> RegionSuccessors {
        yields_to_parent(terminator)
    }
}

/// Projects all fields of a value of a known constructor.
pub fn project_all(b: &mut Builder<'_>, cell: Value, (name, tag, fields): &Case) -> Vec<Value> {
    let mut project =
        |index| Project::build(b, cell, name.as_str(), *tag, &fields[..], index).result(b.body());
    (0..fields.len() as i64).map(&mut project).collect()
}

/// Selects one of several lists of values by the constructor of a value: a switch on its tag. `fill` creates the region
/// of a case, or of the default, which is the last case if there is no other.
pub fn switch(
    b: &mut Builder<'_>,
    cell: Value,
    cases: &[Case],
    coverage: Coverage,
    results: &[Type],
    mut fill: impl FnMut(&mut Builder<'_>, usize, &[Value]) -> Vec<Value>,
) -> Vec<Value> {
    let ctx = b.context();
    let total = coverage.n_regions(cases.len());
    let explicit = total.saturating_sub(1);
    if total == 1 {
        let fields = cases.first().map_or_else(Vec::new, |case| project_all(b, cell, case));
        return fill(b, 0, &fields);
    }
    let tag = Tag::build(b, cell).result(b.body());
    let tags: Vec<i64> = cases[..explicit].iter().map(|(_, tag, _)| *tag).collect();
    let props = Attr::dictionary(&ctx, &[(ctx.name("cases"), Attr::dense_i64(&ctx, &tags))]);
    let state = OpState::new(ctx.kind_of::<IndexSwitch>()).operands(&[tag]).results(results);
    let op = b.create(state.regions(explicit + 1).props(props));
    for index in 0..total {
        // The default region is the first of the switch.
        let (_, outside) = b.enter(op, if index < explicit { index + 1 } else { 0 }, &[]);
        let fields = cases.get(index).map_or_else(Vec::new, |case| project_all(b, cell, case));
        let values = fill(b, index, &fields);
        minoan_scf::Yield::build(b, &values);
        b.set_insertion_point(outside);
    }
    b.body().op(op).results().collect()
}

/// Replaces a match by a switch on the tag.
pub(crate) struct ToSwitch;

impl Expand for ToSwitch {
    fn expand(&self, b: &mut Builder<'_>, op: Op, _: &MachineModel, _: FloatPolicy) -> Option<Vec<Value>> {
        Differentiate::expand(self, b, op)
    }
}

/// The derivative is that of the switch, in which fields are operations.
impl Differentiate for ToSwitch {
    fn tangent(&self, _: &mut TangentCx<'_, '_>) -> Result<(), String> {
        Err("has fields as arguments of its regions".to_owned())
    }

    fn expand(&self, b: &mut Builder<'_>, op: Op) -> Option<Vec<Value>> {
        let view = b.body().op(op);
        let (cell, types) = (view.operand(0), view.result_types().collect::<Vec<Type>>());
        let regions: Vec<Region> = view.own_regions().collect();
        let mut all: Vec<Case> =
            cases(view).into_iter().map(|(name, tag)| (name.to_owned(), tag, Vec::new())).collect();
        let coverage = Coverage::of(all.len(), regions.len());
        for (case, &region) in all.iter_mut().zip(&regions) {
            let entry = b.body().region(region).entry()?;
            case.2 = b.body().block(entry).args().map(|arg| b.body().ty(arg)).collect();
        }
        Some(switch(b, cell, &all, coverage, &types, |b, index, fields| {
            let point = b.insertion_point();
            let Some(entry) = b.body().region(regions[index]).entry() else { return Vec::new() };
            let Some(last) = b.body().block(entry).last() else { return Vec::new() };
            let args: Vec<Value> = b.body().block(entry).args().collect();
            let values = b
                .body()
                .op(last)
                .operands()
                .map(|value| args.iter().position(|&arg| arg == value).map_or(value, |at| fields[at]));
            let values: Vec<Value> = values.collect();
            b.body_mut().erase(last);
            b.body_mut().inline_block(entry, point, fields);
            values
        }))
    }
}
