//! Warp-wide operations.

use super::body::{Body, Done, Refused};
use super::qualifiers::types;
use super::scope::Class;
use crate::ptx::{Instruction, Operand, Type};
use crate::simt::code::{Collective, CollectiveOp, Op};

impl Body<'_> {
    pub(super) fn collective(&mut self, ins: &Instruction) -> Done {
        if ins.opcode == "activemask" {
            let d = self.dst(Self::operand(ins, 0)?, Type::B32)?;
            self.emit(Op::Activemask, d, 0, 0, 0, 0);
            return self.done();
        }
        let has = |name: &str| ins.has(name);
        // Forms without `.sync` (before Volta) take part with whoever is there: a mask of all lanes that are.
        if !has("sync") {
            return Err(Refused);
        }
        let ty = types(ins).last().copied().unwrap_or(Type::B32);
        let op = match ins.opcode.as_str() {
            "shfl" if has("idx") => CollectiveOp::ShflIdx,
            "shfl" if has("up") => CollectiveOp::ShflUp,
            "shfl" if has("down") => CollectiveOp::ShflDown,
            "shfl" if has("bfly") => CollectiveOp::ShflBfly,
            "vote" if has("all") => CollectiveOp::VoteAll,
            "vote" if has("any") => CollectiveOp::VoteAny,
            "vote" if has("uni") => CollectiveOp::VoteUni,
            "vote" if has("ballot") => CollectiveOp::VoteBallot,
            "match" if has("any") => CollectiveOp::MatchAny,
            "match" if has("all") => CollectiveOp::MatchAll,
            "redux" if has("add") => CollectiveOp::ReduxAdd,
            "redux" if has("min") && ty == Type::F32 => CollectiveOp::ReduxMinF,
            "redux" if has("max") && ty == Type::F32 => CollectiveOp::ReduxMaxF,
            "redux" if has("min") && ty == Type::S32 => CollectiveOp::ReduxMinS,
            "redux" if has("max") && ty == Type::S32 => CollectiveOp::ReduxMaxS,
            "redux" if has("min") => CollectiveOp::ReduxMinU,
            "redux" if has("max") => CollectiveOp::ReduxMaxU,
            "redux" if has("and") => CollectiveOp::ReduxAnd,
            "redux" if has("or") => CollectiveOp::ReduxOr,
            "redux" if has("xor") => CollectiveOp::ReduxXor,
            "elect" => CollectiveOp::Elect,
            _ => return Err(Refused),
        };
        if has("abs") || has("NaN") {
            return Err(Refused);
        }
        let (d, p) = match Self::operand(ins, 0)? {
            Operand::Pair(d, p) => (d.as_ref(), Some(p.as_ref())),
            d => (d, None),
        };
        let mut collective =
            Collective { op, d: None, p: None, a: 0, negated: false, wide: false, b: 0, c: 0, members: 0 };
        let members = match op {
            CollectiveOp::ShflIdx
            | CollectiveOp::ShflUp
            | CollectiveOp::ShflDown
            | CollectiveOp::ShflBfly => {
                collective.a = self.src(Self::operand(ins, 1)?, Type::B32)?;
                collective.b = self.src(Self::operand(ins, 2)?, Type::B32)?;
                collective.c = self.src(Self::operand(ins, 3)?, Type::B32)?;
                4
            }
            CollectiveOp::VoteAll
            | CollectiveOp::VoteAny
            | CollectiveOp::VoteUni
            | CollectiveOp::VoteBallot => {
                (collective.a, collective.negated) = self.signed_predicate(Self::operand(ins, 1)?)?;
                2
            }
            CollectiveOp::MatchAny | CollectiveOp::MatchAll => {
                collective.wide = ty.bytes() == 8;
                collective.a = self.src(Self::operand(ins, 1)?, ty)?;
                2
            }
            CollectiveOp::Elect => 1,
            _ => {
                collective.a = self.src(Self::operand(ins, 1)?, Type::B32)?;
                2
            }
        };
        collective.members = self.src(Self::operand(ins, members)?, Type::B32)?;
        let vote_predicate =
            matches!(op, CollectiveOp::VoteAll | CollectiveOp::VoteAny | CollectiveOp::VoteUni);
        if vote_predicate {
            collective.p = Some(self.dst(d, Type::Pred)?);
        } else {
            if !matches!(d, Operand::Sink) {
                let register = self.register(d).filter(|r| r.class == Class::W32).ok_or(Refused)?;
                collective.d = Some(self.write(register));
            }
            if let Some(p) = p {
                collective.p = Some(self.dst(p, Type::Pred)?);
            }
        }
        let number = self.tables.collectives.len() as i64;
        self.tables.collectives.push(collective);
        self.emit(Op::Collective, 0, 0, 0, 0, number);
        self.done()
    }
}
