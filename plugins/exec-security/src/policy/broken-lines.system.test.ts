// Lines that an attacker has really run: each has its effect in bash, and none of them is let through.
import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { skipBecause, until } from '@mynah/kernel/testing'
import { evaluateCommand, type ExecPolicy } from './index.js'
import { CanaryFolder, CANARY, type Effect } from '../test/canary-folder.js'
import { ORIGIN, start, stopAll } from '../test/host.js'
import { TestLevels } from '../test/levels.js'
import { full, policy } from '../test/policies.js'

type Files = Readonly<Record<string, string>>
interface Line {
  readonly line: string
  readonly files?: Files
  readonly effect: keyof Omit<Effect, 'output'>
  readonly policy: Partial<ExecPolicy>
  /** The default is that it is not allowed. */
  readonly verdict?: 'deny'
}

const readonly = { execPreset: 'readonly' } as const
const network = { execPreset: 'network' } as const
const listed = {
  execPreset: 'development',
  execAllowlist: 'awk sed sqlite3 xargs tar rm mv echo paste zip make sort'.split(' '),
} as const
const TOKEN = '../data/http-token'

const GROUPS: Readonly<Record<string, readonly Line[]>> = {
  'what a command prints is known': [
    { line: 'cat $(command cat p.txt)', files: { 'p.txt': TOKEN }, effect: 'read', policy: readonly },
    {
      line: 'find a $(command cat opts.txt)',
      files: { 'a/x': '', 'opts.txt': '-exec touch PWNED ;' },
      effect: 'ran',
      policy: readonly,
    },
    {
      line: 'curl -s $(command cat args.txt)',
      files: { 'args.txt': 'file:///dev/null -o PWNED' },
      effect: 'ran',
      policy: network,
    },
    { line: 'cat $(which -a x 2>/dev/null; cat p.txt)', files: { 'p.txt': TOKEN }, effect: 'read', policy: readonly },
    { line: 'cat "$(head -1 p.txt)"', files: { 'p.txt': TOKEN }, effect: 'read', policy: readonly },
    {
      line: `git init -q . && git branch --format='${TOKEN}' --list | xargs cat; cat $(printf %s ${TOKEN})`,
      effect: 'read',
      policy: listed,
    },
  ],
  'names of files are text': [
    {
      line: 'find k -type f | xargs cat',
      files: { 'k/x ../data/http-token': '' },
      effect: 'read',
      policy: readonly,
    },
    {
      line: 'for f in $(find k -type f); do cat $f; done',
      files: { 'k/x ../data/http-token': '' },
      effect: 'read',
      policy: readonly,
    },
    {
      line: 'for f in a*; do find $f; done',
      files: { 'a/x': '', 'a -exec touch PWNED ;': '' },
      effect: 'ran',
      policy: readonly,
    },
    {
      line: 'ls -d b* | xargs find',
      files: { 'b -exec touch PWNED ;': '', 'b/x': '' },
      effect: 'ran',
      policy: readonly,
    },
  ],
  'the host has a port': [
    { line: 'curl -s http://{localhost:@port@}/', effect: 'reached', policy: network, verdict: 'deny' },
    { line: "curl -s 'http://{127.0.0.1:@port@}/'", effect: 'reached', policy: network, verdict: 'deny' },
    { line: 'curl -s http://{local{host,x}:@port@}/', effect: 'reached', policy: network, verdict: 'deny' },
    { line: "curl -s 'http://{localhost}:{@port@}/'", effect: 'reached', policy: network, verdict: 'deny' },
  ],
  'small languages run programs': [
    { line: `awk 'BEGIN { system\\\n("touch PWNED") }'`, effect: 'ran', policy: listed },
    { line: `awk 'BEGIN { "touch PWNED" |\\\n getline }'`, effect: 'ran', policy: listed },
    { line: "echo x | sed 's/x/touch PWNED/e'", effect: 'ran', policy: listed },
    { line: "echo x | sed 's,x,touch PWNED,;e'", effect: 'ran', policy: listed },
    {
      line: `sqlite3 "file:../data/x.db?mode=ro" "select * from x"`,
      effect: 'read',
      policy: listed,
    },
    { line: `sqlite3 :memory: "select data from fsdir('../data/http-token')"`, effect: 'read', policy: listed },
  ],
  'braces close behind others': [
    { line: 'cat {x},../data/http-token}', effect: 'read', policy: readonly, verdict: 'deny' },
    { line: 'cat {"x"},"../data/http-token"}', effect: 'read', policy: readonly, verdict: 'deny' },
    { line: 'for f in {x},../data/http-token}; do cat $f; done', effect: 'read', policy: readonly, verdict: 'deny' },
    { line: 'cat {$x},../data/http-token}', effect: 'read', policy: readonly, verdict: 'deny' },
    { line: 'cat {"../data/http-token",x}', effect: 'read', policy: { execSecurity: 'full' }, verdict: 'deny' },
    {
      line: "find a {x},-exec,touch,PWNED,';'}",
      files: { 'a/x': '', 'x}/x': '' },
      effect: 'ran',
      policy: readonly,
    },
    { line: 'curl -gs {x},http://localhost:@port@/}', effect: 'reached', policy: network, verdict: 'deny' },
  ],
  'text of a run is an option': [
    {
      line: 'for f in `ls`; do grep "$f" p.txt; done',
      files: { '-rh': '', '.env': `p.txt ${CANARY}` },
      effect: 'read',
      policy: readonly,
    },
    {
      line: 'grep x *',
      files: { '-r': '', 'sub/.env': `x ${CANARY}` },
      effect: 'read',
      policy: readonly,
    },
    {
      line: 'wc -l *',
      files: { '--files0-from=.env': '', '.env': CANARY },
      effect: 'read',
      policy: readonly,
    },
  ],
  'recursion and patterns reach credentials': [
    { line: 'grep -r KEY .', files: { '.env': `KEY=${CANARY}` }, effect: 'read', policy: readonly },
    { line: 'cat s*', files: { 'secrets.json': CANARY }, effect: 'read', policy: readonly },
    { line: 'cat */*', files: { 'a/credentials.json': CANARY }, effect: 'read', policy: readonly },
    { line: 'find . -type f -exec cat {} +', files: { '.env': CANARY }, effect: 'read', policy: readonly },
    { line: 'find . -type f -print0 | xargs -0 cat', files: { 'x/.env': CANARY }, effect: 'read', policy: readonly },
    { line: 'tar cf - .', files: { '.env': CANARY }, effect: 'read', policy: listed },
  ],
}

/** Lines that cannot be tried without the program or its version, by what they begin with. */
const needs = (line: string): string | undefined => /^(?:echo x \| )?(\w+)/.exec(line)?.[1]

const installed = (program: string): boolean => {
  try {
    execFileSync('bash', ['-c', `type ${program}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe('broken lines', function () {
  this.timeout(60_000)
  const folder = new CanaryFolder()
  before(() => folder.build())
  after(() => folder.remove())

  for (const [name, lines] of Object.entries(GROUPS))
    describe(name, () => {
      for (const { line, files, effect, policy: over, verdict } of lines)
        it(`does not let ${JSON.stringify(line)} through, which works in bash`, async function () {
          await folder.fill(files)
          const decision = folder.decide(line, over)
          expect(decision.verdict, decision.reason).to.be.oneOf(verdict ? [verdict] : ['ask', 'deny'])
          if (!installed(needs(line) ?? 'bash')) return skipBecause(this, `${needs(line) ?? 'bash'} is not installed`)
          if (line.startsWith('sqlite3 "file:'))
            execFileSync('sqlite3', [join(folder.root, 'data/x.db')], { input: SETUP(folder) })
          const found = await folder.run(line)
          expect(found[effect], `not an attack: ${found.output}`).to.equal(true)
        })
    })

  it('lets none through where nothing holds it, and denies the same lines at every level', () => {
    for (const { line, policy: over, verdict } of Object.values(GROUPS).flat()) {
      for (const level of ['files', 'none'] as const)
        expect(folder.decide(line, { ...over, level }).verdict, `${line} at ${level}`).to.not.equal('allow')
      if (verdict) expect(folder.decide(line, { ...over, level: 'wall' }).verdict, line).to.equal(verdict)
    }
  })

  for (const [name, level, writable] of [
    ['wall, roots read-only', 'wall', false],
    ['wall, roots writable', 'wall', true],
    ['files', 'files', true],
  ] as const)
    it(`have no effect outside of the working folder at level ${name}`, async function () {
      const levels = await TestLevels.open(join(folder.root, 'home'))
      try {
        if (levels.missing(level) !== undefined) return this.skip()
        for (const { line, files = {}, effect } of Object.values(GROUPS).flat()) {
          // A command may read the files of its folder, and change them where it is writable.
          if (Object.values(files).some((text) => text.includes(CANARY)) || (effect === 'ran' && writable)) continue
          await folder.fill(files)
          const found = await folder.runAt(levels, level, line, writable)
          expect(found[effect], `${line}: ${found.output}`).to.equal(false)
        }
      } finally {
        await levels.close()
      }
    })

  it('lets no repository of plain files start a program', async () => {
    await folder.fill({ watch: '#!/bin/sh\ntouch PWNED ../PWNED\n' })
    execFileSync('git', ['init', '-q', '--bare', 'repo'], { cwd: folder.cwd })
    for (const setting of [
      ['core.bare', 'false'],
      ['core.worktree', folder.cwd],
      ['core.fsmonitor', join(folder.cwd, 'watch')],
    ])
      execFileSync('git', ['config', '-f', 'repo/config', ...setting], { cwd: folder.cwd })
    const line = 'git -C repo status'
    expect((await folder.run(line)).ran, 'not an attack').to.equal(true)
    execFileSync('rm', [join(folder.cwd, 'PWNED')])
    expect(folder.decide(line, listed).verdict).to.equal('allow')
    expect((await folder.runAsHost(line)).ran).to.equal(false)
    for (const way of ['env -i', 'env -u GIT_CONFIG_COUNT', 'GIT_CONFIG_COUNT=0'])
      expect(folder.decide(`${way} ${line}`, listed).verdict, way).to.equal('ask')
  })

  it('asks about a process that would hide from the host', () => {
    const asking = policy({ execPreset: 'development', execApprovalMode: 'ask' })
    for (const line of [
      'env -i setsid node a.js &',
      'setsid env -i node a.js &',
      'env -u MYNAH_RUN setsid -f node a.js',
      'setsid env - node a.js',
    ])
      expect(evaluateCommand(line, asking).verdict, line).to.equal('ask')
    for (const line of ['setsid node a.js', 'env -i node a.js', 'env A=b setsid node a.js'])
      expect(evaluateCommand(line, asking).verdict, line).to.equal('allow')
  })

  it('ends a process that hides from the host in full, where nothing else holds it', async function () {
    if (!installed('perl') || process.platform !== 'linux') return this.skip()
    const seconds = `7${process.pid}.25`
    const staying = async (): Promise<number[]> => {
      const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
      const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
      return ids.filter((_, i) => lines[i]?.endsWith(`sleep\0${seconds}\0`)).map(Number)
    }
    const none = async (): Promise<boolean> => (await staying()).length === 0
    const running = await start({ config: { 'ai.agent.execSecurity': 'full', 'ai.agent.execSandbox': 'off' } })
    try {
      for (const way of ['env -i setsid', 'setsid env -i', 'env -i setsid -f']) {
        const line = `${way} /bin/sleep ${seconds} >/dev/null 2>&1 </dev/null & sleep 0.2; echo done`
        const { verdict, result } = await running.exec.run(line, { origin: ORIGIN })
        expect(verdict, way).to.equal('allow')
        expect(result?.output, way).to.equal('done\n')
        await until(none, `nothing stays of ${way}`)
      }
      execFileSync('bash', ['-c', `env -i setsid -f /bin/sleep ${seconds} >/dev/null 2>&1 </dev/null`])
      await until(async () => !(await none()), 'it stays in bash alone')
    } finally {
      for (const pid of await staying()) process.kill(pid, 'SIGKILL')
      await stopAll()
    }
  })

  it('lets git edit nothing by hand', async () => {
    await folder.fill({ a: '' })
    const line = 'git init -q . && git add a && git -c user.name=a -c user.email=b@c.d commit -q -e -m x && echo done'
    expect((await folder.runAsHost(line)).output).to.contain('done')
  })

  for (const path of [
    'node_modules/a/index.js',
    'tools/a.mjs',
    'skills/a/SKILL.md',
    'package.json',
    'package-lock.json',
  ])
    it(`denies to write ${path} of the host in full`, async () => {
      await folder.fill()
      for (const line of [`touch ../${path}`, `cp a @root@/${path}`, `echo x > ../${path}`, `sed -i s/a/b/ ../${path}`])
        expect(folder.decide(line, full).verdict, line).to.equal('deny')
      expect(folder.decide(`cat ../${path}`, full).verdict).to.equal('allow')
      expect(folder.decide(`touch ${path}`, full).verdict, 'of the working folder').to.equal('allow')
    })

  it('finds forbidden commands in awk, sqlite and sed', () => {
    for (const line of [
      `awk 'BEGIN { system("s" "udo id") }'`,
      `awk 'BEGIN { system("su\\\ndo id") }'`,
      `awk 'BEGIN { "su\\144o id" | getline x }'`,
      `awk 'BEGIN { print | "\\x73udo id" }'`,
      `sqlite3 :memory: '.sh sudo id'`,
      `sqlite3 :memory: '.sys sudo id'`,
      `sqlite3 :memory: "select edit('x', 'sudo id')"`,
      `sqlite3 :memory: 'select edit("x",\n"sudo id")'`,
      `sed 's/s/&udo id/e' f`,
      `sed 's/\\(s\\)x/\\1udo id/e' f`,
    ])
      expect(evaluateCommand(line, full).verdict, line).to.equal('deny')
    for (const line of [`awk '{ system("mv " $1 " x") }' f`, `awk '/sudo/ { print }' f`, `sed 's/x/touch y/e' f`])
      expect(evaluateCommand(line, full).verdict, line).to.equal('allow')
  })

  it('shows owner rules what a compound command is fed', () => {
    const rules = { bashAlways: false, bashRules: [{ id: 'rule', pattern: 'make test' }] }
    const verdictOf = (line: string): string =>
      evaluateCommand(line, policy({ execApprovalMode: 'ask', execAllowlist: ['cat'] }), rules).verdict
    for (const line of [
      '{ make test; } <<< x',
      '(make test) < evil',
      'cat e | { make test; }',
      'cat e | while make test; do break; done',
      'if make test; then ls; fi <<E\nx\nE',
      '{ make test | wc; } < f',
    ])
      expect(verdictOf(line), line).to.equal('ask')
    for (const line of [
      'make test',
      'for i in 1 2; do make test; done',
      'make test | cat',
      '{ make test; } > /dev/null',
    ])
      expect(verdictOf(line), line).to.equal('allow')
  })

  it('denies characters that are not seen', () => {
    for (const code of [0x3164, 0x115f, 0x200b, 0xe0041, 0xad, 0x180e, 0xfe0f, 0x17b4])
      expect(evaluateCommand(`ls a${String.fromCodePoint(code)}b`, full).verdict, code.toString(16)).to.equal('deny')
    expect(evaluateCommand('ls 文件 ñ', full).verdict).to.equal('allow')
  })
})

describe('lines that were denied without need', function () {
  this.timeout(60_000)
  const folder = new CanaryFolder()
  before(() => folder.build())
  after(() => folder.remove())
  const FILES: Files = {
    'a.txt': 'a\n',
    'b c.txt': 'b\n',
    'x.log': '',
    'src/secrets/index.ts': '',
    'sub/d.ts': '',
  }
  for (const [line, shows] of [
    ["find . -name '*.ts' -print0 | xargs -0 ls -l", /d\.ts/],
    ['git init -q .; git add .; git diff -- src/secrets', /^$/],
    ['tar czf o.tgz --exclude=o.tgz . 2>/dev/null; ls o.tgz', /o\.tgz/],
    ['zip -qr out.zip . && ls out.zip', /out\.zip/],
    ['rm -f *.log; ls', /^(?!.*x\.log)/s],
    ['for f in *.txt; do mv "$f" "old-$f"; done; ls', /old-b c\.txt/],
    ['for f in *.txt; do mv -- "$f" "${f%.txt}.md"; done; ls', /b c\.md/],
    ['x=1; echo $x', /^1\n$/],
    ['ls *.txt | paste -sd,', /a\.txt,b c\.txt/],
    ['arr=(a b c); for i in "${!arr[@]}"; do echo "$i"; done', /^0\n1\n2\n$/],
  ] as const)
    it(`allows ${JSON.stringify(line)}`, async function () {
      await folder.fill(FILES)
      const decision = folder.decide(line, listed)
      expect(decision.verdict, decision.reason).to.equal('allow')
      if (line.startsWith('zip') && !installed('zip')) return this.skip()
      expect((await folder.runAsHost(line)).output).to.match(shows)
    })
})

/** The rows of the database that is read by its address. */
const SETUP = (folder: CanaryFolder): string => `create table x (a); insert into x values ('${folder.canary}');`
