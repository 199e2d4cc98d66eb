//! A session of a real client: Neovim, headless. Skipped where `nvim` is not installed.

use serde_json::Value;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const SCRIPT: &str = r##"
local out = {}
local ok, err = pcall(function()
  vim.cmd("edit " .. vim.env.MINOAN_FILE)
  local id = vim.lsp.start_client({ cmd = { vim.env.MINOAN_LSP }, name = "minoan-lsp", root_dir = vim.env.MINOAN_ROOT })
  vim.lsp.buf_attach_client(0, id)
  assert(vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end, 20), "no diagnostics")
  local found = vim.diagnostic.get(0)[1]
  out.diagnostic = { line = found.lnum, column = found.col, message = found.message }
  -- Type the missing letter after characters that take several bytes.
  vim.api.nvim_buf_set_text(0, found.lnum, found.col, found.lnum, found.end_col, { "sqrt" })
  assert(vim.wait(20000, function() return #vim.diagnostic.get(0) == 0 end, 20), "the diagnostic stays")
  local function at(line, column)
    vim.api.nvim_win_set_cursor(0, { line, column })
    return vim.lsp.util.make_position_params(0, "utf-16")
  end
  local function ask(method, params)
    local results, failed = vim.lsp.buf_request_sync(0, method, params, 20000)
    assert(results, failed)
    local answer = results[id]
    assert(answer and not answer.err, vim.inspect(answer))
    return answer.result
  end
  out.hover = ask("textDocument/hover", at(found.lnum + 1, found.col)).contents.value
  local start = ask("textDocument/definition", at(3, 21)).range.start
  out.definition = start.line .. ":" .. start.character
  local rename = at(3, 21)
  rename.newName = "length"
  vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", rename), "utf-16")
  out.text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
  vim.lsp.stop_client(id)
end)
out.ok, out.error = ok, tostring(err)
local file = io.open(vim.env.MINOAN_OUT, "w")
file:write(vim.fn.json_encode(out))
file:close()
vim.cmd("qall!")
"##;

#[test]
fn neovim_edits_a_program() {
    let quiet = |command: &mut Command| command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    if quiet(Command::new("nvim").arg("--version")).is_err() {
        eprintln!("skipped: nvim is not installed; 'cargo xtask setup' installs it");
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let path = |name: &str| directory.path().join(name);
    let text = "(def norm Float ((x : Float)) (mul x x))\n; é \u{1F600}\n(def f Float () (norm 2.0)) #| é\u{1F600} |# (def g Float () (sqr 2.0))\n";
    std::fs::write(path("a.ks"), text).expect("written");
    std::fs::write(path("run.lua"), SCRIPT).expect("written");
    let mut process = Command::new("nvim")
        .args(["--headless", "--clean", "-n", "-c"])
        .arg(format!("luafile {}", path("run.lua").display()))
        .env("MINOAN_LSP", env!("CARGO_BIN_EXE_minoan-lsp"))
        .env("MINOAN_FILE", path("a.ks"))
        .env("MINOAN_ROOT", directory.path())
        .env("MINOAN_OUT", path("out.json"))
        .env("XDG_STATE_HOME", directory.path())
        .env("XDG_CACHE_HOME", directory.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("nvim starts");
    let until = Instant::now() + Duration::from_secs(60);
    while process.try_wait().expect("a child").is_none() {
        if Instant::now() > until {
            _ = process.kill();
            _ = process.wait();
            panic!("nvim does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let out: Value =
        serde_json::from_slice(&std::fs::read(path("out.json")).expect("the script wrote its results"))
            .expect("JSON");
    assert_eq!(out["ok"], true, "{}", out["error"]);
    assert_eq!(out["diagnostic"]["line"], 2);
    let message = out["diagnostic"]["message"].as_str().unwrap_or("");
    assert!(message.starts_with("unknown function 'sqr'"), "{message}");
    assert!(out["hover"].as_str().unwrap_or("").contains("(sqrt Float) -> Float"), "{}", out["hover"]);
    assert_eq!(out["definition"], "0:5");
    let text = out["text"].as_str().unwrap_or("");
    assert!(text.contains("(def length Float ((x : Float))") && text.contains("(length 2.0)"), "{text}");
    assert!(text.contains("|# (def g Float () (sqrt 2.0))"), "{text}");
}
