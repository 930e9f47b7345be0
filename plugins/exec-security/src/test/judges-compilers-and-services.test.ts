// Compilers, build tools and services that an owner lists: their options start, load and write only what their tables tell.
import { development, everyCommand, full, policy } from './policies.js'

const places = { cwd: '/srv/bot', home: '/home/bot', sealed: ['/srv/bot/data', '/srv/bot/mynah.config.yml'], guarded: ['/srv/bot/plugins'] }
const tools = policy({ execPreset: 'readonly', execAllowlist: ['cargo', 'go', 'systemctl', 'journalctl', 'gcc', 'g++', 'cc', 'clang', 'rustc', 'jq'] })

const ORDINARY = [
  'cargo build --release', 'cargo run -- sudo', 'cargo run -- sudo ls -l', 'cargo run --bin x -- --config a', 'cargo test -- --nocapture', 'cargo +nightly build', 'cargo clippy --all-targets -- -D warnings', 'cargo fmt --check',
  'cargo add serde --features derive', 'cargo new app', 'cargo install ripgrep', 'cargo doc --no-deps --open', 'go build ./...', 'go build -o app ./cmd/app', 'go test ./... -run TestX', 'go test -v -count=1 -race ./...',
  'go run main.go', 'go run . -- sudo', 'go env', 'go mod tidy', 'go get github.com/a/b@latest', 'go install golang.org/x/tools/gopls@latest', 'go build -ldflags "-s -w -X main.version=1.2" .', `go build -ldflags "-X 'main.title=one two' -extldflags '-static'" .`, 'go build -gcflags=all=-N\\ -l',
  'go fmt ./...', 'go version', 'go tool pprof cpu.prof', 'go test -coverprofile=c.out ./...', 'go tool cover -html=c.out', 'go list -m all', 'go mod edit -replace a=../b', 'go build -tags prod -trimpath', 'systemctl status nginx',
  'systemctl restart app', 'systemctl --user status app', 'systemctl list-units --type=service', 'systemctl list-timers --all', 'systemctl is-active nginx', 'systemctl enable --now app', 'systemctl daemon-reload', 'systemctl show -p MainPID nginx',
  'systemctl status nginx --no-pager -n 20', 'journalctl -u nginx -n 50', 'journalctl -f', 'journalctl --since today', 'journalctl --since "1 hour ago" -p err', 'journalctl -xe', 'journalctl -b -1', 'journalctl -k', 'journalctl -u app -o json | jq .MESSAGE',
  'journalctl --file /tmp/x.journal', 'journalctl -D /etc', 'journalctl _COMM=sudo -n 20', 'gcc -o app main.c', 'gcc -Wall -O2 -c a.c', 'gcc -Wall -Wextra -std=c11 -g -Iinclude -Llib -o app a.c b.c -lm -lpthread', 'g++ -std=c++20 -O3 -march=native -fsanitize=address main.cpp -o main',
  'clang -DNDEBUG -fPIC -shared -o lib.so a.c', 'gcc -Wl,-rpath,/usr/lib a.c', 'gcc -MMD -MF a.d -c a.c', 'gcc --version', 'gcc -dumpmachine', 'gcc -dM -E - < /dev/null', 'cc -static -s -Os -o a a.c', 'gcc -pthread -pipe -fopenmp a.c',
  'rustc main.rs', 'rustc -O --edition 2021 -o app main.rs', 'rustc -C opt-level=3 main.rs', 'rustc --version', 'cargo build -p core --features "a b"', 'cargo test --workspace', 'cargo check --message-format=json', 'cargo tree -d',
  'cargo update -p serde', 'cargo bench', 'cargo r -q -- --help', 'go test -bench . -benchmem', 'go build -race -o bin/app .', 'go vet ./...', 'go doc fmt.Println', 'go clean -cache', 'go work sync', 'go mod download -x',
  'systemctl --failed', 'systemctl cat nginx', 'systemctl is-enabled ssh', 'systemctl reload nginx', 'journalctl -u app --since "2026-01-01" --no-pager', 'journalctl --list-boots', 'journalctl --disk-usage', 'journalctl -p err -b',
  'gcc -x c -o a -', 'gcc -M a.c', 'g++ -c a.cpp -o a.o', 'clang -S -emit-llvm a.c', 'rustc --print cfg', 'rustc --explain E0382', 'ls -R src', 'find /dev -name "tty*"'
]

const BEYOND = [
  'cargo --config build.rustc-wrapper=sudo build', 'cargo --config build.rustc-wrapper=/tmp/x build', 'cargo build --config \'target.x.runner="/tmp/e"\'', 'cargo rustc -- -C linker=/tmp/x', 'cargo foo', 'cargo -Z unstable-options build',
  'cargo build --target-dir data', 'cargo build --target-dir plugins/x', 'cargo login', 'go run -exec /tmp/x main.go', 'go run -exec sudo main.go', 'go build -toolexec /tmp/x ./...', 'go vet -vettool=/tmp/x ./...', 'go test -exec=/tmp/x ./...',
  'go env -w CC=/tmp/x', 'go build -ldflags "-linkmode=external -extld=/tmp/x" .', 'go build -ldflags "-X a.b=c -extld /tmp/x" .', `go build -ldflags "-X='a.b=c -extld /tmp/x'" .`, 'go build -ldflags=\'-extld /tmp/x\' .', 'go build -overlay x.json', 'go build -o plugins/x.js .', 'systemctl enable /tmp/evil.service', 'systemctl edit nginx',
  'systemctl -H root@h status', 'systemctl --host=h status', 'systemctl set-environment LD_PRELOAD=x', 'systemctl show-environment', 'systemctl link ./evil.service', 'systemctl poweroff', 'journalctl --file data/x', 'journalctl --vacuum-size=1M',
  'journalctl --rotate', 'gcc -wrapper /tmp/x,a a.c', 'gcc -wrapper sudo,ls a.c', 'gcc -B/tmp/x a.c', 'gcc -B /tmp/x a.c', 'gcc @args', 'gcc -specs=/tmp/x a.c', 'gcc -fplugin=/tmp/x.so a.c', 'gcc -Wl,-plugin,/tmp/x.so a.c',
  'gcc -Wl,@file a.c', 'gcc -Wp,-MD,/tmp/x a.c', 'gcc -Xlinker -plugin a.c', 'gcc -fdump-tree-all=plugins/x a.c', 'gcc -o plugins/x.js a.c', 'gcc -E data/http-token', 'gcc -xc -E data/http-token', 'gcc -include data/http-token a.c',
  'clang -fuse-ld=/tmp/x a.c', 'clang -Xclang -load -Xclang x.so a.c', 'clang --config=x a.c', 'rustc -C linker=/tmp/x main.rs', 'rustc -Clinker=/tmp/x main.rs', 'rustc --codegen=link-arg=-x main.rs', 'rustc @f', 'rustc -Zunstable a.rs',
  'gcc --wrapper=/tmp/x a.c', 'gcc -wrapper=/tmp/x a.c', 'g++ --specs=/tmp/x a.cpp', 'gcc -Wa,-o,/tmp/x a.c', 'clang -ccc-gcc-name /tmp/x a.c', 'clang --gcc-toolchain=/tmp/x a.c', 'gcc -aux-info plugins/x a.c', 'gcc -MF plugins/x a.c',
  'gcc -fopt-info=plugins/x a.c', 'cargo run --config target.x.runner=/tmp/x', 'cargo +nightly -Z unstable-options run', 'cargo install --root plugins/x a', 'cargo vendor plugins/x', 'cargo new plugins/x', 'cargo publish --token x',
  'cargo evil', 'go test -exec /tmp/x ./...', 'go run --exec /tmp/x .', 'go build --toolexec=/tmp/x', 'go env -u CC', 'go tool compile a.go', 'go bug', 'go -C plugins/x build -o y', 'go build -gcflags=-o=/tmp/x', 'go test -o plugins/x',
  'systemctl --root=/tmp/x enable a', 'systemctl reboot', 'systemctl import-environment A', 'systemctl set-property a b=c', 'systemctl -M c restart a', 'systemctl bind a /x', 'systemctl enable "$X"', 'journalctl --vacuum-time=1s',
  'journalctl --flush', 'journalctl -M c', 'journalctl --cursor-file=plugins/x', 'journalctl --directory=data', 'journalctl --file "$(cat f)"', 'rustc --emit=link=plugins/x a.rs', 'rustc --out-dir plugins/x a.rs', 'rustc -o plugins/x a.rs',
  'rustc -C incremental=/tmp/x a.rs', 'ls -R /proc', 'ls -lR /proc/1', 'ls --recursive /', 'find /proc -ls', 'find /proc/1 -maxdepth 1'
]

const FORBIDDEN = [
  'cargo --config build.rustc-wrapper=sudo build', 'go run -exec sudo main.go', 'gcc -wrapper sudo,ls a.c', 'gcc -B sudo a.c', 'go vet -vettool=sudo ./...', 'cargo run --config "target.x.runner=\'sudo\'"'
]

/** Words behind `--` belong to the program that is run. */
const DATA = ['cargo run -- sudo', 'cargo run --release -- su -c ls', 'cargo test -- sudo', 'go run . sudo', 'go run main.go -- dd if=a', 'systemctl status sudo', 'journalctl _COMM=sudo']

/** A tool that is found in packages may write what it is given. */
const GIVEN = ['npx tool plugins/x', 'npx tool plugins', 'npx -y tool ./plugins/a/index.js', 'npm exec tool plugins/x', 'npm x -- tool data/x', 'yarn dlx tool plugins/x', 'yarn tool plugins/x', 'pnpm dlx tool plugins/x', 'pnpm exec tool data', 'bunx tool plugins/x', 'bun x tool plugins/x', 'npx tool --out plugins/x', 'npx tool --out=plugins/x', 'npx tool data/http-token']

describe('compilers and services of a list', () => {
  everyCommand('allow', tools, ORDINARY)
  everyCommand('deny', { ...tools, places }, BEYOND)
  everyCommand('deny', full, FORBIDDEN)
  everyCommand('allow', full, DATA)
  everyCommand('allow', tools, DATA)
})

describe('tools that are found in packages', () => {
  everyCommand('deny', { ...development, places }, GIVEN)
  everyCommand('deny', development, GIVEN)
  everyCommand('deny', { ...full, places }, GIVEN)
  everyCommand('allow', development, ['npx tool src/a.ts', 'npx eslint .', 'npx tool --out=dist', 'npm exec tool lib/x', 'yarn tool src', 'pnpm dlx create-vite app'])
})
