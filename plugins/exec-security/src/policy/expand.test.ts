// Words that become more than their text shows: several words, other folders, other files.
import { development, everyCommand, full, network, policy, readonly } from '../test/policies.js'

const paths = {
  cwd: '/srv/bot',
  home: '/srv/bot',
  protected: ['/srv/bot/data', '/srv/bot/mynah.config.yml'],
  readOnly: ['/srv/bot/plugins'],
}
const tools = policy({
  execPreset: 'development',
  execAllowlist: ['echo', 'printf', 'gzip', 'gunzip', 'xz', 'zcat', 'sort', 'uniq', 'sed', 'tar', 'make', 'go', 'rg'],
  paths,
})

/** A value without quotes brings options, commands and files with it. */
const SEVERAL = [
  'find . -maxdepth $(curl x.y)',
  'find . -name $(curl x.y)',
  'find . -mtime `curl x.y`',
  'x=$(curl x.y); find . -name $x',
  'for x in "$(curl x.y)"; do find . -size $x; done',
  'find . -type f -newermt $(cat f)',
  'head -n $(curl x.y) f',
  'head -c $(cat f) f',
  'x=$(cat f); tail -n $x f',
  'tail --lines $(cat f) f',
  'grep -m $(cat f) a b',
  'grep -e $(cat f) b',
  'grep -A $(cat f) a b',
  'wc --total $(cat f)',
  'stat -c $(cat f) x',
  'ls -I $(cat f)',
  'date -d $(cat f)',
  'curl -A $(cat f) https://x.y',
  'curl -m $(cat f) https://x.y',
  'curl -H $(cat f) https://x.y',
  'wget -U $(cat f) https://x.y',
  'ping -c $(cat f) x.y',
  'cat f | xargs -I{} head -n $(cat {}) f',
]
const SEVERAL_DEVELOPING = [
  'git log -n $(cat f)',
  'git commit -m $(cat f)',
  'git log --since $(cat f)',
  'git diff -U $(cat f)',
  'npm version $(cat f)',
  'git tag -m $(cat f) v1',
  'git clone -b $(cat f) https://x.y/a',
  'git grep -e $(cat f)',
  'git log --author $(curl x.y)',
]
const ONE = [
  'head -n $(wc -l < f) f',
  'head -n "$(cat f)" f',
  'head -n $((1 + 2)) f',
  'head -n $N f',
  'find . -user $USER',
  'find . -name *.md',
  'find . -name "$(cat f)"',
  'find . -mtime "$N"',
  'tail -n $(wc -l < f 2>/dev/null) f',
  'cat ~/notes.txt',
  'for n in 1 2; do head -n $n f; done',
]

describe('expand: split values', () => {
  everyCommand('deny', network, SEVERAL)
  everyCommand('deny', development, SEVERAL_DEVELOPING)
  everyCommand('allow', network, ONE)
  everyCommand('allow', development, ['git commit -m "$(cat f)"', 'git log -n 5'])
})

describe('expand: tilde', () => {
  everyCommand('deny', { ...full, paths }, [
    'cat ~bot/data/http-token',
    'cat ~+/data/http-token',
    'cat ~-/data/http-token',
    'cat ~1/data/http-token',
    'cat ~/data/http-token',
    'cp ~bot/mynah.config.yml x',
    'ls > ~bot/plugins/a/index.js',
    'cat < ~bot/data/http-token',
  ])
  everyCommand('deny', readonly, [
    'cat ~root/.bashrc',
    'cat ~ann/.ssh/id_rsa',
    'cat ~root/.ssh/*',
    'cat ~-/f',
    'head ~daemon/f',
  ])
})

describe('expand: redirections', () => {
  everyCommand('deny', { ...full, paths }, [
    'x=plugins; ls > $x/b.js',
    'x=plug; ls > "${x}ins/b/c.js"',
    'for d in plugins; do ls >> $d/b.js; done',
    'ls > $(echo plugins)/b.js',
    'ls > "$(printf plugins)"/b.js',
    'ls > ${x:-plugins/b.js}',
    'x=data; cat < $x/anything',
    'cat < $(echo data)/anything',
    'x=../bot/data; cat < $x/anything',
  ])
  everyCommand('allow', { ...full, paths }, [
    'ls > $(date +%F).log',
    'ls > out-$$.log',
    'x=logs; ls > $x/a.log',
    'make > "$(mktemp)"',
    'cat < ${x:-README.md}',
    'ls >> "$f"',
  ])
})

describe('expand: side effects', () => {
  everyCommand('deny', tools, [
    'gzip plugins/a/index.js',
    'gunzip plugins/a/index.js.gz',
    'gzip -r plugins',
    'gzip -9 plugins/x',
    'xz plugins/x',
    'make -C plugins/a',
    'make --eval="x:;id"',
    'go -C plugins/a build',
    'go build -C plugins/a',
    'npm i plugins/a',
    'npm link ./plugins/a',
    'npm install --save ./plugins/a',
    'yarn add ./plugins/a',
    'echo data/*',
    'printf "%s\\n" data/h*',
    'for f in data/*; do echo "$f"; done',
    'echo /srv/bot/data/*',
    'echo $PWD/data/*',
  ])
  everyCommand('allow', tools, [
    'gzip README.md',
    'gzip -c plugins/a/index.js',
    'zcat plugins/a.gz',
    'gzip -l plugins/a.gz',
    'make -C sub',
    'npm i ./packages/a',
    'npm link',
    'echo *',
    'echo src/*',
    'echo plugins/*',
    'for f in src/*; do echo "$f"; done',
  ])
})

describe('denyProtected: host port', () => {
  const web = { ...network, hostPorts: [80] }
  everyCommand('deny', web, [
    'curl http://localhost/',
    'curl -s http://127.0.0.1',
    'wget -qO- http://[::1]/api',
    'curl http://127.1/x',
  ])
  everyCommand('allow', web, ['curl https://localhost/', 'curl http://localhost:3000/', 'curl http://example.org/'])
})

describe('denyProtected: code and addresses', () => {
  const everything = { ...full, paths }
  everyCommand('deny', everything, [
    `python3 -c 'print(open("data/http-token").read())'`,
    `node -p 'require("fs").readFileSync("data/http-token", "utf8")'`,
    `php -r 'readfile("data/http-token");'`,
    `ruby -e 'puts File.read("data/x")'`,
    `lua -e 'print(io.open("data/x"):read("a"))'`,
    `perl -e 'open F, "<", "data/x"; print <F>'`,
    `awk 'BEGIN { while ((getline line < "data/http-token") > 0) print line }'`,
    `awk '{ print > "plugins/x" }' f`,
    "sed -n 'r data/http-token' f",
    "sed '1r data/http-token' f",
    "sed 'w plugins/x.js' f",
    "sed 's/a/b/w plugins/x.js' f",
    "sed -n '$w plugins/x.js' f",
    `sqlite3 :memory: "select readfile('data/http-token')"`,
    `psql -c "copy a from 'data/http-token'"`,
    `python3 <<< 'open("plugins/x", "w")'`,
    `python3 - <<'E'\nprint(open("data/x").read())\nE`,
    `node -e 'fs.writeFileSync("plugins/x", "")'`,
    `echo 'print(open("data/x").read())' | python3`,
    'curl file:///srv/bot/data/http-token',
    'curl file://$PWD/data/http-token',
    'curl file://localhost/srv/bot/data/x',
    'wget file:///srv/bot/mynah.config.yml',
    'curl FILE:///srv/bot/dat?/x',
    'curl -o x file:/srv/bot/data/x',
  ])
  everyCommand('allow', everything, [
    `python3 -c 'print(open("src/a.txt").read())'`,
    `node -p 'require("./plugins/a/package.json").version'`,
    `awk '{ print > "out.txt" }' f`,
    "sed -n 'r notes.txt' f",
    "sed 's/a/b/w out.txt' f",
    `python3 -c 'open("out", "w")'`,
    'curl file:///etc/hostname',
    `node -e 'console.log("data")'`,
  ])
})
