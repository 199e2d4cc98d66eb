//! The verifier: everything that is wrong with a program, found in one run.
//!
//! It guarantees that what it accepts obeys the rules below, that it reports every violation it sees and not just the
//! first, and that its time is linear in the size of the program, however deep that is nested. The words are MLIR's.
//! The rules of one operation that cannot be checked (the types of operands whose number is wrong) are left out
//! until the others hold.
//!
//! What an operation declares ([`OpSpec`](crate::OpSpec)):
//! 1. An operation of a loaded dialect is declared by it.
//! 2. It has as many operands as it declares.
//! 3. It has as many results as it declares.
//! 4. It has as many regions as it declares.
//! 5. It has as many successors as it declares.
//! 6. With `OPERAND_SEGMENTS` or `RESULT_SEGMENTS`, the attribute with the segment sizes is there, has a size for each
//!    group, none negative, and they sum up to the number of operands or results.
//! 7. The type of every operand and result satisfies its constraint.
//! 8. Operands and results that are declared to have the same type do.
//! 9. A type that follows from another one does.
//! 10. With `SAME_OPERANDS`, all operands have one type.
//! 11. With `SAME_OPERANDS_AND_RESULT`, all operands and results have one element type, compatible shapes, and the
//!     encoding of the result, if it has one.
//! 12. With `SAME_SHAPE`, all operands and results have compatible shapes.
//! 13. With `ELEMENTWISE`, vectors and tensors among operands and results go together.
//! 14. Every attribute that is not optional and has no default is there.
//! 15. Every declared attribute satisfies its constraint.
//!
//! How operations stand together:
//!
//! 16. A block has an operation. (Not where the next rule does not hold either.)
//! 17. The last operation of a block is a terminator. (Not in a single block of an undeclared operation or of one with
//!     `NO_TERMINATOR`; an undeclared operation counts as a terminator.)
//! 18. A terminator is the last operation of its block.
//! 19. An operation with successors is the last one of its block.
//! 20. Successors are blocks of the region that the operation is in.
//! 21. No operation names the entry block of a region as successor.
//! 22. With `SINGLE_BLOCK`, a region has at most one block, and that one is not empty.
//! 23. A region that is declared not to be empty is not.
//! 24. With `NO_REGION_ARGS`, the entry blocks have no arguments.
//! 25. With `GRAPH_REGION`, a region has at most one block.
//! 26. With `IMPLICIT_TERMINATOR`, the blocks end with the declared terminator.
//! 27. An operation that declares its parents has one of them directly around it; one with `ALLOCATES_ON_STACK` has one with
//!     `ALLOCATION_SCOPE`, or a function, around it at any distance.
//!
//! Symbols:
//!
//! 28. With `SYMBOL`, `sym_name` is a string, `sym_visibility` is one of its three words, and the operation around it
//!     is a symbol table.
//! 29. With `SYMBOL_TABLE`, there is one region with at most one block, and no name is declared twice in it.
//!
//! Values:
//!
//! 30. An operand is visible where it is used: defined before in the same block, in a dominating block, or in one of
//!     these ways relative to an operation around it; never inside the operation that defines it. In a region
//!     without order everything in the block is visible. Blocks that control cannot reach are not checked. That
//!     nothing is used from outside an isolated operation cannot be otherwise: it has its own [`Body`].
//!
//! The rest:
//!
//! 31. The operation's own rules hold ([`OpSpec::verify`](crate::OpSpec::verify)).
//! 32. In builds with debug assertions: use lists and block lists are exact ([`Body::check_invariants`]).
//! 33. An operation that names symbols finds them, and they fit ([`SymbolUser`]).
//! 34. A dialect that has rules for its attributes finds them kept, on whatever operation ([`AttrRules`]).
//! 35. Result types that can be inferred, by [`OpSpec::infer`](crate::OpSpec::infer) or with `SAME_OPERANDS_AND_RESULT` as that
//!     of the first operand, are compatible with those. Looked at last, when an operation obeys all other rules.

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
use crate::{Attr, Body, Context, Module, Op, OpRef, ServiceTable, SymbolUser, Traits};
use memory::{Memory, Verified};
use minoan_diag::{Diagnostic, Diagnostics, Severity};
use rayon::prelude::*;
use std::sync::Arc;
use symbols::Declared;

/// Checks a whole program.
///
/// # Errors
/// Every violation of the rules of this module, those of an operation before those of what is inside it, and rule 30
/// of a body after its other rules.
pub fn verify(module: &Module) -> Result<(), Diagnostics> {
    verify_body(module.holder())
}

/// Checks everything in a body, nested bodies included.
///
/// The operation that owns the body is not known here: its rules are left out, its regions are taken to have an
/// order, and rules 27 and 28 skip the operations at the top.
///
/// # Errors
/// As [`verify`].
pub fn verify_body(body: &Body) -> Result<(), Diagnostics> {
    let mut report = Report { memory: Some(Memory::default()), ..Report::default() };
    check_all(&mut report, body, None, None);
    report.finish()
}

/// Operations from which on threads are worth their start, those in nested bodies counted, and those for one of them.
const ENOUGH: usize = 32 * 1024;
const PIECE: usize = 4 * 1024;

/// Checks a body, nested bodies included. Where there is enough in them, they are checked side by side, and what is
/// found is put together in the order of the text.
///
/// `seen` are the symbols that the operations at the top of the body see.
fn check_all<'a>(
    report: &mut Report,
    body: &'a Body,
    owner: Option<OpRef<'a>>,
    seen: Option<Arc<Declared<'a>>>,
) {
    let mut open = vec![Open::new(report, body, owner, seen)];
    while let Some(top) = open.last_mut() {
        let Some(op) = top.ops.next() else {
            let owner = top.owner.map(|owner| (owner.spec().is_some(), owner.traits()));
            if !top.broken {
                ssa::check(report, top.body, owner);
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
        check_op_and_symbols(report, view, top.owner, top.users, top.seen.as_deref());
        if let Some(nested) = nested {
            let seen = symbols::seen_inside(view, top.seen.as_ref());
            open.push(Open::new(report, nested, Some(view), seen));
        }
    }
}

/// What is wrong with the operations that have storage of their own and inside them, each; `None` where that is not worth
/// the threads.
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
        check_op_and_symbols(&mut report, op, owner, users, seen.map(|seen| &**seen));
        // These operations are in the body around.
        let shown = std::mem::take(&mut report.shown);
        check_all(&mut report, inside, Some(op), symbols::seen_inside(op, seen));
        *memory = report.memory;
        Found { diagnostics: report.diagnostics, shown }
    };
    let pieces = nested.len().div_ceil(size / PIECE);
    Some(nested.par_iter().with_min_len(pieces).map_init(|| Some(Memory::default()), check).collect())
}

/// Checks one operation without what is inside it: what it declares, where it stands, how its regions are built,
/// its own rules. Rule 30 is left out.
///
/// # Errors
/// As [`verify`].
pub fn verify_op(body: &Body, op: Op) -> Result<(), Diagnostics> {
    let mut report = Report::default();
    let view = body.op(op);
    check_op(&mut report, view, None);
    report.show(body, 0);
    report.finish()
}

/// A body whose operations are being checked.
struct Open<'a> {
    body: &'a Body,
    owner: Option<OpRef<'a>>,
    seen: Option<Arc<Declared<'a>>>,
    users: Option<&'a ServiceTable<dyn SymbolUser>>,
    ops: std::vec::IntoIter<Op>,
    /// What was found already: of the operations with storage of their own and what is inside them, in their order.
    found: Option<std::vec::IntoIter<Found>>,
    /// Whether its lists are wrong, so that nothing else can be said of it.
    broken: bool,
    /// How many operations of other bodies are still to be shown.
    shown: usize,
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
        Self { body, owner, seen, users, ops: ops.into_iter(), found, broken, shown: report.shown.len() }
    }
}

/// Checks one operation without what is inside it, and the symbols that it names.
fn check_op_and_symbols<'a>(
    report: &mut Report,
    op: OpRef<'a>,
    owner: Option<OpRef<'a>>,
    users: Option<&ServiceTable<dyn SymbolUser>>,
    seen: Option<&Declared<'a>>,
) {
    check_op(report, op, owner);
    if let Some(user) = users.and_then(|users| users.get(op.kind())) {
        symbols::uses(report, op, user, seen);
    }
}

/// `owner` is the operation around the body, where it is known.
fn check_op(report: &mut Report, op: OpRef<'_>, owner: Option<OpRef<'_>>) {
    let Some(spec) = op.spec() else {
        structure::check(report, op, owner);
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
    // A rule of the operation may rely on what it declares.
    if let (Some(verify), true) = (spec.verify, before == report.diagnostics.error_count()) {
        let mut violations = Violations::default();
        verify(op.body(), op.id(), &mut violations);
        violations.into_iter().for_each(|violation| report.op(op, violation));
    }
    if known.is_none() && before == report.diagnostics.error_count() {
        inferred::check(report, op, spec);
        if let (Some(memory), true) = (&mut report.memory, before == report.diagnostics.error_count()) {
            memory.keep(op, spec, hash);
        }
    }
}

/// Rules for a dialect's attributes on operations of whatever dialect: `dlti.dl_spec` on a module. Asked by the verifier
/// for each attribute whose name begins with the dialect's; without an answer any will do.
pub trait AttrRules: Send + Sync {
    /// What is wrong with an attribute, in full words.
    fn check(&self, op: OpRef<'_>, name: &str, attr: Attr) -> Option<String>;
}
crate::service!(dyn AttrRules, "AttrRules", Optional);

/// Asks the dialects of an operation's attributes.
fn dialect_attrs(report: &mut Report, op: OpRef<'_>) {
    let ctx = op.context();
    for &(name, attr) in op.attrs().as_dictionary(ctx).unwrap_or(&[]) {
        let name = name.as_str(ctx);
        let dialect = name.split_once('.').and_then(|(dialect, _)| ctx.dialect(dialect));
        let answer = dialect.and_then(|dialect| dialect.service::<dyn AttrRules>());
        if let Some(message) = answer.and_then(|answer| answer.check(op, name, attr)) {
            report.at(op, message);
        }
    }
}

/// The operation around another one: in its body, or the owner of that.
fn around<'a>(op: OpRef<'a>, owner: Option<OpRef<'a>>) -> Option<OpRef<'a>> {
    op.parent().map(|parent| op.body().op(parent)).or(owner)
}

/// What was found in an operation by itself.
#[derive(Default)]
struct Found {
    diagnostics: Diagnostics,
    /// As in [`Report`].
    shown: Vec<(usize, Op)>,
}

/// What was found so far.
#[derive(Default)]
struct Report {
    diagnostics: Diagnostics,
    /// Kept over a whole program, not for one operation.
    memory: Option<Memory>,
    /// The operations that diagnostics, by number, are to show.
    shown: Vec<(usize, Op)>,
}

impl Report {
    fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// An error at an operation, in MLIR's form: "'name' op message".
    fn op(&mut self, op: OpRef<'_>, violation: impl Into<Violation>) {
        self.error(op, violation.into().diagnostic(op));
    }

    /// An error that is about an operation.
    fn error(&mut self, op: OpRef<'_>, diagnostic: Diagnostic) {
        if op.context().prints_op_on_diagnostic() {
            self.shown.push((self.diagnostics.len(), op.id()));
        }
        self.push(diagnostic);
    }

    /// Adds what was found by itself.
    fn append(&mut self, found: Found) {
        let before = self.diagnostics.len();
        self.shown.extend(found.shown.into_iter().map(|(index, op)| (before + index, op)));
        self.diagnostics.append(found.diagnostics);
    }

    /// Shows the operations of a body in the diagnostics about them: those behind the first `from`.
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

    /// An error at an operation that does not name it.
    fn at(&mut self, op: OpRef<'_>, message: impl Into<String>) {
        self.op(op, bare(message));
    }

    fn finish(self) -> Result<(), Diagnostics> {
        if self.diagnostics.has_errors() { Err(self.diagnostics) } else { Ok(()) }
    }
}

/// Whether an operation may end a block: a declared terminator, or something unknown.
fn may_terminate(op: OpRef<'_>) -> bool {
    op.spec().is_none() || op.has_trait(Traits::TERMINATOR)
}

/// The text of a type in a message.
fn type_text(ctx: &Context, ty: crate::Type) -> String {
    crate::text::print_type(ctx, ty)
}
