//! Branches, calls, barriers, fences.

use super::atomic::fence_scope;
use super::body::{Body, Done, Refused, place_of};
use super::scope::{Class, Named};
use crate::ptx::{Instruction, Operand, Type};
use crate::simt::code::{Barrier, BarrierReduce, Builtin, CallSite, CallTarget, Op, Place};
use crate::simt::event::{BarrierKind, FenceOrder};

impl Body<'_> {
    pub(super) fn control(&mut self, ins: &Instruction) -> Done {
        match ins.opcode.as_str() {
            "bra" => {
                let Operand::Name { name, .. } = Self::operand(ins, 0)? else { return Err(Refused) };
                let Some(Named::Label(label)) = self.scopes.find(name) else { return Err(Refused) };
                self.emit(Op::Bra, 0, 0, 0, 0, i64::from(label));
            }
            "brx" => {
                let index = self.src(Self::operand(ins, 0)?, Type::B32)?;
                let Operand::Name { name, .. } = Self::operand(ins, 1)? else { return Err(Refused) };
                let Some(Named::Targets(list)) = self.scopes.find(name) else { return Err(Refused) };
                self.emit(Op::BraIndexed, 0, index, 0, 0, i64::from(list));
            }
            "call" => return self.call(ins),
            "ret" => self.emit(Op::Ret, 0, 0, 0, 0, 0),
            "exit" => self.emit(Op::Exit, 0, 0, 0, 0, 0),
            "trap" => self.emit(Op::Trap, 0, 0, 0, 0, 0),
            "brkpt" => self.emit(Op::Breakpoint, 0, 0, 0, 0, 0),
            "nanosleep" => self.emit(Op::Pause, 0, 0, 0, 0, 0),
            "pmevent" | "setmaxnreg" | "griddepcontrol" => {}
            "membar" | "fence" => return self.fence(ins),
            "bar" | "barrier" if ins.has("warp") => {
                let members = self.src(Self::operand(ins, 0)?, Type::B32)?;
                self.emit(Op::WarpBarrier, 0, members, 0, 0, 0);
            }
            "bar" | "barrier" => return self.barrier(ins),
            _ => return Err(Refused),
        }
        self.done()
    }

    /// `membar.{cta,gl,sys}` is `fence.sc` of that scope (PTX ISA, "membar/fence").
    fn fence(&mut self, ins: &Instruction) -> Done {
        let unknown = ins.qualifiers.iter().any(|q| {
            !matches!(
                q.as_str(),
                "sc" | "acq_rel" | "acquire" | "release" | "cta" | "cluster" | "gpu" | "gl" | "sys"
            )
        });
        if unknown {
            return Err(Refused);
        }
        let order = if ins.opcode == "membar" || ins.has("sc") {
            FenceOrder::SeqCst
        } else if ins.has("acquire") {
            FenceOrder::Acquire
        } else if ins.has("release") {
            FenceOrder::Release
        } else {
            FenceOrder::AcqRel
        };
        self.emit(Op::Fence(order, fence_scope(ins)), 0, 0, 0, 0, 0);
        self.done()
    }

    fn barrier(&mut self, ins: &Instruction) -> Done {
        if ins.has("cluster") {
            return Err(Refused);
        }
        let kind = if ins.has("red") {
            BarrierKind::Reduce
        } else if ins.has("arrive") {
            BarrierKind::Arrive
        } else {
            BarrierKind::Sync
        };
        let mut barrier = Barrier {
            kind,
            aligned: ins.opcode == "bar" || ins.has("aligned"),
            id: 0,
            expected: None,
            predicate: None,
            reduce: BarrierReduce::None,
            d: 0,
        };
        let mut next = 0;
        if kind == BarrierKind::Reduce {
            next = 1;
            barrier.reduce = if ins.has("popc") {
                BarrierReduce::Popc
            } else if ins.has("and") {
                BarrierReduce::And
            } else {
                BarrierReduce::Or
            };
        }
        barrier.id = self.src(Self::operand(ins, next)?, Type::B32)?;
        let last = ins.operands.len() - usize::from(kind == BarrierKind::Reduce);
        if next + 1 < last {
            barrier.expected = Some(self.src(Self::operand(ins, next + 1)?, Type::B32)?);
        }
        if kind == BarrierKind::Reduce {
            let predicate = ins.operands.last().ok_or(Refused)?;
            barrier.predicate = Some(self.signed_predicate(predicate)?);
            let ty = if barrier.reduce == BarrierReduce::Popc { Type::B32 } else { Type::Pred };
            barrier.d = self.dst(Self::operand(ins, 0)?, ty)?;
        }
        let number = self.tables.barriers.len() as i64;
        self.tables.barriers.push(barrier);
        // The commonest form is marked, with its number: a whole-block `bar.sync` with a constant.
        let plain = match Self::operand(ins, next)? {
            Operand::Int(id @ 0..16) if kind == BarrierKind::Sync && barrier.expected.is_none() => {
                Some(*id as u32)
            }
            _ => None,
        };
        self.emit(Op::Barrier, 0, u32::from(plain.is_some()), plain.unwrap_or(0), 0, number);
        self.done()
    }

    /// `call[.uni] [(results),] target [, (arguments)] [, prototype];`
    fn call(&mut self, ins: &Instruction) -> Done {
        let is_list = |o: &&Operand| matches!(o, Operand::List(_));
        let target_at = usize::from(ins.operands.first().as_ref().is_some_and(is_list));
        let results = if target_at == 1 { ins.operands.first() } else { None };
        let arguments = ins.operands.get(target_at + 1).filter(is_list);
        let Operand::Name { name, .. } = Self::operand(ins, target_at)? else { return Err(Refused) };
        let target = match self.scopes.find(name) {
            Some(Named::Register(register)) if register.class == Class::W64 => {
                self.indirect_calls = true;
                CallTarget::Indirect(self.read(register))
            }
            Some(_) => return Err(Refused),
            None => match (builtin(name), self.symbols.functions.get(name)) {
                (Some(builtin), _) => CallTarget::Builtin(builtin),
                (None, Some(&function)) => {
                    self.callees.push(function);
                    CallTarget::Function(function)
                }
                (None, None) => return Err(Refused),
            },
        };
        let mut site = CallSite { target, arguments: Vec::new(), results: Vec::new() };
        if let Some(Operand::List(list)) = arguments {
            for argument in list {
                let place = self.actual(argument, false)?;
                site.arguments.push(place);
            }
        }
        if let Some(Operand::List(list)) = results {
            for result in list {
                let place = self.actual(result, true)?;
                site.results.push(place);
            }
        }
        let number = self.tables.calls.len() as i64;
        self.tables.calls.push(site);
        self.emit(Op::Call, 0, 0, 0, 0, number);
        self.done()
    }

    /// An argument or result as the caller has it: `.param` variable, register or immediate.
    fn actual(&mut self, operand: &Operand, result: bool) -> Result<Place, Refused> {
        match operand {
            Operand::Name { name, offset: 0 } => match self.scopes.find(name) {
                Some(Named::Frame { offset, bytes }) => Ok(Place::Frame { offset, bytes }),
                Some(Named::Register(register)) => {
                    let reg = if result { self.write(register) } else { self.read(register) };
                    Ok(place_of(register, reg))
                }
                _ => Err(Refused),
            },
            Operand::Int(value) if !result => Ok(Place::Row64(self.constant(*value as u64, Class::W64))),
            _ => Err(Refused),
        }
    }
}

fn builtin(name: &str) -> Option<Builtin> {
    Some(match name {
        "vprintf" => Builtin::Vprintf,
        "__assertfail" | "__assert_fail" => Builtin::AssertFail,
        "malloc" => Builtin::Malloc,
        "free" => Builtin::Free,
        _ => return None,
    })
}
