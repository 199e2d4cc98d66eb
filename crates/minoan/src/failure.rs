//! The error type of the facade.

use minoan_diag::{Diagnostic, Diagnostics};

/// Diagnostics, and the exit code of a tool that ends because of them.
///
/// | exit code | meaning |
/// |---|---|
/// | 0 | success |
/// | 1 | the program or its input is invalid, or a file cannot be read or written |
/// | 2 | the command line is invalid |
/// | 3 | the program failed while it ran, on any back end: a failed assertion, a division by zero, recursion that is too deep |
#[derive(Clone, Debug)]
pub struct Failure {
    /// The diagnostics to report; empty if the output pipe was closed.
    pub diagnostics: Diagnostics,
    /// The exit code of the process.
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
