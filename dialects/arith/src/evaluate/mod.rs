pub(crate) fn register(_: &mut minoan_ir::DialectBuilder<'_>) {}
