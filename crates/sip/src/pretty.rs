//! Prints structures in human-readable form.

use crate::parse::SipVisitor;
use crate::path::Container;
use crate::structure::Structure;
use std::fmt::Write;

/// The canonical indented form, identical byte for byte to that of the original implementation.
///
/// Keys are printed verbatim, so a key with a line break can look like two lines; the one-line form of [`Structure`]
/// quotes them. Every level indents by two spaces, so the size of the text is quadratic in the depth.
///
/// ```
/// use minoan_sip::{Structure, pretty};
///
/// assert_eq!(pretty(&Structure::arguments(2)), b":[\n  0=raw(0),\n  1=raw(1),\n],\n");
/// assert_eq!(pretty(&Structure::results(1)), b"=raw(0),\n");
/// ```
pub fn pretty(structure: &Structure) -> Vec<u8> {
    let mut visitor = ToStringVisitor::new();
    never_refuses(structure.visit(&mut visitor));
    visitor.text
}

/// A visitor that prints the form of [`pretty`].
#[derive(Clone, Debug, Default)]
pub struct ToStringVisitor {
    text: Vec<u8>,
    depth: usize,
}

impl ToStringVisitor {
    /// Creates a printer.
    pub fn new() -> Self {
        Self::default()
    }

    /// The text so far; invalid UTF-8 is replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.text).into_owned()
    }

    /// The text so far.
    pub fn bytes(&self) -> &[u8] {
        &self.text
    }

    fn indent(&mut self) {
        self.text.resize(self.text.len() + 2 * self.depth, b' ');
    }
}

impl SipVisitor for ToStringVisitor {
    fn integer_key(&mut self, key: i32) -> Result<(), String> {
        self.indent();
        self.text.extend_from_slice(key.to_string().as_bytes());
        Ok(())
    }

    fn string_key(&mut self, key: &[u8]) -> Result<(), String> {
        self.indent();
        self.text.extend_from_slice(key);
        Ok(())
    }

    fn open_struct(&mut self, container: Container) -> Result<(), String> {
        self.depth += 1;
        self.text.extend_from_slice(match container {
            Container::Sequence => b":[\n",
            Container::Dictionary => b":{\n",
        });
        Ok(())
    }

    fn close_struct(&mut self, container: Container) -> Result<(), String> {
        self.depth -= 1;
        self.indent();
        self.text.extend_from_slice(match container {
            Container::Sequence => b"],\n",
            Container::Dictionary => b"},\n",
        });
        Ok(())
    }

    fn map_to_raw(&mut self, index: i32) -> Result<(), String> {
        self.text.extend_from_slice(format!("=raw({index}),\n").as_bytes());
        Ok(())
    }
}

/// The form on one line, with keys quoted and escaped.
pub(crate) fn one_line(structure: &Structure) -> String {
    let mut visitor = OneLine::default();
    never_refuses(structure.visit(&mut visitor));
    visitor.text
}

#[derive(Default)]
struct OneLine {
    text: String,
}

impl OneLine {
    /// Writes the separator between two values.
    fn separate(&mut self) {
        if !(self.text.is_empty() || self.text.ends_with(['[', '{'])) {
            self.text.push_str(", ");
        }
    }
}

impl SipVisitor for OneLine {
    fn integer_key(&mut self, key: i32) -> Result<(), String> {
        self.separate();
        // Writing to a string does not fail.
        let _ = write!(self.text, "{key}: ");
        Ok(())
    }

    fn string_key(&mut self, key: &[u8]) -> Result<(), String> {
        self.separate();
        let _ = write!(self.text, "\"{}\": ", key.escape_ascii());
        Ok(())
    }

    fn open_struct(&mut self, container: Container) -> Result<(), String> {
        if !self.text.ends_with(": ") {
            self.separate();
        }
        self.text.push(if container == Container::Sequence { '[' } else { '{' });
        Ok(())
    }

    fn close_struct(&mut self, container: Container) -> Result<(), String> {
        self.text.push(if container == Container::Sequence { ']' } else { '}' });
        Ok(())
    }

    fn map_to_raw(&mut self, index: i32) -> Result<(), String> {
        if !self.text.ends_with(": ") {
            self.separate();
        }
        let _ = write!(self.text, "raw({index})");
        Ok(())
    }
}

fn never_refuses(visited: Result<(), String>) {
    // Both visitors only return Ok.
    visited.unwrap_or_else(|said| unreachable!("a printer refused: {said}"));
}
