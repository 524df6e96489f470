//! A witness as a picture: lanes side by side, time downwards, the order that is there drawn solid and
//! the order that is missing drawn dashed, with a cross. Shapes alone tell the steps apart, so the
//! picture reads without colour.

use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use super::timeline_labels::{Drawn, placed};
use crate::record::{Witness, WitnessEdge, WitnessStep};

/// More than a reader follows; the checker's witnesses are far shorter.
const MAX_LANES: usize = 6;
const MAX_STEPS: usize = 24;

pub(super) const MONO: f64 = 7.3;
pub(super) const SANS: f64 = 6.6;
const TOP: f64 = 44.0;
const PAD: f64 = 8.0;
pub(super) const NODE: f64 = 7.0;
pub(super) const LABEL_LINE: f64 = 15.0;

/// All geometry of one picture, in SVG user units.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Timeline {
    #[serde(serialize_with = "tenths")]
    pub width: f64,
    #[serde(serialize_with = "tenths")]
    pub height: f64,
    pub lanes: Vec<LanePicture>,
    pub nodes: Vec<NodePicture>,
    pub edges: Vec<EdgePicture>,
    /// The text alternative.
    pub story: String,
    /// Whether any drawn order is missing, and any there: for the key.
    pub any_missing: bool,
    pub any_present: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct LanePicture {
    #[serde(serialize_with = "tenths")]
    pub x: f64,
    pub label: String,
    #[serde(serialize_with = "tenths")]
    pub top: f64,
    #[serde(serialize_with = "tenths")]
    pub bottom: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct NodePicture {
    /// `store`, `load`, `fence`, `announce`, `observe`, `barrier`, `exit`; anything else draws as a dot.
    pub kind: String,
    #[serde(serialize_with = "tenths")]
    pub x: f64,
    #[serde(serialize_with = "tenths")]
    pub y: f64,
    pub label: String,
    pub whole_label: String,
    /// `store · line 18`.
    pub place: String,
    #[serde(serialize_with = "tenths")]
    pub text_x: f64,
    #[serde(serialize_with = "tenths")]
    pub text_y: f64,
    /// `start`, `middle`, `end`.
    pub anchor: &'static str,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct EdgePicture {
    pub present: bool,
    pub path: String,
    /// The arrow's head, as an SVG path.
    pub head: String,
    #[serde(serialize_with = "tenths")]
    pub cross_x: f64,
    #[serde(serialize_with = "tenths")]
    pub cross_y: f64,
    pub label: Vec<LabelLine>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct LabelLine {
    #[serde(serialize_with = "tenths")]
    pub x: f64,
    #[serde(serialize_with = "tenths")]
    pub y: f64,
    pub text: String,
}

/// How much room there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    /// A window or a sheet of paper.
    Wide,
    /// A phone: about 300 units for two lanes.
    Narrow,
}

/// The picture of a witness; `None` when it has nothing that can be drawn.
pub(super) fn timeline(witness: &Witness, room: Room) -> Option<Timeline> {
    let lanes = witness.lanes.len().min(MAX_LANES);
    // A step or an edge that points nowhere is left out; the story still tells it.
    let kept: Vec<(usize, &WitnessStep)> =
        witness.steps.iter().enumerate().filter(|(_, step)| step.lane < lanes).take(MAX_STEPS).collect();
    if kept.is_empty() {
        return None;
    }
    let columns = Columns::new(witness, lanes, &kept, room);
    let nodes: Vec<NodePicture> =
        kept.iter().enumerate().map(|(row, (_, step))| columns.node(row, step)).collect();
    let row_of = |step: usize| kept.iter().position(|(index, _)| *index == step);
    let drawn: Vec<Drawn> = witness
        .edges
        .iter()
        .filter_map(|edge| {
            let (from, to) = (row_of(edge.from)?, row_of(edge.to)?);
            (from != to)
                .then(|| columns.edge(edge, (&nodes[from], kept[from].1.lane), (&nodes[to], kept[to].1.lane)))
        })
        .collect();
    let edges = placed(&drawn, &nodes, &columns.xs, columns.width);
    let bottom = TOP + columns.pitch * kept.len() as f64 - 6.0;
    let lowest = edges.iter().flat_map(|edge| &edge.label).map(|line| line.y).fold(bottom, f64::max);
    let lanes = (0..lanes)
        .map(|lane| LanePicture {
            x: columns.x(lane),
            label: shortened(&witness.lanes[lane], if room == Room::Wide { 28 } else { 16 }),
            top: TOP - 14.0,
            bottom: bottom - 8.0,
        })
        .collect();
    Some(Timeline {
        width: columns.width,
        height: lowest + PAD,
        lanes,
        nodes,
        any_missing: edges.iter().any(|edge| !edge.present),
        any_present: edges.iter().any(|edge| edge.present),
        edges,
        story: witness.story.clone(),
    })
}

/// Where the lanes stand. With one or two lanes the labels stand outside and the edges have the gutter
/// between to themselves; with more, labels stand under their steps.
struct Columns {
    xs: Vec<f64>,
    width: f64,
    gutter: f64,
    /// Between rows.
    pitch: f64,
    /// Longest label, in characters.
    longest: usize,
    outside: bool,
}

impl Columns {
    fn new(witness: &Witness, lanes: usize, kept: &[(usize, &WitnessStep)], room: Room) -> Self {
        let (longest, least, beside) = if room == Room::Wide { (42, 150.0, 36.0) } else { (18, 112.0, 10.0) };
        let label_width = |lane: usize| {
            let labels = kept.iter().filter(|(_, step)| step.lane == lane).map(|(_, step)| {
                let label = shortened(&step.label, longest).width() as f64 * MONO;
                label.max(place(step).width() as f64 * SANS)
            });
            labels.fold(90.0, f64::max)
        };
        if lanes <= 2 && room == Room::Wide {
            let widest =
                witness.edges.iter().map(|edge| edge.label.width() as f64 * SANS).fold(0.0, f64::max);
            let gutter = (widest + 80.0).clamp(180.0, 270.0);
            let left = PAD + label_width(0) + NODE + 18.0;
            let right = if lanes == 2 { label_width(1) } else { 0.0 };
            return Self {
                xs: vec![left, left + gutter],
                width: left + gutter + right + NODE + 18.0 + PAD,
                gutter,
                pitch: 54.0,
                longest,
                outside: true,
            };
        }
        let widths: Vec<f64> = (0..lanes).map(|lane| label_width(lane).max(least) + beside).collect();
        let mut edge = PAD;
        let xs = widths
            .iter()
            .map(|width| {
                let x = edge + width / 2.0;
                edge += width;
                x
            })
            .collect();
        let gutter = if room == Room::Wide { 160.0 } else { 170.0 };
        Self { xs, width: edge + PAD, gutter, pitch: 66.0, longest, outside: false }
    }

    fn x(&self, lane: usize) -> f64 {
        self.xs[lane]
    }

    fn node(&self, row: usize, step: &WitnessStep) -> NodePicture {
        let x = self.x(step.lane);
        let y = TOP + self.pitch * row as f64 + 14.0;
        let (text_x, text_y, anchor) = match (self.outside, step.lane) {
            (true, 0) => (x - NODE - 13.0, y - 1.0, "end"),
            (true, _) => (x + NODE + 13.0, y - 1.0, "start"),
            (false, _) => (x, y + 20.0, "middle"),
        };
        NodePicture {
            kind: step.kind.clone(),
            x,
            y,
            label: shortened(&step.label, self.longest),
            whole_label: step.label.clone(),
            place: place(step),
            text_x,
            text_y,
            anchor,
        }
    }

    /// The line of an edge, from step to step, and its arrow's head; the label is placed later.
    fn edge(&self, edge: &WitnessEdge, from: (&NodePicture, usize), to: (&NodePicture, usize)) -> Drawn {
        let ((a, from_lane), (b, to_lane)) = (from, to);
        let clear = NODE + 5.0;
        let (start, pull, end) = if from_lane == to_lane {
            let bulge: f64 = if from_lane == 0 || !self.outside { 52.0 } else { -52.0 };
            let side = clear * bulge.signum();
            let down = (b.y - a.y).signum() * 3.0;
            let (start, end) = ((a.x + side, a.y + down), (b.x + side, b.y - down));
            (start, (a.x + side + bulge, (a.y + b.y) / 2.0), end)
        } else {
            let (dx, dy) = (b.x - a.x, b.y - a.y);
            let length = dx.hypot(dy).max(1.0);
            let (ux, uy) = (dx / length * clear, dy / length * clear);
            let (start, end) = ((a.x + ux, a.y + uy), (b.x - ux, b.y - uy));
            (start, ((start.0 + end.0) / 2.0, (start.1 + end.1) / 2.0), end)
        };
        // Narrow, so that a label finds room between the lanes.
        let room = (self.gutter * 0.62 / SANS) as usize;
        let said = if edge.present || edge.label.to_lowercase().starts_with("missing") {
            edge.label.clone()
        } else {
            format!("missing: {}", edge.label)
        };
        Drawn { present: edge.present, start, pull, end, words: wrapped(&said, room, 4) }
    }
}

/// A tenth of a user unit is finer than any screen.
fn tenths<S: serde::Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((value * 10.0).round() / 10.0)
}

fn place(step: &WitnessStep) -> String {
    match step.at.line {
        0 => step.kind.clone(),
        line => format!("{} · line {line}", step.kind),
    }
}

fn shortened(text: &str, limit: usize) -> String {
    let line = super::inert::one_line(text);
    if line.width() <= limit {
        return line;
    }
    let mut short = String::new();
    for c in line.chars() {
        if short.width() + 2 > limit {
            break;
        }
        short.push(c);
    }
    short.push('…');
    short
}

fn wrapped(text: &str, width: usize, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(shortened(word, width)),
        }
    }
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            while last.width() + 1 > width {
                last.pop();
            }
            last.push('…');
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::SourceLine;

    fn step(lane: usize, kind: &str) -> WitnessStep {
        let at =
            SourceLine { file: "a.cu".into(), line: 3, column: 0, text: String::new(), inlined_from: vec![] };
        WitnessStep { lane, kind: kind.into(), label: "x".into(), at }
    }

    #[test]
    fn what_points_nowhere_is_left_out() {
        let edge = |from, to| WitnessEdge { from, to, present: true, label: "seen".into() };
        let witness = Witness {
            lanes: vec!["a".into(), "b".into()],
            steps: vec![step(0, "store"), step(7, "load"), step(1, "load")],
            edges: vec![edge(0, 2), edge(0, 1), edge(0, 99)],
            story: String::new(),
        };
        let picture = timeline(&witness, Room::Wide).unwrap();
        assert_eq!((picture.nodes.len(), picture.edges.len()), (2, 1));
        assert_eq!(timeline(&Witness { steps: vec![], ..witness }, Room::Wide), None);
    }

    #[test]
    fn labels_do_not_stand_on_each_other() {
        let edge =
            |to, present| WitnessEdge { from: 0, to, present, label: "an order of some length".into() };
        let witness = Witness {
            lanes: vec!["a".into(), "b".into()],
            steps: vec![step(0, "store"), step(1, "observe"), step(1, "load")],
            edges: vec![edge(1, false), edge(2, false)],
            story: String::new(),
        };
        let picture = timeline(&witness, Room::Wide).unwrap();
        let mut ys: Vec<f64> = picture.edges.iter().flat_map(|e| &e.label).map(|line| line.y).collect();
        ys.sort_by(f64::total_cmp);
        assert!(ys.windows(2).all(|pair| pair[1] - pair[0] >= LABEL_LINE - 0.01), "{ys:?}");
    }
}
