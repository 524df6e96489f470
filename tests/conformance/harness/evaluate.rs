//! Values of expressions.

use super::expression::{Expression, Names};
use super::value::{Element, Value, f16_bits, f16_value};

/// Names of an enclosing scope and one more.
struct Inner<'a> {
    outer: &'a dyn Names,
    name: &'a str,
    value: i128,
}

impl Names for Inner<'_> {
    fn scalar(&self, name: &str) -> Option<Value> {
        if name == self.name { Some(Value::Int(self.value)) } else { self.outer.scalar(name) }
    }

    fn element(&self, name: &str, index: i128) -> Option<Value> {
        self.outer.element(name, index)
    }
}

impl Expression {
    pub fn value(&self, names: &dyn Names) -> Result<Value, String> {
        match self {
            Expression::Literal(value) => Ok(*value),
            Expression::Name(name) => names.scalar(name).ok_or_else(|| format!("nothing is called `{name}`")),
            Expression::Index(name, index) => {
                let index = index.int(names)?;
                names.element(name, index).ok_or_else(|| format!("there is no `{name}[{index}]`"))
            }
            Expression::Unary(operator, inner) => match (operator, inner.value(names)?) {
                ('-', Value::Int(v)) => Ok(Value::Int(-v)),
                ('-', v) => Ok(Value::Float(-v.float())),
                ('~', Value::Int(v)) => Ok(Value::Int(!v)),
                (_, v) => Ok(Value::Int((v.float() == 0.0).into())),
            },
            Expression::Binary(operator, a, b) => binary(operator, a.value(names)?, b.value(names)?),
            Expression::Choice(parts) => {
                let yes = parts[0].value(names)?.float() != 0.0;
                parts[if yes { 1 } else { 2 }].value(names)
            }
            Expression::Call(name, arguments) => call(name, arguments, names),
        }
    }

    fn int(&self, names: &dyn Names) -> Result<i128, String> {
        match self.value(names)? {
            Value::Int(v) => Ok(v),
            other => Err(format!("{other:?} is no integer")),
        }
    }
}

fn binary(operator: &str, a: Value, b: Value) -> Result<Value, String> {
    if let (Value::Int(a), Value::Int(b)) = (a, b) {
        let overflow = || format!("{a} {operator} {b} is not defined");
        let shift = || u32::try_from(b).map_err(|_| overflow());
        return Ok(Value::Int(match operator {
            "+" => a.checked_add(b).ok_or_else(overflow)?,
            "-" => a.checked_sub(b).ok_or_else(overflow)?,
            "*" => a.checked_mul(b).ok_or_else(overflow)?,
            "/" => a.checked_div(b).ok_or_else(overflow)?,
            "%" => a.checked_rem(b).ok_or_else(overflow)?,
            "<<" => a.checked_shl(shift()?).ok_or_else(overflow)?,
            ">>" => a.checked_shr(shift()?).ok_or_else(overflow)?,
            "&" => a & b,
            "|" => a | b,
            "^" => a ^ b,
            "&&" => (a != 0 && b != 0).into(),
            "||" => (a != 0 || b != 0).into(),
            "==" => (a == b).into(),
            "!=" => (a != b).into(),
            "<" => (a < b).into(),
            ">" => (a > b).into(),
            "<=" => (a <= b).into(),
            _ => (a >= b).into(),
        }));
    }
    let (x, y) = (a.float(), b.float());
    Ok(match operator {
        "+" => Value::Float(x + y),
        "-" => Value::Float(x - y),
        "*" => Value::Float(x * y),
        "/" => Value::Float(x / y),
        "%" => Value::Float(x % y),
        "==" => Value::Int((x == y).into()),
        "!=" => Value::Int((x != y).into()),
        "<" => Value::Int((x < y).into()),
        ">" => Value::Int((x > y).into()),
        "<=" => Value::Int((x <= y).into()),
        ">=" => Value::Int((x >= y).into()),
        _ => return Err(format!("`{operator}` is for integers")),
    })
}

fn call(name: &str, arguments: &[Expression], names: &dyn Names) -> Result<Value, String> {
    if let ("sum" | "xor" | "least" | "greatest", [Expression::Name(variable), from, to, term]) =
        (name, arguments)
    {
        let mut total: Option<Value> = None;
        for value in from.int(names)?..to.int(names)? {
            let term = term.value(&Inner { outer: names, name: variable, value })?;
            total = Some(match total {
                None => term,
                Some(before) => match name {
                    "sum" => binary("+", before, term)?,
                    "xor" => binary("^", before, term)?,
                    "least" if term.float() < before.float() => term,
                    "greatest" if term.float() > before.float() => term,
                    _ => before,
                },
            });
        }
        return Ok(total.unwrap_or(Value::Int(0)));
    }
    let values: Vec<Value> = arguments.iter().map(|a| a.value(names)).collect::<Result<_, _>>()?;
    if let Some(element) = Element::named(name) {
        return cast(element, &values);
    }
    Ok(match (name, &values[..]) {
        ("bits", [Value::Int(v)]) => Value::Bits(*v as u64),
        ("popc", [Value::Int(v)]) => Value::Int(v.count_ones().into()),
        // Position of the highest bit that is set; all ones for none, as `bfind` has it.
        ("highest", [Value::Int(v)]) => Value::Int(127 - i128::from(v.leading_zeros())),
        ("min", [Value::Int(a), Value::Int(b)]) => Value::Int(*a.min(b)),
        ("max", [Value::Int(a), Value::Int(b)]) => Value::Int(*a.max(b)),
        ("abs", [Value::Int(a)]) => Value::Int(a.abs()),
        ("min", [a, b]) => Value::Float(a.float().min(b.float())),
        ("max", [a, b]) => Value::Float(a.float().max(b.float())),
        ("abs", [a]) => Value::Float(a.float().abs()),
        ("sqrt", [a]) => Value::Float(a.float().sqrt()),
        ("cbrt", [a]) => Value::Float(a.float().cbrt()),
        ("floor", [a]) => Value::Float(a.float().floor()),
        ("ceil", [a]) => Value::Float(a.float().ceil()),
        ("trunc", [a]) => Value::Float(a.float().trunc()),
        ("rint", [a]) => Value::Float(a.float().round_ties_even()),
        ("exp", [a]) => Value::Float(a.float().exp()),
        ("exp2", [a]) => Value::Float(a.float().exp2()),
        ("ln", [a]) => Value::Float(a.float().ln()),
        ("log2", [a]) => Value::Float(a.float().log2()),
        ("sin", [a]) => Value::Float(a.float().sin()),
        ("cos", [a]) => Value::Float(a.float().cos()),
        ("tan", [a]) => Value::Float(a.float().tan()),
        ("tanh", [a]) => Value::Float(a.float().tanh()),
        ("atan2", [a, b]) => Value::Float(a.float().atan2(b.float())),
        ("pow", [a, b]) => Value::Float(a.float().powf(b.float())),
        ("fma", [a, b, c]) => Value::Float(a.float().mul_add(b.float(), c.float())),
        ("fmaf", [a, b, c]) => {
            Value::Float((a.float() as f32).mul_add(b.float() as f32, c.float() as f32).into())
        }
        ("exponent", [a]) => Value::Int(exponent(a.float())),
        ("u32_bits", [a]) => Value::Int((a.float() as f32).to_bits().into()),
        ("bits64", [a]) => Value::Int(a.float().to_bits().into()),
        ("int", [a]) => Value::Int(a.float() as i128),
        _ => return Err(format!("no function `{name}` of {} arguments", values.len())),
    })
}

/// `u8(x)` and the like wrap, `f16(x)` and `f32(x)` round.
fn cast(element: Element, values: &[Value]) -> Result<Value, String> {
    let [value] = values else { return Err("a cast takes one value".to_owned()) };
    match element {
        Element::F16 => Ok(Value::Float(f16_value(f16_bits(value.float())))),
        Element::F32 => Ok(Value::Float(f64::from(value.float() as f32))),
        Element::F64 => Ok(Value::Float(value.float())),
        _ => Ok(element.value(&element.bits(*value)?.to_le_bytes()[..element.bytes()])),
    }
}

/// The power of two by which `frexp` divides a normal number; 0 for zero.
fn exponent(x: f64) -> i128 {
    if x == 0.0 { 0 } else { i128::from(x.to_bits() >> 52 & 2047) - 1022 }
}
