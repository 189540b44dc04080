#!/bin/bash
# Run, 2026-11-29: by hand on Debian 12 (amd64, Go 1.26.8), with PREFIX and PKG_VERSION. Not run: under conda-build.
set -euxo pipefail
export CGO_ENABLED=0 GOFLAGS=-buildvcs=false GOTOOLCHAIN=local
mkdir -p "$PREFIX/bin" "$PREFIX/share/man/man1" "$PREFIX/share/bash-completion/completions" \
	"$PREFIX/share/zsh/site-functions" "$PREFIX/share/fish/vendor_completions.d"
# The loader is looked for in the environment's lib first, which is not in the linker's path.
stamp="-X github.com/suffixcl/suffixcl/internal/version.number=v$PKG_VERSION"
go build -trimpath -ldflags="-s -w -r \$ORIGIN/../lib $stamp" -o "$PREFIX/bin/suffixcl" ./cmd/suffixcl
"$PREFIX/bin/suffixcl" help --man > "$PREFIX/share/man/man1/suffixcl.1"
"$PREFIX/bin/suffixcl" completion bash > "$PREFIX/share/bash-completion/completions/suffixcl"
"$PREFIX/bin/suffixcl" completion zsh > "$PREFIX/share/zsh/site-functions/_suffixcl"
"$PREFIX/bin/suffixcl" completion fish > "$PREFIX/share/fish/vendor_completions.d/suffixcl.fish"
