// The blacklist holds for what programs start by their options and their own code.
import { asking, development, everyCommand, full } from '../test/policies.js'

const AWK = [
  `awk 'BEGIN { print "x" | "sudo id" }'`,
  `awk 'BEGIN { print "x" |& "sudo id" }'`,
  `awk '{ printf "%s", $0 | "/usr/bin/sudo id" }' a.txt`,
  `awk 'BEGIN { print "a;b" | ("sudo id") }'`,
  `awk 'BEGIN { run = "sudo id"; print "x" | run }'`,
  `awk '{ print > "x"; print $0 | "sudo tee y" }' a.txt`,
  `awk 'BEGIN { "sudo id" | getline }'`,
  `gawk 'BEGIN { "sudo id" |& getline line }'`,
  `awk 'BEGIN { system("sudo id") }'`,
  `awk 'BEGIN { system("su" "do id") }'`,
  `awk '/"/ { print "x" | "sudo id" }' a.txt`,
  `awk --sourc 'BEGIN { system("sudo id") }'`,
  `awk -v run='sudo id' 'BEGIN { system(run) }'`,
  `awk 'BEGIN { system(ARGV[1]) }' 'sudo id'`,
  `awk -f - <<< 'BEGIN { system("sudo id") }'`,
  `awk -f /dev/stdin <<< 'BEGIN { system("sudo id") }'`,
]

const SED = [
  `sed 's/a/sudo id/e' a.txt`,
  `sed 's/a/sudo id/ie' a.txt`,
  `sed 's|a|sudo id|ge' a.txt`,
  `sed '1e sudo id' a.txt`,
  `sed '1esudo id' a.txt`,
  `sed '1e/usr/bin/sudo id' a.txt`,
  `sed 'e sudo id' a.txt`,
  `sed -n 'h;esudo id' a.txt`,
  `sed '\\,x,esudo id' a.txt`,
  `sed 's/a/true\\nsudo id/e' a.txt`,
  `sed 's/a/\\x73udo id/e' a.txt`,
  `sed --expr 's/x/sudo id/e' a.txt`,
  `sed -f - a.txt <<< '1e sudo id'`,
]

const INTERPRETERS = [
  `node --trace-event-categories v8 -e 'require("child_process").execSync("sudo id")'`,
  `node --trace-require-module all -e 'require("child_process").execSync("sudo id")'`,
  `node --inspect-port 9000 -e 'require("child_process").execSync("sudo id")'`,
  `node --v8-pool-size 4 --disable-proto delete -p 'require("child_process").execSync("sudo id")'`,
  `node --import 'data:text/javascript,import("child_process").then(c => c.execSync("sudo id"))' a.js`,
  `deno task --eval 'sudo id'`,
  `deno task --eval='sudo id'`,
  `bun repl -e 'Bun.spawn(["sudo"])'`,
  `perl -0777ne 'system "sudo id"' a.txt`,
  `perl -l012ne 'system "sudo id"' a.txt`,
  `ruby -W0e 'system "sudo id"'`,
  `ruby -e '%x(sudo id)'`,
  `ruby -e '%x{sudo id}'`,
  `php -r 'passthru("sudo id");'`,
  `php -r 'proc_open("sudo id", [], $pipes);'`,
  `python3 -c 'import os, sys; os.system(sys.argv[1])' 'sudo id'`,
  `python3 - 'sudo id' <<< 'import os, sys; os.system(sys.argv[1])'`,
  `perl -e 'exec @ARGV' sudo id`,
  `vim -c 'term sudo id' a.txt`,
  `vim -c 'ter ++close sudo id' a.txt`,
  `vim '+term sudo id' a.txt`,
  `vim -c 'set makeprg=sudo\\ id' -c make`,
  `vim -c 'call job_start("sudo id")'`,
  `nvim -c "call termopen('sudo id')"`,
  `psql -c "COPY t FROM PROGRAM 'sudo id'"`,
  `psql -c 'select 1 \\g | sudo id'`,
]

const OPTIONS = [
  `zip -TT 'sudo id' a.zip a.txt`,
  `zip -qTT 'sudo id' a.zip a.txt`,
  `zip -rTT 'sudo id' a.zip src`,
  `zip -TTsudo a.zip a.txt`,
  `zip -T --unzip-command 'sudo id' a.zip a.txt`,
  `zip --unzip-comm='sudo id' a.zip a.txt`,
  `tar cLIf 10 'sudo id' a.tar src`,
  `tar --set-mtime-command='sudo id' -cf a.tar src`,
  `tar --checkpoint=1 --checkpoint-act=exec='sudo id' -cf a.tar src`,
  `man -l -P 'sudo id' a.1`,
  `man -T -P 'sudo id' ls`,
  `man -H --pager='sudo id' ls`,
  `less '+|$sudo id' a.txt`,
  `less '+#sudo id' a.txt`,
  `less '++!sudo id' a.txt`,
  `script -c'sudo id'`,
  `script -qc'sudo id' a.txt`,
  `flock -c'sudo id' a.lock`,
  `socat EXEC:"sudo id",pty -`,
  `socat SYSTEM:"sudo id" -`,
  `git config core.editor sudo`,
  `npm config set script-shell sudo`,
  `yarn config set script-shell sudo`,
  `gh config set pager sudo`,
  `psql -o '|sudo id' -c 'select 1'`,
  `ed '!sudo id'`,
  `RUN='sudo id' git --config-env=core.pager=RUN log`,
  `LESS='+!sudo id' less a.txt`,
  `LESSOPEN='|-sudo id %s' less a.txt`,
  `LESSEDIT='sudo id' less a.txt`,
]

describe('the blacklist in programs', () => {
  for (const [name, base] of [
    ['in full', full],
    ['when asking', asking(development)],
  ] as const)
    describe(name, () => {
      everyCommand('deny', base, [...AWK, ...SED, ...INTERPRETERS, ...OPTIONS])
    })

  describe('holds for no word that is text', () => {
    everyCommand('allow', full, [
      `awk '/sudo|su/ { print }' a.txt`,
      `awk -F: '$1 == "sudo" { print $1 "|" $4 }' /etc/group`,
      `awk -F'|' '$2 ~ /exec sudo/ || $1 == "x" { print $1 }' a.txt`,
      `sed 's/edit/sudo x/' a.txt`,
      `sed 's/exec sudo/system sudo/' a.txt`,
      `sed -n '/sudo: /p' a.txt`,
      `python3 -c "print('no sudo')"`,
      `python3 -c "print('the system has no sudo'); print('open, exec and sudo')"`,
      `node -e "console.log('exec needs no sudo')"`,
      `zip -qr a.zip src`,
      `zip -T a.zip`,
      `git config user.name dd`,
      `psql -c "select a || ' sudo ' || b from t"`,
      `LESS=-R less a.txt`,
      `man -k sudo`,
    ])
  })
})
