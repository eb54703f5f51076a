"""A process that computes as the least x86-64 processor would: every library told to leave wide vectors alone."""

import os

from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

FEWEST_INSTRUCTIONS = {
    "OPENCV_CPU_DISABLE": "SSE4.1,SSE4.2,AVX,FP16,AVX2,FMA3,AVX512-SKX",
    "OPENCV_IPP": "disabled",
    "NPY_DISABLE_CPU_FEATURES": " ".join(name for name in __cpu_dispatch__ if __cpu_features__.get(name)),
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-AVX,-FMA,-AVX512F,-AVX512VL,-SSE4_1,-SSE4_2",
    "AOM_SIMD_CAPS": "0x0f",
}
"""For OpenCV, numpy, the C library's mathematics, and libaom (MMX to SSE2)."""


def environment(**more: str) -> dict[str, str]:
    """This process's environment with the widest vectors forbidden."""
    return {**os.environ, **FEWEST_INSTRUCTIONS, **more}
