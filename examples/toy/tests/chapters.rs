//! The commands of the tutorial in `docs/src/toy` print what the chapters show.

use std::path::Path;
use std::process::Command;

#[test]
fn the_commands_of_the_chapters_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let chapters = std::fs::read_dir(root.join("docs/src/toy")).expect("the chapters are there");
    let mut chapters: Vec<_> = chapters.map(|entry| entry.expect("a readable folder").path()).collect();
    chapters.sort();
    for chapter in chapters {
        let folder = tempfile::tempdir().expect("a folder for the programs");
        let mut command = Command::new("python3");
        command.arg(root.join("test/Book/Inputs/console.py")).arg(&chapter).arg(folder.path());
        command.arg(concat!("toy=", env!("CARGO_BIN_EXE_toy")));
        command.arg(concat!("toy-opt=", env!("CARGO_BIN_EXE_toy-opt")));
        let output = command.output().expect("python3 is installed");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
}
