//! The service mechanism: precedence, absence, and registration errors.

use minoan_ir::{
    Absence, Context, Dialect, DialectBuilder, OpDef, Registry, RegistryError, ServiceId, ServiceKind, op,
    service,
};
use std::sync::Arc;

trait Speak: Send + Sync {
    fn speak(&self) -> &'static str;
}
service!(dyn Speak, "Speak", Optional);

trait Cost: Send + Sync {
    fn cost(&self) -> u32;
}
service!(dyn Cost, "Cost", Default(Fixed(100)));

trait Size: Send + Sync {}
service!(dyn Size, "Size", Required);

struct Says(&'static str);
impl Speak for Says {
    fn speak(&self) -> &'static str {
        self.0
    }
}

struct Fixed(u32);
impl Cost for Fixed {
    fn cost(&self) -> u32 {
        self.0
    }
}

struct Sized_;
impl Size for Sized_ {}

/// The first operation.
#[op("zoo.cat")]
struct Cat {}

/// The second operation.
#[op("zoo.dog")]
struct Dog {}

/// An operation of another dialect.
#[op("farm.cow")]
struct Cow {}

/// A dialect with operations and further registrations.
struct Named(&'static str, fn(&mut DialectBuilder<'_>));

impl Dialect for Named {
    fn name(&self) -> &'static str {
        self.0
    }
    fn register(&self, dialect: &mut DialectBuilder<'_>) {
        (self.1)(dialect);
    }
}

fn zoo(dialect: &mut DialectBuilder<'_>) {
    dialect.op::<Dog>().op::<Cat>();
}

fn farm(dialect: &mut DialectBuilder<'_>) {
    dialect.op::<Cow>();
}

/// Both dialects and `more`.
fn context(more: impl FnOnce(&mut Registry)) -> Result<Context, RegistryError> {
    let mut registry = Registry::new();
    registry.add(Named("zoo", zoo)).add(Named("farm", farm));
    more(&mut registry);
    Context::new(registry)
}

fn speak<O: OpDef>(ctx: &Context) -> Option<&'static str> {
    ctx.service::<dyn Speak>(ctx.kind_of::<O>()).map(|service| service.speak())
}

fn error(result: Result<Context, RegistryError>) -> String {
    result.expect_err("it is refused").to_string()
}

#[test]
fn absent_and_present_services() {
    let ctx = context(|_| {}).expect("valid");
    assert_eq!(speak::<Cat>(&ctx), None);
    assert!(ctx.service_table::<dyn Speak>().is_none());
    assert!(ctx.service::<dyn Size>(ctx.kind_of::<Cat>()).is_none());
    let ctx = context(|registry| {
        registry.extend_dialect::<dyn Speak>("zoo", Arc::new(Says("hello")));
    })
    .expect("valid");
    assert_eq!(
        (speak::<Cat>(&ctx), speak::<Dog>(&ctx), speak::<Cow>(&ctx)),
        (Some("hello"), Some("hello"), None)
    );
}

#[test]
fn lookup_precedence() {
    let ctx = context(|registry| {
        registry.extend_dialect::<dyn Cost>("zoo", Arc::new(Fixed(10)));
        registry.extend_op::<dyn Cost>("zoo.cat", Arc::new(Fixed(1)));
    })
    .expect("valid");
    let cost = |kind| ctx.service::<dyn Cost>(kind).map(|service| service.cost());
    assert_eq!(cost(ctx.kind_of::<Cat>()), Some(1));
    assert_eq!(cost(ctx.kind_of::<Dog>()), Some(10));
    assert_eq!(cost(ctx.kind_of::<Cow>()), Some(100));
    let zoo = ctx.dialect("zoo").expect("loaded");
    assert_eq!(zoo.service::<dyn Cost>().map(|service| service.cost()), Some(10));
    assert!(ctx.dialect("farm").expect("loaded").service::<dyn Cost>().is_none());
}

#[test]
fn default_for_unregistered_operations() {
    let ctx = context(|registry| {
        registry.extend_op::<dyn Cost>("zoo.cat", Arc::new(Fixed(1)));
    })
    .expect("valid");
    let unknown = ctx.op_kind("other.thing").expect("few kinds");
    assert_eq!(ctx.service::<dyn Cost>(unknown).map(|service| service.cost()), Some(100));
    assert!(ctx.service::<dyn Speak>(unknown).is_none());
}

#[test]
fn default_without_implementations() {
    for ctx in [Context::bare(), context(|_| {}).expect("valid")] {
        let kind = ctx.op_kind("zoo.cat").expect("few kinds");
        assert_eq!(ctx.service::<dyn Cost>(kind).map(|service| service.cost()), Some(100));
        let first = ctx.service_table::<dyn Cost>().expect("the default") as *const _;
        let again = ctx.service_table::<dyn Cost>().expect("the default") as *const _;
        assert!(std::ptr::eq::<minoan_ir::ServiceTable<dyn Cost>>(first, again), "the table is made once");
        assert_eq!(ctx.dialects_with::<dyn Cost>().count(), 0);
    }
}

#[test]
fn duplicate_service_is_an_error() {
    let twice = context(|registry| {
        registry.extend_dialect::<dyn Speak>("zoo", Arc::new(Says("a")));
        registry.extend_dialect::<dyn Speak>("zoo", Arc::new(Says("b")));
    });
    assert_eq!(error(twice), "service Speak is registered twice for 'zoo'");
    let twice = context(|registry| {
        registry.extend_op::<dyn Speak>("zoo.cat", Arc::new(Says("a")));
        registry.extend_op::<dyn Speak>("zoo.cat", Arc::new(Says("b")));
    });
    assert_eq!(error(twice), "service Speak is registered twice for 'zoo.cat'");
}

#[test]
fn names_and_namespaces_are_checked() {
    let twice = context(|registry| {
        registry.add(Named("zoo", |_| {}));
    });
    assert_eq!(error(twice), "'zoo' is declared twice");
    let op_twice = context(|registry| {
        registry.add(Named("more", |dialect| {
            dialect.op::<Cat>();
        }));
    });
    assert_eq!(error(op_twice), "dialect 'more' declares 'zoo.cat', which is not in its namespace");
}

#[test]
fn extension_of_foreign_dialect() {
    let ctx = context(|registry| {
        registry.extend_op::<dyn Speak>("farm.cow", Arc::new(Says("moo")));
        registry.add(Named("late", |_| {}));
        registry.extend_dialect::<dyn Size>("late", Arc::new(Sized_));
    })
    .expect("valid");
    assert_eq!((speak::<Cow>(&ctx), speak::<Cat>(&ctx)), (Some("moo"), None));
    assert!(ctx.dialect("late").expect("loaded").service::<dyn Size>().is_some());
}

#[test]
fn extension_registered_before_its_dialect() {
    let mut registry = Registry::new();
    registry.extend_op::<dyn Speak>("farm.cow", Arc::new(Says("moo")));
    registry.add(Named("farm", farm));
    assert_eq!(speak::<Cow>(&Context::new(registry).expect("valid")), Some("moo"));
}

#[test]
fn extension_without_target_is_an_error() {
    let missing = context(|registry| {
        registry.extend_op::<dyn Speak>("farm.cows", Arc::new(Says("moo")));
    });
    let text = "service Speak is registered for 'farm.cows', which is not loaded; did you mean 'farm.cow'?";
    assert_eq!(error(missing), text);
    let missing = context(|registry| {
        registry.extend_dialect::<dyn Speak>("aquarium", Arc::new(Says("blub")));
    });
    assert_eq!(error(missing), "service Speak is registered for 'aquarium', which is not loaded");
}

#[test]
fn unfulfilled_promise_names_missing_service() {
    let promise = |dialect: &mut DialectBuilder<'_>| {
        dialect.promise::<dyn Speak>("add `aviary_voices()` to the registry");
    };
    let broken = context(|registry| {
        registry.add(Named("aviary", promise));
    });
    assert_eq!(
        error(broken),
        "dialect 'aviary' promises service Speak, but nothing provides it: add `aviary_voices()` to the registry"
    );
    let kept = context(|registry| {
        registry.add(Named("aviary", promise));
        registry.extend_dialect::<dyn Speak>("aviary", Arc::new(Says("tweet")));
    });
    assert!(kept.is_ok());
}

#[test]
fn promises_are_fulfilled_by_service_identity() {
    trait Other: Send + Sync {}
    service!(dyn Other, "Speak", Optional);
    struct Nothing;
    impl Other for Nothing {}
    let broken = context(|registry| {
        registry.add(Named("aviary", |dialect| {
            dialect.promise::<dyn Speak>("nobody");
        }));
        registry.extend_dialect::<dyn Other>("aviary", Arc::new(Nothing));
    });
    assert!(matches!(broken, Err(RegistryError::BrokenPromise { service: "Speak", .. })));
}

#[test]
fn services_are_per_context() {
    let loud = context(|registry| {
        registry.extend_dialect::<dyn Speak>("zoo", Arc::new(Says("loud")));
    })
    .expect("valid");
    let quiet = context(|registry| {
        registry.extend_dialect::<dyn Speak>("farm", Arc::new(Says("quiet")));
    })
    .expect("valid");
    assert_eq!((speak::<Cat>(&loud), speak::<Cow>(&loud)), (Some("loud"), None));
    assert_eq!((speak::<Cat>(&quiet), speak::<Cow>(&quiet)), (None, Some("quiet")));
    assert_ne!(loud, quiet);
    assert_eq!(loud, loud.clone());
}

#[test]
fn enumeration_is_ordered_by_name() {
    let list = |ctx: &Context| -> Vec<(String, Vec<&'static str>)> {
        let services =
            |dialect: &minoan_ir::LoadedDialect| dialect.services().map(|service| service.name).collect();
        ctx.dialects().iter().map(|dialect| (dialect.name().to_owned(), services(dialect))).collect()
    };
    let one = context(|registry| {
        registry.extend_dialect::<dyn Speak>("zoo", Arc::new(Says("a")));
        registry.extend_op::<dyn Cost>("zoo.dog", Arc::new(Fixed(1)));
        registry.extend_dialect::<dyn Size>("farm", Arc::new(Sized_));
    });
    let mut registry = Registry::new();
    registry.extend_dialect::<dyn Size>("farm", Arc::new(Sized_));
    registry.extend_op::<dyn Cost>("zoo.dog", Arc::new(Fixed(1)));
    registry.add(Named("farm", farm)).add(Named("zoo", zoo));
    registry.extend_dialect::<dyn Speak>("zoo", Arc::new(Says("a")));
    let (one, two) = (one.expect("valid"), Context::new(registry).expect("valid"));
    assert_eq!(list(&one), list(&two));
    assert_eq!(list(&one), [("farm".to_owned(), vec!["Size"]), ("zoo".to_owned(), vec!["Cost", "Speak"])]);
    let kinds =
        |ctx: &Context| ctx.registered_kinds().map(|kind| ctx.kind_name(kind).to_owned()).collect::<Vec<_>>();
    assert_eq!(kinds(&one), ["farm.cow", "zoo.cat", "zoo.dog"]);
    assert_eq!(kinds(&one), kinds(&two));
    let with: Vec<_> = one.dialects_with::<dyn Cost>().map(|dialect| dialect.name()).collect();
    assert_eq!(with, ["zoo"]);
}

#[test]
fn table_agrees_with_direct_lookup() {
    let ctx = context(|registry| {
        registry.extend_dialect::<dyn Cost>("farm", Arc::new(Fixed(3)));
        registry.extend_op::<dyn Cost>("zoo.dog", Arc::new(Fixed(1)));
    })
    .expect("valid");
    let table = ctx.service_table::<dyn Cost>().expect("there are implementations");
    for kind in ctx.registered_kinds() {
        let direct = ctx.service::<dyn Cost>(kind).map(|service| service.cost());
        assert_eq!(table.get(kind).map(|service| service.cost()), direct);
    }
}

#[test]
fn absence_policy() {
    assert_eq!(ServiceId::of::<dyn Size>().absence, Absence::Required);
    assert_eq!(ServiceId::of::<dyn Cost>().absence, Absence::Default);
    assert_eq!(<dyn Speak as ServiceKind>::NAME, "Speak");
    let ctx = context(|registry| {
        registry.extend_op::<dyn Size>("farm.cow", Arc::new(Sized_));
    })
    .expect("valid");
    let implements = |name| ctx.dialect(name).expect("loaded").implements(ServiceId::of::<dyn Size>());
    assert!(implements("farm") && !implements("zoo"));
}

#[test]
fn concurrent_lookup() {
    let ctx = context(|_| {}).expect("valid");
    let cost = || ctx.service::<dyn Cost>(ctx.kind_of::<Cat>()).map(|service| service.cost());
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..4).map(|_| scope.spawn(cost)).collect();
        for one in all {
            assert_eq!(one.join().ok().flatten(), Some(100));
        }
    });
}

/// Implementations are found by the trait alone, regardless of their type.
#[test]
fn lookup_by_trait() {
    struct Murmurs;
    impl Speak for Murmurs {
        fn speak(&self) -> &'static str {
            "murmur"
        }
    }
    let ctx = context(|registry| {
        registry.extend_op::<dyn Speak>("zoo.cat", Arc::new(Murmurs));
        registry.extend_op::<dyn Speak>("zoo.dog", Arc::new(Says("bark")));
    })
    .expect("valid");
    assert_eq!((speak::<Cat>(&ctx), speak::<Dog>(&ctx)), (Some("murmur"), Some("bark")));
}

#[test]
fn clones_share_frozen_services() {
    let ctx = context(|registry| {
        registry.extend_dialect::<dyn Speak>("zoo", Arc::new(Says("a")));
    })
    .expect("valid");
    let table = ctx.service_table::<dyn Speak>().expect("there is an implementation");
    let clone = ctx.clone();
    // Kinds that are interned after freezing are beyond the end of every table.
    let late = ctx.op_kind("zoo.unheard_of").expect("few kinds");
    assert!(table.get(late).is_none() && clone.service::<dyn Speak>(late).is_none());
    assert!(std::ptr::eq(table, clone.service_table::<dyn Speak>().expect("the same")));
}
