//! Random kernels without undefined behaviour, whose result no schedule can change.
//!
//! A module holds [`KERNELS`] kernels `k0`, `k1`, … of [`THREADS`] threads a block, all with the parameters
//! `(const unsigned* in, unsigned* out)`: [`INPUT`] words to read, and [`RESULTS`] words a thread to write. Shared words
//! are written by one thread between two barriers or by commuting atomics; warp-wide operations stand where all lanes
//! are; shifts, divisors and indices are kept in range; floating sums and products name their rounding, so that no
//! compiler may contract them. A NaN's bits are not looked at: what `neg` makes of its sign is unspecified (PTX ISA,
//! "neg"), and an H200 differs from the embedded device there.

pub const KERNELS: usize = 10;
pub const THREADS: u32 = 64;
pub const BLOCKS: u32 = 2;
pub const INPUT: u32 = 256;
pub const RESULTS: u32 = 4;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    U32,
    I32,
    U64,
    F32,
    F64,
}

impl Type {
    const ALL: [Type; 5] = [Type::U32, Type::I32, Type::U64, Type::F32, Type::F64];

    fn name(self) -> &'static str {
        match self {
            Type::U32 => "unsigned",
            Type::I32 => "int",
            Type::U64 => "unsigned long long",
            Type::F32 => "float",
            Type::F64 => "double",
        }
    }

    fn letter(self) -> char {
        match self {
            Type::U32 => 'u',
            Type::I32 => 'i',
            Type::U64 => 'l',
            Type::F32 => 'f',
            Type::F64 => 'd',
        }
    }
}

/// Variables of each type in a kernel: `u0`, `u1`, …
const VARIABLES: u32 = 3;

/// The source of module `seed`.
pub fn module(seed: u64) -> String {
    let mut g = Generator { state: seed, text: String::new(), indent: 0 };
    g.text.push_str(PRELUDE);
    for n in 0..3 {
        g.function(n);
    }
    for n in 0..KERNELS {
        g.kernel(n);
    }
    g.text
}

/// Input words of module `seed`: small and large numbers, and floating numbers of every kind.
pub fn input(seed: u64) -> Vec<u32> {
    let mut g = Generator { state: !seed, text: String::new(), indent: 0 };
    (0..INPUT)
        .map(|_| match g.below(4) {
            0 => g.below(64),
            1 => (g.below(2000) as f32 / 16.0 - 60.0).to_bits(),
            2 => [0, 1 << 31, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 1, 0x0080_0000, u32::MAX]
                [g.below(8) as usize],
            _ => g.next() as u32,
        })
        .collect()
}

const PRELUDE: &str = r"
typedef unsigned long long ull;
__device__ __forceinline__ unsigned bits(unsigned x) { return x; }
__device__ __forceinline__ unsigned bits(int x) { return (unsigned)x; }
__device__ __forceinline__ unsigned bits(ull x) { return (unsigned)(x ^ (x >> 32)); }
__device__ __forceinline__ unsigned bits(float x) { return x != x ? 77u : __float_as_uint(x); }
__device__ __forceinline__ unsigned bits(double x) { return x != x ? 77u : bits((ull)__double_as_longlong(x)); }
__device__ __forceinline__ unsigned mix(unsigned h, unsigned x) { h ^= x; h *= 0x01000193u; return h ^ (h >> 15); }
";

struct Generator {
    state: u64,
    text: String,
    indent: usize,
}

impl Generator {
    /// SplitMix64 (Steele, Lea and Flood 2014).
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u32) -> u32 {
        (self.next() % u64::from(n)) as u32
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.text.push_str("    ");
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn ty(&mut self) -> Type {
        Type::ALL[self.below(5) as usize]
    }

    fn variable(&mut self, ty: Type) -> String {
        format!("{}{}", ty.letter(), self.below(VARIABLES))
    }

    fn constant(&mut self, ty: Type) -> String {
        let small = self.below(100);
        match ty {
            Type::U32 => match self.below(3) {
                0 => format!("{small}u"),
                1 => format!("{}u", self.next() as u32),
                _ => format!("{}u", 1u32 << self.below(32)),
            },
            Type::I32 => format!("({})", i64::from(small) - 50),
            Type::U64 => format!("{}ull", self.next() >> self.below(60)),
            Type::F32 => format!("({:.3}f)", f64::from(small) / 8.0 - 4.0),
            Type::F64 => format!("({:.3})", f64::from(small) / 16.0 - 2.0),
        }
    }

    /// An expression; `depth` bounds how deep it goes.
    fn expression(&mut self, ty: Type, depth: u32) -> String {
        if depth == 0 || self.below(6) == 0 {
            return if self.below(3) == 0 { self.constant(ty) } else { self.variable(ty) };
        }
        let mut e = |ty: Type| self.expression(ty, depth - 1);
        let (a, b) = (e(ty), e(ty));
        let (u, i, l, f, d) = (e(Type::U32), e(Type::I32), e(Type::U64), e(Type::F32), e(Type::F64));
        let c = self.condition(depth - 1);
        let choice = self.below(16);
        match ty {
            Type::U32 => match choice {
                0 => format!("({a} + {b})"),
                1 => format!("({a} - {b})"),
                2 => format!("({a} * {b})"),
                3 => format!("({a} / ({b} | 1u))"),
                4 => format!("({a} % ({b} | 1u))"),
                5 => format!("({a} << ({b} & 31u))"),
                6 => format!("({a} >> ({b} & 31u))"),
                7 => format!("(({a} & {b}) ^ ~{u})"),
                8 => format!("__umulhi({a}, {b})"),
                9 => format!("(unsigned)(__popc({a}) + __clz({b}) + __ffs({u}))"),
                10 => format!("__brev({a})"),
                11 => format!("__byte_perm({a}, {b}, {u})"),
                12 => format!("__funnelshift_l({a}, {b}, {u})"),
                13 => format!("__float2uint_rz({f})"),
                14 => format!("call{}({a}, {f})", self.below(3)),
                _ => format!("({c} ? {a} : bits({d}))"),
            },
            Type::I32 => match choice {
                0 | 1 => format!("(int)((unsigned){a} + (unsigned){b})"),
                2 => format!("(int)((unsigned){a} * (unsigned){b})"),
                3 => format!("({a} / (({b} & 0xffff) | 1))"),
                4 => format!("({a} % (({b} & 0xffff) | 1))"),
                5 => format!("({a} >> ({u} & 31u))"),
                6 => format!("min({a}, {b})"),
                7 => format!("max({a}, {b})"),
                8 => format!("__mulhi({a}, {b})"),
                9 => format!("__float2int_rn({f})"),
                10 => format!("__double2int_rz({d})"),
                11 => format!("(int)(signed char){u}"),
                12 => format!("(int)(short)(unsigned short){u}"),
                13 => format!("(int)((const signed char*)in)[{u} & 255u]"),
                14 => format!("(int)((const short*)in)[{u} & 255u]"),
                _ => format!("({c} ? {a} : {i})"),
            },
            Type::U64 => match choice {
                0 | 1 => format!("({a} + {b})"),
                2 => format!("({a} * {b})"),
                3 => format!("({a} / ({b} | 1ull))"),
                4 => format!("({a} % ({b} | 1ull))"),
                5 => format!("({a} << ({u} & 63u))"),
                6 => format!("({a} >> ({u} & 63u))"),
                7 => format!("({a} ^ ({b} & ~{l}))"),
                8 => format!("__umul64hi({a}, {b})"),
                9 => format!("(ull){u} * {u}"),
                10 => format!("(ull)((long long){i} * {i})"),
                11 => format!("(ull)__popcll({a}) + __clzll((long long){b})"),
                12 => format!("__brevll({a})"),
                13 => format!("(ull)__double2ll_rn({d})"),
                14 => format!("(ull)__float2ull_rz({f})"),
                _ => format!("({c} ? {a} : (ull){u})"),
            },
            Type::F32 => match choice {
                0 | 1 => format!("__fadd_rn({a}, {b})"),
                2 => format!("__fsub_rn({a}, {b})"),
                3 => format!("__fmul_rn({a}, {b})"),
                4 => format!("__fdiv_rn({a}, {b})"),
                5 => format!("__fmaf_rn({a}, {b}, {f})"),
                6 => format!("__fsqrt_rn(fabsf({a}))"),
                7 => format!("fminf({a}, {b})"),
                8 => format!("fmaxf({a}, {b})"),
                9 => format!("__int2float_rn({i})"),
                10 => format!("__uint2float_rz({u})"),
                11 => format!("__double2float_rn({d})"),
                12 => format!("truncf({a})"),
                13 => format!("rintf({a})"),
                14 => format!("__fadd_rz({a}, {b})"),
                _ => format!("({c} ? {a} : -({b}))"),
            },
            Type::F64 => match choice {
                0 | 1 => format!("__dadd_rn({a}, {b})"),
                2 => format!("__dmul_rn({a}, {b})"),
                3 => format!("__ddiv_rn({a}, {b})"),
                4 => format!("__fma_rn({a}, {b}, {d})"),
                5 => format!("__dsqrt_rn(fabs({a}))"),
                6 => format!("fmin({a}, {b})"),
                7 => format!("fmax({a}, {b})"),
                8 => format!("__int2double_rn({i})"),
                9 => format!("__ull2double_rn({l})"),
                10 => format!("(double){f}"),
                11 => format!("floor({a})"),
                12 => format!("ceil({a})"),
                13 => format!("__dsub_rn({a}, {b})"),
                _ => format!("({c} ? {a} : {b})"),
            },
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        let ty = self.ty();
        let (a, b) = (self.expression(ty, depth), self.expression(ty, depth));
        let op = ["<", "<=", ">", ">=", "==", "!="][self.below(6) as usize];
        match self.below(5) {
            0 => format!("(threadIdx.x & {}u) != 0u", 1 << self.below(6)),
            1 => format!("(({a} {op} {b}) && ({} & 3u) != 1u)", self.variable(Type::U32)),
            _ => format!("({a} {op} {b})"),
        }
    }

    fn statements(&mut self, count: u32, depth: u32) {
        for _ in 0..count {
            self.statement(depth);
        }
    }

    /// A statement that any subset of the threads may execute.
    fn statement(&mut self, depth: u32) {
        let choice = if depth == 0 { self.below(6) } else { self.below(10) };
        match choice {
            0..4 => self.assignment(),
            4 => {
                let (index, value) = (self.expression(Type::U32, 1), self.expression(Type::U32, 2));
                self.line(&format!("own[{index} & 7u] ^= {value};"));
                let (variable, index) = (self.variable(Type::U32), self.variable(Type::U32));
                self.line(&format!("{variable} += own[{index} & 7u];"));
            }
            5 => {
                let value = self.expression(Type::U32, 2);
                let update =
                    ["atomicAdd(&sums[0]", "atomicMin(&sums[1]", "atomicMax(&sums[2]", "atomicXor(&sums[3]"];
                let update = update[self.below(4) as usize];
                self.line(&format!("{update}, {value});"));
            }
            6 | 7 => {
                let condition = self.condition(2);
                self.line(&format!("if ({condition}) {{"));
                self.block(depth);
                if self.below(2) == 0 {
                    self.line("} else {");
                    self.block(depth);
                }
                self.line("}");
            }
            8 => {
                let times = if self.below(2) == 0 {
                    format!("{}u", 1 + self.below(5))
                } else {
                    format!("({} & 3u)", self.variable(Type::U32))
                };
                let counter = format!("n{}", self.indent);
                self.line(&format!("for (unsigned {counter} = 0; {counter} < {times}; ++{counter}) {{"));
                self.block(depth);
                if self.below(3) == 0 {
                    let condition = self.condition(1);
                    self.line(&format!("    if ({condition}) break;"));
                }
                self.line("}");
            }
            _ => {
                let selector = self.expression(Type::U32, 1);
                self.line(&format!("switch ({selector} & 3u) {{"));
                for case in 0..3 {
                    self.line(&format!("case {case}: {{"));
                    self.block(depth);
                    let falls_through = self.below(3) == 0;
                    self.line(if falls_through { "}" } else { "} break;" });
                }
                self.line("default: break;");
                self.line("}");
            }
        }
    }

    fn block(&mut self, depth: u32) {
        self.indent += 1;
        let count = 1 + self.below(3);
        self.statements(count, depth - 1);
        self.indent -= 1;
    }

    fn assignment(&mut self) {
        let ty = self.ty();
        let (variable, value) = (self.variable(ty), self.expression(ty, 3));
        self.line(&format!("{variable} = {value};"));
    }

    /// A statement for all threads of the block together.
    fn together(&mut self) {
        let choice = self.below(7);
        let variable = self.variable(Type::U32);
        let value = self.expression(Type::U32, 2);
        match choice {
            0 | 1 => {
                let by = self.below(THREADS);
                self.line(&format!("tile[t] = {value};"));
                self.line("__syncthreads();");
                self.line(&format!("{variable} ^= tile[(t + {by}u) & {}u];", THREADS - 1));
                self.line("__syncthreads();");
            }
            2 => {
                let by = self.below(32);
                self.line(&format!("{variable} += __shfl_xor_sync(~0u, {value}, {by});"));
            }
            3 => {
                let (f, by) = (self.expression(Type::F32, 2), self.below(32));
                self.line(&format!("f0 = __shfl_down_sync(~0u, {f}, {by});"));
            }
            4 => {
                let condition = self.condition(2);
                self.line(&format!("{variable} ^= __ballot_sync(~0u, {condition});"));
            }
            5 => {
                let condition = self.condition(2);
                self.line(&format!("{variable} += (unsigned)__syncthreads_count({condition});"));
            }
            _ => self.line(&format!("{variable} ^= __match_any_sync(~0u, {value} & 7u);")),
        }
    }

    fn declare(&mut self) {
        for ty in Type::ALL {
            for n in 0..VARIABLES {
                let value = match ty {
                    Type::U32 => format!("in[(gid + {}u) & 255u]", self.below(256)),
                    Type::I32 => format!("(int)in[(gid * 3u + {}u) & 255u]", self.below(256)),
                    Type::U64 => format!("((const ull*)in)[(gid + {}u) & 127u]", self.below(128)),
                    Type::F32 => format!("((const float*)in)[(gid + {}u) & 255u]", self.below(256)),
                    Type::F64 => format!("(double)((const float*)in)[(gid + {}u) & 255u]", self.below(256)),
                };
                self.line(&format!("{} {}{n} = {value};", ty.name(), ty.letter()));
            }
        }
        self.line("unsigned own[8] = {1u, 2u, 3u, 4u, u0, u1, u2, 8u};");
    }

    /// `unsigned callN(unsigned, float)`, called and not inlined.
    fn function(&mut self, n: u32) {
        let (a, b, c, d) =
            (1 + self.below(9), self.below(32), self.next() as u32 | 1, 1 + self.below(100_000));
        self.line(&format!("__device__ __noinline__ unsigned call{n}(unsigned x, float y) {{"));
        self.line(&format!("    if (x & {a}u) x = x * {c}u + bits(y);"));
        self.line(&format!("    else x ^= x >> {b};"));
        self.line(&format!("    return x % {d}u;"));
        self.line("}");
    }

    fn kernel(&mut self, n: usize) {
        self.line(&format!("extern \"C\" __global__ void k{n}(const unsigned* in, unsigned* out) {{"));
        self.indent = 1;
        self.line(&format!("__shared__ unsigned tile[{THREADS}];"));
        self.line("__shared__ unsigned sums[4];");
        self.line("const unsigned t = threadIdx.x, gid = blockIdx.x * blockDim.x + t;");
        self.line("if (t < 4) sums[t] = t == 1 ? ~0u : 0u;");
        self.declare();
        self.line("__syncthreads();");
        for _ in 0..3 + self.below(3) {
            let count = 1 + self.below(4);
            self.statements(count, 3);
            self.together();
        }
        self.line("__syncthreads();");
        self.line("unsigned h = 2166136261u, g = sums[0] ^ sums[1] ^ sums[2] ^ sums[3];");
        for ty in Type::ALL {
            for v in 0..VARIABLES {
                self.line(&format!("h = mix(h, bits({}{v}));", ty.letter()));
            }
        }
        self.line("for (int n = 0; n < 8; ++n) g = mix(g, own[n]);");
        self.line("((uint4*)out)[gid] = make_uint4(h, g, bits(f0) + bits(d1), u0);");
        self.indent = 0;
        self.line("}");
    }
}
