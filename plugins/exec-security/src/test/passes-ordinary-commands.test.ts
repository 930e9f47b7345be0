// Ordinary commands pass: refusing them would be as much a failure as letting a dangerous one through.
import { development, everyCommand, full, network, permissive, policy, readonly } from './policies.js'

const READING = [
  'ls', 'ls -la', 'ls -lah --color=never src', 'ls -1 *.md', 'ls --sort=size -r', 'ls -ltr | tail -5', 'ls -d */', 'ls -d .*', 'ls -la .env', 'ls ~', 'ls "$HOME"', 'ls -lT .',
  'cat README.md', 'cat -n src/index.ts', 'cat a.txt b.txt', 'cat a.txt > /dev/null 2>&1', 'cat < notes.txt', 'cat <<EOF\nhello $USER\nEOF', "cat <<'EOF'\n$(rm -rf x)\nEOF", 'cat "file with spaces.txt"', 'cat .gitignore', 'cat .env.example',
  'pwd', 'pwd -P', 'whoami', 'date', 'date +%s', "date '+%Y-%m-%d %H:%M:%S'", 'date -u', 'date -R', 'date -Iseconds', 'date -d "2 days ago" +%F', 'date --date=yesterday', 'date -r README.md', 'TZ=UTC date', 'LC_ALL=C date', 'date --iso-8601=seconds', 'date -u -d @0',
  'grep -rn "foo" src | head -20', 'grep -n sudo docs/a.md', 'grep -E "a|b" file.txt', "grep -v '^#' config.txt", 'grep -c x a.md', 'grep -i --include="*.ts" -r todo src', 'grep -q x f && echo yes', 'grep -rl eval .', 'grep -A3 -B2 pattern file', 'grep -3 x f', 'grep -e foo -e bar file', 'grep -oP "\\d+" f', "grep -rn 'exec(' src/", 'grep "\\.env" src/config.ts', 'grep -w su docs/a.md', 'grep --color=auto -n x f', 'grep -rnw . -e "needle"', 'grep -F "$(whoami)" users.txt', 'grep -m1 x f', "grep -r 'dd if=' docs",
  'find .', 'find . -name "*.ts"', "find src -type f -name '*.ts' -not -path '*/node_modules/*'", 'find . -maxdepth 2 -type d', 'find . -mtime -1 -size +10k -print', 'find . \\( -name a -o -name b \\) -prune -o -print', 'find docs -newer README.md', 'find . -name "*.log" -printf "%p %s\\n"', 'find . -type f | wc -l', 'find . -iname "*sudo*"', 'find . -name "*.md" -exec grep -l foo {} +', 'find . -type f -exec wc -l {} \\;', 'find -L . -empty', "find . -name '*.ts' | xargs grep -n foo", "find . -name '*.ts' -print0 | xargs -0 wc -l",
  'head -5 a.md', 'head -n 20 a.md', 'head -c 100 a.md', 'tail -n +2 a.csv', 'tail -20 app.log', 'tail -f app.log', 'tail -n50 app.log | grep -i error', 'wc -l a.md', 'wc -c < a.md', 'wc -lw *.md', 'stat a.md', 'stat -c %s a.md', "stat --format='%n %s' *", 'file a.png', 'file -b --mime-type a.png', 'file *', 'file -i a',
  'ls; pwd', 'ls && pwd || date', 'ls & wait', '(ls; pwd)', '{ ls; pwd; }', '! grep -q x f', 'time ls', 'ls |& head', 'ls 2>&1 | head -3', 'ls 2>/dev/null', 'ls &>/dev/null', 'ls missing-dir 2>/dev/null || pwd', 'ls >&2',
  'for f in *.md; do wc -l "$f"; done', 'for f in a b c; do cat "$f.txt"; done', 'for d in src docs; do find "$d" -name "*.ts"; done', 'for i in 1 2 3; do echo $i; done', 'for ((i=0;i<3;i++)); do date; done', 'for i in {1..3}; do echo "$i"; done',
  'if grep -q x f; then echo found; else echo none; fi', 'if [ -f a.md ]; then cat a.md; fi', '[ -d src ] && ls src', '[[ -f a.md && -r a.md ]] && cat a.md', '[[ $(wc -l < a.md) -gt 5 ]] && echo long', 'test -e a && echo yes || echo no', 'while false; do ls; done', 'until true; do ls; done', 'case "$(whoami)" in root) echo root;; *) echo other;; esac', 'case x in a|b) ls;; esac',
  'echo hello', 'echo "a; b && c | d"', "echo 'sudo rm -rf /'", 'echo "$(date)"', 'echo $((1+2))', 'echo "lines: $(wc -l < a.md)"', "printf '%s\\n' a b", 'printf "%d files\\n" "$(ls | wc -l)"', 'echo ${HOME}', 'echo "${USER:-nobody}"', 'echo ${#PATH}', 'echo "${name%.*}"', 'echo "${x/a/b}"', 'echo ${list[@]}', 'true', ':', 'echo `date`',
  'timeout 5 ls', 'timeout -k 5 3 cat a.md', 'timeout --signal=KILL 10s ls', 'nice ls', 'nice -n 10 find .', 'nice -5 ls', 'nohup ls', 'stdbuf -oL tail a.log', 'env LC_ALL=C ls', 'env -u FOO ls', 'env -i ls', 'command ls', 'command -v node', 'command -V ls', 'builtin echo x', 'ionice -c 3 ls', 'setsid ls', 'time -p ls', 'xargs -n1 echo < a.txt', 'ls src | xargs -I{} cat src/{}', 'ls | xargs -r -P 4 -n 1 wc -l', 'type ls',
  '# only reads\nls', 'ls # the files', '[[ -f a.md ]]', '((1 > 0))', 'ls \\\n  -la', '\nls\n\npwd\n', 'ls -- -odd-name', "ls 'dir with $dollar'", 'ls docs/*.md', 'ls {a,b}.md', 'cat src/{a,b}.ts', 'ls [ab]*.md', 'ls ?.md', '\\ls', "'ls' -l", '"cat" a.md', 'cat -- a.md', 'cat docs/über.md', 'echo "日本語 👍"', 'diff=1 ls', 'cat <(ls) <(pwd)', 'cat <<< "text"', 'ls /usr/bin/sudo', 'stat /bin/su', 'file /usr/bin/gdb', 'cat docs/eval.md', 'grep exec a.md', 'cat sudo.txt'
]

const NETWORK = [
  'curl https://example.org', 'curl -sS https://x.y/z | head', 'curl -s https://api.example.org/v1/items?limit=5', "curl -H 'Accept: application/json' https://x.y", 'curl -X POST -d \'{"a":1}\' https://x.y', 'curl -X POST -H "Content-Type: application/json" --data \'{"a":1}\' https://x.y/api', 'curl -I https://x.y', 'curl -fsSL https://x.y/install.txt', 'curl -L -o page.html https://x.y', 'curl -O https://x.y/a.tgz', 'curl -so /dev/null -w "%{http_code}" https://x.y', 'curl -o /dev/null -s -w \'%{http_code}\\n\' https://x.y', 'curl -u user:pass https://x.y', 'curl --max-time 10 --retry 3 https://x.y', 'curl -k https://localhost:8443/health', 'curl http://localhost:3000/health', 'curl localhost:3000', 'curl "https://x.y/?q=$(date +%s)"', 'curl -G --data-urlencode "q=a b" https://x.y', 'curl --compressed -A "agent" https://x.y', 'curl -d @payload.json https://x.y', 'curl https://x.y | grep title', 'curl --version', 'curl -v --http2 https://x.y 2>&1 | head', 'curl --json \'{"a":1}\' https://x.y', 'curl -4 -s ifconfig.me',
  'for u in https://a.example https://b.example; do curl -sI "$u"; done', 'curl -o /tmp/a.json https://x.y', 'curl -F "file=@report.pdf" https://x.y', 'curl -b "session=1" https://x.y', 'curl -sSL -m 5 --connect-timeout 2 https://x.y',
  'wget https://x.y/a.tgz', 'wget -q https://x.y/a.tgz', 'wget -qO- https://x.y', 'wget -O a.html https://x.y', 'wget -q -O - https://x.y | head', 'wget --spider https://x.y', 'wget -nv -P downloads https://x.y/a', 'wget --no-check-certificate https://x.y', 'wget -c https://x.y/a.iso', 'wget -r -l 1 -np https://x.y/docs/', 'wget --header="Accept: text/html" https://x.y', 'wget -t 3 -T 10 https://x.y', 'wget -qP /tmp https://x.y',
  'ping -c 1 example.org', 'ping -c 3 -W 2 1.1.1.1', 'dig example.org', 'dig +short example.org A', 'dig @1.1.1.1 example.org MX +noall +answer', 'dig -x 1.1.1.1', 'nslookup example.org', 'nslookup -type=mx example.org 8.8.8.8', 'host example.org', 'host -t txt example.org', 'timeout 5 ping -c 1 x.y', 'host a.b && ping -c1 a.b', 'ls && curl https://x.y'
]

const DEVELOPMENT = [
  'npm test', 'npm run build', 'npm ci', 'npm install', 'npm install --save-dev typescript', 'npm i -D mocha chai', 'npm run lint -- --fix', 'npm ls --depth=0', 'npm outdated', 'npm view react version', 'npm run test:unit', 'npm --version', 'npm audit', 'npm pack --dry-run', 'npm init -y', 'npm exec tsc -- --noEmit', "npx -c 'node a.js'", 'git log --grep token', 'git commit -m secrets', 'gh secret list', 'git checkout -b token', 'grep -R KEY ./', 'grep -r x .', 'ls *.md | xargs cat', 'find . -name "*.md" | xargs cat', 'git rm --cached .env', 'git check-ignore .env', 'npm run dev & npm test', 'npm config get registry', 'npm test 2>&1 | tail -20', 'npm uninstall left-pad', 'npm run build --workspace=a', 'npm publish --dry-run', 'npm version patch',
  'npx tsc --noEmit', 'npx mocha', 'npx eslint src --ext .ts', 'npx -y create-thing my-app', 'npx prettier --check .', 'npx vitest run',
  'node -v', 'node index.js', 'node -e "console.log(1)"', "node -p 'process.version'", 'node --test', 'node scripts/build.js --watch', 'node --max-old-space-size=4096 a.js', 'node --env-file=.env app.js', 'NODE_OPTIONS=--max-old-space-size=4096 npm run build', 'node <<EOF\nconsole.log(1)\nEOF', "node -e 'console.log(\"sudo\")'",
  'git status', 'git status && git log --oneline -5', 'git diff', 'git diff --stat HEAD~1', 'git add .', 'git add -A && git commit -m "message"', "git commit -m 'fix: eval; sudo'", 'git commit -am "x"', 'git push', 'git push origin main', 'git pull --rebase', 'git fetch --all --prune', 'git checkout -b feature/x', 'git switch main', 'git branch -a', 'git log --oneline --graph | head', 'git show HEAD', 'git show HEAD:src/index.ts', 'git stash', 'git stash pop', 'git merge main', 'git rebase main', 'git rebase -i HEAD~2', 'git reset --hard HEAD', 'git clone https://github.com/a/b.git', 'git clone --depth 1 https://github.com/a/b', 'git -C sub status', 'git --no-pager log -3', 'git blame src/a.ts', 'git tag v1.0.0', 'git remote -v', 'git config --get user.name', 'git config user.email a@b.c', 'git config --global user.name "A B"', 'git rev-parse HEAD', 'git ls-files', 'git grep foo', 'git -c color.ui=never diff', 'git -c user.name=a -c user.email=b commit -m x', 'git worktree list', 'git cherry-pick abc123', 'git clean -nd', 'git log --author="A" --since="1 week ago" --format="%h %s"', 'GIT_PAGER=cat git log -1', 'git diff -- src/a.ts', 'git init', 'git submodule update --init --recursive', 'git describe --tags', 'git log -p -- docs/a.md', 'git apply fix.patch', 'git commit --amend --no-edit', 'git commit -m "ext: change\n\nbody"', 'GIT_AUTHOR_NAME=a git commit -m x', 'git rm --cached a', 'git restore .',
  'gh pr list', 'gh pr view 5 --json title', 'gh issue create --title x --body y', 'gh pr create --fill', 'gh api repos/a/b', 'gh run list --limit 5', 'gh auth status', 'gh repo view',
  'python -V', 'python3 script.py', 'python3 -m pip list', 'python3 -m venv .venv', 'python -m pytest -q', 'python3 -c "print(1)"', 'python3 -m http.server 8000', 'python3 -m json.tool a.json', 'PYTHONUNBUFFERED=1 python3 a.py', 'python3 - <<EOF\nprint(1)\nEOF', 'pip install requests', 'pip install -r requirements.txt', 'pip list', 'pip freeze', 'pip show requests', 'pip install -e .',
  'pnpm install', 'pnpm test', 'pnpm -r build', 'pnpm add -D vite', 'pnpm exec tsc', 'pnpm dlx degit a b', 'yarn', 'yarn install --frozen-lockfile', 'yarn test', 'yarn add react', 'tsc', 'tsc -p tsconfig.json --noEmit', 'tsc -b', 'echo "print(1)" | python3', 'cat a.json | node scripts/read.js', 'bun install', 'bun test', 'bun run build', 'bunx --version'.replace('bunx', 'bun'), 'bun x tsc',
  'CI=1 npm test', 'BROWSER=none npm start', 'NODE_ENV=production npm run build', 'FORCE_COLOR=0 NODE_ENV=test npm test', 'DEBUG=app:* node a.js', 'PORT=3000 node server.js', 'timeout 120 npm run e2e', 'nohup npm start &', 'nice -n 15 node scripts/build.js', 'npm test && git add -A && git commit -m "ok" && git push', 'npm run build || echo failed', 'if npm test; then git push; fi', 'for p in a b; do npm run build -w "$p"; done', 'node a.js > /dev/null', 'npm ls | grep react', 'git log --format=%H -1 | xargs git show', 'curl -s https://x.y | node -e "process.stdin.pipe(process.stdout)"', 'curl -s https://x.y | python3 -m json.tool', 'cat a.json | python3 -c "import sys; print(len(sys.stdin.read()))"', '[ -d node_modules ] || npm ci', '(npm run a & npm run b; wait)'
]

const FULL = [
  'rm -rf dist && mkdir dist', 'for d in a b; do mkdir -p "$d"; done; echo $(pwd)', 'cd src && ls', 'export A=1; node a.js', 'X=1; echo $X', 'f() { rm -rf "$1"; }; f dist', 'source .venv/bin/activate && pip install x', '. ./env.sh', 'bash script.sh', 'sh -c "ls | wc -l"', "bash -lc 'npm test && npm run build'", 'bash -c \'for i in 1 2; do echo $i; done\'', 'cat a > b', 'echo x >> log.txt', 'sed -i s/a/b/ f', "awk '{print $1}' f", 'tar czf a.tgz dist', 'docker ps', 'docker exec c ls', 'make -j4', 'chmod +x a.sh && ./a.sh', 'i=0; while [ $i -lt 3 ]; do i=$((i+1)); done', 'n=$(ls | wc -l); echo $((n+1))', 'a=(1 2 3); echo "${a[@]}"', 'trap "rm -f tmp" EXIT; touch tmp', 'set -euo pipefail; npm test', 'read -r x < f; echo "$x"', 'while read -r l; do echo "$l"; done < f', 'echo "please do not use sudo"', 'apt-get install -y gdb', 'man sudo', 'which sudo', 'command -v sudo', 'type su', 'ls | xargs rm', 'find . -name "*.o" -delete', 'find . -exec rm {} +', 'ssh host uptime', 'kill -9 123', 'ps aux | grep node', 'crontab -l', 'systemctl status x', 'sleep 1 && ls', 'cp a b', 'mv a b', 'ln -s a b', 'gdbus call', 'gdbserver :1 x', 'ddrescue a b', 'sudoku', 'execute-it', 'evaluate x', 'mkfsx', 'suspend-job', 'su-exec-docs', 'echo $(( $(date +%s) - 5 ))', '~/bin/tool x', './configure --prefix=/usr', '/usr/bin/env node a.js', 'env FOO=1 node a.js', 'printf "%s\\n" "$x"', 'alias ll="ls -l"', 'watch -n 1 grep sudo log', "grep -rn 'sudo' . | tee out.txt", 'git -c core.editor=vim commit', 'cat <<EOF > f\nsudo ls\nEOF', 'cat > setup.sh <<\'EOF\'\nsudo apt install x\nEOF', 'LD_PRELOAD=./x.so ls', 'exit 1', 'select x in a b; do echo $x; break; done', 'coproc cat', 'diff <(ls a) <(ls b)', '[[ $x == *.ts ]] && echo yes', '((x > 1)) && echo big', 'x=5; ((x++)); echo $x', 'pushd a; popd', 'curl -o f https://x.y', 'time make', 'nohup ./server > log 2>&1 &', 'psql -c "select eval(1)"', 'python3 -c "exec(open(\'a.py\').read())"', "node -e 'eval(1)'", 'perl -e "exec 1"'.replace('exec 1', 'print 1'), 'bash --version', 'bash "$DIR/x.sh" a', 'git commit -m "sudo ls"', 'tar czf a.tgz --exclude=sudo .', 'git submodule foreach "git pull"', 'for f in *.sh; do bash "$f"; done', 'find . -name "*.sh" -exec bash {} \\;', 'cp src/exec/a.ts dist/', 'echo "ls" | at now', 'ls -la | while read l; do echo $l; done'
]

/** Forbidden words where they are data, names of other things, or parts of longer words. */
const MENTIONED = [
  "echo a #b; sudo ls",
  "echo \"\\$(sudo ls)\"",
  "echo '$(sudo ls)'",
  "echo \"\\`sudo ls\\`\"",
  "cat <<E\n\\$(sudo ls)\nE",
  "cat <<'E'\n`sudo ls`\nE",
  "cat <<\"E\"\n$(sudo ls)\nE",
  "cat <<\\E\n$(sudo ls)\nE",
  ": <<'C'\nsudo ls\nC",
  "echo $'$(sudo ls)'",
  "case sudo in sudo) ls;; esac",
  "for sudo in a; do ls; done",
  "for x in sudo su; do echo $x; done",
  "sudo=1; echo $sudo",
  "echo sudo\\; ls",
  "x=sudo",
  "a[0]=sudo",
  "my_sudo() { ls; }; my_sudo",
  "# sudo ls\nls",
  "echo \"# not; sudo\"",
  "echo {sudo,su}",
  "git log --grep=sudo",
  "((sudo=1))",
  "echo $((sudo+1))",
  "type eval",
  "help exec",
  "builtin echo eval",
  "env echo sudo",
  "env X=sudo ls",
  "timeout 5 echo sudo",
  "xargs echo sudo",
  "find . -name sudo",
  "find . -exec echo sudo \\;",
  "bash -c 'echo sudo'",
  "bash -c 'echo \"sudo ls\"'",
  "bash -c \"echo 'eval exec'\"",
  "sh -c 'ls # sudo'",
  "echo \"sudo\" > f",
  "cat <<< \"sudo ls\"",
  "cat <<< sudo",
  "[[ $x == sudo ]]",
  "[ \"$1\" = sudo ]",
  "test su = su",
  "echo sudo | grep su",
  "echo sudo ls | cat",
  "printf '%s\\n' sudo su dd",
  "echo \"$(echo sudo)\"",
  "echo $(echo dd)",
  "ls sudo",
  "ls -- sudo",
  "rm sudo",
  "touch dd && ls",
  "./exec.sh",
  "./eval/run",
  "node sudo.js",
  "npm run exec",
  "npm exec tsc",
  "npm run eval",
  "docker exec -it a ls",
  "kubectl exec pod -- ls",
  "go run ./cmd/dd",
  "cargo run --bin sudo",
  "make eval",
  "git su",
  "find . -exec ls {} +",
  "psql -c 'EXEC foo'",
  "python -c \"eval('1')\"",
  "python -c \"exec('1')\"",
  "node -e \"eval('1')\"",
  "node -p \"/exec/.exec('exec')\"",
  "node -e \"require('child_process').execSync('ls')\"",
  "perl -e 'exec \"ls\"'",
  "awk '{ system(\"ls\") }' f",
  "ssh-add; su_do x",
  "x() { echo sudo; }; x",
  "select sudo in a; do break; done",
  "echo sudo &",
  "(echo sudo)",
  "{ echo sudo; }",
  "if [ -f sudo ]; then echo dd; fi",
  "while read su; do echo $su; done < f",
  "trap 'echo sudo' EXIT",
  "alias ls='ls --color'",
  "export SUDO_USER=x",
  "echo ${sudo:-su}",
  "echo \"${x:-sudo ls}\"",
  "echo ${x/sudo/su}",
  "echo 'it'\"'\"'s sudo'",
  "echo \"a; sudo ls\"",
  "echo a\\&\\&sudo ls",
  "cat sudo|wc",
  "env -u sudo ls",
  "nice -n 5 ls sudo",
  "man 8 sudo",
  "whatis dd",
  "apropos mkfs",
  "sudo.sh",
  "sudo-wrapper",
  "./sudo.sh ls",
  "dd.py",
  "exec.py",
  "eval.rb",
  "mkfs_test",
  "gdb-dashboard",
  "xsudo",
  "ssu",
  "su2",
  "suu",
  "e2fsck",
  "mkfs.d/run",
  "/opt/su/run",
  "/opt/dd/bin/x",
  "exec/run"
]

describe('the policy passes ordinary commands', () => {
  // What only speaks or decides is in no preset: an owner who wants it lists it.
  const SPEAKING = ['echo', 'printf', 'true', 'false', ':', 'test', '[', 'type']
  describe('that only read, with what speaks and decides in the list', () => everyCommand('allow', policy({ execAllowlist: SPEAKING }), READING))
  describe('that only read, without any list', () => everyCommand('allow', policy(), READING.filter((line) => !SPEAKING.some((word) => line.includes(word)))))
  for (const [execApprovalMode, verdict] of [['deny', 'deny'], ['ask', 'ask'], ['allow', 'allow']] as const) {
    describe(`that only speak, where nothing lists them and the approval mode is ${execApprovalMode}`, () => everyCommand(verdict, policy({ execPreset: 'development', execApprovalMode }), ['echo hello', 'printf x', 'true', 'npm test || echo failed', '[ -d src ] && ls src']))
  }
  describe('that only read, under the preset', () => everyCommand('allow', readonly, READING.slice(0, 40)))
  describe('that reach the network, under the preset', () => everyCommand('allow', network, NETWORK))
  describe('of development, under the preset', () => everyCommand('allow', { ...development, execAllowlist: SPEAKING }, [...DEVELOPMENT, ...NETWORK.slice(0, 10)]))
  describe('of any kind, in full', () => everyCommand('allow', full, FULL))
  describe('that only mention a forbidden word', () => everyCommand('allow', full, MENTIONED))
  describe('that are in the list of the owner', () => {
    everyCommand('allow', policy({ execAllowlist: ['terraform', 'docker', 'kubectl', 'make', 'jq', 'sed', 'awk', 'sort', 'cd', 'mkdir', './run.sh', 'tar'] }), [
      'terraform plan', 'terraform plan -out p', 'docker ps -a', 'docker build -t x .', 'kubectl get pods -n default', 'make test', 'make -j4 build', 'jq .name package.json', "jq -r '.a[] | .b' f.json", "sed -n '1,5p' f", "sed 's/a/b/' f", "sed -i 's/a/b/g' f", "awk '{print $1}' f", "awk -F, 'NR>1 {s+=$2} END {print s}' f", 'sort -u f', 'sort -t, -k2 f', 'cd src && ls', 'mkdir -p a/b', './run.sh x', 'tar czf a.tgz src', 'tar -xzf a.tgz', 'ls | sort | head', "ls | awk '{print $1}'"
    ])
  })
  describe('that are wrappers in the list', () => everyCommand('allow', policy({ execAllowlist: ['env', 'printenv'] }), ['env', 'printenv PATH', 'env -i ls', 'timeout --version', 'command -v env']))
  describe('that nothing covers, when the approval mode lets them through', () => {
    everyCommand('allow', permissive(readonly), ['terraform apply', 'rm -rf cache', 'date > stamp.txt', 'find . -delete', 'cd a && ls', 'LD_PRELOAD=x ls', 'X=1; ls'])
  })
})
