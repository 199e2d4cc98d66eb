//! The spaces that MLIR's printer generators put between the elements of a format.

/// The state of the generator; see `genLiteralPrinter` in `OpFormatGen.cpp` and `AttrOrTypeFormatGen.cpp`.
#[derive(Clone, Debug)]
pub struct Spacing {
    should_space: bool,
    last_punct: bool,
}

impl Default for Spacing {
    fn default() -> Self {
        Self { should_space: true, last_punct: false }
    }
}

impl Spacing {
    /// Whether a literal is an explicit space: `` ` ` `` prints one, ` `` ` none.
    pub fn is_space(text: &str) -> bool {
        text.trim().is_empty()
    }

    /// An explicit space or its absence.
    pub fn space(&mut self, text: &str) {
        self.should_space = false;
        self.last_punct = text.is_empty();
    }

    /// A new line.
    pub fn newline(&mut self) {
        self.should_space = false;
    }

    /// Whether a space precedes a literal, which is not empty.
    pub fn literal(&mut self, text: &str) -> bool {
        let first = text.as_bytes()[0];
        let space_before = if text.len() != 1 && text != "->" {
            true
        } else if self.last_punct {
            !b">)}],".contains(&first)
        } else {
            !b"<>(){}[],".contains(&first)
        };
        let space = self.should_space && space_before;
        self.should_space = text.len() != 1 || !b"<({[".contains(&first);
        self.last_punct = first != b'_' && !first.is_ascii_alphabetic();
        space
    }

    /// Whether a space precedes a variable.
    pub fn variable(&mut self) -> bool {
        let space = self.should_space || !self.last_punct;
        self.last_punct = false;
        self.should_space = true;
        space
    }

    /// After an attribute dictionary, which prints its own space.
    pub fn dictionary(&mut self) {
        self.last_punct = false;
    }
}
