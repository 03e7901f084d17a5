//! Stamps the build: commit, target, profile and compiler, for `--version`. Works outside git too.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    for name in ["HEAD", "index"] {
        if let Some(path) = output("git", &["rev-parse", "--git-path", name]) {
            // A path that does not exist would make cargo build again every time.
            if Path::new(&path).exists() {
                println!("cargo:rerun-if-changed={path}");
            }
        }
    }
    let commit = output("git", &["rev-parse", "--short=12", "HEAD"]);
    println!("cargo:rustc-env=PROOFMARK_COMMIT={}", commit.unwrap_or_else(|| "unknown".to_owned()));
    let compiler = output(&variable("RUSTC"), &["--version"]);
    println!("cargo:rustc-env=PROOFMARK_RUSTC={}", compiler.unwrap_or_else(|| "rustc".to_owned()));
    println!("cargo:rustc-env=PROOFMARK_TARGET={}", variable("TARGET"));
    println!("cargo:rustc-env=PROOFMARK_PROFILE={}", variable("PROFILE"));
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| "unknown".to_owned())
}

fn output(program: &str, args: &[&str]) -> Option<String> {
    let out = Command::new(program).args(args).output().ok()?;
    let text = String::from_utf8(out.stdout).ok()?.trim().to_owned();
    (out.status.success() && !text.is_empty()).then_some(text)
}
