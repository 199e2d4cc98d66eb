//! Why something did not work.

use minoan_diag::{Diagnostic, Diagnostics};

/// What went wrong, and the exit code that a tool gives for it: 1 for a program that is not accepted, other codes for
/// one that failed while it ran.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What to tell the user; nothing where the user stopped reading.
    pub diagnostics: Diagnostics,
    /// For the process.
    pub exit_code: i32,
}

impl From<Diagnostics> for Failure {
    fn from(diagnostics: Diagnostics) -> Self {
        Self { diagnostics, exit_code: 1 }
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
