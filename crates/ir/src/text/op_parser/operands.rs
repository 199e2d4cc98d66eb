//! Operands, results and their types.

use super::{OpParser, Parsed, Unresolved};
use crate::text::lexer::Tok;
use crate::{Attr, DYNAMIC, Type, Value};

impl OpParser<'_, '_> {
    /// Parses an operand name.
    pub fn operand(&mut self) -> Parsed<Unresolved> {
        self.p.operand()
    }

    /// Parses an operand name if one is next.
    pub fn optional_operand(&mut self) -> Parsed<Option<Unresolved>> {
        if self.p.at_operand() { self.p.operand().map(Some) } else { Ok(None) }
    }

    /// Parses operand names separated by commas; may be empty.
    pub fn operand_list(&mut self) -> Parsed<Vec<Unresolved>> {
        let mut list = Vec::new();
        if self.p.tok.kind == Tok::Percent {
            self.p.list(|p| {
                list.push(p.operand()?);
                Ok(())
            })?;
        }
        Ok(list)
    }

    /// Parses `[%a, %b]`; may be empty.
    pub fn bracketed_operands(&mut self) -> Parsed<Vec<Unresolved>> {
        self.operands_between("[", "]", "operand list")
    }

    /// Parses operand names between delimiters; may be empty. `list` is the name of the list in messages: `argument
    /// list`.
    pub fn operands_between(&mut self, open: &str, close: &str, list: &str) -> Parsed<Vec<Unresolved>> {
        self.punct_in(open, list)?;
        let names = self.operand_list()?;
        self.punct_in(close, list)?;
        Ok(names)
    }

    /// Parses `[%a, 4, %b]` with the given delimiters: the values, and the number at each position, which is
    /// [`DYNAMIC`] for a value.
    pub fn index_list(&mut self, open: &str, close: &str) -> Parsed<(Vec<Unresolved>, Vec<i64>)> {
        let (mut values, mut numbers) = (Vec::new(), Vec::new());
        const LIST: &str = "dynamic index list";
        self.punct_in(open, LIST)?;
        if self.optional_punct(close) {
            return Ok((values, numbers));
        }
        loop {
            if let Some(value) = self.optional_operand()? {
                values.push(value);
                numbers.push(DYNAMIC);
            } else {
                numbers.push(self.integer()?);
            }
            if !self.optional_punct(",") {
                break;
            }
        }
        self.punct_in(close, LIST)?;
        Ok((values, numbers))
    }

    /// Resolves a name to a value of type `ty`, which may be defined later.
    pub fn resolve(&mut self, name: &Unresolved, ty: Type) -> Parsed<Value> {
        self.p.resolve(name, ty)
    }

    /// Resolves names with their types, and appends the values to the operands.
    pub fn add_operands(&mut self, names: &[Unresolved], types: &[Type]) -> Parsed<()> {
        if names.len() != types.len() {
            let message = format!(
                "number of operands and types do not match: got {} operands and {} types",
                names.len(),
                types.len()
            );
            let span = names.first().map_or(self.build.span, |name| name.span);
            return Err(self.error_at(span, message));
        }
        for (name, &ty) in names.iter().zip(types) {
            let value = self.p.resolve(name, ty)?;
            self.build.operands.push(value);
        }
        Ok(())
    }

    /// Appends operands that are already resolved.
    pub fn add_values(&mut self, values: &[Value]) {
        self.build.operands.extend_from_slice(values);
    }

    /// The operands so far.
    pub fn operands(&self) -> &[Value] {
        &self.build.operands
    }

    /// Sets `operandSegmentSizes`, the number of operands of each declared group.
    pub fn set_segments(&mut self, sizes: &[usize]) {
        let sizes: Vec<i32> = sizes.iter().map(|&size| i32::try_from(size).unwrap_or(i32::MAX)).collect();
        let (ctx, attr) = (self.p.ctx, Attr::dense_i32(self.p.ctx, &sizes));
        self.build.set_attr(ctx, ctx.names().operand_segments, attr);
    }

    /// Parses a type.
    pub fn ty(&mut self) -> Parsed<Type> {
        self.p.ty()
    }

    /// Parses a nonempty list of types separated by commas.
    pub fn type_list(&mut self) -> Parsed<Vec<Type>> {
        let mut types = Vec::new();
        self.p.list(|p| {
            types.push(p.ty()?);
            Ok(())
        })?;
        Ok(types)
    }

    /// Parses `-> t` or `-> (t, t)`; empty without an arrow.
    pub fn optional_arrow_types(&mut self) -> Parsed<Vec<Type>> {
        if self.p.eat("->") { self.p.result_types() } else { Ok(Vec::new()) }
    }

    /// Appends a result.
    pub fn add_result(&mut self, ty: Type) {
        self.build.results.push(ty);
    }

    /// Appends results.
    pub fn add_results(&mut self, types: &[Type]) {
        self.build.results.extend_from_slice(types);
    }
}
