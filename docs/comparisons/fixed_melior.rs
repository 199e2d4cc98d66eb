//! The exercise on melior 0.27: fixed-point numbers. `fixed_melior [run] program.mlir`.
//!
//! A dialect is declared by IRDL, as text: it checks counts, types and attributes. IRDL declares no verifiers in code, no ranges of
//! parameters, no custom forms, traits or folds; types are read back from their text. An operation by IRDL cannot be a terminator, so
//! `fixed_yield.yield` is an unregistered one.

use melior::{
    Context, ExecutionEngine, GreedyRewriteDriverConfig, PatternRewriter, RewritePatternSet, StringRef,
    apply_patterns_and_fold_greedily, create_op_rewrite_pattern,
    dialect::{DialectRegistry, arith, scf},
    ir::{
        AttributeLike, Block, BlockLike, Module, Operation, OperationRef, Region, RegionLike, Type, Value,
        ValueLike,
        attribute::{IntegerAttribute, StringAttribute, TypeAttribute},
        operation::{OperationBuilder, OperationLike, OperationMutLike, WalkOrder, WalkResult},
        r#type::{FunctionType, IntegerType},
    },
    pass::{PassManager, conversion},
    utility,
};

const DIALECT: &str = r##"
irdl.dialect @fixed {
  irdl.type @num {
    %fraction = irdl.any
    irdl.parameters(fraction: %fraction)
  }
  irdl.operation @constant {
    %num = irdl.base @fixed::@num
    %units = irdl.base "#builtin.integer"
    irdl.attributes { "units" = %units }
    irdl.results(result: %num)
  }
  irdl.operation @add {
    %num = irdl.base @fixed::@num
    irdl.operands(lhs: %num, rhs: %num)
    irdl.results(result: %num)
  }
  irdl.operation @mul {
    %num = irdl.base @fixed::@num
    irdl.operands(lhs: %num, rhs: %num)
    irdl.results(result: %num)
  }
  irdl.operation @repeat {
    %index = irdl.is index
    %num = irdl.base @fixed::@num
    irdl.operands(times: %index, init: %num)
    irdl.results(result: %num)
    %body = irdl.region(%num) with size 1
    irdl.regions(body: %body)
  }
}"##;

/// The number of fractional bits: the text between the brackets of `!fixed.num<8 : i64>`.
fn fraction(ty: Type<'_>) -> Result<i64, String> {
    let text = ty.to_string();
    let digits = text.strip_prefix("!fixed.num<").and_then(|rest| rest.split([' ', '>']).next());
    let bits =
        digits.and_then(|digits| digits.parse().ok()).ok_or(format!("expected a number, found {text}"))?;
    if (0..=30).contains(&bits) {
        Ok(bits)
    } else {
        Err(format!("a number has at most 30 fractional bits, not {bits}"))
    }
}

fn is_one(value: Value<'_, '_>) -> bool {
    let Ok(result) = melior::ir::operation::OperationResult::try_from(value) else { return false };
    let owner = result.owner();
    let units = owner.attribute("units").ok().and_then(|units| IntegerAttribute::try_from(units).ok());
    let fraction = fraction(value.r#type());
    name(&owner) == "fixed.constant"
        && units.zip(fraction.ok()).is_some_and(|(units, bits)| units.value() == 1 << bits)
}

fn name<'c: 'a, 'a>(op: &impl OperationLike<'c, 'a>) -> String {
    op.name().as_string_ref().as_str().unwrap_or_default().to_owned()
}

/// The two patterns: a product with one, on either side. The callbacks receive raw handles.
fn canonicalize(context: &Context, module: &Module<'_>) -> Result<(), melior::Error> {
    let patterns = RewritePatternSet::new(context);
    for (one, other) in [(1, 0), (0, 1)] {
        let rewrite = move |_, op, rewriter| {
            // SAFETY: the driver passes valid handles for the duration of the call.
            let (op, rewriter) = unsafe { (OperationRef::from_raw(op), PatternRewriter::from_raw(rewriter)) };
            let (Ok(one), Ok(other)) = (op.operand(one), op.operand(other)) else { return false };
            let matches = is_one(one);
            if matches {
                rewriter.as_rewriter_base().replace_op_with_values(op, &[other]);
            }
            matches
        };
        patterns.add(create_op_rewrite_pattern("fixed.mul", 1, context, rewrite, &[]));
    }
    apply_patterns_and_fold_greedily(module, patterns.freeze(), &GreedyRewriteDriverConfig::new())
}

/// Creates operations before another one.
struct Build<'c, 'a> {
    context: &'c Context,
    before: OperationRef<'c, 'a>,
}

impl<'c, 'a> Build<'c, 'a> {
    fn insert(&self, op: Operation<'c>) -> Value<'c, 'a> {
        let block = self.before.block().expect("the operation is in a block");
        block.insert_operation_before(self.before, op).result(0).expect("the operation has a result").into()
    }

    fn constant(&self, ty: Type<'c>, value: i64) -> Value<'c, 'a> {
        self.insert(arith::constant(
            self.context,
            IntegerAttribute::new(ty, value).into(),
            self.before.location(),
        ))
    }

    fn op(&self, name: &str, operands: &[Value<'c, 'a>], ty: Type<'c>) -> Value<'c, 'a> {
        let op = OperationBuilder::new(name, self.before.location())
            .add_operands(operands)
            .add_results(&[ty])
            .build();
        self.insert(op.expect("the operation is valid"))
    }
}

/// Lowers an operation and replaces its result; types of other values are changed in place afterwards.
fn lower<'c, 'a>(context: &'c Context, op: OperationRef<'c, 'a>) -> Result<(), String> {
    let b = Build { context, before: op };
    let (i32, i64, index) =
        (IntegerType::new(context, 32).into(), IntegerType::new(context, 64).into(), Type::index(context));
    let operands: Vec<Value<'c, 'a>> = op.operands().collect();
    let value = match name(&op).as_str() {
        "fixed.constant" => {
            let units = op
                .attribute("units")
                .and_then(IntegerAttribute::try_from)
                .map_err(|error| error.to_string())?;
            b.constant(i32, units.value())
        }
        "fixed.add" => b.op("arith.addi", &operands, i32),
        "fixed.mul" => {
            let bits = fraction(op.result(0).map_err(|error| error.to_string())?.r#type())?;
            let (lhs, rhs) =
                (b.op("arith.extsi", &operands[..1], i64), b.op("arith.extsi", &operands[1..], i64));
            let mut product = b.op("arith.muli", &[lhs, rhs], i64);
            let rounding = op.attribute("rounding").and_then(StringAttribute::try_from);
            if rounding.is_ok_and(|rounding| rounding.value() == "nearest") {
                let half = b.constant(i64, (1 << bits) >> 1);
                product = b.op("arith.addi", &[product, half], i64);
            }
            let by = b.constant(i64, bits);
            let shifted = b.op("arith.shrsi", &[product, by], i64);
            b.op("arith.trunci", &[shifted], i32)
        }
        "fixed.repeat" => {
            let (zero, one) = (b.constant(index, 0), b.constant(index, 1));
            let source = op.region(0).ok().and_then(|region| region.first_block()).ok_or("has no block")?;
            let block = Block::new(&[(index, op.location()), (i32, op.location())]);
            let region = Region::new();
            let block = region.append_block(block);
            let argument: Value = block.argument(1).map_err(|error| error.to_string())?.into();
            let old: Value = source.argument(0).map_err(|error| error.to_string())?.into();
            // SAFETY: both values are alive, and nothing refers to the old one afterwards.
            unsafe { mlir_sys::mlirValueReplaceAllUsesOfWith(old.to_raw(), argument.to_raw()) };
            while let Some(mut inner) = source.first_operation_mut() {
                inner.remove_from_parent();
                // SAFETY: the operation has just been detached, so it has no other owner.
                block.append_operation(unsafe { Operation::from_raw(inner.to_raw()) });
            }
            let loop_op = OperationBuilder::new("scf.for", op.location())
                .add_operands(&[zero, operands[0], one, operands[1]])
                .add_results(&[i32])
                .add_regions([region])
                .build();
            b.insert(loop_op.map_err(|error| error.to_string())?)
        }
        "fixed_yield.yield" => {
            let block = op.block().ok_or("is in no block")?;
            block.insert_operation_before(op, scf::r#yield(&operands, op.location()));
            // SAFETY: a terminator has no results.
            unsafe { mlir_sys::mlirOperationDestroy(op.to_raw()) };
            return Ok(());
        }
        _ => return Ok(()),
    };
    // SAFETY: both values are alive; the operation is not used any more.
    unsafe {
        mlir_sys::mlirValueReplaceAllUsesOfWith(
            op.result(0).expect("it has a result").to_raw(),
            value.to_raw(),
        );
        mlir_sys::mlirOperationDestroy(op.to_raw());
    }
    Ok(())
}

/// The operations of the dialect, innermost last; collected, since lowering destroys them.
fn operations<'c: 'a, 'a>(module: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut all = Vec::new();
    module.walk(WalkOrder::PreOrder, |op| {
        // SAFETY: the handle is used while the module lives, and only once after it was destroyed in the caller's order.
        all.push(unsafe { OperationRef::from_raw(op.to_raw()) });
        WalkResult::Advance
    });
    all
}

fn lower_fixed<'c>(context: &'c Context, module: OperationRef<'c, '_>) -> Result<(), String> {
    let i32: Type = IntegerType::new(context, 32).into();
    let convert = |ty: Type<'c>| if ty.to_string().starts_with("!fixed.num") { i32 } else { ty };
    for op in operations(module) {
        if name(&op) == "func.func" {
            let ty = op
                .attribute("function_type")
                .and_then(TypeAttribute::try_from)
                .map_err(|error| error.to_string())?;
            let ty = FunctionType::try_from(ty.value()).map_err(|error| error.to_string())?;
            let inputs: Vec<Type> =
                (0..ty.input_count()).filter_map(|index| ty.input(index).ok()).map(convert).collect();
            let results: Vec<Type> =
                (0..ty.result_count()).filter_map(|index| ty.result(index).ok()).map(convert).collect();
            let ty = TypeAttribute::new(FunctionType::new(context, &inputs, &results).into());
            // SAFETY: the handle is valid; `OperationRef` has no method to set an attribute.
            unsafe {
                mlir_sys::mlirOperationSetAttributeByName(
                    op.to_raw(),
                    StringRef::new("function_type").to_raw(),
                    ty.to_raw(),
                )
            };
            if let Some(block) = op.region(0).ok().and_then(|region| region.first_block()) {
                for index in 0..block.argument_count() {
                    let argument = block.argument(index).map_err(|error| error.to_string())?;
                    argument.set_type(convert(argument.r#type()));
                }
            }
        } else {
            lower(context, op)?;
        }
    }
    Ok(())
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let text = std::fs::read_to_string(args.last().expect("a file")).expect("it is readable");
    let registry = DialectRegistry::new();
    utility::register_all_dialects(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context.set_allow_unregistered_dialects(true);
    utility::register_all_llvm_translations(&context);
    let dialect = Module::parse(&context, DIALECT).expect("the dialect is valid");
    assert!(utility::load_irdl_dialects(&dialect), "the dialect loads");
    let mut module = Module::parse(&context, &text).expect("the program is valid");
    for op in operations(module.as_operation()) {
        for result in op.results().filter(|result| result.r#type().to_string().starts_with("!fixed")) {
            fraction(result.r#type()).expect("a valid type");
        }
    }
    canonicalize(&context, &module).expect("the patterns come to an end");
    lower_fixed(&context, module.as_operation()).expect("every operation is lowered");
    assert!(module.as_operation().verify(), "the module is valid");
    if args[0] != "run" {
        return println!("{}", module.as_operation());
    }
    let passes = PassManager::new(&context);
    passes.add_pass(conversion::create_scf_to_control_flow());
    passes.add_pass(conversion::create_to_llvm());
    passes.run(&mut module).expect("the module is lowered");
    let engine = ExecutionEngine::new(&module, 2, &[], false, false);
    let mut result = 0i32;
    let address: *mut i32 = &mut result;
    // SAFETY: `main` takes nothing and returns an `i32`.
    unsafe { engine.invoke_packed("main", &mut [address.cast()]) }.expect("it runs");
    println!("{result}");
}
