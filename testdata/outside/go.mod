module example.com/outside

go 1.26.0

require github.com/suffixcl/suffixcl v0.0.0

require (
	github.com/ebitengine/purego v0.11.3 // indirect
	golang.org/x/sync v0.25.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace github.com/suffixcl/suffixcl => ../..
