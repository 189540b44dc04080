package runner

import (
	"context"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/harness"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/kernels"
)

// dryRun is done once.
var dryRun = sync.OnceValues(func() (map[string][]string, error) { return KernelFiles(context.Background()) })

// A dry run finds the files of every subject, and a file is in a subject or in a suite that is named.
func TestKernelFiles(t *testing.T) {
	files, err := dryRun()
	require.NoError(t, err)
	assert.Subset(t, files[""], []string{commonFile, "probe.cl"})
	for subject, file := range map[string]string{
		"exclusive sum u32": "scan.cl", "radix sort pairs u64/u32": "radixsort_onesweep.cl", "skew": "skew.cl",
		"symbols": "suffixsort_groups.cl", "set search": "match.cl", "mappability": "kmers.cl", "match tree": "match_tree.cl",
		"lcp": "suffixsort_samples.cl", "ranges": "ranges_collect.cl", "end largest": "sets.cl",
		"smems": "smem_dna.cl", "first rows": "prefixes_rows.cl",
	} {
		assert.Contains(t, files[subject], file, subject)
	}
	assert.NotContains(t, files["skew"], sorterFile)
	assert.NotContains(t, files["verify"], sorterFile)
	all := slices.Concat(slices.Collect(maps.Values(files))...)
	there, err := fs.Glob(kernels.FS, "*.cl")
	require.NoError(t, err)
	for _, file := range there {
		_, elsewhere := Elsewhere[file]
		assert.NotEqual(t, slices.Contains(all, file), elsewhere, "%s: in a subject or in Elsewhere", file)
	}
	for file := range Elsewhere {
		assert.Contains(t, there, file)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = KernelFiles(ctx)
	assert.ErrorIs(t, err, context.Canceled)
}

// What a device is asked for is what the dry run has found.
func TestKernelFilesOfADevice(t *testing.T) {
	files, err := dryRun()
	require.NoError(t, err)
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		for _, subject := range Subjects() {
			if subject.cases == nil {
				continue
			}
			s, err := harness.Open(tuned.CLDevice(e.Session), harness.Variants[0])
			require.NoError(t, err)
			cfg := conformance.Tiny()
			cfg.Seed, cfg.PerSize, cfg.Random, cfg.Large = 1, 1, 1, 1<<12
			for _, c := range oneOfEach(subject.cases(s, cfg)) {
				if strings.Contains(c.Name, "large/") {
					require.NoError(t, c.Run(t.Context()), "%s: %s", subject.Name, c.Name)
				}
			}
			for _, file := range filesOf(s) {
				if file != selfTestFile && !slices.Contains(files[""], file) {
					assert.Contains(t, files[subject.Name], file, subject.Name)
				}
			}
			require.NoError(t, s.Close())
		}
	})
}

// A report is compared file by file, or as a whole where it does not tell files apart.
func TestChangedKernels(t *testing.T) {
	now := tuned.KernelDigests()
	run := RunInfo{Library: "v1 kernels " + tuned.KernelDigest(), Kernels: now}
	files, known := run.ChangedKernels()
	assert.Empty(t, files)
	assert.True(t, known)
	run.Kernels = maps.Clone(now)
	run.Kernels["scan.cl"], run.Kernels["old.cl"] = "0123456789ab", "0123456789ab"
	delete(run.Kernels, "merge.cl")
	files, known = run.ChangedKernels()
	assert.Equal(t, []string{"merge.cl", "old.cl", "scan.cl"}, files)
	assert.True(t, known)
	run.Kernels = nil
	files, known = run.ChangedKernels()
	assert.Empty(t, files, "the digest of all is that of the tree")
	assert.True(t, known)
	run.Library = "v1 kernels 0123456789ab"
	files, known = run.ChangedKernels()
	assert.Len(t, files, len(now))
	assert.False(t, known)
	assert.Len(t, now["scan.cl"], 12)
}

// Rows with other kernels are marked, and seeds are a row.
func TestOlderKernels(t *testing.T) {
	const digest = "0123456789ab"
	row := func(seed uint64, library string, passed int) *RunSummary {
		return &RunSummary{RunInfo: RunInfo{Device: "A", Level: "quick", Seed: seed, Library: library},
			Variants: []string{"native"},
			Subjects: []SubjectSummary{{Subject: "s", Kind: "sorter", Passed: []int{passed}, All: []int{3}}}}
	}
	s := &Summary{Runs: []*RunSummary{
		row(1, "v0.0.0-20261124174859-37bfe51d41c2 kernels "+digest, 3), row(1, "v1", 3), row(1, "v2 kernels "+digest, 3),
		row(7, "v2 kernels "+digest, 2),
	}}
	same, other := s.Markdown(digest), s.Markdown("ba9876543210")
	assert.Contains(t, same, "| quick | 0 of 0 | 3 of 3 | 0 of 0 | native | 37bfe51 kernels "+digest+" |\n")
	assert.Contains(t, same, "| quick, 2 seeds | 0 of 0 | 5 of 6 | 0 of 0 | native | v2 kernels "+digest+" |\n")
	assert.Contains(t, same, "| native | v1 |\n", "without a digest nothing is known")
	assert.Equal(t, 5, strings.Count(same, "\n"))
	assert.Contains(t, other, "| 37bfe51 older kernels "+digest+" |\n")
	assert.Contains(t, other, "| v2 older kernels "+digest+" |\n")
	assert.Contains(t, other, "| native | v1 |\n")
}
