//! What a grading costs: the exercises in full, each as its ratio to one plain serial loop over day 27's array.
//!
//! `cargo bench --bench grade`. The ratios hold on any machine; the seconds are this one's.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use warpgrade::exercise::{Catalogue, Exercise};
use warpgrade::grade::{Options, exit_code, grade};
use warpgrade::nvrtc::Nvrtc;
use warpgrade::rubric::Rubric;
use warpgrade::submission::{SourceFile, Submission};

/// Elements of day 27's array.
const ELEMENTS: usize = 4 * 1024 * 1024 + 611;

/// One launch's additions, by one thread, in order.
fn serial_sum(values: &[f32]) -> f32 {
    values.iter().fold(0.0, |sum, value| black_box(sum + value))
}

/// Seconds of the fastest of some serial loops.
fn serial_seconds() -> f64 {
    let values = vec![1.0f32; ELEMENTS];
    let once = || {
        let begun = Instant::now();
        black_box(serial_sum(black_box(&values)));
        begun.elapsed().as_secs_f64()
    };
    (0..5).map(|_| once()).fold(f64::INFINITY, f64::min)
}

fn options(verdicts: bool) -> Options {
    let nvrtc = Nvrtc::find_or_fetch(&mut |line| eprintln!("{line}")).expect("NVRTC");
    let catalogue = Catalogue::embedded();
    let (name, text) = catalogue.rubric().expect("a rubric");
    let mut options = Options::new(nvrtc, Rubric::parse(name, text).expect("a rubric that parses"));
    options.verdicts = verdicts;
    options
}

fn exercise(id: &str) -> Exercise {
    Catalogue::embedded().load(id).expect("a built-in exercise")
}

/// The exercise's own program as a submission.
fn own_program(exercise: &Exercise) -> Submission {
    let program = SourceFile { name: "program.cu".into(), text: exercise.template.text.clone(), cell: None };
    Submission { programs: vec![program], ..Submission::default() }
}

/// The exercise with its first configuration alone, and no hidden instances.
fn as_given_alone(mut exercise: Exercise) -> Exercise {
    exercise.configurations.truncate(1);
    exercise.instances.clear();
    exercise
}

fn gradings(c: &mut Criterion) {
    let serial = serial_seconds();
    println!("one serial loop over day 27's array: {:.2} ms", serial * 1e3);
    let mut group = c.benchmark_group("grade");
    group.sample_size(10).warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(10));
    let day27 = exercise("day27-memory-model");
    let day62 = exercise("day62-racecheck");
    let cases = [
        ("day 27 as given, rows alone", as_given_alone(day27.clone()), false),
        ("day 27 as given, with verdict", as_given_alone(day27.clone()), true),
        ("day 27, three configurations, with verdict", day27, true),
        ("day 62, rows alone", as_given_alone(day62.clone()), false),
        ("day 62, with verdict", day62, true),
    ];
    for (name, exercise, verdicts) in cases {
        let submission = own_program(&exercise);
        let mut fastest = f64::INFINITY;
        group.bench_function(name, |b| {
            // Anew each time: a compiler that knows the program would not compile it.
            let grade = |options: Options| {
                let begun = Instant::now();
                let graded = grade(&exercise, &submission, &options);
                fastest = fastest.min(begun.elapsed().as_secs_f64());
                black_box(exit_code(&graded))
            };
            b.iter_batched(|| options(verdicts), grade, BatchSize::PerIteration);
        });
        if fastest.is_infinite() {
            // Filtered out.
            continue;
        }
        let loops = fastest / serial;
        println!("{name}: {fastest:.3} s, {loops:.1} serial loops");
    }
    group.finish();
}

criterion_group!(benches, gradings);
criterion_main!(benches);
