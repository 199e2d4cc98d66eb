//! `ConversionPass`: a dialect conversion as a pass.

use minoan_diag::Diagnostics;
use minoan_pass::{Pass, PassRun};
use minoan_rewrite::DialectConversion;

/// A pass that runs a [`DialectConversion`] on the body of an operation and on all nested bodies, in parallel.
///
/// ```
/// use minoan_ir::Type;
/// use minoan_passes::conversion_pass::ConversionPass;
/// use minoan_rewrite::{DialectConversion, TypeConverter};
///
/// fn lower_index() -> ConversionPass {
///     let types = TypeConverter::partial(|_, ty| (ty == Type::INDEX).then_some(Type::I64));
///     let conversion = DialectConversion::full(types, |patterns, types| {
///         // patterns.convert_to::<index::Add, arith::AddI>(types);
///     });
///     ConversionPass::new("lower-index", "lower indices to i64", conversion.illegal_dialect("index"))
/// }
/// ```
pub struct ConversionPass {
    name: &'static str,
    description: &'static str,
    conversion: DialectConversion,
}

impl ConversionPass {
    /// Creates the pass.
    pub fn new(name: &'static str, description: &'static str, conversion: DialectConversion) -> Self {
        Self { name, description, conversion }
    }
}

impl Pass for ConversionPass {
    fn name(&self) -> &'static str {
        self.name
    }

    fn description(&self) -> &'static str {
        self.description
    }

    fn run(&self, run: &mut PassRun<'_>) -> Result<(), Diagnostics> {
        let ctx = run.context();
        let patterns = self.conversion.freeze(&ctx)?;
        let conversion = self.conversion.conversion(&ctx, &patterns);
        run.each_body(|body| conversion.run(body).map(drop)).into_iter().collect()
    }
}
