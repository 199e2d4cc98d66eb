//! Switches as MLIR compiles them, as a named set of patterns that is applied before the translation to MLIR.
//!
//! * A large switch becomes a tree of small ones. MLIR finds the operands that a case forwards by adding up those of
//!   the cases before it, so its passes take at least quadratic time for a switch whose cases forward operands.
//! * A switch becomes a tree of comparisons if a case is not an unsigned number of 64 bits: MLIR's translation to LLVM
//!   IR replaces other cases by the greatest such number.
//! * Of equal cases, the first one is kept: LLVM does not accept the others.

use crate::{CondBr, Switch};
use minoan_arith::{self as arith, CmpIPredicate};
use minoan_ir::{Attr, Block, InsertionPoint, Int, OpDef, Signedness, Type, Value};
use minoan_rewrite::{Matched, NamedPatterns, NoMatch, PatternSet, PatternStage, Rewriter};

/// Upper bound on the cases of a switch, which MLIR takes in the time of a few operations.
const MAX_CASES: usize = 64;

pub(crate) const SETS: &[NamedPatterns] = &[NamedPatterns {
    name: "cf-split-switches",
    description: "split switches of many or very wide cases into comparisons and switches of at most 64 cases",
    stage: PatternStage::BeforeTranslation,
    add: |patterns: &mut PatternSet| {
        patterns.on("cf-split-switch", split);
    },
}];

type Case = (Int, Block, Vec<Value>);

/// The parts of a switch that all switches of the tree share.
struct Shared {
    flag: Value,
    ty: Type,
    default: (Block, Vec<Value>),
    /// Whether the tree has no switches.
    compares_only: bool,
    /// The block after those of the tree.
    next: Block,
}

/// Replaces a switch by a balanced tree.
fn split(op: Switch, rewriter: &mut Rewriter<'_>) -> Result<Matched, NoMatch> {
    let body = rewriter.body();
    let flag = op.flag(body);
    let ty = body.ty(flag);
    if !ty.is_signless_integer(body.context()) {
        return Err(NoMatch::because("the flag cannot be compared"));
    }
    let values = op.values(body);
    let count = values.len();
    let branches = op.case_destinations(body).into_iter().zip(op.operands_of_cases(body));
    let mut cases: Vec<Case> =
        values.into_iter().zip(branches).map(|(value, (block, operands))| (value, block, operands)).collect();
    cases.sort_by(|a, b| a.0.cmp(&b.0));
    cases.dedup_by(|later, earlier| later.0 == earlier.0);
    let is_long = |value: &Int| value.clone().wrapped(64, Signedness::Unsigned) != *value;
    let is_wide = ty.integer_width(body.context()).is_some_and(|width| width > 64);
    let compares_only = is_wide && cases.iter().any(|case| is_long(&case.0));
    if count <= MAX_CASES && cases.len() == count && !compares_only {
        return Err(NoMatch::because("the switch is small"));
    }
    let default = (op.default_destination(body), op.default_operands(body));
    let from = body.op(op.op()).block().ok_or(NoMatch::SILENT)?;
    let next = rewriter.split_block(op.op());
    rewriter.erase(op.op());
    grow(rewriter, &Shared { flag, ty, default, compares_only, next }, from, &cases);
    rewriter.try_erase_block(next).map_err(|error| NoMatch::because(error.to_string()))?;
    Ok(Matched)
}

/// Ends a block with a switch on cases in ascending order, or with a comparison and a tree for either half of them.
fn grow(rewriter: &mut Rewriter<'_>, shared: &Shared, block: Block, cases: &[Case]) {
    let Shared { flag, ty, default, compares_only, next } = shared;
    rewriter.set_insertion_point(InsertionPoint::End(block));
    let default = (default.0, &default.1[..]);
    if let ([case], true) = (cases, compares_only) {
        let b = &mut rewriter.builder();
        let value = arith::constant(b, Attr::integer(&b.context(), case.0.clone(), *ty));
        let is_equal = arith::cmpi(b, CmpIPredicate::Eq, *flag, value);
        CondBr::build(b, is_equal, &case.2, default.1, None, case.1, default.0);
        return;
    }
    if cases.len() <= MAX_CASES && !compares_only {
        Switch::of_cases(&mut rewriter.builder(), *flag, default, cases);
        return;
    }
    let (below, above) = cases.split_at(cases.len() / 2);
    let blocks = [(); 2].map(|()| rewriter.add_block_before(*next, &[]));
    let b = &mut rewriter.builder();
    let first = arith::constant(b, Attr::integer(&b.context(), above[0].0.clone(), *ty));
    let is_below = arith::cmpi(b, CmpIPredicate::Slt, *flag, first);
    CondBr::build(b, is_below, &[], &[], None, blocks[0], blocks[1]);
    grow(rewriter, shared, blocks[0], below);
    grow(rewriter, shared, blocks[1], above);
}
