//! The time from a change to its diagnostics, in documents of 5,000 lines.
//!
//! The budget is 100 ms for an optimized build; `cargo test --release -p minoan-lsp --test budget -- --nocapture` prints the
//! times. Without optimization, on a busy machine, only quadratic behavior is detected.

mod client;

use client::Client;
use std::fmt::Write;
use std::time::{Duration, Instant};

const LINES: usize = 5000;

fn program(extension: &str) -> String {
    let mut text = String::new();
    let line = |text: &mut String, content: std::fmt::Arguments<'_>| _ = writeln!(text, "{content}");
    match extension {
        "ks" => {
            for i in 0..LINES / 5 {
                line(&mut text, format_args!("(def f{i} Float ((x : Float) (v : Vec Float))"));
                line(&mut text, format_args!("  (let ((y (mul x (sum v))) ; é"));
                line(&mut text, format_args!("        (n (size v)))"));
                line(&mut text, format_args!("    (if (lt x y) (add y (to_float n))"));
                line(
                    &mut text,
                    format_args!("      (f{} y (build n (lam (i : Integer) (mul x (index i v))))))))", i / 2),
                );
            }
        }
        "relay" => {
            for i in 0..LINES / 50 {
                line(&mut text, format_args!("def @f{i}(%x0: Tensor[(2, 3), float32]) {{"));
                for j in 1..48 {
                    line(&mut text, format_args!("  let %x{j} = nn.relu(add(%x{}, %x0) * 2f);", j - 1));
                }
                line(&mut text, format_args!("  nn.softmax(%x47, axis=1)"));
                line(&mut text, format_args!("}}"));
            }
        }
        "iexpr" => {
            line(&mut text, format_args!("c0 = i(\"+ij~ij\")"));
            for i in 1..LINES {
                line(&mut text, format_args!("c{i} = c0 >> i(\"+ij~ij\") # é"));
            }
        }
        _ => {
            for i in 0..LINES / 50 {
                line(&mut text, format_args!("func.func @f{i}(%x0: f32, %t: tensor<4x?xf32>) -> f32 {{"));
                for j in 1..48 {
                    line(&mut text, format_args!("  %x{j} = arith.addf %x{}, %x0 : f32 // é", j - 1));
                }
                line(&mut text, format_args!("  return %x47 : f32"));
                line(&mut text, format_args!("}}"));
            }
        }
    }
    text
}

#[test]
fn diagnostics_of_5000_lines_arrive_in_time() {
    let limit = Duration::from_millis(if cfg!(debug_assertions) { 4000 } else { 100 });
    for extension in ["ks", "relay", "iexpr", "mlir"] {
        let uri = format!("file:///w/large.{extension}");
        let mut client = Client::start(None);
        let text = program(extension);
        assert_eq!(text.lines().count(), LINES);
        client.open(&uri, "", &text);
        assert_eq!(client.diagnostics(&uri, 1), serde_json::json!([]), "{extension}");
        let mut times: Vec<Duration> = (2..7)
            .map(|version| {
                let start = Instant::now();
                client.change(&uri, version, Some([0, 0, 0, 0]), "\n");
                client.diagnostics(&uri, version);
                start.elapsed()
            })
            .collect();
        times.sort();
        println!("{extension}: {:.1} ms (median of {})", times[2].as_secs_f64() * 1e3, times.len());
        assert!(times[2] < limit, "{extension}: {:?}", times[2]);
        client.finish();
    }
}
