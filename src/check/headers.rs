//! Which headers NVRTC has, which it lacks, and what stands in for those.

/// What becomes of an `#include`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeaderUse {
    /// NVRTC's own include folders have it.
    Compiler,
    /// A header of the host's, whose device part [`PRELUDE`] provides.
    Ours,
    /// A file of the user's.
    Local,
}

/// Headers without a `.h` and C headers that only a host compiler has.
const HOST: &[&str] = &[
    "algorithm",
    "any",
    "array",
    "atomic",
    "bitset",
    "cassert",
    "cctype",
    "cerrno",
    "cfloat",
    "chrono",
    "cinttypes",
    "climits",
    "cmath",
    "complex",
    "concepts",
    "condition_variable",
    "cstddef",
    "cstdarg",
    "cstdint",
    "cstdio",
    "cstdlib",
    "cstring",
    "ctime",
    "deque",
    "exception",
    "filesystem",
    "forward_list",
    "fstream",
    "functional",
    "future",
    "initializer_list",
    "iomanip",
    "ios",
    "iostream",
    "istream",
    "iterator",
    "limits",
    "list",
    "locale",
    "map",
    "memory",
    "mutex",
    "new",
    "numeric",
    "optional",
    "ostream",
    "queue",
    "random",
    "ranges",
    "ratio",
    "regex",
    "set",
    "span",
    "sstream",
    "stack",
    "stdexcept",
    "streambuf",
    "string",
    "string_view",
    "system_error",
    "thread",
    "tuple",
    "type_traits",
    "typeinfo",
    "unordered_map",
    "unordered_set",
    "utility",
    "valarray",
    "variant",
    "vector",
    "version",
    "assert.h",
    "ctype.h",
    "errno.h",
    "fcntl.h",
    "float.h",
    "getopt.h",
    "inttypes.h",
    "limits.h",
    "malloc.h",
    "math.h",
    "memory.h",
    "omp.h",
    "pthread.h",
    "signal.h",
    "stdarg.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "strings.h",
    "time.h",
    "unistd.h",
    "values.h",
    "windows.h",
    "bits/stdc++.h",
    "cuda.h",
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "device_launch_parameters.h",
    "device_functions.h",
    "device_atomic_functions.h",
    "sm_60_atomic_functions.h",
    "builtin_types.h",
    "driver_types.h",
    "vector_types.h",
    "vector_functions.h",
    "math_constants.h",
    "math_functions.h",
    "cuda_profiler_api.h",
    "helper_cuda.h",
    "helper_functions.h",
    "helper_timer.h",
    "helper_string.h",
    "cutil.h",
    "cutil_inline.h",
    "nvToolsExt.h",
    "curand.h",
    "cublas_v2.h",
    "gtest/gtest.h",
];

/// Folders and headers that come with NVRTC's include path.
const COMPILER: &[&str] =
    &["cuda/", "nv/", "cub/", "cooperative_groups", "cuda_fp16", "cuda_bf16", "cuda_pipeline"];

/// What to do with the header of that name.
pub fn header_use(name: &str) -> HeaderUse {
    let base = name.rsplit('/').next().unwrap_or(name);
    if COMPILER.iter().any(|start| name.starts_with(start)) {
        HeaderUse::Compiler
    } else if HOST.contains(&name)
        || name.starts_with("sys/")
        || name.starts_with("thrust/")
        || HOST.contains(&base)
    {
        HeaderUse::Ours
    } else {
        HeaderUse::Local
    }
}

/// What device code takes from the headers that NVRTC lacks: fixed-width types, limits, and `std::` names of
/// functions that the device has. Put before the program.
pub const PRELUDE: &str = r#"
typedef signed char int8_t; typedef short int16_t; typedef int int32_t;
typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int uint32_t;
typedef long long int64_t; typedef unsigned long long uint64_t;
typedef int64_t intptr_t; typedef uint64_t uintptr_t;
typedef unsigned int uint; typedef unsigned short ushort; typedef unsigned long ulong;
#ifndef INT_MAX
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define UCHAR_MAX 255
#define CHAR_MAX 127
#define CHAR_MIN (-128)
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807L
#define LONG_MIN (-9223372036854775807L - 1)
#define ULONG_MAX 18446744073709551615uL
#define LLONG_MAX 9223372036854775807LL
#define LLONG_MIN (-9223372036854775807LL - 1)
#define ULLONG_MAX 18446744073709551615uLL
#define INT8_MAX 127
#define INT16_MAX 32767
#define INT32_MAX 2147483647
#define INT32_MIN (-2147483647 - 1)
#define INT64_MAX 9223372036854775807L
#define INT64_MIN (-9223372036854775807L - 1)
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295u
#define UINT64_MAX 18446744073709551615uL
#define SIZE_MAX 18446744073709551615uL
#endif
#ifndef FLT_MAX
#define FLT_MAX 3.402823466e+38F
#define FLT_MIN 1.175494351e-38F
#define FLT_EPSILON 1.192092896e-07F
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-016
#endif
#ifndef INFINITY
#define INFINITY (__int_as_float(0x7f800000))
#endif
#ifndef NAN
#define NAN (__int_as_float(0x7fffffff))
#endif
#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif
#ifndef NULL
#define NULL 0
#endif
namespace std { using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t; using ::uint8_t; using ::uint16_t;
using ::uint32_t; using ::uint64_t; using ::uintptr_t; using ::intptr_t; using ::size_t; }
"#;

/// What of the C++ standard library has a device part, from libcu++; read only where a file does not compile without,
/// because it takes about a second.
pub const STANDARD: &str = "
#include <cuda/std/array>
#include <cuda/std/cmath>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
namespace std { using namespace cuda::std; }
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_the_headers_apart() {
        assert_eq!(header_use("cuda/atomic"), HeaderUse::Compiler);
        assert_eq!(header_use("cooperative_groups/reduce.h"), HeaderUse::Compiler);
        assert_eq!(header_use("vector"), HeaderUse::Ours);
        assert_eq!(header_use("cuda_runtime.h"), HeaderUse::Ours);
        assert_eq!(header_use("sys/time.h"), HeaderUse::Ours);
        assert_eq!(header_use("../common/graph.h"), HeaderUse::Local);
    }
}
