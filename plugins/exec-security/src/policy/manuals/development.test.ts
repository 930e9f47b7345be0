// A listed tool passes with its ordinary arguments, and not with those that run, write or read something else.
import { asking, development, everyCommand, full, permissive, policy, readonly } from '../../test/policies.js'

const tools = policy({
  execPreset: 'readonly',
  execAllowlist: ['awk', 'sed', 'jq', 'make', 'docker', 'kubectl', 'terraform', 'perl', 'ruby', 'php', 'lua', 'npx'],
})

const ORDINARY = [
  'sed -n 1,5p file',
  'sed s/a/b/ file',
  'sed -e s/a/b/ server',
  'sed "s/new/we are/" a',
  'sed "1d;3d" file',
  'sed "/^$/d" where',
  'sed -i.bak "s/a/b/" file',
  "sed -n '/start/,/end/p' file",
  "sed 's|/usr|/opt|g' file",
  "sed -n '$p' file",
  "sed 'y/abc/xyz/' file",
  "sed '/a/{s/b/c/;d}' file",
  "sed '$!N;P;D' file",
  "sed '2i hello' file",
  "sed ':a;N;$!ba;s/\\n/ /g' file",
  "sed '/a/I,/b/d' file",
  "sed '$a\\the end' file",
  'ls | sed "s/^/- /"',
  'sed -E "s/(a)(b)/\\2\\1/" file',
  'awk \'{print $1 "|" $2}\' f',
  "awk -F'|' '{print $2}' f",
  "awk '$3 > 5 {print $1}' f",
  "awk '{ if ($1 > 5) print $2 }' f",
  "awk '/a|b/ {print}' f",
  'awk \'{print $1 " > " $2}\' f',
  "awk 'NR>1 {s+=$2} END {print s/NR}' f",
  "awk '# a \"comment\n{print}' f",
  'jq .env a.json',
  "jq '.env.name' a.json",
  "jq -r '.environment' a.json",
  'make -C sub all',
  'make CC=gcc',
  'make -j8 -k test',
  'docker -v',
  'docker run -v "$PWD":/app img',
  'docker run -v data:/data img',
  'docker run -v ./a:/b img',
  'docker run --mount type=bind,source=./a,target=/b img',
  'docker run --entrypoint sh img',
  'kubectl exec pod -- ls',
  'kubectl config current-context',
  'kubectl port-forward svc/a 80:80',
  'terraform -chdir=infra plan',
  'npx cowsay sudo',
  'npx -y eslint su',
  'CC=clang make',
  'CFLAGS="-O2 -Wall" make',
  'MAKEFLAGS=-j4 make',
]

/** Code of languages that the policy does not read. */
const UNREAD = [
  "sed '\\,/usr,d' file",
  "perl -ne 'print if /x/' f",
  'perl -pe "s/a/b/" f',
  "ruby -e 'puts 1'",
  "php -r 'echo 1;'",
  "lua -e 'print(1)'",
  "psql -c 'select 1'",
  "sqlite3 a.db 'select 1'",
  "sed 's;a;b;' file",
]

const ESCAPES = [
  "sed '1e id' f",
  "sed --expression='1e id' f",
  "sed 's/a/id/e' f",
  "sed 's/a/b/;w out' f",
  "sed 's#a#b#w out' f",
  "sed '1,3w out' f",
  "sed '/a/w out' f",
  "sed -n '$ w out' f",
  "sed -e p -e '1r notes' f",
  "sed '{p;e id\n}' f",
  'sed -f script f',
  'sed p .env',
  "sed ':a}s/x/;e id #/;ba'",
  "sed 'ba}s/x/;e id #/'",
  "sed 's/x/\\\\/e id' f",
  "sed '\\ee;eid' f",
  "sed 'y/a/b/;e' f",
  "sed '/x/I e id' f",
  "sed 'a\\\ntext\ne id' f",
  "sed 's/x/\ne id/' f",
  "sed 's/a/b' f",
  'awk \'BEGIN{system("id")}\'',
  'awk \'{print > "out"}\' f',
  'awk \'/"/ {print > "out"} /"/\' f',
  'awk \'# "\n{print > "out"} # "\' f',
  'awk \'BEGIN{"id" | getline}\'',
  'awk \'{print | "id"}\' f',
  'awk \'{print $1 || $2 > "out"}\' f',
  'awk -i inplace 1 f',
  'awk 1 .env',
  "jq '$ENV' f",
  'jq env f',
  'jq -n env',
  'jq . .env',
  'jq -f p .env',
  'make SHELL=/tmp/x',
  'make --eval="x:;id"',
  'CC="sh -c id" make',
  'CFLAGS=-fplugin=./x.so make',
  `CFLAGS='${'-Wno-a'.repeat(2000)}!' make`,
  `NODE_OPTIONS='${'--unhandled-rejections=a'.repeat(500)}!' make`,
  'docker run -v ~/.ssh:/s img',
  'docker run -v "$HOME":/h img',
  'docker run -v/etc:/e img',
  'docker run -v /var/run/docker.sock:/s img',
  'docker run --privileged img',
  'docker run -v "$(cat f)":/h img',
  'docker run -v ../a:/b img',
  'kubectl edit pod a',
  'perl -e \'system("id")\'',
  "perl -e 'print `id`'",
  'ruby -e \'system("id")\'',
  'php -r \'shell_exec("id");\'',
  'lua -e \'os.execute("id")\'',
]

const DEVELOPING = [
  'find "${DIR:-.}" -type f',
  'ls "${X:-.}"',
  'npm run ${X:-build}',
  'git commit -m "${X:-msg}"',
  'head ${X:--n5} a',
  'for f in a b; do cat "${f%.txt}.md"; done',
  'npm run su',
  'npm run dd -- x',
  'npm test sudo',
  'npm run test -- --grep sudo',
  'npm exec -- eslint su',
  'pnpm run sudo',
  'pnpm exec eslint sudo',
  'yarn test sudo',
  'bun run build sudo',
  'npm uninstall sudo',
  'git diff src/credentials.ts',
  'head -5 src/credentials.py',
  'head -n $N f',
  'tail -n $N f',
  'find $HOME -maxdepth 1',
  'BABEL_ENV=test npm test',
  'node -e \'/a/.exec("a")\'',
  "python3 -c 'import os; print(os.getcwd())'",
  'python3 -c \'print("system")\'',
]

const DEVELOPING_ESCAPES = [
  'python3 -c \'import os; os.system("id")\'',
  'python3 -c \'import subprocess; subprocess.run(["id"])\'',
  'python3 -c \'__import__("os").popen("id")\'',
  'python3 <<E\nimport os\nos.system("id")\nE',
  'node -e \'require("child_process").execSync("id")\'',
  'bun -e \'Bun.spawn(["id"])\'',
  'npm config edit',
  'head credentials.json',
  'cat .aws/credentials',
  'find $DIR -type f',
  'date -d $D',
]

/** Values of variables, which are read like any other argument. */
const IN_PLACE_OF_VARIABLES = [
  'find . ${X:--delete}',
  'find . "${X:--delete}"',
  'find . ${X:+-delete}',
  'find . "${X/a/-delete}"',
  'find . ${A:--exec} ${B:-rm} {} \\;',
  'for x in ${Y:--delete}; do find . $x; done',
  'for x in a-delete; do find . "${x#a}"; done',
  'cat "${X:-.}env"',
  'find ${X:-~/.ssh}',
  'file ${X:--C} -m a',
  'git diff ${X:---output=f}',
  'git rebase ${X:--x} id',
  'npm ${X:-config} edit',
  'curl ${X:--K} f',
  'curl "${X:-file:///etc/passwd}"',
  'node ${X:--e} "require(\'child_process\')"',
  'wget "${X:---use-askpass=x}" a',
]

/** A forbidden command behind whatever starts a program by name, and behind a late end of options. */
const FORBIDDEN = [
  'npx sudo ls',
  'npx -p a sudo ls',
  'npx --package=a -- sudo ls',
  'npx --unknown x sudo ls',
  'npm exec sudo ls',
  'npm --prefix web exec sudo ls',
  'npm x -- sudo ls',
  'npm explore a -- sudo ls',
  'pnpm sudo ls',
  'pnpm -F web exec sudo ls',
  'pnpm dlx sudo',
  'yarn sudo ls',
  'yarn workspace a exec sudo ls',
  'yarn workspaces foreach exec sudo ls',
  'bun run sudo ls',
  'bun x sudo ls',
  'bunx sudo ls',
  'timeout 5 -- sudo ls',
  'env A=1 -- sudo ls',
  'taskset 1 -- sudo ls',
  'nice -n 5 -- sudo ls',
  'xargs -- sudo ls',
]

/** Text that is put together by what writes it into a shell. */
const WRITTEN = [
  "printf '%s%s' sud 'o ls' | bash",
  "printf 'sud%s' 'o ls' | bash",
  "printf '%s%so ls' su d | bash",
  "printf '%s\\n' ls 'sudo ls' | bash",
  "printf 'ls\\nsudo ls\\n' | sh",
  "printf -- 'sudo ls' | bash",
  "echo -e 'ls\\nsudo ls' | bash",
  'echo -E sudo ls | bash',
  'echo -nE sudo ls | sh',
  'echo -nn sudo ls | sh',
  'time -f %e sudo ls',
]

describe('arguments of listed tools', () => {
  describe('ordinary arguments', () => everyCommand('allow', tools, ORDINARY))
  describe('code that is not read', () => everyCommand('ask', asking(tools), UNREAD))
  describe('arguments that reach further', () => {
    everyCommand('deny', tools, ESCAPES)
    everyCommand('ask', asking(tools), ESCAPES)
  })
  describe('ordinary development', () => everyCommand('allow', development, DEVELOPING))
  describe('development that starts or reads something else', () => {
    everyCommand('deny', development, DEVELOPING_ESCAPES)
    everyCommand('ask', asking(development), DEVELOPING_ESCAPES)
  })
  describe('text that is put in place of a variable or a program', () => {
    everyCommand('deny', development, IN_PLACE_OF_VARIABLES)
    everyCommand('deny', full, [
      'GIT_PAGER="sudo less" git log',
      'export EDITOR=sudo; git commit',
      'GIT_SSH_COMMAND="/usr/bin/sudo ssh" git fetch',
      'env PAGER="sudo x" git log',
      'SVN_SSH="sudo x" svn up',
      'TAR_OPTIONS=--to-command=sudo tar xf x.tar',
      'MAKEFLAGS=SHELL=sudo make',
      'MAKEFLAGS="--eval=x:;sudo y" make',
      'MANOPT="-P sudo" man x',
      `X='!sudo y' git --config-env=alias.z=X z`,
      'runcon -t x sudo y',
      'npx ${X:-sudo} ls',
      'git rebase ${X:--x} "sudo ls"',
    ])
  })
  describe('text written into a shell', () => {
    everyCommand('deny', full, [...WRITTEN, "printf '%b' 'su\\x64o ls' | bash", "printf '%.4s ls' sudoxx | bash"])
    everyCommand('allow', full, [
      "printf 'ls\\npwd\\n' | bash",
      "printf '%s\\n' ls pwd | bash",
      "echo -e 'ls\\tdocs' | bash",
      "printf 'echo 100%%' | bash",
    ])
  })
  describe('forbidden commands that a tool starts', () => {
    for (const base of [full, asking(readonly), permissive(development)]) everyCommand('deny', base, FORBIDDEN)
  })
})
