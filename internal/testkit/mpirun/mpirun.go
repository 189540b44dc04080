// Package mpirun finds the launchers of the MPI libraries that are installed.
package mpirun

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"time"
)

// Launcher is the mpirun of a library.
type Launcher struct {
	Name     string // "Open MPI" or "MPICH"
	Compiler string // the command of the library's C compiler, which need not be installed
	Fortran  string // that for Fortran
	Package  string // which has the launcher in Debian
	names    []string
	path     string
	args     []string
	env      []string
}

// families are the launchers that are looked for. Where a distribution has no name of its own for one, it is not found:
// mpirun may be any.
var families = []Launcher{
	{
		Name: "Open MPI", Compiler: "mpicc.openmpi", Fortran: "mpifort.openmpi", Package: "openmpi-bin",
		names: []string{"mpirun.openmpi"}, args: []string{"--oversubscribe", "--bind-to", "none"},
		env: []string{"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"},
	},
	{
		Name: "MPICH", Compiler: "mpicc.mpich", Fortran: "mpifort.mpich", Package: "mpich",
		names: []string{"mpirun.mpich", "mpiexec.hydra"},
	},
}

// Installed are the launchers that are there, and those that are not.
func Installed() (found, missing []Launcher) {
	for _, l := range families {
		for _, name := range l.names {
			if path, err := exec.LookPath(name); err == nil {
				l.path = path
				break
			}
		}
		if l.path == "" {
			missing = append(missing, l)
			continue
		}
		found = append(found, l)
	}
	return found, missing
}

// Command is that of a program with its arguments as so many ranks, with variables added to the environment. Killing it
// ends the launcher, which ends the ranks.
func (l Launcher) Command(ctx context.Context, ranks int, env []string, program ...string) *exec.Cmd {
	args := append([]string{"-np", strconv.Itoa(ranks)}, l.args...)
	c := exec.CommandContext(ctx, l.path, append(args, program...)...)
	c.Env = append(append(os.Environ(), l.env...), env...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 10 * time.Second
	return c
}
