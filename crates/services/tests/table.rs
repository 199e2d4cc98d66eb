//! The table of services in the documentation of the crate.

use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn each_service_is_in_the_table_once() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut declared = BTreeSet::new();
    let mut pending = vec![src.clone()];
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            let files = std::fs::read_dir(&path).expect("the sources of the crate");
            pending.extend(files.map(|file| file.expect("a file").path()));
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("text");
        let services = text.split("service!(dyn ").skip(1).filter_map(|after| after.split(',').next());
        declared.extend(services.map(str::to_owned));
    }
    let lib = std::fs::read_to_string(src.join("lib.rs")).expect("text");
    let rows = lib.lines().filter_map(|line| line.strip_prefix("//! | [`")?.split('`').next());
    let rows: Vec<String> = rows.map(str::to_owned).collect();
    assert_eq!(rows.iter().cloned().collect::<BTreeSet<_>>(), declared);
    assert_eq!(rows.len(), declared.len(), "a service has two rows");
}
