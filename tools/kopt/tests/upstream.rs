//! The facts about dialects that Minoan does not load are those of MLIR's headers.

use regex::Regex;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The generated headers of MLIR's dialects; none where MLIR is not installed.
fn headers() -> Vec<String> {
    let llvm =
        std::env::var_os("LLVM_SYS_221_PREFIX").map_or_else(|| "/usr/lib/llvm-22".into(), PathBuf::from);
    let mut directories = vec![llvm.join("include/mlir/Dialect")];
    let mut texts = Vec::new();
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(&directory).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                directories.push(path);
            } else if path.to_str().is_some_and(|path| path.ends_with(".h.inc")) {
                texts.push(String::from_utf8_lossy(&std::fs::read(&path).expect("a header")).into_owned());
            }
        }
    }
    texts
}

#[test]
fn facts_about_foreign_dialects_are_those_of_the_headers() {
    let headers = headers();
    if headers.is_empty() {
        return eprintln!("there are no headers to compare with");
    }
    let op = Regex::new(r#"(?s)class \w+ : public ::mlir::Op<(.*?)> \{.*?StringLiteral\("([\w.]+)"\)"#);
    let op = op.expect("a pattern");
    let attr =
        Regex::new(r#"(?s)class \w+ : public ::mlir::Attribute::AttrBase<.*?\n\};"#).expect("a pattern");
    let name = Regex::new(r#"StringLiteral name = "([\w.]+)""#).expect("a pattern");
    let ctx = minoan::context();
    let foreign =
        |name: &str| name.split_once('.').is_some_and(|(dialect, _)| ctx.dialect(dialect).is_none());
    let (mut tables, mut scopes, mut aliases) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut affine = BTreeSet::new();
    for text in &headers {
        for found in op.captures_iter(text).filter(|found| foreign(&found[2])) {
            let sets = [
                ("OpTrait::SymbolTable", &mut tables),
                ("AutomaticAllocationScope", &mut scopes),
                ("OpTrait::AffineScope", &mut affine),
            ];
            for (what, set) in sets {
                if found[1].contains(what) {
                    set.insert(found[2].to_owned());
                }
            }
        }
        let aliased = attr.find_iter(text).filter(|class| class.as_str().contains("getAlias("));
        let names = aliased.filter_map(|class| Some(name.captures(class.as_str())?[1].to_owned()));
        aliases.extend(names.filter(|name| foreign(name)));
    }
    assert!(aliases.len() > 30, "the headers are as they were: {}", aliases.len());
    let known = minoan::UPSTREAM;
    let set = |list: fn(&minoan::ir::ForeignDialect) -> &'static [&'static str]| -> BTreeSet<String> {
        known.iter().flat_map(list).map(|&name| name.to_owned()).collect()
    };
    assert_eq!(set(|dialect| dialect.symbol_tables), tables);
    assert_eq!(set(|dialect| dialect.allocation_scopes), scopes);
    assert_eq!(set(|dialect| dialect.affine_scopes), affine);
    let named = known.iter().flat_map(|dialect| {
        dialect.aliases.iter().map(|(mnemonic, _)| format!("{}.{mnemonic}", dialect.name))
    });
    assert_eq!(named.collect::<BTreeSet<String>>(), aliases);
}
