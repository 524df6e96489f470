//! Where the labels and crosses of a timeline's edges go: wherever they cover least.

use unicode_width::UnicodeWidthStr;

use super::timeline::{EdgePicture, LABEL_LINE, LabelLine, MONO, NODE, NodePicture, SANS};

type Point = (f64, f64);

/// Where a label may stand beside a point of its edge, in parts of its own width and half height.
const BESIDE: [(f64, f64); 8] =
    [(0.0, -1.0), (0.0, 1.0), (0.5, -0.6), (-0.5, 0.6), (0.55, 0.0), (-0.55, 0.0), (0.5, 0.6), (-0.5, -0.6)];

/// An edge as a curve with one pull point, not yet labelled.
pub(super) struct Drawn {
    pub present: bool,
    pub start: Point,
    pub pull: Point,
    pub end: Point,
    pub words: Vec<String>,
}

impl Drawn {
    /// The point at `t`, 0 to 1, of the quadratic curve.
    fn at(&self, t: f64) -> Point {
        let along = |a: f64, b: f64, c: f64| (1.0 - t) * (1.0 - t) * a + 2.0 * t * (1.0 - t) * b + t * t * c;
        (along(self.start.0, self.pull.0, self.end.0), along(self.start.1, self.pull.1, self.end.1))
    }

    fn samples(&self) -> impl Iterator<Item = Point> + '_ {
        (0..=24).map(|step| self.at(f64::from(step) / 24.0))
    }
}

#[derive(Clone, Copy)]
struct Area {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Area {
    fn around(centre: Point, width: f64, height: f64) -> Self {
        let (x, y) = centre;
        Self {
            left: x - width / 2.0,
            top: y - height / 2.0,
            right: x + width / 2.0,
            bottom: y + height / 2.0,
        }
    }

    fn shared(&self, other: &Self) -> f64 {
        let width = self.right.min(other.right) - self.left.max(other.left);
        let height = self.bottom.min(other.bottom) - self.top.max(other.top);
        width.max(0.0) * height.max(0.0)
    }

    fn holds(&self, (x, y): Point) -> bool {
        x > self.left && x < self.right && y > self.top && y < self.bottom
    }
}

/// Edges with their crosses and labels placed, in the order given; `lanes` are the lanes' places, `width` bounds the picture.
pub(super) fn placed(drawn: &[Drawn], nodes: &[NodePicture], lanes: &[f64], width: f64) -> Vec<EdgePicture> {
    let mut taken: Vec<Area> = nodes.iter().flat_map(node_areas).collect();
    let crosses: Vec<Point> = drawn.iter().map(|edge| cross(edge, drawn)).collect();
    let with_cross = drawn.iter().zip(&crosses).filter(|(edge, _)| !edge.present);
    taken.extend(with_cross.map(|(_, at)| Area::around(*at, 24.0, 24.0)));
    // Missing orders are what the picture is about: they choose first.
    let mut order: Vec<usize> = (0..drawn.len()).collect();
    order.sort_by_key(|index| drawn[*index].present);
    let mut labels: Vec<Vec<LabelLine>> = drawn.iter().map(|_| Vec::new()).collect();
    for index in order {
        let (area, lines) = label(&drawn[index], drawn, &taken, lanes, width);
        taken.push(area);
        labels[index] = lines;
    }
    let parts = drawn.iter().zip(crosses).zip(labels);
    parts
        .map(|((edge, (cross_x, cross_y)), label)| EdgePicture {
            present: edge.present,
            path: path(edge),
            head: arrow_head(edge.pull, edge.end),
            cross_x,
            cross_y,
            label,
        })
        .collect()
}

fn node_areas(node: &NodePicture) -> [Area; 2] {
    let wide = (node.label.width() as f64 * MONO).max(node.place.width() as f64 * SANS);
    let left = match node.anchor {
        "end" => node.text_x - wide,
        "start" => node.text_x,
        _ => node.text_x - wide / 2.0,
    };
    let text = Area { left, top: node.text_y - 12.0, right: left + wide, bottom: node.text_y + 20.0 };
    [Area::around((node.x, node.y), 2.0 * NODE + 16.0, 2.0 * NODE + 4.0), text]
}

/// On the edge, as far from the other edges as its middle part allows.
fn cross(edge: &Drawn, all: &[Drawn]) -> Point {
    let distance = |(x, y): Point| {
        let others = all.iter().filter(|other| !std::ptr::eq(*other, edge)).flat_map(Drawn::samples);
        others.map(|(a, b)| (a - x).hypot(b - y)).fold(60.0, f64::min)
    };
    let candidates = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74].map(|t| edge.at(t));
    // Later candidates must be clearly better: the middle is where a reader looks.
    let mut best = candidates[0];
    for candidate in candidates {
        if distance(candidate) > distance(best) + 6.0 {
            best = candidate;
        }
    }
    best
}

/// The place that covers the fewest lines and labels, and the label's lines there.
fn label(edge: &Drawn, all: &[Drawn], taken: &[Area], lanes: &[f64], width: f64) -> (Area, Vec<LabelLine>) {
    let wide = edge.words.iter().map(|line| line.width()).max().unwrap_or(0) as f64 * SANS + 6.0;
    let high = LABEL_LINE * edge.words.len() as f64;
    let cost = |area: &Area| {
        let covered: f64 = taken.iter().map(|other| area.shared(other)).sum();
        let lines = all.iter().flat_map(Drawn::samples).filter(|at| area.holds(*at)).count();
        let outside = (-area.left).max(0.0) + (area.right - width).max(0.0) + (26.0 - area.top).max(0.0);
        let crossed = lanes.iter().filter(|x| **x > area.left - 4.0 && **x < area.right + 4.0).count();
        covered * 2.0 + lines as f64 * 45.0 + outside * 60.0 + crossed as f64 * 40.0
    };
    let mut best = (f64::INFINITY, Area::around(edge.at(0.5), wide, high));
    for (far, t) in [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8].into_iter().enumerate() {
        let (x, y) = edge.at(t);
        for (dx, dy) in BESIDE {
            for gap in [9.0, 18.0] {
                let area = Area::around((x + dx * (wide + gap), y + dy * (high / 2.0 + gap)), wide, high);
                let total = cost(&area) + far as f64 * 3.0 + gap;
                if total < best.0 {
                    best = (total, area);
                }
            }
        }
    }
    let area = best.1;
    let x = (area.left + area.right) / 2.0;
    let line = |(row, text): (usize, &String)| LabelLine {
        x,
        y: area.top + 11.5 + LABEL_LINE * row as f64,
        text: text.clone(),
    };
    (area, edge.words.iter().enumerate().map(line).collect())
}

fn path(edge: &Drawn) -> String {
    let Drawn { start, pull, end, .. } = edge;
    format!("M{:.1} {:.1} Q{:.1} {:.1} {:.1} {:.1}", start.0, start.1, pull.0, pull.1, end.0, end.1)
}

fn arrow_head(from: Point, tip: Point) -> String {
    let (dx, dy) = (tip.0 - from.0, tip.1 - from.1);
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    let (bx, by) = (tip.0 - ux * 9.0, tip.1 - uy * 9.0);
    let (left, right) = ((bx - uy * 4.5, by + ux * 4.5), (bx + uy * 4.5, by - ux * 4.5));
    format!("M{:.1} {:.1} L{:.1} {:.1} L{:.1} {:.1} Z", tip.0, tip.1, left.0, left.1, right.0, right.1)
}
