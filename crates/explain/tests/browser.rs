//! The page in a browser: the tests are skipped, with a message, where no Chromium is installed.

mod common;

use common::page;
use std::fmt::Write;
use std::process::Command;

const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Runs a script in a page and returns what it stores in `result`; `None` without a browser.
fn run(page: &str, script: &str) -> Option<String> {
    let exists = |name: &&&str| {
        Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
    };
    let Some(browser) = BROWSERS.iter().find(exists) else {
        eprintln!("skipped: no Chromium is installed ({})", BROWSERS.join(", "));
        return None;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("page.html");
    let script = format!(
        "<script>const wait = (ms) => new Promise((done) => setTimeout(done, ms));
        const press = (key) => dispatchEvent(new KeyboardEvent('keydown', {{ key }}));
        const shown = (pane) => [...document.querySelectorAll('.pane')[pane].querySelectorAll('.code')];
        (async () => {{ let result; try {{ result = await (async () => {{ {script} }})(); }} catch (error) {{ result = String(error.stack); }}
        const out = document.createElement('pre'); out.id = 'result'; out.textContent = result; document.body.append(out); }})();</script>"
    );
    std::fs::write(&file, format!("{page}{script}")).expect("the folder is writable");
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--window-size=1400,900",
            "--virtual-time-budget=20000",
            "--dump-dom",
        ])
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg(format!("file://{}", file.display()))
        .output()
        .expect("the browser runs");
    let dom = String::from_utf8_lossy(&output.stdout);
    let result = dom.rsplit_once("<pre id=\"result\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let (result, _) = result
        .unwrap_or_else(|| panic!("the script did not end: {}", String::from_utf8_lossy(&output.stderr)));
    Some(result.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
}

const PROGRAM: &str = "\
func.func @main(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  %1 = arith.addi %x, %x : i32
  %2 = arith.muli %0, %1 : i32
  return %2 : i32
}
";

#[test]
fn lines_of_one_source_line_light_up_together() {
    let page = page("p.mlir", PROGRAM, "builtin.module(cse)");
    let script = "shown(0)[3].click(); await wait(100);
        const lit = (pane) => shown(pane).filter((line) => line.classList.contains('pin')).map((line) => line.querySelector('.text').textContent.trim());
        return JSON.stringify([lit(0), lit(1)]);";
    let Some(lit) = run(&page, script) else { return };
    assert_eq!(lit, r#"[["%2 = arith.muli %0, %1 : i32"],["%1 = arith.muli %0, %0 : i32"]]"#);
}

#[test]
fn keys_show_changes_tabs_and_search() {
    let page = page("p.mlir", PROGRAM, "builtin.module(cse)");
    let script = "press('d'); await wait(50);
        const signs = shown(1).filter((line) => line.className !== 'code').map((line) => line.className.split(' ')[1] + ' ' + line.querySelector('.text').textContent.trim());
        const query = document.getElementById('query');
        query.value = 'MULI'; query.dispatchEvent(new Event('input')); await wait(300);
        const hits = document.getElementById('hits').textContent;
        press('2'); await wait(50);
        const tab = document.querySelector('#tabs [aria-selected=true]').dataset.tab;
        const passes = document.querySelectorAll('#view tbody tr').length;
        press('t');
        return JSON.stringify([signs, hits, tab, passes, document.documentElement.className]);";
    let Some(found) = run(&page, script) else { return };
    let changes = r#"["removed %1 = arith.addi %arg0, %arg0 : i32","removed %2 = arith.muli %0, %1 : i32","rewired %1 = arith.muli %0, %0 : i32"]"#;
    assert_eq!(found, format!(r#"[{changes},"1 of 2","passes",2,"dark"]"#));
}

#[test]
fn a_module_of_50_000_operations_stays_quick() {
    let mut text = String::new();
    for function in 0..50 {
        let _ = writeln!(text, "func.func @f{function}(%a0: i32) -> i32 {{");
        for op in 0..500 {
            let _ = writeln!(text, "  %b{op} = arith.addi %a{op}, %a{op} : i32");
            let _ = writeln!(text, "  %a{} = arith.muli %b{op}, %a{op} : i32", op + 1);
        }
        let _ = writeln!(text, "  return %a500 : i32\n}}");
    }
    let page = page("large.mlir", &text, "builtin.module(cse,canonicalize,symbol-dce)");
    let script = "const start = performance.now();
        for (let at = 0; at < 8; at++) { press(at % 2 ? 'k' : 'j'); shown(0)[at].click(); await wait(0); }
        const query = document.getElementById('query');
        query.value = '%a500'; query.dispatchEvent(new Event('input')); await wait(300);
        const list = document.querySelector('.pane .list');
        list.scrollTop = 600000; list.dispatchEvent(new Event('scroll'));
        const line = Number(shown(0)[15].querySelector('.no').textContent);
        return JSON.stringify([performance.now() - start < 15000, document.querySelectorAll('*').length < 6000, line > 33000 || line, document.getElementById('hits').textContent]);";
    let Some(found) = run(&page, script) else { return };
    // The second pane shows other names.
    assert_eq!(found, r#"[true,true,true,"1 of 100"]"#);
}

#[test]
fn unchanged_stages_can_be_hidden() {
    let page = page("p.mlir", PROGRAM, "builtin.module(cse,symbol-dce,canonicalize)");
    let script = "const names = () => [...document.querySelectorAll('.stage')].filter((stage) => stage.offsetParent).map((stage) => stage.querySelector('.name').textContent);
        const all = names();
        press('u'); await wait(50);
        return JSON.stringify([all, names()]);";
    let Some(found) = run(&page, script) else { return };
    assert_eq!(found, r#"[["input","cse","symbol-dce","canonicalize"],["input","cse"]]"#);
}

#[test]
fn words_of_source_languages_are_colored() {
    let page = page("p.mlir", PROGRAM, "builtin.module(cse)");
    // The tables of words, without a program of each language.
    let script = "const words = (language, line) => [...Pane.prototype.words(line, language).querySelectorAll('span')].map((span) => span.className + ' ' + span.textContent);
        return JSON.stringify([words('ks', '(def f Float (x : Float) (add x 2.5)) ; sum'), words('relay', 'let %x/y = nn.relu(@f(1f)); // f'),
            words('iexpr', 'f = (I & i(\"+ij~i\")) >> g # rows'), words('asm', spaced('\\tmovq\\t$-8, %rax'))]);";
    let Some(found) = run(&page, script) else { return };
    let ks = r#"["k def","t Float","t Float","n 2.5","c ; sum"]"#;
    let relay = r#"["k let","v %x/y","y @f","n 1f","c // f"]"#;
    let iexpr = r#"["t I","k &","k i","s \"+ij~i\"","k >>","c # rows"]"#;
    let asm = r#"["k         movq","n $-8","v %rax"]"#;
    assert_eq!(found, format!("[{ks},{relay},{iexpr},{asm}]"));
}
