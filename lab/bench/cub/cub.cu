// Measures the counterparts of suffixcl's primitives in CUB, on the same kind of
// data: a line of JSON for each primitive and size, for
//   suffixcl-lab bench primitives --reference lab/bench/cub/cub
// Build: make cub (needs nvcc). The sizes are the arguments, as powers of two.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include <cub/cub.cuh>

#define CHECK(call)                                                                      \
    do {                                                                                 \
        cudaError_t e = (call);                                                          \
        if (e != cudaSuccess) {                                                          \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e));   \
            exit(1);                                                                     \
        }                                                                                \
    } while (0)

template <typename T> __global__ void fill(T *out, size_t n, uint64_t seed, uint64_t mask)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
        uint64_t x = seed + (i + 1) * 0x9e3779b97f4a7c15ull;
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
        x = (x ^ x >> 27) * 0x94d049bb133111ebull;
        out[i] = (T)((x ^ x >> 31) & mask);
    }
}

template <typename T> T *allocate(size_t n)
{
    T *p;
    CHECK(cudaMalloc(&p, (n ? n : 1) * sizeof(T)));
    return p;
}

template <typename T> T *random_data(size_t n, uint64_t seed, uint64_t mask = ~0ull)
{
    T *p = allocate<T>(n);
    fill<<<1024, 256>>>(p, n, seed, mask);
    return p;
}

// The best of 5 rounds; a round repeats the call until it lasts 10 ms.
static void measure(const char *name, size_t n, const std::function<void()> &f)
{
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    int repeats = 1;
    double best = 0;
    for (int round = 0; round < 5;) {
        CHECK(cudaEventRecord(start));
        for (int i = 0; i < repeats; i++)
            f();
        CHECK(cudaEventRecord(stop));
        CHECK(cudaEventSynchronize(stop));
        float ms;
        CHECK(cudaEventElapsedTime(&ms, start, stop));
        if (ms < 10 && round == 0) {
            repeats *= 2;
            continue;
        }
        const double each = ms / 1e3 / repeats;
        if (round == 0 || each < best)
            best = each;
        round++;
    }
    printf("{\"primitive\": \"%s\", \"items\": %zu, \"items_per_s\": %.6g}\n", name, n, n / best);
    fflush(stdout);
}

struct Temp {
    void *p = nullptr;
    size_t bytes = 0;
    ~Temp() { cudaFree(p); }
    void take() { CHECK(cudaMalloc(&p, bytes)); }
};

template <typename K> void sort_pairs(const char *name, size_t n, int bits)
{
    K *in = random_data<K>(n, 1, bits < 64 ? (1ull << bits) - 1 : ~0ull), *out = allocate<K>(n);
    uint32_t *vin = random_data<uint32_t>(n, 9), *vout = allocate<uint32_t>(n);
    {
        Temp t;
        auto run = [&] { CHECK(cub::DeviceRadixSort::SortPairs(t.p, t.bytes, in, out, vin, vout, n, 0, bits)); };
        run();
        t.take();
        measure(name, n, run);
    }
    for (void *p : {(void *)in, (void *)out, (void *)vin, (void *)vout})
        cudaFree(p);
}

struct Even {
    __device__ bool operator()(uint32_t v) const { return (v & 1) == 0; }
};

static void sum_and_select(size_t n)
{
    uint32_t *in = random_data<uint32_t>(n, 2), *out = allocate<uint32_t>(n);
    uint64_t *kept = allocate<uint64_t>(1);
    {
        Temp t;
        auto run = [&] { CHECK(cub::DeviceScan::ExclusiveSum(t.p, t.bytes, in, out, n)); };
        run();
        t.take();
        measure("exclusive sum u32", n, run);
    }
    {
        Temp t;
        auto run = [&] { CHECK(cub::DeviceSelect::If(t.p, t.bytes, in, out, kept, n, Even())); };
        run();
        t.take();
        measure("select 50 %", n, run);
    }
    cudaFree(in);
    cudaFree(out);
    cudaFree(kept);
}

static void merge_keys(size_t n)
{
    uint32_t *data = random_data<uint32_t>(n, 4), *sorted = allocate<uint32_t>(n), *out = allocate<uint32_t>(n);
    const size_t half = n / 2;
    for (int i = 0; i < 2; i++) {
        Temp t;
        auto sort = [&] { CHECK(cub::DeviceRadixSort::SortKeys(t.p, t.bytes, data + i * half, sorted + i * half, i ? n - half : half)); };
        sort();
        t.take();
        sort();
    }
    {
        Temp t;
        auto run = [&] { CHECK(cub::DeviceMerge::MergeKeys(t.p, t.bytes, sorted, half, sorted + half, n - half, out)); };
        run();
        t.take();
        measure("merge keys u32", n, run);
    }
    cudaFree(data);
    cudaFree(sorted);
    cudaFree(out);
}

// Segments of lengths drawn uniformly from [low, high], as in package bench.
static void segmented_sort(const char *name, size_t n, size_t low, size_t high)
{
    std::vector<uint32_t> offsets{0};
    uint64_t state = 5;
    while (offsets.back() < n) {
        state += 0x9e3779b97f4a7c15ull;
        uint64_t x = state;
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
        x = (x ^ x >> 27) * 0x94d049bb133111ebull;
        x ^= x >> 31;
        const size_t next = offsets.back() + low + x % (high - low + 1);
        offsets.push_back((uint32_t)(next < n ? next : n));
    }
    uint32_t *d = allocate<uint32_t>(offsets.size());
    CHECK(cudaMemcpy(d, offsets.data(), offsets.size() * 4, cudaMemcpyHostToDevice));
    uint32_t *in = random_data<uint32_t>(n, 6), *out = allocate<uint32_t>(n);
    uint32_t *vin = random_data<uint32_t>(n, 7), *vout = allocate<uint32_t>(n);
    {
        Temp t;
        auto run = [&] {
            CHECK(cub::DeviceSegmentedSort::SortPairs(t.p, t.bytes, in, out, vin, vout, (int64_t)n, (int64_t)offsets.size() - 1, d, d + 1));
        };
        run();
        t.take();
        measure(name, n, run);
    }
    for (void *p : {(void *)in, (void *)out, (void *)vin, (void *)vout, (void *)d})
        cudaFree(p);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const size_t n = (size_t)1 << atoi(argv[i]);
        sort_pairs<uint32_t>("radix sort pairs u32/u32", n, 32);
        sort_pairs<uint64_t>("radix sort pairs u64/u32", n, 64);
        sort_pairs<uint64_t>("radix sort pairs u64/u32, 40 bits", n, 40);
        sum_and_select(n);
        merge_keys(n);
        segmented_sort("segmented sort, segments of 2-8", n, 2, 8);
        segmented_sort("segmented sort, segments of 2-64", n, 2, 64);
        segmented_sort("segmented sort, segments of 64-2047", n, 64, 2047);
        segmented_sort("segmented sort, segments of 2-60511", n, 2, 60511);
    }
}
