//! Remarks: the transformations that passes performed or missed, and the reasons.

use minoan_diag::{Diagnostic, Severity};

/// The kind of a remark, as in MLIR.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RemarkKind {
    /// A transformation was applied.
    Passed,
    /// A transformation was not applied.
    Missed,
    /// A fact on which a decision depends.
    Analysis,
}

impl RemarkKind {
    /// All kinds.
    pub const ALL: [RemarkKind; 3] = [RemarkKind::Passed, RemarkKind::Missed, RemarkKind::Analysis];

    /// The name in messages: `Passed`, `Missed`, `Analysis`.
    pub fn name(self) -> &'static str {
        match self {
            RemarkKind::Passed => "Passed",
            RemarkKind::Missed => "Missed",
            RemarkKind::Analysis => "Analysis",
        }
    }
}

/// A remark of a pass.
#[derive(Clone, PartialEq, Debug)]
pub struct Remark {
    /// The kind.
    pub kind: RemarkKind,
    /// The name of the pass.
    pub pass: &'static str,
    /// Index of the pass in its pipeline.
    pub node: usize,
    /// The message, its location and notes with reasons.
    pub diagnostic: Diagnostic,
}

impl Remark {
    /// The remark as a diagnostic: `[Missed] inline: ..`.
    pub fn to_diagnostic(&self) -> Diagnostic {
        let Remark { kind, pass, diagnostic, .. } = self;
        let mut diagnostic = diagnostic.clone();
        diagnostic.severity = Severity::Remark;
        diagnostic.message = format!("[{}] {pass}: {}", kind.name(), diagnostic.message);
        diagnostic
    }
}
