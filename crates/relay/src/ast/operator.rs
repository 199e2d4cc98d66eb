//! Operators with a symbol.

/// A binary operator with a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `&&`
    And,
    /// `||`
    Or,
}

impl BinaryOp {
    /// The symbol, the name of the operator, and the precedence.
    pub fn info(self) -> (&'static str, &'static str, u8) {
        match self {
            BinaryOp::Mul => ("*", "multiply", 12),
            BinaryOp::Div => ("/", "divide", 12),
            BinaryOp::Add => ("+", "add", 10),
            BinaryOp::Sub => ("-", "subtract", 10),
            BinaryOp::Less => ("<", "less", 8),
            BinaryOp::LessEqual => ("<=", "less_equal", 8),
            BinaryOp::Greater => (">", "greater", 8),
            BinaryOp::GreaterEqual => (">=", "greater_equal", 8),
            BinaryOp::Equal => ("==", "equal", 7),
            BinaryOp::NotEqual => ("!=", "not_equal", 7),
            BinaryOp::And => ("&&", "logical_and", 5),
            BinaryOp::Or => ("||", "logical_or", 4),
        }
    }
}

/// A unary operator with a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-`
    Negative,
    /// `!`
    Not,
}

impl UnaryOp {
    /// The symbol and the name of the operator.
    pub fn info(self) -> (&'static str, &'static str) {
        match self {
            UnaryOp::Negative => ("-", "negative"),
            UnaryOp::Not => ("!", "logical_not"),
        }
    }
}
