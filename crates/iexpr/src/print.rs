//! Prints definitions as text.

use crate::ast::{File, NodeId, NodeKind, REVERSE};

/// Prints a file, one definition per line, with the necessary parentheses. [`parse`](crate::parse) of the text yields
/// the same definitions.
///
/// ```
/// use minoan_diag::SourceMap;
/// let sources = SourceMap::new();
/// let file = sources.add("a.iexpr", "a = ((i( '+ij ~ i' )) | (I >> I))");
/// let (file, _) = minoan_iexpr::parse(&sources, file);
/// assert_eq!(minoan_iexpr::print(&file), "a = i(\"+ij~i\") | I >> I\n");
/// ```
pub fn print(file: &File) -> String {
    let mut out = String::new();
    for def in &file.defs {
        if def.is_named {
            out.push_str(&def.name);
            out.push_str(" = ");
        }
        component(file, def.body, &mut out);
        out.push('\n');
    }
    out
}

/// The precedence of a component's outermost combinator.
fn precedence(kind: &NodeKind) -> u8 {
    match kind {
        NodeKind::Binary { combinator, .. } => combinator.precedence(),
        NodeKind::Swap(_) => 4,
        _ => 5,
    }
}

enum Piece {
    Text(&'static str),
    /// A component, parenthesized if its precedence is lower.
    Node(NodeId, u8),
}

fn component(file: &File, body: NodeId, out: &mut String) {
    let mut pending = vec![Piece::Node(body, 0)];
    while let Some(piece) = pending.pop() {
        let (node, least) = match piece {
            Piece::Text(text) => {
                out.push_str(text);
                continue;
            }
            Piece::Node(node, least) => (node, least),
        };
        let kind = &file.node(node).kind;
        let own = precedence(kind);
        if own < least {
            out.push('(');
            pending.push(Piece::Text(")"));
        }
        match kind {
            NodeKind::Expr(literal) => out.push_str(&format!("i(\"{}\")", literal.expr)),
            NodeKind::Name(name) => out.push_str(name),
            NodeKind::Error => out.push_str("<error>"),
            NodeKind::Swap(operand) => {
                out.push('~');
                pending.push(Piece::Node(*operand, own));
            }
            NodeKind::Reverse { operand, .. } => {
                out.push_str(REVERSE);
                out.push('(');
                pending.push(Piece::Text(")"));
                pending.push(Piece::Node(*operand, 0));
            }
            NodeKind::Binary { combinator, left, right, .. } => {
                pending.push(Piece::Node(*right, own + 1));
                pending.push(Piece::Text(" "));
                pending.push(Piece::Text(combinator.symbol()));
                pending.push(Piece::Text(" "));
                pending.push(Piece::Node(*left, own));
            }
        }
    }
}
