package verbs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/serve"
)

const serveHelp = `Answer questions about indexes over HTTP, as the services of infini-gram and infini-gram
mini do: POST / takes an object of JSON. GET / is a page, on which people look for phrases.
GET /indexes lists the indexes; /healthz and /metrics (Prometheus) are for those who look
after the service.

INDEX is a directory of infini-gram (tables of tokens, whose width --token tells), or one
of infini-gram mini, or an FM-index of "suffixcl index". Its name is that of directory or
file, or NAME of NAME=PATH. The first two are mapped, not read. An FM-index is on a device,
and requests that come together are one launch. It has no text: --text NAME=FILE is that,
in plain bytes, from which passages are cut.

The first line of standard output is the address. SIGINT and SIGTERM end the service, after
the answers to what it was asked. Other computers reach it only with --listen.`

type serveFlags struct {
	options.Job
	token      cli.Choice
	texts      []string
	listen     string
	port       int
	maxRequest cli.Size
	maxHits    int
	maxClients int
	timeout    time.Duration
	origin     string
	log        bool
	ask        string
}

func serveVerb() verb.Verb {
	f := serveFlags{maxRequest: 64 << 10, token: cli.Choice{Value: "u16", Of: []string{"u8", "u16", "u32"}}}
	v := verb.Verb{Options: &f.Job, Op: verb.Always(operation.MadeIndex)}
	v.Reads = []cli.Accepted{cli.Reads("INDEX", verb.Directory, verb.Index), cli.Reads("text", verb.Bytes),
		cli.Reads("ask", verb.JSONLines)}
	v.Writes = []cli.Produced{cli.Writes(cli.Stdout, "text", "lines of JSON")}
	v.Command = &cobra.Command{
		Use:   "serve INDEX...",
		Short: "Answer questions about indexes over HTTP",
		Long:  serveHelp,
		Example: "  suffixcl serve index --token u16\n" +
			"  suffixcl serve pile=/data/mini genome.fmi --port 9000\n" +
			"  suffixcl serve index --ask requests.jsonl",
	}
	v.Check = func([]string) error { return f.wrong() }
	v.Run = func(ctx context.Context, args []string) error { return f.run(ctx, v.Job(), args) }
	flags := v.Flags()
	f.DeviceFlags.Add(flags)
	flags.BoolVarP(&f.Quiet, "quiet", "q", false, "no progress or notes on standard error")
	flags.Var(&f.token, "token", "tokens of tables: u8, u16 or u32")
	flags.StringArrayVar(&f.texts, "text", nil, "NAME=FILE: the text of an FM-index; may be repeated")
	flags.StringVar(&f.listen, "listen", "127.0.0.1", `address to listen at; "": all of this computer`)
	flags.IntVar(&f.port, "port", 8080, "port; 0: any that is free")
	flags.Var(&f.maxRequest, "max-request", "most bytes of a request, such as 64K")
	flags.IntVar(&f.maxHits, "max-hits", 10000, "most occurrences of a query that are located on a device")
	flags.IntVar(&f.maxClients, "max-clients", 256, "most requests that are answered at the same time")
	flags.DurationVar(&f.timeout, "timeout", 10*time.Second, "most time of an answer")
	flags.StringVar(&f.origin, "origin", "", `site whose pages may ask, such as https://example.org, or "*"`)
	flags.BoolVar(&f.log, "log", false, "write a line of JSON on standard error for each request")
	flags.Var((*cli.FileName)(&f.ask), "ask", `answer the requests of a file, one a line, and end; "-": standard input`)
	return v
}

func (f *serveFlags) wrong() error {
	switch {
	case f.port < 0 || f.port > 65535:
		return cli.Usage("--port %d: 0 to 65535", f.port)
	case f.maxRequest < 1 || f.maxRequest > 1<<30:
		return cli.Usage("--max-request: 1 to 1G")
	case f.maxHits < 1 || f.maxClients < 1:
		return cli.Usage("--max-hits and --max-clients are positive")
	case f.timeout <= 0:
		return cli.Usage("--timeout is positive")
	case strings.ContainsAny(f.origin, "\r\n"):
		return cli.Usage("--origin is one line")
	}
	return nil
}

// sources are the indexes that are named, with the texts that belong to them.
func (f *serveFlags) sources(args []string) (list []serve.Source, texts map[string]string, err error) {
	texts = map[string]string{}
	for _, text := range f.texts {
		name, file, found := strings.Cut(text, "=")
		if !found || name == "" || file == "" {
			return nil, nil, cli.Usage("--text %q: want NAME=FILE", text)
		}
		texts[name] = file
	}
	names := map[string]bool{}
	for _, arg := range args {
		s := serve.ParseSource(arg)
		if names[s.Name] {
			return nil, nil, cli.Usage("two indexes are called %q: NAME=PATH names one", s.Name)
		}
		names[s.Name] = true
		list = append(list, s)
	}
	for name := range texts {
		if !names[name] {
			return nil, nil, cli.Usage("--text %s=...: no index is called that", name)
		}
	}
	return list, texts, nil
}

func (f *serveFlags) run(ctx context.Context, j *job.Job, args []string) error {
	defer j.Close()
	sources, texts, err := f.sources(args)
	if err != nil {
		return err
	}
	metrics := serve.NewMetrics()
	open := serve.OpenOptions{TokenBytes: (&options.Job{Symbols: f.token}).SymbolBytes(), MaxHits: f.maxHits,
		Batches: metrics.Batch,
		Engine: func() (*suffixcl.Engine, error) {
			if j.Session.Engine != nil {
				return j.Session.Engine, nil
			}
			err := j.Session.OpenDevice()
			return j.Session.Engine, err
		}}
	var indexes []*serve.Index
	defer func() {
		for _, x := range indexes {
			x.Close()
		}
	}()
	for _, s := range sources {
		open.TextFile = texts[s.Name]
		x, err := serve.Open(ctx, s, open)
		if err != nil {
			return cannotServe(s.Path, err)
		}
		indexes = append(indexes, x)
	}
	j.Session.Progress.Stop()
	o := serve.Options{MaxRequest: int64(f.maxRequest), MaxClients: f.maxClients, Timeout: f.timeout, Origin: f.origin,
		Fail: func(err error) { cli.Tell("suffixcl: serve: %v\n", err) }}
	if f.log {
		o.Log = logRecord
	}
	service, err := serve.New(indexes, metrics, o)
	if err != nil {
		return err
	}
	if f.ask != "" {
		return f.answerFile(ctx, service)
	}
	return f.listenAndServe(ctx, service)
}

// cannotServe names the file or directory where an error does not.
func cannotServe(path string, err error) error {
	var failed *os.PathError
	if errors.As(err, &failed) || strings.Contains(err.Error(), path) {
		return cannotRead(err)
	}
	return err
}

func (f *serveFlags) listenAndServe(ctx context.Context, service *serve.Service) error {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", net.JoinHostPort(f.listen, strconv.Itoa(f.port)))
	if err != nil {
		return fmt.Errorf("cannot listen: %w", err)
	}
	address := l.Addr().String()
	if err := cli.PrintResult("http://%s/", address); err != nil {
		l.Close()
		return err
	}
	return service.Run(ctx, l)
}

func (f *serveFlags) answerFile(ctx context.Context, service *serve.Service) error {
	in, err := cli.OpenText(ctx, f.ask, (&cli.TextFlags{}).Options())
	if err != nil {
		return err
	}
	defer in.Close()
	err = service.AskLines(ctx, in.Reader(ctx), standardOutput{})
	var written *writeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &written):
		return written.error
	}
	return in.Explain(err)
}

// standardOutput takes lines for people and programs.
type standardOutput struct{}

func (standardOutput) Write(p []byte) (int, error) {
	if err := cli.PrintResult("%s", strings.TrimSuffix(string(p), "\n")); err != nil {
		return 0, &writeError{err}
	}
	return len(p), nil
}

// writeError is one of standard output.
type writeError struct{ error }

func logRecord(r serve.Record) {
	line, err := json.Marshal(r)
	if err == nil {
		cli.Tell("%s\n", line)
	}
}
