#!/usr/bin/env python3
"""Runs the exported conformance kernels on a GPU and records the buffers they leave.

    cargo test --test conformance export_for_a_gpu -- --ignored      (anywhere; writes target/conformance)
    python3 tests/conformance/run_on_gpu.py target/conformance tests/conformance/h200.json

Needs the driver's libcuda and nothing else. Each kernel runs in a process of its own, so that one that hangs or faults spoils no
other. A kernel that fails is reported and left out. What the recording holds of kernels that were not exported stays in it.
"""
import ctypes
import json
import os
import subprocess
import sys


def check(what, code):
    if code:
        sys.exit(f"{what}: CUDA error {code}")


def run_one(folder, name):
    manifest = json.load(open(os.path.join(folder, "manifest.json")))
    case = next(c for c in manifest["cases"] if c["name"] == name)
    cuda = ctypes.CDLL("libcuda.so.1")
    check("cuInit", cuda.cuInit(0))
    device, context, module, function = (ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p())
    check("cuDeviceGet", cuda.cuDeviceGet(ctypes.byref(device), 0))
    check("cuDevicePrimaryCtxRetain", cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device))
    check("cuCtxSetCurrent", cuda.cuCtxSetCurrent(context))
    image = open(os.path.join(folder, name + ".cubin"), "rb").read()
    check("cuModuleLoadData", cuda.cuModuleLoadData(ctypes.byref(module), image))
    check("cuModuleGetFunction", cuda.cuModuleGetFunction(ctypes.byref(function), module, case["kernel"].encode()))
    buffers, values = [], []
    for argument in case["arguments"]:
        if "buffer" in argument:
            data = bytes.fromhex(argument["buffer"])
            pointer = ctypes.c_uint64()
            check("cuMemAlloc", cuda.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(len(data))))
            check("cuMemcpyHtoD", cuda.cuMemcpyHtoD_v2(pointer, data, ctypes.c_size_t(len(data))))
            buffers.append((pointer, len(data)))
            values.append(pointer)
        else:
            data = bytes.fromhex(argument["value"])
            values.append(ctypes.create_string_buffer(data, len(data)))
    parameters = (ctypes.c_void_p * len(values))(*[ctypes.cast(ctypes.byref(v), ctypes.c_void_p) for v in values])
    check("cuLaunchKernel", cuda.cuLaunchKernel(function, *case["grid"], *case["block"], case["shared"], None, parameters, None))
    check("cuCtxSynchronize", cuda.cuCtxSynchronize())
    result = []
    for pointer, length in buffers:
        data = ctypes.create_string_buffer(length)
        check("cuMemcpyDtoH", cuda.cuMemcpyDtoH_v2(data, pointer, ctypes.c_size_t(length)))
        result.append(data.raw.hex())
    label = ctypes.create_string_buffer(256)
    check("cuDeviceGetName", cuda.cuDeviceGetName(label, 256, device))
    print("\nRESULT " + json.dumps({"device": label.value.decode(), "buffers": result}))


def main(folder, recording):
    manifest = json.load(open(os.path.join(folder, "manifest.json")))
    cases, device, failed = {}, None, 0
    if os.path.exists(recording):
        cases = json.load(open(recording))["cases"]
    for case in manifest["cases"]:
        try:
            done = subprocess.run([sys.executable, __file__, folder, "--one", case["name"]], capture_output=True, text=True, timeout=60)
            lines = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
            why = done.stderr.strip()
        except subprocess.TimeoutExpired:
            lines, why = [], "no end after 60 s"
        if not lines:
            failed += 1
            cases.pop(case["name"], None)
            print(f"{case['name']}: {why}")
            continue
        result = json.loads(lines[0][7:])
        device = result["device"]
        cases[case["name"]] = {"source": case["source"], "buffers": result["buffers"]}
    head = {"device": device, "arch": manifest["arch"], "nvrtc": manifest["nvrtc"]}
    with open(recording, "w") as out:
        json.dump(head | {"cases": cases}, out, indent=1, sort_keys=True)
        out.write("\n")
    print(f"{len(manifest['cases']) - failed} kernels recorded on {device}, {failed} failed")


if __name__ == "__main__":
    if sys.argv[2] == "--one":
        run_one(sys.argv[1], sys.argv[3])
    else:
        main(sys.argv[1], sys.argv[2])
