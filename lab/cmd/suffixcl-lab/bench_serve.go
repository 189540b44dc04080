package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/lab/bench"
)

const benchServeHelp = `Measure a service that "suffixcl serve" has at URL: so many requests of each type from
several clients at the same time, of phrases that occur. The phrases are two to five words,
or tokens, of passages at random, for which the service is asked first.

An FM-index on a device needs its text: serve --text. Without INDEX all indexes are asked,
one after the other.`

type benchServeFlags struct {
	quiet, json       bool
	requests, clients int
	seed              uint64
}

func benchServeCommand() *cobra.Command {
	var f benchServeFlags
	c := &cobra.Command{
		Use:   "serve URL [INDEX...]",
		Short: "Measure a service",
		Long:  benchServeHelp,
		Args:  cobra.MinimumNArgs(1),
		RunE:  cli.Work(func(ctx context.Context, args []string) error { return runBenchServe(ctx, &f, args) }),
	}
	cli.AddJSON(c.Flags(), &f.json)
	cli.AddQuiet(c.Flags(), &f.quiet)
	c.Flags().IntVar(&f.requests, "requests", 1000, "requests of each index and type")
	c.Flags().IntVar(&f.clients, "clients", 64, "clients at the same time")
	c.Flags().Uint64Var(&f.seed, "seed", 1, "seed of the places of phrases")
	return c
}

// serveReport is what `bench serve --json` writes.
type serveReport struct {
	Library string           `json:"library"` // of this command
	Results []bench.ServeRun `json:"results"`
}

func runBenchServe(ctx context.Context, f *benchServeFlags, args []string) error {
	if f.requests < 1 || f.clients < 1 {
		return cli.Usage("--requests and --clients are positive")
	}
	transport := &http.Transport{MaxIdleConnsPerHost: f.clients, DisableCompression: true}
	defer transport.CloseIdleConnections()
	load := &bench.ServeLoad{URL: args[0], Requests: f.requests, Clients: f.clients, Seed: f.seed,
		Client: &http.Client{Transport: transport, Timeout: time.Minute}}
	indexes, err := load.Indexes(ctx)
	if err != nil {
		return err
	}
	for _, name := range args[1:] {
		if !slices.ContainsFunc(indexes, func(x bench.ServedIndex) bool { return x.Name == name }) {
			return cli.Usage("the service has no index %q", name)
		}
	}
	r := serveReport{Library: cli.Library()}
	for _, x := range indexes {
		if len(args) > 1 && !slices.Contains(args[1:], x.Name) {
			continue
		}
		runs, err := load.Run(ctx, x, func(kind string) {
			if !f.quiet {
				cli.Tell("%s: %s of %s\n", x.Name, bytesize.Count(f.requests, "request"), kind)
			}
		})
		if err != nil {
			return err
		}
		r.Results = append(r.Results, runs...)
	}
	if f.json {
		return cli.PrintJSON(os.Stdout, r)
	}
	return cli.StandardOutput(serveTable(r).print(os.Stdout))
}

func serveTable(r serveReport) sheet {
	t := sheet{title: "A service, times in ms", rows: [][]string{
		{"index", "kind", "query", "requests", "clients", "failed", "a second", "p50", "p99", "longest"},
	}}
	ms := func(seconds float64) string { return fmt.Sprintf("%.2f", 1e3*seconds) }
	for _, run := range r.Results {
		t.rows = append(t.rows, []string{run.Index, run.Kind, run.Type, fmt.Sprint(run.Requests), fmt.Sprint(run.Clients),
			fmt.Sprint(run.Failed), fmt.Sprintf("%.0f", run.PerSecond), ms(run.P50), ms(run.P99), ms(run.Longest)})
	}
	return t
}
