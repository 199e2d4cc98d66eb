//! The error type of the facade.

use minoan_diag::{Diagnostic, Diagnostics};

/// The kind of a failure, which determines the exit code of a tool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureKind {
    /// The program or its input is invalid, or a file cannot be read or written.
    Input,
    /// The program failed while it ran, on any back end: a failed assertion, a division by zero, recursion that is too deep.
    Fault,
    /// The reader of standard output has closed the pipe, as `head` does. This is not reported.
    ClosedPipe,
}

impl FailureKind {
    /// The exit code of a tool that ends with a failure of this kind.
    ///
    /// | exit code | meaning |
    /// |---|---|
    /// | 0 | success |
    /// | 1 | [`FailureKind::Input`] or [`FailureKind::ClosedPipe`] |
    /// | 2 | the command line is invalid, which its parser reports |
    /// | 3 | [`FailureKind::Fault`] |
    pub fn exit_code(self) -> u8 {
        match self {
            FailureKind::Input | FailureKind::ClosedPipe => 1,
            FailureKind::Fault => const { minoan_runtime::Fault::EXIT_CODE as u8 },
        }
    }
}

/// Diagnostics, and the kind of failure that they report.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The diagnostics to report; none if the [pipe was closed](FailureKind::ClosedPipe).
    pub diagnostics: Diagnostics,
    /// The kind of failure.
    pub kind: FailureKind,
}

impl Failure {
    /// A failure of the program while it ran.
    pub fn fault(diagnostics: impl Into<Diagnostics>) -> Self {
        Self { diagnostics: diagnostics.into(), kind: FailureKind::Fault }
    }

    pub(crate) fn closed_pipe() -> Self {
        Self { diagnostics: Diagnostics::new(), kind: FailureKind::ClosedPipe }
    }
}

impl From<Diagnostics> for Failure {
    fn from(diagnostics: Diagnostics) -> Self {
        Self { diagnostics, kind: FailureKind::Input }
    }
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Self {
        Diagnostics::from(diagnostic).into()
    }
}

impl From<Box<Diagnostic>> for Failure {
    fn from(diagnostic: Box<Diagnostic>) -> Self {
        (*diagnostic).into()
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let messages: Vec<&str> = self.diagnostics.iter().map(|one| one.message.as_str()).collect();
        write!(f, "{}", messages.join("; "))
    }
}

impl std::error::Error for Failure {}
