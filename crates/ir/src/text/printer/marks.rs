//! Positions of operations in printed text.

use super::{PrintFlags, Writer};
use crate::{Body, Loc, Module, Op, OpRef};

/// The position of an operation in printed text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpMark {
    /// Offset in bytes of the line on which the operation starts.
    pub offset: usize,
    /// The operation.
    pub op: Op,
    /// Its location.
    pub loc: Loc,
}

/// Prints a module as [`print_module`](super::print_module) does, with the position of each operation, in text order.
///
/// ```
/// use minoan_ir::text::{PrintFlags, print_module_marked};
/// use minoan_ir::{Context, Loc, Module};
/// let module = Module::new(&Context::bare(), Loc::UNKNOWN);
/// let (text, marks) = print_module_marked(&module, &PrintFlags::default());
/// assert!(text.starts_with("\"builtin.module\"()"));
/// assert_eq!((marks[0].offset, marks[0].op), (0, module.op()));
/// ```
pub fn print_module_marked(module: &Module, flags: &PrintFlags) -> (String, Vec<OpMark>) {
    let mut writer = Writer::new(module.context(), flags);
    writer.marks = Some(Vec::new());
    writer.module(module);
    let marks = writer.marks.take().unwrap_or_default();
    (writer.finish(), marks)
}

/// Prints an operation as [`print_op`](super::print_op) does, with the position of each operation, in text order.
pub fn print_op_marked(body: &Body, op: Op, flags: &PrintFlags) -> (String, Vec<OpMark>) {
    let mut writer = Writer::new(body.context(), flags);
    writer.marks = Some(Vec::new());
    writer.op_with_aliases(body, op);
    let marks = writer.marks.take().unwrap_or_default();
    (writer.finish(), marks)
}

impl Writer<'_> {
    /// Records the position of an operation that is printed next.
    #[inline]
    pub(super) fn mark(&mut self, view: OpRef<'_>) {
        if let Some(marks) = &mut self.marks
            && self.collector.is_none()
        {
            marks.push(OpMark { offset: self.out.len(), op: view.id(), loc: view.loc() });
        }
    }
}
