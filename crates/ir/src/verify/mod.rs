//! The verifier: reports all violations in one run.
//!
//! It guarantees that accepted programs satisfy the rules below, that it reports every violation that it detects and
//! not only the first, and that its time is linear in the size of the program at any nesting depth. The messages are
//! MLIR's. Rules of an operation that cannot be checked (such as the types of operands whose number is wrong) are
//! skipped until the others hold.
//!
//! Declarations ([`OpSpec`](crate::OpSpec)):
//! 1. An operation of a loaded dialect is registered.
//! 2. The number of operands matches the declaration.
//! 3. The number of results matches the declaration.
//! 4. The number of regions matches the declaration.
//! 5. The number of successors matches the declaration.
//! 6. With `OPERAND_SEGMENTS` or `RESULT_SEGMENTS`, the attribute with the segment sizes is present, has a
//!    nonnegative size for each group, and the sizes sum up to the number of operands or results.
//! 7. The type of every operand and result satisfies its constraint.
//! 8. Operands and results that are declared to have equal types do.
//! 9. Derived types match their sources.
//! 10. With `SAME_OPERANDS`, all operands have equal types.
//! 11. With `SAME_OPERANDS_AND_RESULT`, all operands and results have the same element type, compatible shapes, and
//!     the encoding of the result, if it has one.
//! 12. With `SAME_SHAPE`, all operands and results have compatible shapes.
//! 13. With `ELEMENTWISE`, the vectors and tensors among operands and results are consistent.
//! 14. Every attribute that is neither optional nor has a default is present.
//! 15. Every declared attribute satisfies its constraint.
//!
//! Structure:
//!
//! 16. A block has an operation. (Unless the next rule does not apply either.)
//! 17. The last operation of a block is a terminator. (Except for a single block of an unregistered operation or of
//!     one with `NO_TERMINATOR`; an unregistered operation counts as a terminator.)
//! 18. A terminator is the last operation of its block.
//! 19. An operation with successors is the last operation of its block.
//! 20. Successors are blocks of the region that contains the operation.
//! 21. The entry block of a region is not a successor.
//! 22. With `SINGLE_BLOCK`, a region has at most one block, which is not empty.
//! 23. A region that is declared to be non-empty is.
//! 24. With `NO_REGION_ARGS`, the entry blocks have no arguments.
//! 25. With `GRAPH_REGION`, a region has at most one block.
//! 26. With `IMPLICIT_TERMINATOR`, blocks end with the declared terminator.
//! 27. An operation that declares its parents has one of them as its parent; one with `ALLOCATES_ON_STACK` has an
//!     ancestor with `ALLOCATION_SCOPE`, or a function.
//!
//! Symbols:
//!
//! 28. With `SYMBOL`, `sym_name` is a string, `sym_visibility` is one of its three keywords, and the parent is a
//!     symbol table.
//! 29. With `SYMBOL_TABLE`, there is one region with at most one block, in which names are unique.
//!
//! Values:
//!
//! 30. An operand is visible where it is used: defined before in the same block, in a dominating block, or in one of
//!     these ways relative to an operation around it; never inside the operation that defines it. In a region
//!     without order everything in the block is visible. Unreachable blocks are not checked. Uses of values
//!     from outside an isolated operation are impossible by construction: it has its own [`Body`].
//!
//! The rest:
//!
//! 31. The operation's own rules hold ([`OpSpec::verify`](crate::OpSpec::verify)).
//! 32. In builds with debug assertions: use lists and block lists are consistent ([`Body::check_invariants`]).
//! 33. Symbol uses refer to existing, matching symbols ([`SymbolUser`]).
//! 34. Attributes satisfy the rules of their dialect, on any operation ([`AttrRules`]).
//! 35. Result types are compatible with the inferred ones, by [`OpSpec::infer`](crate::OpSpec::infer) or, with
//!     `SAME_OPERANDS_AND_RESULT`, that of the first operand. Checked last, if an operation satisfies all other
//!     rules.
//! 36. The arguments of a region have the types of the operands that the declaration names, and the operands of its
//!     `RETURN_LIKE` terminators the types of the results that it names.

mod dominance;
mod inferred;
mod memory;
mod operation;
mod ssa;
mod structure;
mod symbols;
mod types;
mod violation;

pub use dominance::Dominance;
pub use violation::{Violation, Violations, bare};

use crate::text::Shown;
use crate::{Attr, Body, Context, Module, Op, OpRef, OpSpec, ServiceTable, SymbolUser, Traits};
use memory::{Memory, Verified};
use minoan_diag::{Diagnostic, Diagnostics, Severity};
use rayon::prelude::*;
use std::sync::Arc;
use symbols::{Declared, InnerTables};

/// Verifies a module.
///
/// # Errors
/// Every violation of the rules, those of an operation before those of nested operations, and rule 30 of a body after
/// its other rules.
pub fn verify(module: &Module) -> Result<(), Diagnostics> {
    verify_body(module.holder())
}

/// Verifies everything in a body, including nested bodies.
///
/// The owner of the body is unknown: its rules are skipped, its regions are assumed to have SSA dominance, and rules
/// 27 and 28 skip the operations at the top.
///
/// # Errors
/// The same as for [`verify`].
pub fn verify_body(body: &Body) -> Result<(), Diagnostics> {
    let mut report = Report { memory: Some(Memory::default()), ..Report::default() };
    check_all(&mut report, body, None, None);
    report.finish()
}

/// The minimum number of operations, including nested bodies, for which threads pay off, and the number per thread.
const ENOUGH: usize = 32 * 1024;
const PIECE: usize = 4 * 1024;

/// Verifies a body, including nested bodies. Large bodies are verified in parallel, and the diagnostics are merged in
/// text order.
///
/// `seen` are the symbols visible to the operations at the top of the body.
fn check_all<'a>(
    report: &mut Report,
    body: &'a Body,
    owner: Option<OpRef<'a>>,
    seen: Option<Arc<Declared<'a>>>,
) {
    let unterminated = std::mem::take(&mut report.unterminated);
    let mut open = vec![Open { unterminated, ..Open::new(report, body, owner, seen) }];
    while let Some(top) = open.last_mut() {
        let Some(op) = top.ops.next() else {
            let owner = top.owner.map(|owner| (owner.spec().is_some(), owner.traits()));
            if !top.broken {
                let before = report.diagnostics.error_count();
                ssa::check(report, top.body, owner);
                if top.errors == before {
                    structure::unterminated(report, top.body, &top.unterminated);
                }
            }
            report.show(top.body, top.shown);
            open.pop();
            continue;
        };
        let view = top.body.op(op);
        let nested = view.nested();
        if let (Some(found), Some(_)) = (&mut top.found, nested) {
            report.append(found.next().unwrap_or_default());
            continue;
        }
        let before = report.diagnostics.error_count();
        check_op_and_symbols(report, view, top.owner, top.users, &mut top.inner, top.seen.as_deref());
        let unterminated = std::mem::take(&mut report.unterminated);
        if let Some(nested) = nested {
            let seen = symbols::seen_inside(view, &mut top.inner, top.seen.as_ref());
            // Inside an operation that is wrong itself, upstream does not look for terminators.
            let is_right = before == report.diagnostics.error_count();
            let unterminated = if is_right { unterminated } else { Vec::new() };
            open.push(Open { unterminated, ..Open::new(report, nested, Some(view), seen) });
        } else {
            top.unterminated.extend(unterminated);
        }
    }
}

/// The diagnostics of each operation that owns a body; `None` if threads do not pay off.
fn check_nested<'a>(
    body: &'a Body,
    ops: &[Op],
    owner: Option<OpRef<'a>>,
    users: Option<&ServiceTable<dyn SymbolUser>>,
    seen: Option<&Arc<Declared<'a>>>,
) -> Option<Vec<Found>> {
    let nested: Vec<(OpRef<'a>, &'a Body)> = ops
        .iter()
        .filter_map(|&op| {
            let op = body.op(op);
            Some((op, op.nested()?))
        })
        .collect();
    let size: usize = nested.iter().map(|(_, nested)| nested.op_capacity()).sum();
    if nested.len() < 2 || size < ENOUGH || rayon::current_num_threads() < 2 {
        return None;
    }
    let check = |memory: &mut Option<Memory>, &(op, inside): &(OpRef<'a>, &'a Body)| {
        let mut report = Report { memory: memory.take(), ..Report::default() };
        let mut inner = InnerTables::default();
        check_op_and_symbols(&mut report, op, owner, users, &mut inner, seen.map(|seen| &**seen));
        if report.diagnostics.has_errors() {
            report.unterminated.clear();
        }
        // These operations are in the enclosing body.
        let shown = std::mem::take(&mut report.shown);
        check_all(&mut report, inside, Some(op), symbols::seen_inside(op, &mut inner, seen));
        *memory = report.memory;
        Found { diagnostics: report.diagnostics, shown }
    };
    let pieces = nested.len().div_ceil(size / PIECE);
    Some(nested.par_iter().with_min_len(pieces).map_init(|| Some(Memory::default()), check).collect())
}

/// Verifies one operation without nested ones: its declaration, position, regions and own rules. Skips rule 30.
///
/// # Errors
/// The same as for [`verify`].
pub fn verify_op(body: &Body, op: Op) -> Result<(), Diagnostics> {
    let mut report = Report::default();
    let view = body.op(op);
    check_op(&mut report, view, None);
    let unterminated = std::mem::take(&mut report.unterminated);
    structure::unterminated(&mut report, view.inside().0, &unterminated);
    report.show(body, 0);
    report.finish()
}

/// Verifies a new operation, whose regions are still empty and whose block is still being built: its declaration and, without
/// regions, its own rules.
pub(crate) fn verify_new(body: &Body, op: Op) -> Result<(), Diagnostics> {
    let mut report = Report::default();
    let view = body.op(op);
    match view.spec() {
        None => operation::check_undeclared(&mut report, view),
        Some(spec) => {
            operation::check(&mut report, view, spec);
            if view.n_regions() == 0 {
                own_rules(&mut report, view, spec, 0);
            }
            if !report.diagnostics.has_errors() {
                inferred::check(&mut report, view, spec);
            }
        }
    }
    report.show(body, 0);
    report.finish()
}

/// A body whose operations are being verified.
struct Open<'a> {
    body: &'a Body,
    owner: Option<OpRef<'a>>,
    seen: Option<Arc<Declared<'a>>>,
    inner: InnerTables<'a>,
    users: Option<&'a ServiceTable<dyn SymbolUser>>,
    ops: std::vec::IntoIter<Op>,
    /// The diagnostics found in parallel, of the operations that own a body, in order.
    found: Option<std::vec::IntoIter<Found>>,
    /// Whether its lists are inconsistent, so that other rules cannot be verified.
    broken: bool,
    /// The number of operations of other bodies that remain to be shown.
    shown: usize,
    /// Number of errors before this body was checked.
    errors: usize,
    /// The last operations of blocks that need a terminator and have none.
    unterminated: Vec<Op>,
}

impl<'a> Open<'a> {
    fn new(
        report: &mut Report,
        body: &'a Body,
        owner: Option<OpRef<'a>>,
        seen: Option<Arc<Declared<'a>>>,
    ) -> Self {
        let wrong = if cfg!(debug_assertions) { body.check_invariants() } else { Vec::new() };
        let broken = !wrong.is_empty();
        for message in wrong {
            report.push(Diagnostic::error(message));
        }
        let ops = if broken { Vec::new() } else { body.walk() };
        let users = body.context().service_table::<dyn SymbolUser>();
        let found = check_nested(body, &ops, owner, users, seen.as_ref()).map(Vec::into_iter);
        let (shown, errors) = (report.shown.len(), report.diagnostics.error_count());
        let (ops, unterminated) = (ops.into_iter(), Vec::new());
        let inner = InnerTables::default();
        Self { body, owner, seen, inner, users, ops, found, broken, shown, errors, unterminated }
    }
}

/// Verifies one operation without nested ones and, if it is valid, its symbol uses.
fn check_op_and_symbols<'a>(
    report: &mut Report,
    op: OpRef<'a>,
    owner: Option<OpRef<'a>>,
    users: Option<&ServiceTable<dyn SymbolUser>>,
    inner: &mut InnerTables<'a>,
    seen: Option<&Declared<'a>>,
) {
    let before = report.diagnostics.error_count();
    check_op(report, op, owner);
    let user = users.and_then(|users| users.get(op.kind()));
    if let (Some(user), true) = (user, before == report.diagnostics.error_count()) {
        symbols::uses(report, op, user, inner, seen);
    }
}

/// `owner` is the operation around the body, if known.
fn check_op(report: &mut Report, op: OpRef<'_>, owner: Option<OpRef<'_>>) {
    let Some(spec) = op.spec() else {
        structure::check(report, op, owner);
        structure::check_blocks(report, op);
        return operation::check_undeclared(report, op);
    };
    let before = report.diagnostics.error_count();
    let hash = memory::hash(op);
    let known = report.memory.as_ref().and_then(|memory| memory.find(op, hash));
    if known.is_none() {
        operation::check(report, op, spec);
    }
    if known != Some(Verified::Plain) {
        structure::check(report, op, owner);
        structure::check_declared(report, op, spec, owner);
        symbols::check(report, op, spec, owner);
        if op.attrs() != Attr::EMPTY {
            dialect_attrs(report, op);
        }
    }
    own_rules(report, op, spec, before);
    if op.n_regions() > 0 && before == report.diagnostics.error_count() {
        structure::check_blocks(report, op);
    }
    if known.is_none() && before == report.diagnostics.error_count() {
        inferred::check(report, op, spec);
        if let (Some(memory), true) = (&mut report.memory, before == report.diagnostics.error_count()) {
            memory.keep(op, spec, hash);
        }
    }
}

/// Verifies an operation by its own rules and those of its traits, which may rely on its declaration: unless there are more
/// errors than `before`.
fn own_rules(report: &mut Report, op: OpRef<'_>, spec: &OpSpec, before: usize) {
    if let (Some(verify), true) = (spec.verify, before == report.diagnostics.error_count()) {
        let mut violations = Violations::default();
        verify(op.body(), op.id(), &mut violations);
        violations.into_iter().for_each(|violation| report.op(op, violation));
    }
    if !spec.op_traits.is_empty() && before == report.diagnostics.error_count() {
        let mut violations = Violations::default();
        spec.op_traits.iter().for_each(|other| (other.verify)(op, &mut violations));
        violations.into_iter().for_each(|violation| report.op(op, violation));
    }
}

/// Verification of a dialect's attributes on any operation, such as `dlti.dl_spec` on a module. Queried by the verifier
/// for each attribute with the dialect's prefix. Default: every attribute is valid.
pub trait AttrRules: Send + Sync {
    /// Returns an error message for an invalid attribute.
    fn check(&self, op: OpRef<'_>, name: &str, attr: Attr) -> Option<String>;
}
crate::service!(dyn AttrRules, "AttrRules", Optional);

/// Verifies the dialect attributes of an operation.
fn dialect_attrs(report: &mut Report, op: OpRef<'_>) {
    let ctx = op.context();
    for &(name, attr) in op.attrs().as_dictionary(ctx).unwrap_or(&[]) {
        let name = name.as_str(ctx);
        let dialect = name.split_once('.').and_then(|(dialect, _)| ctx.dialect(dialect));
        let service = dialect.and_then(|dialect| dialect.service::<dyn AttrRules>());
        if let Some(message) = service.and_then(|service| service.check(op, name, attr)) {
            report.at(op, message);
        }
    }
}

/// The parent operation: in the same body, or the owner of the body.
fn around<'a>(op: OpRef<'a>, owner: Option<OpRef<'a>>) -> Option<OpRef<'a>> {
    op.parent().map(|parent| op.body().op(parent)).or(owner)
}

/// The diagnostics of one operation.
#[derive(Default)]
struct Found {
    diagnostics: Diagnostics,
    /// See [`Report`].
    shown: Vec<(usize, Op)>,
}

/// The diagnostics found so far.
#[derive(Default)]
struct Report {
    diagnostics: Diagnostics,
    /// Kept for a whole program, but not for a single operation.
    memory: Option<Memory>,
    /// The operations to show in diagnostics, by index of the diagnostic.
    shown: Vec<(usize, Op)>,
    /// The last operations of blocks of the operation checked last that need a terminator and have none.
    unterminated: Vec<Op>,
}

impl Report {
    fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports an error at an operation, in MLIR's form: "'name' op message".
    fn op(&mut self, op: OpRef<'_>, violation: impl Into<Violation>) {
        self.error(op, violation.into().diagnostic(op));
    }

    /// Like [`Report::op`], with the name that may have been meant.
    fn suggesting(&mut self, op: OpRef<'_>, violation: Violation, name: Option<&str>) {
        let error = violation.diagnostic(op);
        self.error(
            op,
            match name {
                Some(name) => error.help(format!("did you mean '@{name}'?")),
                None => error,
            },
        );
    }

    /// Reports an error about an operation.
    fn error(&mut self, op: OpRef<'_>, diagnostic: Diagnostic) {
        if op.context().prints_op_on_diagnostic() {
            self.shown.push((self.diagnostics.len(), op.id()));
        }
        self.push(diagnostic);
    }

    /// Appends separately found diagnostics.
    fn append(&mut self, found: Found) {
        let before = self.diagnostics.len();
        self.shown.extend(found.shown.into_iter().map(|(index, op)| (before + index, op)));
        self.diagnostics.append(found.diagnostics);
    }

    /// Adds the operations of a body to the diagnostics about them, from index `from` on.
    fn show(&mut self, body: &Body, from: usize) {
        if self.shown.len() <= from {
            return;
        }
        let mut printer = Shown::new(body);
        for (index, op) in self.shown.drain(from..).filter(|&(_, op)| body.contains(op)) {
            let text = printer.op(op);
            let line_end = if text.contains('\n') { "\n" } else { "" };
            if let Some(diagnostic) = self.diagnostics.get_mut(index) {
                let message = format!("see current operation: {line_end}{text}");
                diagnostic.notes.insert(0, Diagnostic::new(Severity::Note, message));
            }
        }
    }

    /// Reports an error at an operation without its name.
    fn at(&mut self, op: OpRef<'_>, message: impl Into<String>) {
        self.op(op, bare(message));
    }

    fn finish(self) -> Result<(), Diagnostics> {
        if self.diagnostics.has_errors() { Err(self.diagnostics) } else { Ok(()) }
    }
}

/// Whether an undeclared operation is known to have a trait.
fn has_foreign_trait(op: OpRef<'_>, wanted: Traits) -> bool {
    op.spec().is_none() && op.context().foreign_traits(op.name()).has(wanted)
}

/// Whether an operation may terminate a block: a registered terminator, or an unregistered operation.
fn may_terminate(op: OpRef<'_>) -> bool {
    op.spec().is_none() || op.has_trait(Traits::TERMINATOR)
}

/// The text of a type in a message.
fn type_text(ctx: &Context, ty: crate::Type) -> String {
    crate::text::print_type(ctx, ty)
}
