//! The cross references of every program in `examples/` and `test/`.

use minoan::diag::SourceMap;
use minoan::ir::text::ParseOptions;
use minoan::language::{Analysis, Languages};
use minoan::xref::{EntityKind, Role};
use std::path::{Path, PathBuf};

fn files(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        if path.is_dir() {
            files(&path, found);
        } else if matches!(extension, Some("ks" | "relay" | "iexpr" | "mlir")) {
            found.push(path);
        }
    }
}

fn bare(name: &str) -> &str {
    name.trim_start_matches(['@', '%', '^', '!', '#']).trim_matches('"')
}

/// An occurrence is spelled as its entity, definitions are unique places, and scopes contain the uses in them.
#[test]
fn occurrences_are_spelled_as_their_entities() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    files(&root.join("examples"), &mut paths);
    files(&root.join("test"), &mut paths);
    paths.sort();
    let (languages, ctx) = (Languages::default(), minoan::context());
    let (mut checked, mut seen) = (0, 0);
    for path in &paths {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let name = path.to_str().expect("a path in UTF-8");
        for part in text.split("// -----") {
            let sources = SourceMap::new();
            let file = sources.add(name, part);
            let options = ParseOptions { allow_unregistered: true, ..ParseOptions::default() };
            let Analysis { diagnostics, xref } =
                languages.of(name, part).analyze(&ctx, &sources, file, &options);
            if name.contains("/examples/") {
                assert_eq!(diagnostics.error_count(), 0, "{name}: {diagnostics}");
            }
            for it in xref.occurrences() {
                let entity = xref.entity(it.entity);
                let written = part.get(it.span.start as usize..it.span.end as usize);
                let written = written.unwrap_or_else(|| panic!("{name}: {:?} is not in the file", it.span));
                let language_owned = matches!(
                    entity.kind,
                    EntityKind::Operation | EntityKind::Builtin | EntityKind::Attribute
                );
                if language_owned {
                    continue;
                }
                // Knossos and i-expressions have no sigils, but names with such characters.
                let sigils = name.ends_with(".relay") || name.ends_with(".mlir");
                let same = match sigils {
                    true => bare(written) == bare(&entity.name),
                    // A declared function may be called with the codes of its argument: `f@ff`.
                    false => written == &*entity.name || written.starts_with(&format!("{}@", entity.name)),
                };
                // A structured name stands at its innermost identifier: `f` of `[rev f]`.
                assert!(same || entity.name.contains(written), "{name}: {written} is {}", entity.name);
                if it.role == Role::Definition {
                    assert_eq!(entity.definition, Some(it.span), "{name}: {written}");
                } else if let (EntityKind::Variable | EntityKind::Parameter, Some(scope)) =
                    (entity.kind, entity.scope)
                    && !name.ends_with(".mlir")
                {
                    let inside = scope.start <= it.span.start && it.span.end <= scope.end;
                    assert!(inside, "{name}: {written} at {:?} is outside of its scope {scope:?}", it.span);
                }
                seen += 1;
            }
            checked += 1;
        }
    }
    assert!(checked > 100 && seen > 10_000, "{checked} parts with {seen} occurrences");
}
