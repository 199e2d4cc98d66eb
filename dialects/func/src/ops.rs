//! `func.func`, `func.call` and `func.return`.

use crate::{Visibility, assembly, reduce, services};
use minoan_ir::constraints::{ANY, FUNCTION_TYPE_ATTR};
use minoan_ir::verify::bare;
use minoan_ir::{
    Array, Attr, Block, Body, Builder, Context, Dictionary, FlatSymbolRef, Op, OpDef, OpState, SymbolName,
    SymbolUser, Traits, Type, Value, Violations, op,
};
use minoan_services::{
    Calls, CallsBySymbol, Cost, Effects, Evaluate, EvaluateYield, FunctionBoundary, Generate, GraphBoundary,
    Inliner, Ownership, Reduce, ReturnBoundary, Symbols, UnlessNoInline,
};

/// A function.
///
/// A function without a body is a declaration, which must be private.
#[op(
    "func.func",
    traits(ISOLATED, SYMBOL, FUNCTION_LIKE),
    assembly = custom(assembly::parse_func, assembly::print_func),
    verify = verify_func,
    services(
        Symbols = services::FunctionSymbols,
        Reduce = reduce::ToConstants,
        GraphBoundary = FunctionBoundary,
        Inliner = UnlessNoInline,
    )
)]
pub struct Func {
    /// The symbol name.
    sym_name: SymbolName,
    /// The types of arguments and results.
    #[attr(FUNCTION_TYPE_ATTR)]
    function_type: Type,
    /// The symbol visibility: `public` if absent, `private` or `nested`.
    sym_visibility: Option<String>,
    /// The attributes of the arguments, a dictionary for each.
    arg_attrs: Option<Array<Dictionary>>,
    /// The attributes of the results, a dictionary for each.
    res_attrs: Option<Array<Dictionary>>,
    /// Whether inlining is disabled.
    #[attr(unit)]
    no_inline: bool,
    /// The body; empty for a declaration.
    body: Region,
}

impl Func {
    /// Creates a function declaration.
    pub fn declare(
        b: &mut Builder<'_>,
        name: &str,
        inputs: &[Type],
        results: &[Type],
        visibility: Visibility,
    ) -> Func {
        let ctx = b.context();
        let ty = Type::function(&ctx, inputs, results);
        let visibility = (visibility != Visibility::Public).then(|| visibility.word().to_owned());
        Func::build(b, name, ty, visibility, None, None)
    }

    /// Creates a function and builds its body: `build` receives a builder at the end of the entry block, and the arguments.
    pub fn with_body(
        b: &mut Builder<'_>,
        name: &str,
        inputs: &[Type],
        results: &[Type],
        visibility: Visibility,
        build: impl FnOnce(&mut Builder<'_>, &[Value]),
    ) -> Func {
        let func = Func::declare(b, name, inputs, results, visibility);
        b.region(func.op(), 0, inputs, build);
        func
    }

    /// Creates a function with an empty entry block, which has an argument for each input. See [`Builder::inside`] to fill
    /// the block, [`Func::with_body`] to do both.
    pub fn define(
        b: &mut Builder<'_>,
        name: &str,
        inputs: &[Type],
        results: &[Type],
        visibility: Visibility,
    ) -> (Func, Block) {
        let func = Func::declare(b, name, inputs, results, visibility);
        let body = b.body_mut().nested_mut(func.op()).expect("a function owns its body");
        let region = body.root(0);
        (func, body.add_block(region, inputs))
    }

    /// The types of arguments and results.
    pub fn signature<'c>(self, body: &Body, ctx: &'c Context) -> (&'c [Type], &'c [Type]) {
        self.function_type(body).as_function(ctx).unwrap_or((&[], &[]))
    }
}

/// Verifies a function-like operation: the entry block arguments and the returned values match its type.
pub fn verify_func(body: &Body, op: Op, errors: &mut Violations) {
    let (view, ctx) = (body.op(op), body.context());
    let ty = view.attr(ctx.names().function_type).and_then(|attr| attr.as_type(ctx));
    let Some((inputs, results)) = ty.and_then(|ty| ty.as_function(ctx)) else { return };
    for (name, count, what) in
        [(ctx.names().arg_attrs, inputs.len(), "argument"), (ctx.names().res_attrs, results.len(), "result")]
    {
        let given = view.attr(name).and_then(|attr| attr.as_array(ctx)).map(<[Attr]>::len);
        if let Some(given) = given.filter(|&given| given != count) {
            errors.push(format!(
                "expects {what} attribute array to have the same number of elements as the number of function {what}s, got {given}, but expected {count}"
            ));
        }
        let dictionaries = view.attr(name).and_then(|attr| attr.as_array(ctx)).unwrap_or(&[]).iter();
        let mut names = dictionaries.flat_map(|attr| attr.as_dictionary(ctx).unwrap_or(&[]));
        if names.any(|(name, _)| !name.as_str(ctx).contains('.')) {
            errors.push(format!("{what}s may only have dialect attributes"));
        }
    }
    let Some(inside) = view.nested() else { return };
    let Some(entry) = inside.region(inside.root(0)).entry() else {
        let visibility = view.attr(ctx.names().sym_visibility).and_then(|attr| attr.as_str(ctx));
        if visibility.unwrap_or("public") == "public" {
            errors.push("symbol declaration cannot have public visibility");
        }
        return;
    };
    let args: Vec<Type> = inside.block(entry).args().map(|arg| inside.ty(arg)).collect();
    if args.len() != inputs.len() {
        errors.push(format!("entry block must have {} arguments to match function signature", inputs.len()));
    }
    let show = |ty: Type| minoan_ir::text::print_type(ctx, ty);
    for (index, (&arg, &input)) in args.iter().zip(inputs).enumerate() {
        if arg != input {
            errors.push(format!(
                "type of entry block argument #{index}('{}') must match the type of the corresponding argument in function signature('{}')",
                show(arg),
                show(input)
            ));
        }
    }
    // Checked here since the verifier of the return has no access to the function around its body.
    for block in inside.region(inside.root(0)).blocks() {
        let Some(last) = inside.block(block).last().map(|op| inside.op(op)) else { continue };
        if !last.has_trait(Traits::RETURN_LIKE) {
            continue;
        }
        let given: Vec<Type> = last.operand_types().collect();
        if given.len() != results.len() {
            let name = view.symbol_name().unwrap_or("");
            let message = format!(
                "has {} operands, but enclosing function (@{name}) returns {}",
                given.len(),
                results.len()
            );
            errors.push(bare(format!("'{}' op {message}", last.name())).at(last));
            continue;
        }
        for (index, (&have, &want)) in given.iter().zip(results).enumerate() {
            if have != want {
                let name = view.symbol_name().unwrap_or("");
                let message = format!(
                    "type of return operand {index} ('{}') doesn't match function result type ('{}') in function @{name}",
                    show(have),
                    show(want)
                );
                errors.push(bare(message).at_operand(last, index));
            }
        }
    }
}

/// Returns values to the caller.
#[op(
    "func.return",
    traits(TERMINATOR, RETURN_LIKE, PURE),
    parents("func.func"),
    assembly = "attr-dict ($operands^ `:` type($operands))?",
    services(
        Evaluate = EvaluateYield,
        Effects = services::ReturnEffects,
        GraphBoundary = ReturnBoundary,
        Cost = 0,
        Ownership = services::ReturnOwnership,
    )
)]
pub struct Return {
    /// The results of the function.
    operands: Vec<Operand<ANY>>,
}

/// A direct call by symbol.
#[op(
    "func.call",
    assembly = "$callee `(` $operands `)` attr-dict `:` functional-type($operands, results)",
    services(
        Evaluate = services::EvaluateCall,
        SymbolUser = services::CallsFit,
        Calls = CallsBySymbol,
        Generate = services::AnyCall,
        Cost = services::CallCost,
        Inliner = UnlessNoInline,
        Ownership = services::CallOwnership,
    )
)]
pub struct Call {
    /// The symbol of the callee.
    callee: FlatSymbolRef,
    /// The attributes of the arguments, a dictionary for each.
    arg_attrs: Option<Array<Dictionary>>,
    /// The attributes of the results, a dictionary for each.
    res_attrs: Option<Array<Dictionary>>,
    /// Whether inlining is disabled.
    #[attr(unit)]
    no_inline: bool,
    /// The arguments.
    operands: Vec<Operand<ANY>>,
    /// The results.
    results: Vec<OpResult<ANY>>,
}

impl Call {
    /// Creates a call of a function by its name.
    pub fn to(b: &mut Builder<'_>, callee: &str, args: &[Value], results: &[Type]) -> Call {
        let ctx = b.context();
        let props = b.dictionary(&[("callee", Some(Attr::symbol_ref(&ctx, callee)))]);
        let state = OpState::new(ctx.kind_of::<Call>()).operands(args).results(results).props(props);
        Call::from_op_unchecked(b.create(state))
    }
}
