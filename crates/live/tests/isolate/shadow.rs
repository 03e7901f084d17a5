//! Copies that stand in for the user's files, tried with real processes.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use proofmark_core::evidence::{Effect, IsolationLevel};

use crate::bench::{Bench, has_bwrap};

/// A folder of the user's, outside every temporary directory.
fn folder(name: &str) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("shadow-{name}"));
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(dir.join("sub")).unwrap();
    fs::write(dir.join("thesis"), "years of work").unwrap();
    fs::write(dir.join("sub/old"), "old").unwrap();
    dir.canonicalize().unwrap()
}

fn is_untouched(dir: &std::path::Path) -> bool {
    let names: Vec<_> = fs::read_dir(dir).unwrap().flatten().map(|e| e.file_name()).collect();
    names.len() == 2
        && fs::read_to_string(dir.join("thesis")).unwrap() == "years of work"
        && fs::read_to_string(dir.join("sub/old")).unwrap() == "old"
}

/// Runs `sh -c SCRIPT sh NAMED` and returns what it said, and what the isolation noted.
async fn run(bench: &Bench, script: &str, named: &str) -> (Vec<String>, Vec<String>) {
    let mut process = bench.run("sh", &["-c", script, "sh", named]).unwrap();
    process.wait_exit(Duration::from_secs(30)).await;
    (process.stderr_tail(60), process.isolation().notes.clone())
}

#[tokio::test]
async fn a_server_may_write_to_a_folder_of_the_user_and_nothing_of_it_changes() {
    if !has_bwrap() {
        return;
    }
    let dir = folder("folder");
    let bench = Bench::new(IsolationLevel::Namespaces);
    let before = bench.scratch.snapshot();
    let shown = dir.display();
    let script = r#"cd "$1" && echo bad > thesis && echo new > new && rm -r sub
        test -s notes.md && echo "finds samples" >&2; pwd >&2"#;
    let (said, notes) = run(&bench, script, dir.to_str().unwrap()).await;
    assert_eq!(said, ["finds samples".to_owned(), shown.to_string()]);
    let note = format!("writes to {shown} go to a copy, to which sample files were added");
    assert!(notes.contains(&note), "{notes:?}");
    assert!(is_untouched(&dir));
    let effects = bench.scratch.changes_since(&before);
    assert_eq!(
        effects,
        [
            Effect::FileCreated { path: format!("{shown}/new") },
            Effect::FileChanged { path: format!("{shown}/thesis") },
            Effect::FileDeleted { path: format!("{shown}/sub/") },
            Effect::FileDeleted { path: format!("{shown}/sub/old") },
        ]
    );
    let (said, _) = run(&bench, r#"cat "$1/new" >&2"#, dir.to_str().unwrap()).await;
    assert_eq!(said, ["new"], "a server that is started again finds what it left");
}

#[tokio::test]
async fn a_folder_below_the_temporary_directory_is_shadowed_too() {
    if !has_bwrap() {
        return;
    }
    let outer = tempfile::tempdir().unwrap();
    let dir = outer.path().join("a/b");
    fs::create_dir_all(&dir).unwrap();
    fs::write(outer.path().join("a/beside"), "").unwrap();
    let bench = Bench::new(IsolationLevel::Namespaces);
    let script = r#"cd "$1" && echo x > made && echo "wrote" >&2
        ( echo x > ../beside ) 2> /dev/null && echo "wrote beside" >&2; exit 0"#;
    let (said, _) = run(&bench, script, dir.to_str().unwrap()).await;
    assert_eq!(said, ["wrote"]);
    assert_eq!(fs::read_dir(&dir).unwrap().count(), 0);
}

#[tokio::test]
async fn a_file_is_shadowed_alone_and_a_database_with_room_for_its_journal() {
    if !has_bwrap() {
        return;
    }
    let dir = folder("file");
    fs::write(dir.join("sub/store.db"), "SQLite format 3\0").unwrap();
    let mut bench = Bench::new(IsolationLevel::Namespaces);
    bench.env.insert("THESIS".into(), dir.join("thesis").display().to_string());
    let script = r#"echo bad > "$THESIS" && echo "wrote the file" >&2
        ( echo x > "$THESIS.new" ) 2> /dev/null && echo "wrote beside the file" >&2
        echo x > "$1" && echo x > "$1-journal" && echo "wrote the database" >&2
        test -e "$(dirname "$1")/notes.md" && echo "samples nobody asked for" >&2; exit 0"#;
    let named = format!("--db={}", dir.join("sub/store.db").display());
    let script = format!("set -- \"${{1#--db=}}\"\n{script}");
    let (said, notes) = run(&bench, &script, &named).await;
    assert_eq!(said, ["wrote the file", "wrote the database"], "{notes:?}");
    assert_eq!(fs::read_to_string(dir.join("sub/store.db")).unwrap(), "SQLite format 3\0");
    assert_eq!(fs::read_dir(dir.join("sub")).unwrap().count(), 2);
    assert_eq!(fs::read_to_string(dir.join("thesis")).unwrap(), "years of work");
}

#[tokio::test]
async fn under_landlock_there_are_no_copies_and_the_notes_say_so() {
    let dir = folder("landlock");
    let bench = Bench::new(IsolationLevel::Confined);
    let script = r#"( echo bad > "$1/thesis" ) 2> /dev/null && echo "wrote" >&2; exit 0"#;
    let (said, notes) = run(&bench, script, dir.to_str().unwrap()).await;
    assert_eq!(said, Vec::<String>::new());
    let note = format!("{} stays read-only: only behind bubblewrap", dir.display());
    assert!(notes.iter().any(|n| n.starts_with(&note)), "{notes:?}");
    assert!(is_untouched(&dir));
}
