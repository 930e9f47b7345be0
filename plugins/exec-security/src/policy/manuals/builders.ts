/** Build tools of languages. */
export const BUILDERS = `
# Options of every cargo command that works on packages.
.crate <text>...
  no-abbreviations, tolerant, mixed-operands
  -v -q -h -r -i -d -w -f -l --verbose --quiet --frozen --locked --offline --help --workspace --all --lib --bins
  --examples --tests --benches --all-targets --all-features --no-default-features --release --keep-going
  --no-fail-fast --no-run --doc --ignore-rust-version --unit-graph --build-plan --no-deps --document-private-items
  --open --allow-dirty --allow-staged --allow-no-vcs --broken-code --edition-idioms --dry-run --no-verify --list
  --check --fix --no-dedupe --invert --duplicates --aggressive --ignored --recursive --git-ignored --optional
  --no-optional --default-features --dev --build --rename-deps --no-track --force --debug --no-metadata --sync
  --versioned-dirs --respect-source-config --no-merge-sources --message --nocapture
  -p -F -j -e --precise --package --exclude --bin --example --test --bench --features --target --profile <text>
  --jobs --message-format --color --filter-platform --format-version --edges --prefix --depth --charset <text>
  --format --name --edition --vcs --limit --rename --registry --version --vers --tag --branch --rev <text>
  --target-version <text>
  --manifest-path --path --lockfile-path <read>
  --target-dir --out-dir --artifact-dir --root <write>
  --git --index <address>
  -Z --config --token <deny>
  --timings [text]

.go-flags <text>...
  network, no-abbreviations, single-hyphen, tolerant, mixed-operands
  -a -n -v -x -h -i -c -m -u -t -e -race -msan -asan -cover -work -modcacherw -trimpath -json -linkshared -help
  -buildvcs -short -failfast -benchmem -fullpath -compiled -deps -export -find -test -retracted -versions -f-json

.go-build
  like: .go-flags
  -p -f -covermode -coverpkg -buildmode -compiler -installsuffix -mod -tags -run -skip -bench -count -timeout <text>
  -cpu -parallel -list -fuzz -fuzztime -fuzzminimizetime -shuffle -benchtime -vet -blockprofilerate <text>
  -memprofilerate -mutexprofilefraction -reuse <text>
  -modfile -pgo <read>
  -C <tree>
  works-in: -C
  -ldflags -gcflags -asmflags -gccgoflags <setting>
  -o -pkgdir -coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -trace -outputdir <write>
  -exec -toolexec -vettool <program>
  -overlay <deny>

.cargo
  network, no-abbreviations

.cargo build|b|check|c|clean|doc|d|test|t|bench|add|remove|rm|update|search|install|uninstall|fmt|clippy|fix|tree|
    metadata|fetch|generate-lockfile|locate-project|pkgid|verify-project|report|package|version|help|nextest|info|
    publish
  like: .crate

# The words after the first operand belong to the program itself.
.cargo run|r
  like: .crate
  options-first

.cargo new|init|vendor <write>...
  like: .crate

.cargo rustc|rustdoc <deny>...
  like: .crate

.cargo login|logout|owner|yank <deny>...
  without-operands: deny

cargo
  like: .cargo
  -v -q -V -h --verbose --quiet --frozen --locked --offline --list --version --help
  --color --explain <text>
  -C <tree>
  -Z --config <deny>
  works-in: -C

# The name of a toolchain may precede the subcommand.
cargo +stable|+beta|+nightly
  like: .cargo

go
  no-abbreviations, single-hyphen
  -C <tree>
  works-in: -C

go build|install|test|vet|get|list
  like: .go-build
  -args
  ends-options: -args

go run <script> <text>...
  like: .go-build
  options-first

go generate|fix
  like: .go-flags
  -r -run -skip -fix -go <text>

go env <text>...
  no-abbreviations, single-hyphen
  -json -changed
  -w -u: deny

go mod

go mod download|graph|init|tidy|vendor|verify|why <text>...
  network, no-abbreviations, single-hyphen
  -v -x -e -m -json -vendor
  -go -compat -reuse <text>
  -o <write>

go mod edit <write>...
  no-abbreviations, single-hyphen
  -fmt -print -json
  -module -go -toolchain -require -droprequire -exclude -dropexclude -dropreplace -retract -dropretract <text>
  -godebug -tool -droptool <text>
  -replace <any>

go work

go work init|use|sync|edit|vendor <text>...
  no-abbreviations, single-hyphen, mixed-operands
  -r -v -fmt -print -json
  -go -use -dropuse -toolchain <text>
  -replace <any>

go clean <text>...
  no-abbreviations, single-hyphen
  -i -r -n -x -cache -testcache -modcache -fuzzcache

go fmt <text>...
  no-abbreviations, single-hyphen, mixed-operands
  -n -x
  -mod <text>

go version <read>...
  no-abbreviations, single-hyphen
  -m -v -json

go doc|help <text>...
  single-hyphen
  -c -u -all -cmd -short -src

go tool

go tool cover|nm|objdump|pprof|trace|addr2line|buildid <read>...
  no-abbreviations, single-hyphen
  -n -s -size -sort -top -text
  -func -html <read>
  -o <write>
`
