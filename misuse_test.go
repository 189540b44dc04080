package suffixcl_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/patterns"
)

// The misuse of the API: calls with what is nil, zero, closed or cancelled. Methods and their parameters come from
// reflection, so a new method, or a new field of options, is tested as soon as it is there.

var errorType = reflect.TypeFor[error]()

// sensible are values of parameters that a call with them ends well, for a text of a byte.
type sensible struct {
	set   *suffixcl.Collection
	index []byte // a file
}

func newSensible(t *testing.T, e *suffixcl.Engine) *sensible {
	set, err := suffixcl.JoinTexts('\n', []byte("gattaca"), []byte("tacatt"))
	require.NoError(t, err)
	x, err := e.Index(suffixcl.Bytes([]byte("a")), suffixcl.IndexOptions{SampleEvery: 1}).All(t.Context())
	require.NoError(t, err)
	var file bytes.Buffer
	require.NoError(t, x.Save(t.Context(), &file))
	require.NoError(t, x.Close())
	return &sensible{set, file.Bytes()}
}

// of is a value of a type. Calls may write to it.
func (s *sensible) of(t reflect.Type) reflect.Value {
	switch t {
	case reflect.TypeFor[context.Context]():
		return as(t, context.Background())
	case reflect.TypeFor[io.Reader]():
		return as(t, bytes.NewReader(s.index))
	case reflect.TypeFor[io.ReaderAt]():
		return as(t, bytes.NewReader([]byte("a")))
	case reflect.TypeFor[io.Writer]():
		return as(t, io.Discard)
	case reflect.TypeFor[suffixcl.GivenArrays]():
		given := reflect.New(t).Elem()
		for i := range given.NumField() {
			if field := given.Field(i); field.Kind() == reflect.Func {
				field.Set(noFunction(field.Type()))
			}
		}
		return given
	}
	if t.Kind() == reflect.Func {
		return noFunction(t)
	}
	for _, v := range []any{
		1, []byte("a"), []uint32{0}, []uint64{0, 1}, "", suffixcl.Bytes([]byte("a")),
		suffixcl.Want{SA: true}, &suffixcl.Result{SA: []uint32{0}, BWT: suffixcl.Bytes([]byte("a")), Primary: 1},
		s.set,
		[]*suffixcl.Collection{s.set, s.set},
		suffixcl.RangeOptions{Yield: func(suffixcl.SuffixBlock) error { return nil }},
		suffixcl.MatchOptions{MinLength: 3}, suffixcl.MultiMatchOptions{MinLength: 3},
		suffixcl.MappabilityOptions{K: []int{2}}, suffixcl.DuplicateOptions{Length: 1}, &patterns.Batch{},
	} {
		if reflect.TypeOf(v) == t {
			return reflect.ValueOf(v)
		}
	}
	return reflect.Zero(t)
}

// as is a value as one of an interface.
func as(t reflect.Type, v any) reflect.Value {
	of := reflect.New(t).Elem()
	of.Set(reflect.ValueOf(v))
	return of
}

// noFunction is a function that gives nothing, and that there is nothing more.
func noFunction(t reflect.Type) reflect.Value {
	return reflect.MakeFunc(t, func([]reflect.Value) (out []reflect.Value) {
		for i := range t.NumOut() {
			out = append(out, reflect.Zero(t.Out(i)))
		}
		if t.NumOut() == 2 { // the next text
			out[1] = reflect.ValueOf(io.EOF)
		}
		return out
	})
}

// arguments are those of a method, each made by a function of its type.
func (s *sensible) arguments(name string, m reflect.Value, of func(reflect.Type) reflect.Value) (args []reflect.Value) {
	for i := range m.Type().NumIn() {
		v := of(m.Type().In(i))
		args = append(args, v)
	}
	return args
}

// called are the errors of a method, nil ones, too; none of one that returns none. Of a loop it is that of the first
// round. A job is planned, prepared and run in both ways, with a context.
func called(t *testing.T, name string, m reflect.Value, args []reflect.Value, ctx reflect.Value) (errs []error) {
	t.Helper()
	enginetest.Within(t, func() {
		defer func() {
			if p := recover(); p != nil {
				assert.Failf(t, "it panics", "%s: %v", name, p)
			}
		}()
		for _, v := range m.Call(args) {
			errs = append(errs, errorsOf(t, v, ctx)...)
		}
	})
	return errs
}

// errorsOf are the errors of a result.
func errorsOf(t *testing.T, v, ctx reflect.Value) (errs []error) {
	told := func(v reflect.Value) {
		err, _ := v.Interface().(error)
		errs = append(errs, err)
	}
	switch {
	case v.Type() == errorType:
		told(v)
	case v.Kind() == reflect.Func: // a loop
		var parts []reflect.Value
		for part, err := range v.Seq2() {
			parts = append(parts, part)
			told(err)
			break
		}
		for _, part := range parts {
			closed(t, part)
		}
	case isJob(v.Type()):
		for _, method := range jobMethods {
			for _, result := range v.MethodByName(method).Call([]reflect.Value{ctx}) {
				errs = append(errs, errorsOf(t, result, ctx)...)
				closed(t, result)
			}
		}
	}
	return errs
}

var jobMethods = []string{"Plan", "Prepare", "Each", "All"}

func isJob(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.PkgPath() == reflect.TypeFor[suffixcl.Engine]().PkgPath() &&
		strings.HasPrefix(t.Name(), "Job[")
}

// closed closes an index or a matcher.
func closed(t *testing.T, v reflect.Value) {
	if c, ok := v.Interface().(io.Closer); ok && !v.IsNil() {
		assert.NoError(t, c.Close())
	}
}

// methods calls f for each method of an engine, index or matcher but Close, which is called on its own.
func methods(of any, f func(name string, m reflect.Value)) {
	v := reflect.ValueOf(of)
	for i := range v.NumMethod() {
		if name := v.Type().Method(i).Name; name != "Close" {
			f(v.Type().String()+"."+name, v.Method(i))
		}
	}
}

// Engines, indexes and matchers that were not opened, or are closed, and contexts that have ended, are errors of every
// method.
func TestNotOpened(t *testing.T) {
	ctx := context.Background()
	closed := enginetest.On(t, suffixcl.EngineOptions{})
	s := newSensible(t, closed)
	x, err := closed.Index(suffixcl.Bytes([]byte("a")), suffixcl.IndexOptions{SampleEvery: 1}).All(ctx)
	require.NoError(t, err)
	m, err := closed.Matcher(suffixcl.Set(s.set), suffixcl.MatcherOptions{Documents: true}).All(ctx)
	require.NoError(t, err)
	e := enginetest.On(t, suffixcl.EngineOptions{})
	live, err := e.Matcher(suffixcl.Set(s.set), suffixcl.MatcherOptions{Documents: true}).All(ctx)
	require.NoError(t, err)
	defer live.Close()

	cancelled, cancel := context.WithCancelCause(ctx)
	why := errors.New("nobody waits any more")
	cancel(why)
	ended := func(t reflect.Type) reflect.Value {
		if t == reflect.TypeFor[context.Context]() {
			return as(t, cancelled)
		}
		return s.of(t)
	}
	for _, c := range []struct {
		of   any
		args func(reflect.Type) reflect.Value
		want error
	}{
		{(*suffixcl.Engine)(nil), s.of, call.ErrNoEngine},
		{&suffixcl.Engine{}, s.of, call.ErrNoEngine},
		{&suffixcl.Index{}, s.of, call.ErrNoEngine},
		{&suffixcl.Matcher{}, s.of, call.ErrNoEngine},
		{e, ended, why},
		{live, ended, why},
		{x, s.of, suffixcl.ErrClosed},
		{m, s.of, suffixcl.ErrClosed},
		{closed, s.of, suffixcl.ErrClosed},
	} {
		if c.want == suffixcl.ErrClosed {
			require.NoError(t, c.of.(io.Closer).Close())
		} else if c.want == call.ErrNoEngine {
			require.ErrorIs(t, c.of.(io.Closer).Close(), c.want)
		}
		methods(c.of, func(name string, m reflect.Value) {
			ctx := c.args(reflect.TypeFor[context.Context]())
			for _, err := range called(t, name, m, s.arguments(name, m, c.args), ctx) {
				assert.ErrorIs(t, err, c.want, "%s of %T", name, c.of)
			}
		})
	}
	_, err = suffixcl.New(nil, suffixcl.EngineOptions{})
	require.ErrorIs(t, err, call.ErrNoEngine)
	_, _, err = suffixcl.NewSorter(nil, suffixcl.AlgorithmAuto, 1)
	require.ErrorIs(t, err, call.ErrNoEngine)
}

// Jobs take a text that is read piece by piece where they sort in ranges, and else refuse it.
func TestReaders(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	s := newSensible(t, e)
	text := suffixcl.Reader(strings.NewReader("a"), 1)
	reads := func(of reflect.Type) reflect.Value {
		switch of {
		case reflect.TypeFor[suffixcl.Text]():
			return reflect.ValueOf(text)
		case reflect.TypeFor[[]suffixcl.Text]():
			return reflect.ValueOf([]suffixcl.Text{text, text})
		case reflect.TypeFor[*suffixcl.Result]():
			return reflect.ValueOf(&suffixcl.Result{SA: []uint32{0}, BWT: text})
		}
		return s.of(of)
	}
	jobs := 0
	methods(e, func(name string, m reflect.Value) {
		takes := false
		args := s.arguments(name, m, func(of reflect.Type) reflect.Value {
			v := reads(of)
			same := of.Kind() == reflect.Func || reflect.DeepEqual(v.Interface(), s.of(of).Interface())
			takes = takes || !same
			return v
		})
		if !takes || m.Type().NumOut() != 1 || !isJob(m.Type().Out(0)) || strings.HasSuffix(name, ".Ranges") {
			return
		}
		jobs++
		for _, err := range called(t, name, m, args, s.of(reflect.TypeFor[context.Context]())) {
			assert.ErrorIs(t, err, input.ErrNotInMemory, name)
		}
	})
	require.GreaterOrEqual(t, jobs, 10)
	_, err := e.Ranges(suffixcl.Tokens16([]uint16{1}), suffixcl.RangeOptions{}).Plan(t.Context())
	require.ErrorContains(t, err, "not sorted in ranges")
}

// refers tells whether values of a type can be nil where something else is expected.
func refers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Func, reflect.Interface, reflect.Map, reflect.Chan:
		return true
	case reflect.Slice:
		return refers(t.Elem())
	}
	return false
}

// absent are the values of a type that stand for nothing: nil, pointers to zero values, slices of these.
func absent(t reflect.Type) []reflect.Value {
	all := []reflect.Value{reflect.Zero(t)}
	switch t.Kind() {
	case reflect.Pointer:
		all = append(all, reflect.New(t.Elem()))
	case reflect.Slice:
		for _, v := range absent(t.Elem()) {
			all = append(all, reflect.Append(reflect.Zero(t), v))
		}
	}
	return all
}

// variants are a parameter with one thing absent: the parameter, or an exported field of it.
func variants(name string, v reflect.Value, f func(name string, v reflect.Value)) {
	if refers(v.Type()) {
		for i, gone := range absent(v.Type()) {
			f(fmt.Sprintf("%s=%d", name, i), gone)
		}
	}
	if v.Kind() != reflect.Struct {
		return
	}
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if !field.IsExported() {
			continue
		}
		variants(name+"."+field.Name, v.Field(i), func(name string, inner reflect.Value) {
			with := reflect.New(v.Type()).Elem()
			with.Set(v)
			with.Field(i).Set(inner)
			f(name, with)
		})
	}
}

// Whatever is nil or zero in parameters and options, a call returns. Engines among them are told apart.
func TestAbsent(t *testing.T) {
	ctx := context.Background()
	e, closed := enginetest.On(t, suffixcl.EngineOptions{}), enginetest.On(t, suffixcl.EngineOptions{})
	require.NoError(t, closed.Close())
	s := newSensible(t, e)
	x, err := e.Index(suffixcl.Bytes([]byte("a")), suffixcl.IndexOptions{SampleEvery: 1}).All(ctx)
	require.NoError(t, err)
	defer x.Close()
	m, err := e.Matcher(suffixcl.Set(s.set), suffixcl.MatcherOptions{Documents: true}).All(ctx)
	require.NoError(t, err)
	defer m.Close()
	fields := 0 // of which calls are made
	for _, of := range []any{e, x, m} {
		methods(of, func(name string, method reflect.Value) {
			args := s.arguments(name, method, s.of)
			for i, arg := range args {
				variants(fmt.Sprintf("%s %v", name, arg.Type()), arg, func(name string, v reflect.Value) {
					with := slices.Clone(args)
					with[i] = v
					errs := called(t, name, method, with, s.of(reflect.TypeFor[context.Context]()))
					fields += max(len(errs), 1)
					if o, ok := v.Interface().(suffixcl.RangeOptions); ok && len(o.Others) > 0 {
						for _, err := range errs {
							assert.ErrorIs(t, err, call.ErrNoEngine, name)
						}
					}
				})
			}
		})
	}
	require.Greater(t, fields, 100)

	o := suffixcl.RangeOptions{Others: []*suffixcl.Engine{closed}}
	text := []byte("mississippi")
	_, err = enginetest.SuffixRanges(ctx, e, text, o, func(suffixcl.SuffixBlock) error { return io.EOF })
	require.ErrorIs(t, err, suffixcl.ErrClosed)
	for _, err := range e.Ranges(suffixcl.Bytes(text), o).Each(ctx) {
		require.ErrorIs(t, err, suffixcl.ErrClosed)
	}
	o.Sample = text
	_, err = e.Ranges(suffixcl.Bytes(text), o).Plan(ctx)
	require.ErrorIs(t, err, suffixcl.ErrClosed)
	o.Others = []*suffixcl.Engine{e}
	_, err = enginetest.SuffixRanges(ctx, e, text, o, func(suffixcl.SuffixBlock) error { return io.EOF })
	require.ErrorContains(t, err, "twice")
	_, err = o.WriteBlocks(nil, 4)
	require.ErrorIs(t, err, call.ErrNoFunction)
}

// misuser calls methods at random, with what is right, nil, zero, closed or cancelled.
type misuser struct {
	*sensible
	random *rand.Rand
	others []*suffixcl.Engine
}

func (u *misuser) of(t reflect.Type) reflect.Value {
	v := u.sensible.of(t)
	switch t {
	case reflect.TypeFor[context.Context]():
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		return []reflect.Value{v, v, v, as(t, ended), reflect.Zero(t)}[u.random.IntN(5)]
	case reflect.TypeFor[int]():
		return reflect.ValueOf(u.random.IntN(7) - 1)
	case reflect.TypeFor[[]byte]():
		return reflect.ValueOf([]byte("banana")[:u.random.IntN(7)])
	case reflect.TypeFor[suffixcl.RangeOptions]():
		var o suffixcl.RangeOptions
		for range u.random.IntN(3) {
			o.Others = append(o.Others, u.others[u.random.IntN(len(u.others))])
		}
		return reflect.ValueOf(o)
	}
	if u.random.IntN(3) > 0 {
		return v
	}
	var all []reflect.Value
	variants("", v, func(_ string, v reflect.Value) { all = append(all, v) })
	if len(all) == 0 {
		return v
	}
	return all[u.random.IntN(len(all))]
}

// Calls at random from several goroutines, while engines, indexes and matchers are closed, return.
func TestConcurrentMisuse(t *testing.T) {
	rounds, calls := 2, 60
	if devicetest.Soak {
		rounds, calls = 20, 2000
	}
	ctx := context.Background()
	e := enginetest.On(t, suffixcl.EngineOptions{})
	for round := range rounds {
		victim := enginetest.On(t, suffixcl.EngineOptions{})
		s := newSensible(t, e)
		all := []any{e, victim, victim, &suffixcl.Engine{}, (*suffixcl.Engine)(nil), &suffixcl.Index{}, &suffixcl.Matcher{}}
		for _, of := range []*suffixcl.Engine{e, victim} {
			x, err := of.Index(suffixcl.Bytes([]byte("banana")), suffixcl.IndexOptions{SampleEvery: 1}).All(ctx)
			require.NoError(t, err)
			defer x.Close()
			m, err := of.Matcher(suffixcl.Set(s.set), suffixcl.MatcherOptions{Documents: true}).All(ctx)
			require.NoError(t, err)
			defer m.Close()
			all = append(all, x, m)
		}
		var wg sync.WaitGroup
		for worker := range 4 {
			u := &misuser{s, rand.New(rand.NewPCG(uint64(round), uint64(worker))),
				[]*suffixcl.Engine{e, victim, {}, nil}}
			wg.Go(func() {
				for k := range calls {
					of := all[u.random.IntN(len(all))]
					if of != any(e) && worker == 0 && k > calls/2 && u.random.IntN(20) == 0 {
						_ = of.(io.Closer).Close()
					}
					var names []string
					var list []reflect.Value
					methods(of, func(name string, m reflect.Value) { names, list = append(names, name), append(list, m) })
					i := u.random.IntN(len(list))
					called(t, names[i], list[i], u.arguments(names[i], list[i], u.of), u.of(reflect.TypeFor[context.Context]()))
				}
			})
		}
		wg.Wait()
		_, err := e.SuffixArray(ctx, []byte("banana"))
		require.NoError(t, err, "round %d", round)
	}
}

// optionFields are the fields of options outside of this package that refer to something. Where nothing does, it is as
// if it were not there, or the call is an error.
var optionFields = map[string]func(ctx context.Context, s *device.Session) error{
	"device: Config.Device": func(context.Context, *device.Session) error {
		_, err := device.Open(device.Config{Device: &cl.Device{}})
		return err
	},
	"distributed: RangeKeeper.Flush": nil, "distributed: RangeKeeper.Saved": nil, "distributed: Options.Progress": nil,
	"device: Config.OnBuild": nil, "formats: Options.Progress": nil,
}

// Fields that refer to something are in the list, by api.txt, and nothing in them is an error.
func TestAbsentElsewhere(t *testing.T) {
	list, err := os.ReadFile("api.txt")
	require.NoError(t, err)
	field := regexp.MustCompile(`(?m)^([a-z/]+): field (\w*(?:Options|Config|Job|Keeper|File)\.\w+) ` +
		`(?:func|\*|\[\]\*|\[\]func|any$|io\.|Communicator)`)
	var there []string
	for _, m := range field.FindAllStringSubmatch(string(list), -1) {
		there = append(there, m[1]+": "+m[2])
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(optionFields)), there)
	s := enginetest.Core(enginetest.On(t, suffixcl.EngineOptions{})).Session
	for name, call := range optionFields {
		if call != nil {
			enginetest.Within(t, func() {
				require.NotPanics(t, func() { require.Error(t, call(t.Context(), s), name) }, name)
			})
		}
	}

	// Builders of ranks.
	ctx := t.Context()
	one := distributed.Local(1)[0]
	for name, b := range map[string]*distributed.Builder{
		"zero": {}, "no communicator": distributed.New(nil, s, distributed.Options{}),
		"no session": distributed.New(one, nil, distributed.Options{}),
	} {
		text, yield := bytes.NewReader([]byte("banana")), func(suffixcl.SuffixBlock) error { return nil }
		for call, f := range map[string]func() error{
			"SuffixArray": func() error { _, err := b.SuffixArray(ctx, []byte("a")); return err },
			"LCP":         func() error { _, err := b.LCP(ctx, []byte("a"), []uint64{0}); return err },
			"BWT":         func() error { _, _, err := b.BWT(ctx, []byte("a"), []uint64{0}); return err },
			"Verify":      func() error { return b.Verify(ctx, []byte("a"), []uint64{0}) },
			"Plan":        func() error { _, err := b.Plan(1); return err },
			"PlanRanges":  func() error { _, err := b.PlanRanges(ctx, 6, distributed.RangeOptions{}); return err },
			"SuffixRangesAt": func() error {
				_, err := b.SuffixRangesAt(ctx, text, 6, distributed.RangeOptions{}, distributed.RangeKeeper{}, yield)
				return err
			},
		} {
			require.NotPanics(t, func() { require.Error(t, f(), "%s: %s", name, call) }, "%s: %s", name, call)
		}
		b.Release()
	}
	b := distributed.New(one, s, distributed.Options{})
	_, err = b.SuffixRangesAt(ctx, bytes.NewReader([]byte("banana")), 6, distributed.RangeOptions{},
		distributed.RangeKeeper{}, nil)
	require.ErrorIs(t, err, call.ErrNoFunction)
}
