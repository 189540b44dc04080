// The fixture tiny.gfx90a.co is this file, built by
//   clang-19 -x cl -cl-std=CL1.2 -target amdgcn-amd-amdhsa -mcpu=gfx90a -O3
//     -Xclang -finclude-default-header -nogpulib -c tiny.cl -o tiny.o
//   ld.lld-19 -shared --strip-all tiny.o -o tiny.gfx90a.co
__kernel void lean(__global uint *out, uint n)
{
    __local uint tmp[64];
    tmp[n & 63] = n;
    out[0] = tmp[(n + 1) & 63];
}

__attribute__((amdgpu_num_vgpr(16))) __kernel void spills(__global uint16 *out)
{
    const uint i = __builtin_amdgcn_workitem_id_x();
    uint16 a = out[i], b = out[i + 64];
    out[i + 128] = a * b.s0 + b.sfedcba9876543210;
    out[i + 192] = b * a.sf + a.sfedcba9876543210;
}

// An array that cannot be kept in registers.
__kernel void scratch(__global uint *out, uint n)
{
    uint mine[256];
    for (uint i = 0; i < n; i++)
        mine[out[i] & 255] = i;
    out[0] = mine[n & 255];
}
