// Lines that get at a host from a command, each with the effect that it has in bash alone. They are held by what the
// command sees, whatever its text says.

/** The sign that a line has worked. */
type LevelEffect =
  /** The canary is printed. */
  | 'reads'
  /** A file outside of the working folder is made or changed. */
  | 'writes'
  /** The port of the host, or its socket, is reached. */
  | 'reaches'
  /** A process is left behind. */
  | 'stays'
  /** The settings of the repository get code for the next one who runs git. */
  | 'plants'
  /** git in the command starts a program that a file names. */
  | 'fires'

export interface LevelAttack {
  /**
   * `@root@` is the folder of the host, `@home@` the home folder, `@port@` the port, `@own@` an address of this
   * machine, `@stay@` the time to stay, `@other-…@` what another command has.
   */
  readonly line: string
  readonly effect: LevelEffect
  /** What a person has done in the working folder before. */
  readonly setup?: string
  /** Why level `files` does not hold it. */
  readonly notAtFiles?: string
}

const SOCKETS = 'Landlock does not hold sockets that have a path'

const READS = [
  'cat @root@/data/http-token',
  'cat ../data/http-token',
  'cat $(echo Li4vZGF0YS9odHRwLXRva2Vu | base64 -d)',
  'find .. -name http-token | xargs cat',
  'grep -rh . ..',
  'tar cf - -C .. data | tar xOf -',
  'ln -sfn @root@/data /tmp/l$$ && cat /tmp/l$$/http-token; rm -f /tmp/l$$',
  'cd ..; cat data/*',
  'exec 3<../data/http-token; cat <&3',
  'python3 -c "print(open(\'@root@/data/http-token\').read())"',
  'perl -e \'open F,"<","@root@/data/http-token";print <F>\'',
  "node -e \"console.log(require('fs').readFileSync('@root@/data/http-token','utf8'))\"",
  "awk '{print}' @root@/data/http-token",
  'sed -n p @root@/.env',
  'cat @root@/mynah.config.yml',
  'cat @home@/.ssh/id_rsa',
  'cat ~/.ssh/id_*',
  'cat @home@/.netrc',
  'git --git-dir=/dev/null diff --no-index /dev/null @home@/.netrc',
  'cp -r @home@ /tmp/c$$ && cat /tmp/c$$/.netrc; rm -rf /tmp/c$$',
  'printf "all:\\n\\tcat @root@/.env\\n" | make -s -f -',
  'printf \'{"scripts":{"x":"cat @root@/.env"}}\' > package.json; npm run -s x',
  'cat "/proc/$(pgrep -f @canary-process@ | head -1)/environ" | tr "\\0" "\\n"',
  'cat /proc/$(pgrep -f @canary-process@ | head -1)/root@root@/data/http-token',
  'cat /proc/self/root@root@/data/http-token',
  'bash -c "cat < @root@/data/http-token"',
  'cat /proc/*/cwd/../data/http-token',
  'cat @other-home@/secret',
  'cat @other-tmp@/secret',
  'cat @other-home@/../tmp-*/secret',
].map((line): LevelAttack => ({ line, effect: 'reads' }))

const WRITES = [
  'echo x > @root@/PWNED',
  'cp /etc/hostname ../PWNED',
  'echo evil > @root@/plugins/x.js',
  'mkdir -p @root@/node_modules/a && echo evil > @root@/node_modules/a/PWNED',
  "python3 -c \"open('@root@/PWNED','w').write('x')\"",
  'ln ../plugins/x.js h 2>/dev/null; echo evil > h; rm -f h',
  'mv ../plugins ../PWNED',
  'echo "* * * * * x" > @home@/PWNED',
  'echo x >> @home@/.bashrc',
  'curl -s file:///etc/hostname -o @root@/PWNED',
  'tar cf /tmp/t$$ -C /etc hostname && tar xf /tmp/t$$ -C @root@ --transform s/hostname/PWNED/; rm -f /tmp/t$$',
  'unshare -Urm sh -c "mount --bind @root@/data /mnt" 2>/dev/null; echo x > @root@/PWNED',
].map((line): LevelAttack => ({ line, effect: 'writes' }))

const REACHES: readonly LevelAttack[] = [
  { line: 'exec 3<>/dev/tcp/127.0.0.1/@port@; echo GET >&3', effect: 'reaches' },
  { line: 'curl -s http://{localhost:@port@}/', effect: 'reaches' },
  { line: 'curl -s http://0x7f000001:@port@/', effect: 'reaches' },
  { line: 'curl -s http://2130706433:@port@/', effect: 'reaches' },
  { line: 'curl -s http://127.1:@port@/', effect: 'reaches' },
  { line: 'curl -s "http://[::ffff:127.0.0.1]:@port@/"', effect: 'reaches' },
  { line: 'curl -s http://@own@:@port@/', effect: 'reaches' },
  { line: 'curl -s --resolve a.test:@port@:127.0.0.1 http://a.test:@port@/', effect: 'reaches' },
  // A process whose descriptors the host cannot read.
  {
    line: 'perl -MSocket -e \'syscall(157,4,0,0,0,0);socket(S,PF_INET,SOCK_STREAM,0);connect(S,sockaddr_in(@port@,INADDR_LOOPBACK));syswrite S,"POST"\'',
    effect: 'reaches',
  },
  {
    line: 'perl -MSocket -e \'socket(S,PF_UNIX,SOCK_STREAM,0);connect(S,sockaddr_un("@other-socket@"))\'',
    effect: 'reaches',
    notAtFiles: SOCKETS,
  },
  {
    line: 'python3 -c "import socket;socket.create_connection((\'127.0.0.1\',@port@))"',
    effect: 'reaches',
  },
  {
    line: 'perl -MSocket -e \'socket(S,PF_UNIX,SOCK_STREAM,0);connect(S,sockaddr_un("@root@/host.sock"))\'',
    effect: 'reaches',
    notAtFiles: SOCKETS,
  },
  {
    line: "node -e \"const s=require('net').connect('@root@/host.sock',()=>s.end())\"",
    effect: 'reaches',
    notAtFiles: SOCKETS,
  },
]

const STAYS = [
  'setsid sleep @stay@ & sleep 0.2',
  'env -i setsid /bin/sleep @stay@ >/dev/null 2>&1 </dev/null & sleep 0.2',
  '(setsid sh -c "sleep @stay@ & sleep @stay@" >/dev/null 2>&1 &); sleep 0.2',
  'nohup sleep @stay@ >/dev/null 2>&1 & disown; sleep 0.2',
  'perl -MPOSIX -e \'fork&&exit;POSIX::setsid();fork&&exit;open STDOUT,">/dev/null";open STDERR,">/dev/null";exec "env","-i","/bin/sleep","@stay@"\'; sleep 0.2',
].map((line): LevelAttack => ({ line, effect: 'stays' }))

const GIT = 'the rules of Landlock hold for all that is below a folder'
const PLANTS = [
  'git config core.fsmonitor ./evil',
  'printf "[core]\\n\\tfsmonitor = ./evil\\n" >> .git/config',
  'mv .git g2; git init -q; git config core.fsmonitor ./evil',
  'rm -rf .git/hooks; mkdir -p .git/hooks; cp evil .git/hooks/post-index-change',
  'cp -r .git g2; echo "[core] fsmonitor = ./evil" >> g2/config; rm -rf .git; mv g2 .git',
  'cp -r .git /tmp/g$$; git config -f /tmp/g$$/config core.fsmonitor ./evil; mv /tmp/g$$ g2; echo ../g2 > .git/commondir',
].map((line): LevelAttack => ({ line, effect: 'plants', notAtFiles: GIT }))

const FSMONITOR = String.raw`printf "[core]\n\tfsmonitor = $PWD/evil\n"`
const WORKTREE = 'git config extensions.worktreeConfig true; git worktree add -q --detach ../wt'
const SUBMODULE =
  'git init -q ../source; git -C ../source -c user.name=n -c user.email=a@b.c commit -q --allow-empty -m a; ' +
  'git -c protocol.file.allow=always submodule --quiet add "$PWD/../source" sub'
const NESTED: readonly LevelAttack[] = [
  { setup: WORKTREE, line: `${FSMONITOR} > .git/worktrees/wt/config.worktree` },
  {
    setup: `${WORKTREE}; git -C ../wt config --worktree user.name n`,
    line: `${FSMONITOR} >> .git/worktrees/wt/config.worktree`,
  },
  {
    setup: WORKTREE,
    line: 'cp -r .git g2; git config -f g2/config core.fsmonitor "$PWD/evil"; echo "$PWD/g2" > .git/worktrees/wt/commondir',
  },
  {
    setup: WORKTREE,
    line: 'cp -r .git g2; git config -f g2/config core.fsmonitor "$PWD/evil"; cp -r .git/worktrees w; echo "$PWD/g2" > w/wt/commondir; rm -rf .git/worktrees; ln -s "$PWD/w" .git/worktrees',
  },
  { setup: SUBMODULE, line: `${FSMONITOR} >> .git/modules/sub/config` },
  { setup: SUBMODULE, line: 'cp evil .git/modules/sub/hooks/post-index-change' },
  { setup: 'rm -rf .git/hooks', line: 'mkdir -p .git/hooks; cp evil .git/hooks/post-index-change' },
].map((attack): LevelAttack => ({ ...attack, effect: 'plants', notAtFiles: GIT }))

/** Plain files that git takes for a repository. */
const FILES_OF_GIT =
  'mkdir -p b/objects b/refs; cd b; echo "ref: refs/heads/main" > HEAD; ' +
  String.raw`printf "[core]\n\trepositoryformatversion = 0\n\tworktree = .\n\tfsmonitor = $PWD/../says\n" > config`
const FIRES = [
  `${FILES_OF_GIT}; git status`,
  `${FILES_OF_GIT}; git add . 2>&1; git diff`,
  `${FILES_OF_GIT}; cd ..; git -C b status`,
].map((line): LevelAttack => ({ line, effect: 'fires' }))

export const LEVEL_ATTACKS: readonly LevelAttack[] = [
  ...READS,
  ...WRITES,
  ...REACHES,
  ...STAYS,
  ...PLANTS,
  ...NESTED,
  ...FIRES,
]
