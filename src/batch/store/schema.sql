-- One file for a class. Scores are added, never changed: a regrade keeps what was there before. A fault, which has no score,
-- makes way for the result of the next try.
CREATE TABLE IF NOT EXISTS meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS students (
    key             TEXT PRIMARY KEY,
    -- The student as discovered: names, ids, group, feedback folder.
    identity        TEXT NOT NULL
);

CREATE TABLE IF NOT EXISTS attempts (
    student  TEXT NOT NULL REFERENCES students (key),
    exercise TEXT NOT NULL,
    number   INTEGER NOT NULL,
    -- Hash over names and bytes of the files.
    content  TEXT NOT NULL,
    handed   TEXT,
    late     INTEGER NOT NULL,
    late_by  INTEGER,
    files    TEXT NOT NULL,
    PRIMARY KEY (student, exercise, number, content)
);

-- Which attempt counts: the one of the last run. An older one may come back.
CREATE TABLE IF NOT EXISTS counting (
    student  TEXT NOT NULL REFERENCES students (key),
    exercise TEXT NOT NULL,
    number   INTEGER NOT NULL,
    content  TEXT NOT NULL,
    PRIMARY KEY (student, exercise)
);

CREATE TABLE IF NOT EXISTS gradings (
    id       INTEGER PRIMARY KEY,
    student  TEXT NOT NULL REFERENCES students (key),
    exercise TEXT NOT NULL,
    number   INTEGER NOT NULL,
    content  TEXT NOT NULL,
    -- Hash of everything besides the submission that decides the result: grader, NVRTC, exercise, seeds, options.
    basis    TEXT NOT NULL,
    -- Hash of the rubric file.
    rubric   TEXT NOT NULL,
    -- `grade` or `rescore`.
    origin   TEXT NOT NULL,
    at       TEXT NOT NULL,
    status   TEXT NOT NULL,
    -- The automatic and provisional points, before manual scores and lateness. Null for a fault.
    points   REAL,
    max      REAL,
    -- The record, without its timing.
    result   TEXT NOT NULL,
    timing   TEXT NOT NULL,
    UNIQUE (student, exercise, number, content, basis, rubric)
);

CREATE INDEX IF NOT EXISTS gradings_by_student ON gradings (student, exercise, id);

-- What kernels gave, by the hash of the question: a class costs its distinct programs, also when it is graded again. No
-- score depends on this table; it may be emptied at any time.
CREATE TABLE IF NOT EXISTS answers (
    key    TEXT PRIMARY KEY,
    answer BLOB NOT NULL
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS manual (
    id        INTEGER PRIMARY KEY,
    student   TEXT NOT NULL REFERENCES students (key),
    exercise  TEXT NOT NULL,
    criterion TEXT NOT NULL,
    -- Null takes an earlier manual score back.
    points    REAL,
    comment   TEXT NOT NULL,
    who       TEXT NOT NULL,
    at        TEXT NOT NULL
);
