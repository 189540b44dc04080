// scan.cl: prefix combination of n values, reduce-then-scan (Sengupta et al. 2007;
// Merrill & Grimshaw 2009): reduce every tile, scan the tile sums, scan every
// tile starting from its sum.
//
// Launch: work-groups of WG; scan_reduce and scan_apply one for each tile of
// WG*ITEMS elements, scan_partials a single one.
//
// Template parameters, so that an algorithm can scan what it computes and use
// what it scans without an array between:
//   T, OP(a, b), IDENTITY   element type and operator (associative)
//   SCAN_PARAMS             kernel parameters, each preceded by a comma
//   SCAN_LOAD(i)            value of element i; evaluated twice
//   SCAN_STORE(i, before, value)
//                           consumes element i: `before` combines the elements
//                           before i, `value` those up to and including it.
//                           It must not change what SCAN_LOAD reads.
//
// Local memory: WG * sizeof(T).

#ifndef ITEMS
#error "ITEMS: elements of a work-item"
#endif
#ifndef T
#error "T: element type"
#endif
#ifndef OP
#error "OP(a, b): operator"
#endif
#ifndef IDENTITY
#error "IDENTITY: neutral element of OP"
#endif

// Without a template: in and out arrays, exclusive or inclusive.
#ifndef SCAN_PARAMS
#ifndef INCLUSIVE
#error "INCLUSIVE: 1 or 0"
#endif
#define SCAN_PARAMS , __global const T *in, __global T *out
#define SCAN_LOAD(i) in[i]
#define SCAN_STORE(i, before, value) out[i] = INCLUSIVE ? (value) : (before)
#endif

#define TILE (WG * ITEMS)

DEFINE_WG_SCAN(wg_scan, T, OP, IDENTITY)

// partials[tile] = combination of the tile's elements. n > 0.
KERNEL_WG(WG) scan_reduce(__global T *partials, ulong n SCAN_PARAMS)
{
    __local T tmp[WG];
    const ulong base = (ulong)get_group_id(0) * TILE + (ulong)get_local_id(0) * ITEMS;
    T sum = IDENTITY;
    for (uint k = 0; k < ITEMS; k++) {
        const ulong i = base + k;
        if (i < n)
            sum = OP(sum, SCAN_LOAD(i));
    }
    T total;
    wg_scan(sum, tmp, &total);
    if (get_local_id(0) == 0)
        partials[get_group_id(0)] = total;
}

// Exclusive scan of tiles partials in place; the combination of all goes to
// partials[tiles]. One work-group.
KERNEL_WG(WG) scan_partials(__global T *partials, ulong tiles)
{
    __local T tmp[WG];
    T carry = IDENTITY;
    for (ulong first = 0; first < tiles; first += WG) {
        const ulong i = first + get_local_id(0);
        T total;
        T before = wg_scan(i < tiles ? partials[i] : IDENTITY, tmp, &total);
        if (i < tiles)
            partials[i] = OP(carry, before);
        carry = OP(carry, total);
    }
    if (get_local_id(0) == 0)
        partials[tiles] = carry;
}

// Scans every tile from its scanned partial.
KERNEL_WG(WG) scan_apply(__global const T *partials, ulong n SCAN_PARAMS)
{
    __local T tmp[WG];
    const ulong base = (ulong)get_group_id(0) * TILE + (ulong)get_local_id(0) * ITEMS;
    T before = partials[get_group_id(0)];
#if IS_CPU
    for (uint k = 0; k < ITEMS; k++) {
        const ulong i = base + k;
        if (i < n) {
            const T value = OP(before, SCAN_LOAD(i));
            SCAN_STORE(i, before, value);
            before = value;
        }
    }
#else
    T values[ITEMS];
    T sum = IDENTITY;
    for (uint k = 0; k < ITEMS; k++) {
        const ulong i = base + k;
        values[k] = IDENTITY;
        if (i < n)
            values[k] = SCAN_LOAD(i);
        sum = OP(sum, values[k]);
    }
    T total;
    before = OP(before, wg_scan(sum, tmp, &total));
    for (uint k = 0; k < ITEMS; k++) {
        const ulong i = base + k;
        if (i < n) {
            const T value = OP(before, values[k]);
            SCAN_STORE(i, before, value);
            before = value;
        }
    }
#endif
}
