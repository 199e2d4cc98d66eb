//! Data types, `match`, closures and references.

use super::{Values, Writer};
use minoan_data as data;
use minoan_frontend::with_stack;
use minoan_ir::{Block, Body, OpRef, Type, Value};
use std::fmt::Write;

impl<'a> Writer<'a> {
    /// The name of a constructor.
    fn ctor(&self, symbol: &str, tag: i64) -> String {
        let ctors = self.datas.get(symbol).map_or(&[][..], |names| &names.ctors);
        usize::try_from(tag).ok().and_then(|tag| ctors.get(tag)).cloned().unwrap_or_default()
    }

    /// The name of a constructor of the type of a value.
    fn ctor_of(&self, body: &Body, value: Value, tag: i64) -> Option<String> {
        let cell = data::Cell::cast(self.ctx, body.ty(value))?;
        Some(self.ctor(cell.name(self.ctx).root(self.ctx).as_str(self.ctx), tag))
    }

    /// The function of a closure, if it is printed there.
    pub(super) fn function_expression(&self, op: OpRef<'_>) -> Option<OpRef<'a>> {
        let symbol = op.attr_named("function")?.as_flat_symbol(self.ctx)?;
        self.inline.get(symbol.as_str(self.ctx)).copied()
    }

    /// Whether an operation is a function expression that only operations of its block use.
    pub(super) fn can_wait(&self, body: &Body, op: OpRef<'_>) -> bool {
        let here = |value: Value| body.uses(value).all(|user| body.op(user.op).block() == op.block());
        op.is::<data::Closure>() && self.function_expression(op).is_some() && op.results().all(here)
    }

    /// Binds the pending function expressions that an operation uses.
    pub(super) fn pending_functions(&mut self, body: &Body, op: OpRef<'_>, values: &mut Values) {
        for operand in op.operands() {
            if let Some(closure) = values.pending.remove(&operand) {
                let closure = body.op(closure);
                with_stack(|| {
                    self.pending_functions(body, closure, values);
                    self.op(body, closure, values);
                });
            }
        }
    }

    /// The function that an operation calls, if it is printed there.
    pub(super) fn called_expression(&self, op: OpRef<'_>) -> Option<OpRef<'a>> {
        let symbol = op.attr_named("callee")?.as_flat_symbol(self.ctx)?;
        self.inline.get(symbol.as_str(self.ctx)).copied()
    }

    /// Binds a function expression, whose body is the body of a function with captured values.
    pub(super) fn lambda(
        &mut self,
        op: OpRef<'_>,
        function: OpRef<'_>,
        captures: Vec<String>,
        result: Value,
        values: &mut Values,
    ) {
        let closure = op.result_types().next().and_then(|ty| data::ClosureType::cast(self.ctx, ty));
        let signature = closure.and_then(|closure| closure.signature(self.ctx).as_function(self.ctx));
        let Some((_, results)) = signature else { return self.unsupported(op) };
        let results = results.to_vec();
        let name = self.bind(result, values);
        let _ = write!(self.out, "{name} = ");
        self.function_literal(op, function, captures, &results, values);
    }

    /// Binds the function of one kernel and the result of its call.
    pub(super) fn primitive(
        &mut self,
        op: OpRef<'_>,
        function: OpRef<'_>,
        args: &[String],
        result: Value,
        values: &mut Values,
    ) {
        let results: Vec<_> = op.result_types().collect();
        let called = if self.lets {
            self.line();
            format!("%{}", values.names.unique("f"))
        } else {
            self.graph_variable()
        };
        let _ = write!(self.out, "{}{called} = ", if self.lets { "let " } else { "" });
        self.function_literal(op, function, Vec::new(), &results, values);
        let name = self.bind(result, values);
        let _ = write!(self.out, "{name} = {called}({});", args.join(", "));
    }

    /// Prints a function expression and the end of its binding.
    fn function_literal(
        &mut self,
        op: OpRef<'_>,
        function: OpRef<'_>,
        captures: Vec<String>,
        results: &[Type],
        values: &mut Values,
    ) {
        let inside = function.nested().and_then(|body| Some((body, body.region(body.root(0)).entry()?)));
        let Some((inside, entry)) = inside else { return self.unsupported(op) };
        let mut inner = Values { names: std::mem::take(&mut values.names), ..Values::default() };
        let (given, attrs) = (super::param_names(function), super::param_attrs(function));
        // TVM's names of the parameters of kernels.
        let unnamed = if super::is_primitive(function) { "p" } else { "a" };
        let args: Vec<Value> = inside.block(entry).args().collect();
        let mut params = Vec::new();
        for (at, &arg) in args.iter().enumerate() {
            match (captures.get(at), given.get(at.saturating_sub(captures.len()))) {
                (Some(capture), _) => _ = inner.texts.insert(arg, capture.clone()),
                (None, given) => {
                    let wanted = given.map_or_else(|| format!("{unnamed}{at}"), |name| (*name).to_owned());
                    let param = inner.variable(arg, &wanted);
                    let attrs = attrs.get(at.saturating_sub(captures.len())).map_or("", String::as_str);
                    params.push(format!("{param}{attrs}: {}", self.ty(op, inside.ty(arg))));
                }
            }
        }
        params.extend(super::function_attrs(function));
        let results: String = results.iter().map(|&ty| self.ty(op, ty)).collect();
        let _ = write!(self.out, "fn ({}) -> {results} {{", params.join(", "));
        with_stack(|| self.block(inside, entry, &mut inner));
        self.out.push_str("};");
        values.names = inner.names;
    }

    /// A function expression that calls a function with captured values.
    pub(super) fn closure(&self, op: OpRef<'_>, function: &str, captures: &[String]) -> Option<String> {
        let closure = data::ClosureType::cast(self.ctx, op.result_types().next()?)?;
        let (inputs, results) = closure.signature(self.ctx).as_function(self.ctx)?;
        let mut args = captures.to_vec();
        let mut params = Vec::new();
        for (at, &input) in inputs.iter().enumerate() {
            // Captured values have other names than these.
            args.push(format!("%arg_{at}"));
            params.push(format!("%arg_{at}: {}", self.type_text(input)?));
        }
        let result = self.type_text(*results.first()?)?;
        Some(format!("fn ({}) -> {result} {{ @{function}({}) }}", params.join(", "), args.join(", ")))
    }

    /// The expression of an operation on objects, except for matches.
    pub(super) fn object(&self, op: OpRef<'_>, args: &[String]) -> Option<String> {
        let result = op.results().next()?;
        if op.is::<data::Make>() {
            let tag = op.attr_named("tag")?.as_i64(self.ctx)?;
            let name = self.ctor_of(op.body(), result, tag)?;
            return Some(if args.is_empty() { name } else { format!("{name}({})", args.join(", ")) });
        }
        if op.is::<data::Apply>() {
            return Some(format!("{}({})", args[0], args[1..].join(", ")));
        }
        match args {
            [contents] if op.is::<data::RefNew>() => Some(format!("ref({contents})")),
            [reference] if op.is::<data::RefRead>() => Some(format!("ref_read({reference})")),
            _ => None,
        }
    }

    pub(super) fn matches(
        &mut self,
        body: &Body,
        op: OpRef<'_>,
        value: &str,
        result: Value,
        values: &mut Values,
    ) {
        let cases = data::cases(op);
        let regions: Vec<Block> = op.own_regions().filter_map(|region| body.region(region).entry()).collect();
        let fails = |block: &Block| {
            let first = body.block(*block).ops().next();
            first.is_some_and(|op| body.op(op).is::<data::Fail>())
        };
        let partial = regions.iter().any(fails);
        if regions.iter().all(fails) {
            return self.unsupported(op);
        }
        let results: Vec<Value> = op.results().collect();
        let name = if results.len() == 1 {
            self.let_variable(result, values)
        } else {
            self.line();
            format!("%{}", values.names.unique("v"))
        };
        let _ = write!(self.out, "let {name} = (match{} ({value}) {{", if partial { "?" } else { "" });
        self.indent += 1;
        for (at, &block) in regions.iter().enumerate().filter(|(_, block)| !fails(block)) {
            self.line();
            match cases.get(at) {
                Some(&(_, tag)) => {
                    let ctor = self.ctor_of(body, op.operand(0), tag).unwrap_or_default();
                    let fields: Vec<String> =
                        body.block(block).args().map(|field| values.variable(field, "f")).collect();
                    self.out.push_str(&ctor);
                    if !fields.is_empty() {
                        let _ = write!(self.out, "({})", fields.join(", "));
                    }
                }
                None => self.out.push('_'),
            }
            self.out.push_str(" => {");
            self.block(body, block, values);
            self.out.push_str("},");
        }
        self.indent -= 1;
        self.line();
        self.out.push_str("});");
        // Several results are a tuple.
        for (at, &part) in results.iter().enumerate().filter(|_| results.len() > 1) {
            let bound = self.bind(part, values);
            let _ = write!(self.out, "{bound} = {name}.{at};");
        }
    }
}
