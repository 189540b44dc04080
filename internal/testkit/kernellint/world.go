package kernellint

import "slices"

// world is what all files know of each other.
type world struct {
	prologue []string
	common   map[string]bool               // macros of common.cl
	macros   map[string]macro              // of every file
	demanded map[string]map[string][][]arm // by file
	defined  map[string][]string           // macros by file
	barriers map[string]bool               // what contains a barrier
	ids      map[string]bool               // what differs between work-items
	returns  map[string]bool               // macros that return
}

func newWorld(prologue []string, files ...*source) *world {
	w := &world{
		demanded: map[string]map[string][][]arm{},
		defined:  map[string][]string{},
		prologue: prologue,
		common:   map[string]bool{},
		macros:   map[string]macro{},
		barriers: map[string]bool{"barrier": true, "work_group_barrier": true, "sub_group_barrier": true},
		ids: map[string]bool{
			"get_local_id": true, "get_global_id": true, "get_sub_group_local_id": true, "get_sub_group_id": true,
		},
		returns: map[string]bool{},
	}
	for _, s := range files {
		w.demanded[s.name] = s.demands()
		for _, m := range s.macros {
			w.defined[s.name] = append(w.defined[s.name], m.name)
		}
		for _, m := range s.macros {
			w.macros[m.name] = m
			if s.name == "common.cl" {
				w.common[m.name] = true
			}
			if len(functions(m.body)) == 0 && contains(m.body, map[string]bool{"return": true}) {
				w.returns[m.name] = true
			}
		}
	}
	for before := -1; before != len(w.barriers)+len(w.ids); {
		before = len(w.barriers) + len(w.ids)
		for _, s := range files {
			w.learn(s)
		}
	}
	// Parameters that macros name functions by are no functions themselves.
	known := map[string]bool{}
	for _, s := range files {
		for _, f := range functions(s.code) {
			known[f.name] = true
		}
	}
	for _, m := range w.macros {
		for _, f := range functions(m.body) {
			if slices.Contains(m.params, f.name) && !known[f.name] {
				delete(w.barriers, f.name)
				delete(w.ids, f.name)
			}
		}
	}
	return w
}

// learn adds what contains a barrier or an id by what is known already.
func (w *world) learn(s *source) {
	for _, u := range s.units() {
		switch {
		case contains(u.body, w.barriers):
			w.barriers[u.name] = true
			delete(w.ids, u.name)
		case contains(u.body, w.ids) && !w.barriers[u.name]:
			w.ids[u.name] = true
		}
	}
	// A macro that defines a function names it by a parameter: find what it was
	// called with.
	for i, t := range s.code {
		m, ok := w.macros[t.text]
		if !ok || i+1 >= len(s.code) || s.code[i+1].text != "(" {
			continue
		}
		inside, _ := group(s.code[i+1:])
		arguments := split(inside)
		for _, f := range functions(m.body) {
			k := slices.Index(m.params, f.name)
			if k >= 0 && k < len(arguments) && len(arguments[k]) == 1 && w.barriers[f.name] {
				w.barriers[arguments[k][0].text] = true
			}
		}
	}
}
