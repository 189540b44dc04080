package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// buildProgramsCommand is what a session starts as device.Config.Helper.
func buildProgramsCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "build-programs",
		Short:  "Build programs for another process of suffixcl",
		Args:   cobra.NoArgs,
		Hidden: true,
		RunE: cli.Work(func(context.Context, []string) error {
			return tuned.ServeBuilds(os.Stdin, os.Stdout)
		}),
	}
}
