//! Relay text of a module of the relay dialect.
//!
//! * A call of an operator becomes a graph binding, `%3 = nn.relu(%2);`, numbered through the whole file, as TVM's parser wants
//!   them, and so does a function expression. What may have an effect, calls of functions among it, is bound by `let`, which
//!   keeps the order. In A-normal form, everything is bound by `let`.
//! * Numbers are literals, other constants are tensors of the metadata section. Attributes with their default values are left
//!   out, and every function has the types of its parameters and its result.
//! * Data types have the declarations and the constructors of the source. A match has one level, and becomes `match?` where cases
//!   fail.
//!
//! Parsing and emitting the text yields an equal module.

mod attributes;
mod constants;
mod datas;
mod objects;
mod types;

use crate::metadata::Metadata;
use attributes::{function_attrs, param_attrs};
use minoan_data as data;
use minoan_diag::{Diagnostic, Diagnostics};
use minoan_frontend::with_stack;
use minoan_ir::{Block, Body, Context, DYNAMIC, Module, Op, OpRef, Type, Value};
use minoan_relay_dialect as relay;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// The attribute of a module whose text binds all values by `let`, in A-normal form.
pub const LET_BINDINGS: &str = "relay.let_bindings";

/// Prints the functions of a module as Relay text, with the bindings that [`LET_BINDINGS`] chooses.
///
/// # Errors
/// One error at each operation that has no text in Relay.
pub fn to_text(module: &Module) -> Result<String, Diagnostics> {
    let (ctx, body) = (module.context(), module.body());
    let functions: Vec<Op> =
        body.block(module.block()).ops().filter(|&op| body.op(op).is::<relay::Func>()).collect();
    let mut writer = Writer {
        ctx,
        out: format!("#[version = \"{}\"]\n", crate::parser::VERSION),
        indent: 0,
        count: 0,
        names: FxHashMap::default(),
        datas: FxHashMap::default(),
        inline: FxHashMap::default(),
        metadata: given_metadata(module),
        lets: module.holder().op(module.op()).attr_named(LET_BINDINGS).is_some(),
        errors: Diagnostics::new(),
    };
    writer.name_types(body, module.block());
    writer.inline = inlined(body, &functions);
    // Function expressions have no names.
    let mut names = Names::default();
    for &op in &functions {
        let symbol = body.op(op).symbol_name().unwrap_or_default();
        if !writer.inline.contains_key(symbol) {
            writer.names.insert(symbol.to_owned(), names.unique(symbol));
        }
    }
    // TVM resolves constructors while it parses functions, so types come first.
    let (declarations, others): (Vec<Op>, Vec<Op>) =
        body.block(module.block()).ops().partition(|&op| body.op(op).is::<data::Declaration>());
    writer.declarations(&declarations.into_iter().map(|op| body.op(op)).collect::<Vec<_>>());
    for op in others {
        if body.op(op).is::<relay::Func>() {
            if !body.op(op).symbol_name().is_some_and(|symbol| writer.inline.contains_key(symbol)) {
                writer.function(body.op(op));
            }
        } else {
            writer.unsupported(body.op(op));
        }
    }
    let Writer { mut out, metadata, errors, .. } = writer;
    if errors.has_errors() {
        return Err(errors);
    }
    if !metadata.is_empty() {
        out.push_str("\n#[metadata]\n");
        out.push_str(&metadata.text());
        out.push('\n');
    }
    Ok(out)
}

/// The objects of the metadata section of the source, which attributes refer to.
fn given_metadata(module: &Module) -> Metadata {
    let given = module.holder().op(module.op()).attr_named("relay.metadata");
    let text = given.and_then(|text| text.as_str(module.context()));
    text.and_then(|text| Metadata::parse(text).ok()).unwrap_or_default()
}

/// The functions that are used once, as a value or as the computation of one kernel: function expressions.
fn inlined<'a>(body: &'a Body, functions: &[Op]) -> FxHashMap<String, OpRef<'a>> {
    fn count<'a>(body: &'a Body, uses: &mut FxHashMap<&'a str, (usize, bool)>) {
        for op in body.walk() {
            let op = body.op(op);
            if let Some(nested) = op.nested() {
                count(nested, uses);
            }
            for (name, is_value) in [("callee", false), ("function", true)] {
                let symbol = op.attr_named(name).and_then(|symbol| symbol.as_flat_symbol(op.context()));
                if let Some(symbol) = symbol {
                    let entry = uses.entry(symbol.as_str(op.context())).or_default();
                    *entry = (entry.0 + 1, is_value);
                }
            }
        }
    }
    let mut uses = FxHashMap::default();
    count(body, &mut uses);
    let once = |&op: &Op| {
        let op = body.op(op);
        let symbol = op.symbol_name()?;
        let private =
            op.attr_named("sym_visibility").is_some_and(|it| it.as_str(op.context()) == Some("private"));
        // A function whose only use is in its own body is used nowhere.
        let inside = op.nested()?;
        let mut own = FxHashMap::default();
        count(inside, &mut own);
        let &(count, is_value) = uses.get(symbol)?;
        (private && count == 1 && (is_value || is_primitive(op)) && !own.contains_key(symbol))
            .then(|| (symbol.to_owned(), op))
    };
    functions.iter().filter_map(once).collect()
}

/// Whether a function is the computation of one kernel, and has no name for an external compiler.
fn is_primitive(function: OpRef<'_>) -> bool {
    function.attr_named("Primitive").is_some() && function.attr_named("global_symbol").is_none()
}

/// The names of the parameters of a function, without captured values.
fn param_names(function: OpRef<'_>) -> Vec<&str> {
    let ctx = function.context();
    let names = function.attr_named("relay.params").and_then(|names| names.as_array(ctx)).unwrap_or(&[]);
    names.iter().filter_map(|name| name.as_str(ctx)).collect()
}

/// Whether the type of the result of an operation has extents that its operand does not know.
fn is_refined(ctx: &Context, op: OpRef<'_>, ty: Type) -> bool {
    let unknown =
        |ty: Type| ty.shape(ctx).map(|shape| shape.iter().map(|&extent| extent == DYNAMIC).collect());
    let (Some(found), Some(wanted)): (Option<Vec<bool>>, Option<Vec<bool>>) =
        (op.operand_types().next().and_then(unknown), unknown(ty))
    else {
        return false;
    };
    found.into_iter().zip(wanted).any(|(found, wanted)| found && !wanted)
}

/// Whether an operation only converts a value to a type with more or fewer known extents. Reading the text adds the conversion
/// again where the use of the value needs it.
fn is_fit(op: OpRef<'_>) -> bool {
    let is_copy = relay::operator_of(op).is_some_and(|operator| operator.name == "copy");
    is_copy && op.operand_types().ne(op.result_types())
}

/// A name with other characters than those of identifiers replaced.
fn identifier(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '/';
    let name: String = name.chars().map(|c| if fits(c) { c } else { '_' }).collect();
    match name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        true => name,
        false => format!("v{name}"),
    }
}

/// Names that differ.
#[derive(Default)]
struct Names {
    taken: FxHashSet<String>,
    /// The number of the last name that was derived from a wanted one.
    counts: FxHashMap<String, usize>,
}

impl Names {
    /// A new name like this one.
    fn unique(&mut self, wanted: &str) -> String {
        let wanted = identifier(wanted);
        let mut found = wanted.clone();
        while !self.taken.insert(found.clone()) {
            let count = self.counts.entry(wanted.clone()).or_default();
            *count += 1;
            found = format!("{wanted}_{count}");
        }
        found
    }
}

struct Writer<'a> {
    ctx: &'a Context,
    out: String,
    indent: usize,
    /// The number of graph bindings.
    count: usize,
    /// The names of functions, by their symbols.
    names: FxHashMap<String, String>,
    /// The names of data types and of their constructors, by symbols.
    datas: FxHashMap<String, datas::DataNames>,
    /// The functions that are printed where they are values, by symbols.
    inline: FxHashMap<String, OpRef<'a>>,
    metadata: Metadata,
    /// Whether all values are bound by `let`.
    lets: bool,
    errors: Diagnostics,
}

/// The texts of the values of a function.
#[derive(Default)]
struct Values {
    texts: FxHashMap<Value, String>,
    /// Function expressions that are printed before their first use, which is where the parser puts them.
    pending: FxHashMap<Value, Op>,
    /// The names of variables.
    names: Names,
}

impl Values {
    fn get(&self, value: Value) -> String {
        self.texts.get(&value).cloned().unwrap_or_default()
    }

    /// A new variable for a value.
    fn variable(&mut self, value: Value, wanted: &str) -> String {
        let name = format!("%{}", self.names.unique(wanted));
        self.texts.insert(value, name.clone());
        name
    }
}

impl Writer<'_> {
    fn unsupported(&mut self, op: OpRef<'_>) {
        let error = Diagnostic::error(format!("'{}' has no Relay text yet", op.name()));
        self.errors.push(error.at(op.loc().place(self.ctx)));
    }

    fn line(&mut self) {
        const MAX_DEPTH: usize = 40;
        self.out.push('\n');
        for _ in 0..self.indent.min(MAX_DEPTH) {
            self.out.push_str("  ");
        }
    }

    fn function(&mut self, op: OpRef<'_>) {
        let Some(inside) = op.nested() else { return };
        let Some(entry) = inside.region(inside.root(0)).entry() else { return self.unsupported(op) };
        let (given, attrs) = (param_names(op), param_attrs(op));
        let args: Vec<Value> = inside.block(entry).args().collect();
        // Captured values come first, and have no names.
        let captured = args.len().saturating_sub(given.len());
        let mut values = Values::default();
        let mut params = Vec::with_capacity(args.len());
        for (at, &arg) in args.iter().enumerate() {
            let name = match at.checked_sub(captured).and_then(|at| given.get(at)) {
                Some(name) => values.variable(arg, name),
                None => values.variable(arg, &format!("c{at}")),
            };
            let attrs = at.checked_sub(captured).and_then(|at| attrs.get(at)).map_or("", String::as_str);
            params.push(format!("{name}{attrs}: {}", self.ty(op, inside.ty(arg))));
        }
        params.extend(function_attrs(op));
        let result = inside.block(entry).last().map(|last| inside.op(last));
        let result = result.and_then(|last| last.operand_types().next());
        let result = result.map(|ty| self.ty(op, ty)).unwrap_or_default();
        let symbol = op.symbol_name().unwrap_or_default();
        let name = self.names.get(symbol).cloned().unwrap_or_default();
        let _ = write!(self.out, "\ndef @{name}({}) -> {result} {{", params.join(", "));
        self.block(inside, entry, &mut values);
        self.out.push_str("}\n");
    }

    /// Prints the operations of a block as bindings, and the value that its last one returns.
    fn block(&mut self, body: &Body, block: Block, values: &mut Values) {
        self.indent += 1;
        for op in body.block(block).ops() {
            let view = body.op(op);
            if view.is::<relay::Return>() || view.is::<relay::Yield>() || view.is::<data::Yield>() {
                self.pending_functions(body, view, values);
                self.line();
                let parts: Vec<String> = view.operands().map(|value| values.get(value)).collect();
                match &parts[..] {
                    [value] => self.out.push_str(value),
                    parts => _ = write!(self.out, "({})", parts.join(", ")),
                }
            } else if self.can_wait(body, view) {
                values.pending.extend(view.results().map(|result| (result, op)));
            } else {
                self.pending_functions(body, view, values);
                with_stack(|| self.op(body, view, values));
            }
        }
        self.indent -= 1;
        self.line();
    }

    fn op(&mut self, body: &Body, op: OpRef<'_>, values: &mut Values) {
        let args: Vec<String> = op.operands().map(|value| values.get(value)).collect();
        if op.is::<data::RefWrite>() {
            self.line();
            let _ = write!(self.out, "ref_write({}, {});", args[0], args[1]);
            return;
        }
        let Some(result) = op.results().next() else { return self.unsupported(op) };
        if op.is::<relay::Constant>() {
            let Some(text) = op.attr_named("value").and_then(|value| self.constant(value)) else {
                return self.unsupported(op);
            };
            values.texts.insert(result, text);
            return;
        }
        if op.is::<relay::MakeTuple>() && args.is_empty() {
            values.texts.insert(result, "()".to_owned());
            return;
        }
        if op.is::<relay::If>() {
            return self.conditional(body, op, &args[0], result, values);
        }
        if op.is::<data::Match>() {
            return self.matches(body, op, &args[0], result, values);
        }
        if op.is::<data::Closure>()
            && let Some(function) = self.function_expression(op)
        {
            return self.lambda(op, function, args, result, values);
        }
        if op.is::<relay::Call>()
            && let Some(function) = self.called_expression(op)
        {
            return self.primitive(op, function, &args, result, values);
        }
        if is_fit(op) {
            let ty = op.result_types().next().filter(|&ty| is_refined(self.ctx, op, ty));
            let Some(ty) = ty.and_then(|ty| self.type_text(ty)) else {
                values.texts.insert(result, args[0].clone());
                return;
            };
            let name = self.let_variable(result, values);
            let _ = write!(self.out, "let {name}: {ty} = {};", args[0]);
            return;
        }
        if let Some(expr) = self.bound(op, &args) {
            let name = self.let_variable(result, values);
            let ty = self.type_of_instance(op).map(|ty| format!(": {ty}")).unwrap_or_default();
            let _ = write!(self.out, "let {name}{ty} = {expr};");
            return;
        }
        let expr = if op.is::<relay::MakeTuple>() {
            format!("({}{})", args.join(", "), if args.len() == 1 { "," } else { "" })
        } else if op.is::<relay::Get>() {
            let index = op.attr_named("index").and_then(|index| index.as_i64(self.ctx)).unwrap_or(0);
            format!("{}.{index}", args[0])
        } else if let Some(operator) = relay::operator_of(op) {
            let mut parts = args;
            parts.extend(self.call_attrs(body, op, operator));
            format!("{}({})", operator.name, parts.join(", "))
        } else {
            return self.unsupported(op);
        };
        let name = self.bind(result, values);
        let _ = write!(self.out, "{name} = {expr};");
    }

    /// Begins a graph binding of a value on a new line, or a `let` in A-normal form; returns the text before the `=`.
    fn bind(&mut self, value: Value, values: &mut Values) -> String {
        if self.lets {
            return format!("let {}", self.let_variable(value, values));
        }
        let name = self.graph_variable();
        values.texts.insert(value, name.clone());
        name
    }

    /// Begins a graph binding on a new line; returns the variable.
    fn graph_variable(&mut self) -> String {
        let name = format!("%{}", self.count);
        self.count += 1;
        self.line();
        name
    }

    /// Begins a `let` on a new line; returns the variable.
    fn let_variable(&mut self, value: Value, values: &mut Values) -> String {
        self.line();
        values.variable(value, "v")
    }

    /// An expression that is bound by `let`; `None` for other operations.
    fn bound(&mut self, op: OpRef<'_>, args: &[String]) -> Option<String> {
        let symbol = |name: &str| op.attr_named(name).and_then(|symbol| symbol.as_flat_symbol(self.ctx));
        let function =
            |name: &str| symbol(name).and_then(|symbol| self.names.get(symbol.as_str(self.ctx))).cloned();
        if op.is::<relay::Call>() {
            return Some(format!("@{}({})", function("callee")?, args.join(", ")));
        }
        if op.is::<data::Closure>() {
            return self.closure(op, &function("function")?, args);
        }
        self.object(op, args)
    }

    fn conditional(
        &mut self,
        body: &Body,
        op: OpRef<'_>,
        condition: &str,
        result: Value,
        values: &mut Values,
    ) {
        let name = self.let_variable(result, values);
        let _ = write!(self.out, "let {name} = if ({condition}) {{");
        for (at, region) in op.own_regions().enumerate() {
            if at > 0 {
                self.out.push_str("} else {");
            }
            if let Some(block) = body.region(region).entry() {
                self.block(body, block, values);
            }
        }
        self.out.push_str("};");
    }
}
