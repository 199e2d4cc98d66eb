//! The providers and the users of each service, among the crates of Minoan and a dialect from outside.

use minoan::ir::text::AsmNames;
use minoan::ir::verify::AttrRules;
use minoan::ir::{Context, ServiceId, ServiceKind, SymbolUser};
use minoan::services::*;
use minoan::{pass_registry, registry};
use minoan_rewrite::{CanonicalPatterns, Lower, ToBranches, ToLoops};
use std::collections::BTreeMap;

fn context() -> Context {
    let mut registry = registry();
    registry.add(thirdparty_dialect::SaturatingDialect);
    Context::new(registry).expect("the dialects go together")
}

/// Calls a macro with the type of every public service.
macro_rules! with_services {
    ($call:ident) => {
        $call!(
            Algebra,
            AliasModel,
            Assertion,
            AsmNames,
            AttrRules,
            BranchMaterializer,
            Branches,
            BufferExchange,
            BufferOps,
            Calls,
            CanonicalPatterns,
            Composites,
            ConstantMaterializer,
            Constructor,
            Cost,
            CountOps,
            DataLayout,
            Defunctionalize,
            DiffOps,
            Differentiate,
            DomainOps,
            Effects,
            ElementAccess,
            ElementAgnostic,
            Evaluate,
            ExchangeOps,
            Expand,
            ExtentOf,
            FloatFlags,
            Fold,
            FunctionMaterializer,
            Fusion,
            GraphBoundary,
            HoleOps,
            IndexOps,
            Inliner,
            IterationDomain,
            KernelOps,
            Liveness,
            LoopLike,
            LoopOps,
            Lower,
            MachineSpec,
            MemoryEvents,
            ObjectTangents,
            OperatorPatterns,
            Ownership,
            PassThrough,
            RawAbi,
            RegionFlow,
            RegionMarks,
            ReuseOps,
            RewriteRule,
            ShapeCast,
            ShapeInference,
            SlotAccess,
            SlotSource,
            SymbolUser,
            Symbols,
            TangentSpace,
            TensorOps,
            ToBranches,
            ToBuffers,
            ToLoops,
            ToMlir,
            TypeInference,
            UnrealizedCast,
            VectorForm,
            VectorOps
        )
    };
}
struct Row {
    implemented_by: Vec<&'static str>,
    queried_by: Vec<&'static str>,
}

/// By name of the service.
fn rows() -> BTreeMap<&'static str, Row> {
    let (ctx, passes) = (context(), pass_registry());
    let mut rows: BTreeMap<&'static str, Row> = BTreeMap::new();
    let mut row = |service: ServiceId| {
        let queries = |pass: &dyn minoan::pass::Pass| {
            pass.queries().contains(&service) || pass.requires().contains(&service)
        };
        let implemented_by = ctx.dialects().iter().filter(|dialect| dialect.implements(service));
        let queried_by = passes.all().filter(|pass| queries(&**pass)).map(|pass| pass.name()).collect();
        rows.insert(
            service.name,
            Row { implemented_by: implemented_by.map(|dialect| dialect.name()).collect(), queried_by },
        );
    };
    macro_rules! each {
        ($($service:ident),*) => {{ $(row(ServiceId::of::<dyn $service>());)* }};
    }
    with_services!(each);
    for service in ctx.dialects().iter().flat_map(|dialect| dialect.services()) {
        row(service);
    }
    rows
}

/// The services that passes require: each has implementations in two dialects at least, so that no pass depends on one.
#[test]
fn two_dialects_implement_what_a_pass_queries() {
    let rows = rows();
    for name in [
        "AliasModel",
        "CanonicalPatterns",
        "ConstantMaterializer",
        "Cost",
        "DataLayout",
        "Effects",
        "Evaluate",
        "FloatFlags",
        "Fold",
        "Fusion",
        "GraphBoundary",
        "Inliner",
        "IterationDomain",
        "Lower",
        "Ownership",
        "RegionFlow",
        "RuntimeVerification",
        "ShapeCast",
        "ShapeInference",
        "Symbols",
        "ToMlir",
        "TypeInference",
    ] {
        let Row { implemented_by, queried_by } = &rows[name];
        assert!(implemented_by.len() >= 2, "{name} is implemented by {implemented_by:?} only");
        assert!(!queried_by.is_empty(), "no pass queries {name}");
    }
}

/// Queried by the parser, the printer and the verifier, which are not passes.
#[test]
fn two_dialects_implement_what_the_text_queries() {
    let rows = rows();
    for name in ["AsmNames", "AttrRules", "SymbolUser"] {
        let Row { implemented_by, queried_by } = &rows[name];
        assert!(implemented_by.len() >= 2, "{name} is implemented by {implemented_by:?} only");
        assert!(queried_by.is_empty(), "{queried_by:?} query {name}");
    }
}

/// Services with one implementation: no other dialect has buffers, branches or loops of its own.
/// A service that gains a second implementation is removed from this list.
#[test]
fn services_of_one_dialect() {
    let single = |(name, row): (&'static str, Row)| match row.implemented_by[..] {
        [only] => Some((name, only)),
        _ => None,
    };
    let found: Vec<(&str, &str)> = rows().into_iter().filter_map(single).collect();
    assert_eq!(
        found,
        [
            ("AssertionOps", "data"),
            ("AtomicUpdate", "memref"),
            ("BranchMaterializer", "cf"),
            ("Branches", "cf"),
            ("BufferExchange", "bufferization"),
            ("BufferOps", "memref"),
            ("Composites", "relay"),
            ("CountOps", "data"),
            ("Defunctionalize", "data"),
            ("DiffOps", "diff"),
            ("DomainOps", "linalg"),
            ("ExchangeOps", "bufferization"),
            ("ExpandCounts", "data"),
            ("HoleOps", "data"),
            ("IndexOps", "arith"),
            ("IndexTerms", "arith"),
            ("KernelOps", "schedule"),
            ("LoopOps", "scf"),
            ("MachineSpec", "dlti"),
            ("ObjectTangents", "data"),
            ("OperatorPatterns", "relay"),
            ("ParallelInsert", "tensor"),
            ("PartInsertion", "tensor"),
            ("RawAbi", "builtin"),
            ("RegionMarks", "relay"),
            ("ReuseOps", "data"),
            ("RewriteRule", "knossos"),
            ("SelectLike", "arith"),
            ("TangentSpace", "diff"),
            ("TensorOps", "tensor"),
            ("ToBranches", "scf"),
            ("ToLoops", "affine"),
            ("TypeRelation", "relay"),
            ("UnrealizedCast", "builtin"),
            ("VectorOps", "vector"),
        ]
    );
    let unimplemented: Vec<&str> =
        rows().into_iter().filter(|(_, row)| row.implemented_by.is_empty()).map(|(name, _)| name).collect();
    assert_eq!(unimplemented, ["Liveness"], "each result of an operation belongs to it here");
}

#[test]
fn the_documented_table_has_every_service_that_a_pass_queries() {
    let documented = include_str!("../../../services/src/lib.rs");
    let rewrite = ["CanonicalPatterns", "Lower", "PatternSets", "ToBranches", "ToLoops"];
    for (name, row) in rows() {
        if !row.queried_by.is_empty() && !rewrite.contains(&name) {
            assert!(documented.contains(&format!("//! | [`{name}`] |")), "{name} is not in the table");
        }
    }
}

/// A table has the same implementations as direct queries, for each operation and each service.
#[test]
fn a_table_agrees_with_direct_queries_for_all_operations() {
    fn agree<S: ServiceKind + ?Sized>(ctx: &Context) {
        let table = ctx.service_table::<S>();
        for dialect in ctx.dialects() {
            for &kind in dialect.ops() {
                let found = table.and_then(|table| table.get(kind));
                let direct = ctx.service::<S>(kind);
                let same = match (found, direct) {
                    (Some(found), Some(direct)) => std::ptr::addr_eq(found, direct),
                    (found, direct) => found.is_none() && direct.is_none(),
                };
                assert!(same, "{} of {}", S::NAME, ctx.kind_name(kind));
                let of_dialect = dialect.service::<S>().is_some();
                assert!(!of_dialect || found.is_some(), "{} of {}", S::NAME, ctx.kind_name(kind));
                assert!(
                    !of_dialect || dialect.implements(ServiceId::of::<S>()),
                    "{} of {}",
                    S::NAME,
                    dialect.name()
                );
            }
        }
    }
    let ctx = context();
    macro_rules! each {
        ($($service:ident),*) => {{ $(agree::<dyn $service>(&ctx);)* }};
    }
    with_services!(each);
}

/// Two contexts list the same, in the same order.
#[test]
fn what_is_loaded_is_listed_the_same_each_time() {
    let list = || {
        let ctx = context();
        let services =
            |dialect: &minoan::ir::LoadedDialect| dialect.services().map(|one| one.name).collect::<Vec<_>>();
        ctx.dialects().iter().map(|dialect| (dialect.name(), services(dialect))).collect::<Vec<_>>()
    };
    let first = list();
    assert_eq!(first, list());
    assert!(first.is_sorted_by_key(|&(name, _)| name));
    assert!(first.iter().all(|(_, services)| services.is_sorted()));
}
