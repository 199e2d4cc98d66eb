//! The syntax tree.

use minoan::diag::Span;

/// A program: functions in order.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    /// The functions.
    pub functions: Vec<Function>,
}

/// A function over matrices.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// The name with its location.
    pub name: (String, Span),
    /// The parameters with their locations.
    pub params: Vec<(String, Span)>,
    /// The variables, in order.
    pub vars: Vec<(String, Expr)>,
    /// The result.
    pub result: Expr,
}

/// An expression with its location.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// The expression.
    pub kind: ExprKind,
    /// The location.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// `2.5`: a scalar, only inside of `each`.
    Number(f64),
    /// `[[1, 2], [3, 4]]`: a matrix by rows, all of one length.
    Matrix(Vec<Vec<f64>>),
    /// `x`
    Name(String),
    /// `a + b`, `a * b`, `a @ b`
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// `f(a, b)`
    Call(String, Vec<Expr>),
    /// `each (v in x) body`: the matrix of the values of `body` for each element `v` of `x`.
    Each {
        /// The name of the element.
        element: String,
        /// The matrix.
        matrix: Box<Expr>,
        /// A scalar expression.
        body: Box<Expr>,
    },
    /// `(a, b)`
    Record(Vec<Expr>),
    /// `r.0`
    Field(Box<Expr>, usize),
}

/// The binary operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// `+`, elementwise
    Add,
    /// `*`, elementwise
    Mul,
    /// `@`, the product of matrices
    MatMul,
}
