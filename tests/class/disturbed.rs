//! Runs that are killed, stopped, or cannot write: nothing is lost, nothing is graded twice, and what comes out in the end
//! is what an undisturbed run gives.

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::graded::{Room, published, said, store};
use crate::made_class::{Dice, class};

/// Kills with SIGKILL (`Child::kill`) after each of these times, in turn, until a run ends by itself; returns how many hit.
fn killed_until_done(room: &Room, out: &Path, mut waits: impl Iterator<Item = Duration>) -> usize {
    let mut kills = 0;
    loop {
        let mut child =
            room.batch(out).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        let done = match waits.next() {
            Some(wait) => ends_within(&mut child, wait),
            None => true,
        };
        if done {
            let status = child.wait().expect("it ends");
            assert_eq!(status.code(), Some(0), "an undisturbed end");
            return kills;
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        kills += 1;
    }
}

fn ends_within(child: &mut Child, wait: Duration) -> bool {
    let until = Instant::now() + wait;
    while Instant::now() < until {
        if child.try_wait().expect("a child").is_some() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    false
}

/// The same store and the same files, whatever happened on the way.
fn same(undisturbed: &Path, disturbed: &Path) {
    assert_eq!(store(disturbed), store(undisturbed), "the stores differ");
    let (one, other) = (published(undisturbed), published(disturbed));
    let names =
        |files: &std::collections::BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&other), names(&one), "other files");
    for (name, bytes) in &one {
        assert!(other[name] == *bytes, "{name} differs");
    }
}

fn kill_and_compare(size: usize, kills: usize, seed: u64) {
    // Without the compile bomb: it takes twenty seconds each time that it is killed.
    let people = class("day62-racecheck", size + 5, 7).into_iter().filter(|one| one.kind != "macro bomb");
    let room = Room::new(people.take(size).collect());
    let begun = Instant::now();
    assert_eq!(killed_until_done(&room, &room.out(), std::iter::empty()), 0);
    let whole = begun.elapsed();
    let other = room.folder.path().join("disturbed");
    let mut dice = Dice::new(seed);
    // Long enough to get anywhere, short enough to need every resumption.
    let share = (whole / kills as u32).max(Duration::from_millis(400)).as_millis() as usize;
    let waits: Vec<Duration> =
        (0..kills).map(|_| Duration::from_millis((share / 5 + dice.below(share)) as u64)).collect();
    let hit = killed_until_done(&room, &other, waits.into_iter());
    println!("{size} submissions, {hit} kills of {kills} hit, undisturbed {:.1} s", whole.as_secs_f64());
    assert!(hit * 3 >= kills, "{hit} of {kills} kills hit a running batch");
    same(&room.out(), &other);
}

#[test]
fn a_run_that_is_killed_again_and_again_comes_to_the_same() {
    kill_and_compare(25, 6, 1);
}

/// `cargo test --test class twenty -- --nocapture` prints how it went.
#[test]
fn twenty_kills() {
    kill_and_compare(100, 20, 2);
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_in_order_and_the_same_command_goes_on() {
    let room =
        Room::new(class("day62-racecheck", 20, 3).into_iter().filter(|p| p.kind != "macro bomb").collect());
    let child =
        room.batch(&room.out()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
    let store_file = room.out().join("class.sqlite");
    let until = Instant::now() + Duration::from_secs(60);
    let graded = || {
        let database = rusqlite::Connection::open(&store_file).ok()?;
        database.query_row("SELECT COUNT(*) FROM gradings", [], |row| row.get::<_, i64>(0)).ok()
    };
    while Instant::now() < until && !(store_file.exists() && graded().is_some_and(|n| n >= 2)) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    let words = said(&output);
    assert_eq!(output.status.code(), Some(3), "{words}");
    assert!(words.contains("the same command goes on from there"), "{words}");
    assert!(room.out().join("index.html").is_file(), "what was graded is shown");
    let output = room.batch(&room.out()).output().expect("it runs");
    let words = said(&output);
    assert!(output.status.success() && words.contains("known from before"), "{words}");
    assert!(!words.contains("known from before 0"), "{words}");
}

#[test]
fn a_folder_that_cannot_be_written_is_said_before_anything_is_graded() {
    let room = Room::new(class("day62-racecheck", 3, 3));
    // A file where the folder should be: nobody can write below it, root included.
    fs::write(room.out(), "in the way").expect("a file");
    let output = room.batch(&room.out()).output().expect("it runs");
    let words = said(&output);
    assert_eq!(output.status.code(), Some(3), "{words}");
    assert!(words.contains("cannot be written") && words.contains("--out"), "{words}");
    assert_eq!(fs::read(room.out()).expect("it is still there"), b"in the way");
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_folder_keeps_what_is_in_it() {
    let room = Room::new(class("day62-racecheck", 3, 3));
    let Some(mount) = Mounted::new(&room.out(), "size=8m") else { return };
    assert!(room.batch(&room.out()).output().expect("it runs").status.success());
    let before = (store(&room.out()), published(&room.out()));
    mount.again("ro");
    let output = room.batch(&room.out()).output().expect("it runs");
    let words = said(&output);
    assert_eq!(output.status.code(), Some(3), "{words}");
    assert!(words.contains("cannot be written"), "{words}");
    mount.again("rw");
    assert_eq!((store(&room.out()), published(&room.out())), before);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_stops_the_run_and_loses_nothing() {
    let room =
        Room::new(class("day62-racecheck", 20, 3).into_iter().filter(|p| p.kind != "macro bomb").collect());
    let Some(mount) = Mounted::new(&room.out(), "size=1m") else { return };
    let output = room.batch(&room.out()).output().expect("it runs");
    let words = said(&output);
    assert_eq!(output.status.code(), Some(3), "{words}");
    assert!(words.contains("the disk is full") && words.contains("run the same command again"), "{words}");
    mount.again("rw,size=64m");
    let output = room.batch(&room.out()).output().expect("it runs");
    assert!(output.status.success(), "{}", said(&output));
    let other = room.folder.path().join("undisturbed");
    assert!(room.batch(&other).output().expect("it runs").status.success());
    same(&other, &room.out());
}

/// A small file system of its own at a folder; taken away in the end.
#[cfg(target_os = "linux")]
struct Mounted(std::path::PathBuf);

#[cfg(target_os = "linux")]
impl Mounted {
    /// `None`, with a printed line, where this user may not mount.
    fn new(at: &Path, options: &str) -> Option<Mounted> {
        fs::create_dir_all(at).expect("a folder");
        let tried = std::process::Command::new("mount")
            .args(["-t", "tmpfs", "-o", options, "tmpfs"])
            .arg(at)
            .output();
        match tried {
            Ok(output) if output.status.success() => Some(Mounted(at.to_owned())),
            Ok(output) => {
                eprintln!("skipped: no file system can be mounted here: {}", said(&output).trim());
                None
            }
            Err(error) => {
                eprintln!("skipped: no file system can be mounted here: {error}");
                None
            }
        }
    }

    fn again(&self, options: &str) {
        let options = format!("remount,{options}");
        let status = std::process::Command::new("mount").args(["-o", &options]).arg(&self.0).status();
        assert!(status.expect("mount runs").success(), "{options}");
    }
}

#[cfg(target_os = "linux")]
impl Drop for Mounted {
    fn drop(&mut self) {
        // A folder that stays mounted is only untidy.
        let _ = std::process::Command::new("umount").arg(&self.0).status();
    }
}
