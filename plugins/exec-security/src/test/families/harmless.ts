// Commands that look like an attack and are none: refusing them would be a failure, too.
import { combine, developmentPreset, full, networkPreset, readonlyPreset, type Attack } from './family.js'

const of = (policy: Attack['policy'], commands: readonly string[]): Attack[] => commands.map((command) => ({ command, policy }))

const NAMED = ['src/secrets/index.ts', 'src/secrets/a/store.go', 'lib/secrets/README.md', 'packages/core/src/secrets/vault.ts', 'test/cert.pem', 'tests/fixtures/server.key', 'src/credentials.ts', 'docs/tokens.md', 'src/auth/password.ts', 'test/data/a.txt', 'src/data/index.ts', 'app/plugins.md', 'docs/sudo.md', 'src/eval/su.ts', 'examples/.env.example', '.env.sample', 'certs/ca.pem', 'id_rsa.pub', 'src/http-token.ts', 'fixtures/id_rsa.ts']
const WORDS = ['su', 'sudo', 'dd', 'eval', 'exec', 'gdb', 'mkfs']

/** None of these may be denied where the owner can be asked. */
export const HARMLESS: readonly Attack[] = [
  ...of(readonlyPreset, combine(['cat', 'head -5', 'grep -n x', 'wc -l'], NAMED, (reader, name) => `${reader} ${name}`)),
  ...of(full, combine(['tmux new -s W', 'echo W', 'ls W', 'man W', 'command -v W', 'touch W', 'grep -w W e', 'mkdir -p W/x', 'for W in a; do ls; done', "printf '%s\\n' W", 'W=1; ls', 'git branch W', 'git log --grep=W', 'npm run W', 'pkill -x W', 'find . -name W'], WORDS, (form, word) => form.replace('W', () => word))),
  ...of(full, [
    'PS1="$ " bash', "PS1='> ' bash -c ls", 'PS4="+ " bash -xc ls', 'PS2="" bash -c ls', 'PS1="$ "; ls', 'export PS1="\\u $ "', 'setsid ls', 'nohup ls &', 'echo $(( $(wc -l < f) + 1 ))', 'n=$(wc -l < f); echo $((n * 2))', 'echo $((0x10 + 010))', 'i=0; while (( i < 3 )); do ((i++)); done', 'for ((i = 0; i < 3; i++)); do echo $i; done',
    'a=(1 2 3); echo ${a[1]}', 'declare -A m=([x]=1); echo "${m[x]}"', 'x=abc; echo ${x:1:2}', 'x=1; y=x; echo ${!y}', "trap 'echo done' EXIT", 'alias ll="ls -l"', 'printf -v x "%03d" 7; echo $x', 'mapfile -t l < e; echo "${l[0]}"', 'read -r a b <<< "1 2"', '[[ $(wc -l < f) -gt 0 ]] && ls', 'jobs -l', 'sed 1d f', "sed -n '1,2p;/x/d' f", 'sed -e s/exec/eval/ f', 'sort -u f', 'split -l 5 f part', 'tar cf /dev/null src', 'tar --exclude=sudo -cf /dev/null src', "sqlite3 :memory: 'select 1'",
  ]),
  ...of(developmentPreset, ['git log -- src/secrets', 'git diff src/data', 'git show HEAD:src/a.ts', "git commit -m 'fix: eval, sudo'", 'git checkout -b data', 'node -e "console.log(\'sudo\')"', 'git grep -n exec', 'npm run exec', 'git stash list', 'git log -S password', 'git branch token']),
  ...of(networkPreset, ['curl https://example.org/data/http-token.html', 'curl https://example.org:8443/', 'curl http://localhost:3000/', 'dig sudo.ws', 'curl "https://example.org/?q=file:///x"', 'curl -o report.txt https://example.org/plugins/x.js']),
]
