//! What a server can reach, see and use up at each level of isolation.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use proofmark_core::evidence::{Exit, IsolationLevel};
use proofmark_core::seed::Seed;
use proofmark_live::canary::plant;
use proofmark_live::isolate::{LaunchError, LaunchSpec, launch};

use crate::bench::{Bench, LEVELS, has_bwrap, shim};

/// A directory that is neither temporary nor scratch: what the user would call theirs.
struct Precious(PathBuf);

impl Precious {
    fn new(name: &str) -> Precious {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("precious-{name}"));
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join("thesis"), "years of work").unwrap();
        Precious(dir)
    }

    fn is_untouched(&self) -> bool {
        let names: Vec<_> = std::fs::read_dir(&self.0).unwrap().flatten().collect();
        names.len() == 1
            && std::fs::read_to_string(self.0.join("thesis")).unwrap() == "years of work"
    }
}

impl Drop for Precious {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs a script to its end and returns stderr, where it reports.
async fn report(bench: &Bench, script: &str) -> (IsolationLevel, Option<Exit>, Vec<String>) {
    let mut process = bench.sh(script);
    let exit = process.wait_exit(Duration::from_secs(30)).await;
    (process.isolation().level, exit, process.stderr_tail(60))
}

const VANDAL: &str = r#"
PRECIOUS="${PRECIOUS#in }"
echo mine > inside.txt && echo "wrote inside" >&2
cat "$PRECIOUS/thesis" > /dev/null && echo "read" >&2
( echo bad > "$PRECIOUS/thesis" ) 2> /dev/null && echo "overwrote" >&2
( echo bad > "$PRECIOUS/new" ) 2> /dev/null && echo "created" >&2
( rm -f "$PRECIOUS/thesis" && test ! -e "$PRECIOUS/thesis" ) 2> /dev/null && echo "removed" >&2
( mv "$PRECIOUS" "$PRECIOUS-gone" ) 2> /dev/null && echo "moved" >&2
exit 0
"#;

async fn vandalise(level: IsolationLevel, name: &str) -> IsolationLevel {
    let precious = Precious::new(name);
    let mut bench = Bench::new(level);
    // Not as a path of its own: then a copy would stand in for it.
    bench.env.insert("PRECIOUS".into(), format!("in {}", precious.0.display()));
    let (reached, exit, said) = report(&bench, VANDAL).await;
    assert_eq!(exit, Some(Exit::Code { code: 0 }), "{said:?}");
    assert_eq!(said, ["wrote inside", "read"], "{reached:?}");
    assert!(precious.is_untouched(), "{reached:?}");
    let inside = std::fs::read_to_string(bench.scratch.workspace().join("inside.txt"));
    assert_eq!(inside.unwrap(), "mine\n");
    reached
}

#[tokio::test]
async fn landlock_refuses_every_write_outside_the_scratch_area() {
    let reached = vandalise(IsolationLevel::Confined, "landlock").await;
    assert_eq!(reached, IsolationLevel::Confined);
}

#[tokio::test]
async fn bubblewrap_refuses_every_write_outside_the_scratch_area() {
    let reached = vandalise(IsolationLevel::Namespaces, "bubblewrap").await;
    // Without bubblewrap the level must fall, and say so.
    let expected = if has_bwrap() { IsolationLevel::Namespaces } else { IsolationLevel::Confined };
    assert_eq!(reached, expected);
}

#[tokio::test]
async fn behind_bubblewrap_there_are_no_other_processes_and_no_kernel_switches() {
    let bench = Bench::new(IsolationLevel::Namespaces);
    let me = std::process::id();
    let script = format!(
        "kill -0 {me} 2> /dev/null && echo 'sees us' >&2
         ( : > /proc/sys/kernel/printk ) 2> /dev/null && echo 'turns switches' >&2
         ( : > /sys/kernel/mm/ksm/run ) 2> /dev/null && echo 'turns more' >&2
         ls -A /tmp /var/tmp | grep -v proofmark- | grep -v : | grep . >&2
         exit 0"
    );
    let (level, exit, said) = report(&bench, &script).await;
    if !has_bwrap() {
        assert_eq!(level, IsolationLevel::Confined);
        return;
    }
    // What leads to the server itself stays visible: a checkout below /tmp, say.
    let ours = |line: &String| env!("CARGO_MANIFEST_DIR").split('/').any(|part| part == line);
    let said: Vec<String> = said.into_iter().filter(|line| !ours(line)).collect();
    assert_eq!((exit, said.as_slice()), (Some(Exit::Code { code: 0 }), [].as_slice()));
}

#[tokio::test]
async fn a_server_in_the_temporary_directory_can_be_started_behind_the_fence() {
    let dir = tempfile::Builder::new().prefix("project-").tempdir().unwrap();
    let script = dir.path().join("server.sh");
    std::fs::write(&script, ". \"$(dirname \"$0\")/part.sh\"\n").unwrap();
    std::fs::write(dir.path().join("part.sh"), "echo started >&2\n").unwrap();
    for &level in LEVELS {
        let bench = Bench::new(level);
        let mut process = bench.run("sh", &[script.to_str().unwrap()]).unwrap();
        process.wait_exit(Duration::from_secs(20)).await;
        assert_eq!(process.stderr_tail(9), ["started"], "{level:?}");
    }
}

#[tokio::test]
async fn relative_files_are_those_of_the_user_and_the_workspace_is_where_it_runs() {
    let dir = tempfile::Builder::new().prefix("project-").tempdir().unwrap();
    std::fs::create_dir(dir.path().join("dist")).unwrap();
    std::fs::write(dir.path().join("dist/server.sh"), "pwd >&2\n").unwrap();
    let bench = Bench::new(IsolationLevel::Namespaces);
    let args = ["./dist/server.sh".to_owned()];
    let spec = LaunchSpec {
        command: "sh",
        args: &args,
        env: &bench.env,
        cwd: None,
        origin: Some(dir.path()),
        scratch: &bench.scratch,
        planted: &bench.planted,
        isolation: bench.level,
        shim: bench.shim.as_deref(),
        cache: None,
        record: bench.record.clone(),
    };
    let mut process = launch(&spec).unwrap();
    process.wait_exit(Duration::from_secs(20)).await;
    assert_eq!(process.stderr_tail(9), ["/proofmark/workspace"]);
    let mut process = launch(&LaunchSpec {
        cwd: Some(Path::new("dist")),
        args: &["server.sh".to_owned()],
        ..spec.clone()
    })
    .unwrap();
    process.wait_exit(Duration::from_secs(20)).await;
    let said = process.stderr_tail(9);
    assert!(said.len() == 1 && said[0].ends_with("/dist"), "{said:?}");
    let gone = launch(&LaunchSpec { cwd: Some(Path::new("nowhere")), ..spec });
    assert!(matches!(gone, Err(LaunchError::NoDirectory { .. })));
}

#[tokio::test]
async fn the_environment_is_clean_and_the_canaries_are_in_it() {
    for &level in LEVELS {
        let mut bench = Bench::new(level);
        let planted = plant(&bench.scratch, Seed(5)).unwrap();
        bench.planted = planted.env.clone();
        bench.env.insert("CHOSEN".into(), "by the user".into());
        let (_, _, said) = report(&bench, "env | sort >&2; cat $HOME/.ssh/id_canary >&2").await;
        let has = |line: &str| said.iter().any(|l| l == line);
        assert!(has("HOME=/proofmark/home") && has("TMPDIR=/proofmark/tmp"), "{said:?}");
        assert!(has("CHOSEN=by the user") && has("TERM=dumb"), "{said:?}");
        for canary in &planted.canaries {
            let inside = matches!(canary.id.as_str(), "env" | "env-token" | "private-key");
            assert_eq!(inside, said.iter().any(|l| l.contains(&canary.value)), "{canary:?}");
        }
        // cargo sets these for us; nothing of the kind may pass.
        assert!(!said.iter().any(|l| l.starts_with("CARGO_PKG") || l.starts_with("RUST_")));
    }
}

#[tokio::test]
async fn limits_are_set_before_the_server_starts() {
    for &level in LEVELS {
        let bench = Bench::new(level);
        let (_, _, said) = report(&bench, "ulimit -c >&2; ulimit -n >&2; ulimit -t >&2").await;
        assert_eq!(said, ["0", "4096", "600"], "{level:?}");
    }
}

#[tokio::test]
async fn a_file_can_not_grow_without_end() {
    let bench = Bench::new(IsolationLevel::Namespaces);
    let script = "truncate -s 2G huge 2> /dev/null || echo refused >&2";
    let (_, _, said) = report(&bench, script).await;
    assert_eq!(said, ["refused"]);
}

#[tokio::test]
async fn node_and_python_start_at_every_level() {
    for (program, flag, code) in [
        ("node", "-e", "fetch('data:,x').then(r => r.text()).then(t => console.error(t))"),
        (
            "python3",
            "-c",
            "import sys, multiprocessing as m; m.Lock(); print('x', file=sys.stderr)",
        ),
    ] {
        for &level in LEVELS {
            let bench = Bench::new(level);
            let Ok(mut process) = bench.run(program, &[flag, code]) else {
                let found = Command::new(program).arg("--version").output();
                assert!(found.is_err(), "{program} is installed and could not be started");
                continue;
            };
            let exit = process.wait_exit(Duration::from_secs(60)).await;
            let said = process.stderr_tail(20);
            assert_eq!(exit, Some(Exit::Code { code: 0 }), "{program} {level:?}: {said:?}");
            assert_eq!(said, ["x"], "{program} {level:?}");
        }
    }
}

#[tokio::test]
async fn a_command_that_is_not_there_is_an_error_of_its_own() {
    let bench = Bench::new(IsolationLevel::Namespaces);
    let error = bench.run("no-such-server-anywhere", &[]).unwrap_err();
    assert_eq!(error, LaunchError::NotFound { command: "no-such-server-anywhere".into() });
}

#[tokio::test]
async fn a_launcher_gets_a_cache_that_it_may_write_to_and_nobody_else_does() {
    let cache = tempfile::Builder::new().prefix("cache-").tempdir().unwrap();
    let tools = tempfile::Builder::new().prefix("tools-").tempdir().unwrap();
    let script = "#!/bin/sh\nmkdir -p \"$npm_config_cache\" && echo x > \"$npm_config_cache/x\"\n";
    for name in ["npx", "other"] {
        let file = tools.path().join(name);
        std::fs::write(&file, script).unwrap();
        Command::new("chmod").arg("+x").arg(&file).status().unwrap();
    }
    for &level in &[IsolationLevel::Confined, IsolationLevel::Namespaces] {
        let bench = Bench::new(level);
        for (name, works) in [("npx", true), ("other", false)] {
            let command = tools.path().join(name);
            let mut process = launch(&LaunchSpec {
                command: command.to_str().unwrap(),
                args: &[],
                env: &bench.env,
                cwd: None,
                origin: None,
                scratch: &bench.scratch,
                planted: &bench.planted,
                isolation: level,
                shim: bench.shim.as_deref(),
                cache: Some(cache.path()),
                record: bench.record.clone(),
            })
            .unwrap();
            process.wait_exit(Duration::from_secs(20)).await;
            let file = cache.path().join("npm/x");
            assert_eq!(file.exists(), works, "{name} {level:?}: {:?}", process.stderr_tail(9));
            let _ = std::fs::remove_file(file);
            let noted = process.isolation().notes.iter().any(|n| n.contains("cache"));
            assert_eq!(noted, works);
        }
    }
}

#[tokio::test]
async fn a_container_is_out_of_our_reach_and_the_level_says_so() {
    let tools = tempfile::Builder::new().prefix("tools-").tempdir().unwrap();
    let docker = tools.path().join("docker");
    std::fs::write(&docker, "#!/bin/sh\nexit 0\n").unwrap();
    Command::new("chmod").arg("+x").arg(&docker).status().unwrap();
    let bench = Bench::new(IsolationLevel::Namespaces);
    let process = bench.run(docker.to_str().unwrap(), &["run", "-i", "image"]).unwrap();
    assert_eq!(process.isolation().level, IsolationLevel::Scratch);
    assert!(process.isolation().notes[0].contains("container"), "{:?}", process.isolation());
}

#[test]
fn a_shim_that_is_told_nonsense_says_so() {
    let out = Command::new(&shim()[0]).arg("--nonsense").output().unwrap();
    assert_eq!(out.status.code(), Some(125));
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(said.contains("unknown option `--nonsense`"), "{said}");
    let out = Command::new(&shim()[0]).args(["--", "no-such-program"]).output().unwrap();
    assert_eq!(out.status.code(), Some(127));
}
