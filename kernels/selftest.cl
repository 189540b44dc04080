// selftest.cl: runs every lane operation and work-group scan of common.cl on one
// work-group, for the host to compare.
//
// Local memory: WG * 16 bytes.

DEFINE_WG_SCAN(sum_uint, uint, OP_ADD, 0u)
DEFINE_WG_SCAN(max_uint, uint, OP_MAX, 0u)
DEFINE_WG_SCAN(sum_ulong, ulong, OP_ADD, 0ul)
DEFINE_WG_SCAN(sum_uint2, uint2, OP_ADD, ((uint2)(0u)))
DEFINE_WG_SCAN(sum_uint4, uint4, OP_ADD, ((uint4)(0u)))
#if HAS_LANES
DEFINE_LANE_SCAN(lanes_uint, uint, OP_ADD, 0u)
DEFINE_SUBGROUP_SCAN(groups_uint, lanes_uint, uint, OP_ADD, 0u)
#endif

#define PUT(row, x) out[(row) * WG + lid] = x

// in holds WG words. Row r of out is what every work-item saw of operation r.
KERNEL_WG(WG) lane_operations(__global const ulong *in, __global ulong *out)
{
    __local uint4 wide[WG];
    __local uint *tmp = (__local uint *)wide;
    const uint lid = get_local_id(0);
    const ulong x = in[lid];
    const uint low = (uint)x, high = (uint)(x >> 32);
    PUT(0, SUBGROUP);
    PUT(1, sg_lane());
    PUT(2, sg_index());
    const ulong mask = sg_ballot((low & 1) != 0, tmp);
    PUT(3, mask);
    PUT(4, sg_prefix(mask));
    const uint shuffled = sg_shuffle(low, high % SUBGROUP, tmp);
    PUT(5, shuffled);
    const uint up = sg_up_uint(low, 1, tmp);
    PUT(6, up);
    uint total;
    uint before = sum_uint(low, tmp, &total);
    PUT(7, before);
    PUT(8, total);
    before = max_uint(low, tmp, &total);
    PUT(9, before);
    PUT(10, total);
    ulong total_ulong;
    const ulong before_ulong = sum_ulong(x, (__local ulong *)wide, &total_ulong);
    PUT(11, before_ulong);
    PUT(12, total_ulong);
    uint2 total_uint2;
    const uint2 before_uint2 = sum_uint2((uint2)(low, high), (__local uint2 *)wide, &total_uint2);
    PUT(13, as_ulong(before_uint2));
    PUT(14, as_ulong(total_uint2));
    uint4 total_uint4;
    const uint4 before_uint4 = sum_uint4((uint4)(low, high, low ^ high, 1u), wide, &total_uint4);
    PUT(15, as_ulong(before_uint4.lo));
    PUT(16, as_ulong(before_uint4.hi));
    PUT(17, as_ulong(total_uint4.lo));
    PUT(18, as_ulong(total_uint4.hi));
#if HAS_LANES
    const uint lanes = lanes_uint(low);
    const uint sum = lane_shuffle_uint(lanes, SUBGROUP - 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    before = groups_uint(sum, tmp, &total);
#else
    const uint lanes = 0, sum = 0;
    before = 0;
    total = 0;
#endif
    PUT(19, lanes);
    PUT(20, sum);
    PUT(21, before);
    PUT(22, total);
    PUT(23, HAS_LANES);
}
