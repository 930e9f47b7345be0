// Attacks that are really run: each works in bash alone, and at each level as far as the level promises.
import { expect } from 'chai'
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@mynah/kernel/testing'
import { evaluateCommand } from '../policy/index.js'
import { runCommand } from '../run/run-command.js'
import { LEVEL_ATTACKS, type LevelAttack } from '../test/families/level-attacks.js'
import { TestLevels } from '../test/levels.js'
import { cases } from '../test/long.js'
import { policy } from '../test/policies.js'
import { AbsentPaths } from '../view/absent-paths.js'

const SELF = new URL(import.meta.url).pathname
/** Lines that cannot work for everybody, such as reading the environment of a process that has gone. */
const SHARE = 0.85

/** The folder of a host with its home folder, its server and one of its processes. */
class Scene {
  readonly canary = randomUUID()
  readonly stay = 7000 + Math.floor(Math.random() * 90_000) / 100
  readonly root: string
  #hits = 0
  readonly #servers: Server[] = []
  #process: ChildProcess | undefined

  constructor(root: string) {
    this.root = root
  }

  get cwd(): string {
    return join(this.root, 'workspace')
  }

  get home(): string {
    return join(this.root, '..', 'home')
  }

  async open(): Promise<void> {
    await mkdir(this.root)
    for (const where of [0, join(this.root, 'host.sock')]) {
      const server = createServer((socket) => {
        this.#hits += 1
        socket.on('error', () => socket.destroy())
        socket.end()
      })
      if (where === 0) server.listen(0, '127.0.0.1')
      else server.listen(where)
      await once(server, 'listening')
      this.#servers.push(server)
    }
    const env = { PATH: process.env.PATH, SECRET: this.canary }
    this.#process = spawn('sleep', [`${this.stay}1`], { env, cwd: this.root, stdio: 'ignore' })
  }

  async fill(): Promise<void> {
    for (const name of await readdir(this.root))
      if (name !== 'host.sock') await rm(join(this.root, name), { recursive: true, force: true })
    await rm(this.home, { recursive: true, force: true })
    const files: Readonly<Record<string, string>> = {
      'data/http-token': this.canary,
      'mynah.config.yml': `token: ${this.canary}`,
      '.env': `KEY=${this.canary}`,
      'plugins/x.js': 'old',
      'workspace/a.txt': 'a\n',
      'workspace/evil': '#!/bin/sh\ntouch "$PWNED"\n',
      '../home/.ssh/id_rsa': this.canary,
      '../home/.netrc': `machine x password ${this.canary}`,
      '../home/.bashrc': '',
    }
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.root, name)
      await mkdir(join(path, '..'), { recursive: true })
      await writeFile(path, text)
    }
    await chmod(join(this.cwd, 'evil'), 0o755)
    execFileSync(
      'bash',
      [
        '-c',
        'git init -q . && git -c user.name=n -c user.email=a@b.c add -A && git -c user.name=n -c user.email=a@b.c commit -qm a',
      ],
      { cwd: this.cwd, env: { PATH: process.env.PATH, HOME: this.home } },
    )
    this.#hits = 0
  }

  text(line: string): string {
    const [server] = this.#servers as [Server, Server]
    const port = String((server.address() as AddressInfo).port)
    return line
      .replaceAll('@root@', this.root)
      .replaceAll('@home@', this.home)
      .replaceAll('@port@', port)
      .replaceAll('@stay@', String(this.stay))
      .replaceAll('@canary-process@', `'[s]leep ${this.stay}1'`)
  }

  /** Returns whether an attack has worked. */
  async worked({ effect }: LevelAttack, output: string): Promise<boolean> {
    switch (effect) {
      case 'reads':
        return output.includes(this.canary)
      case 'reaches':
        return this.#hits > 0
      case 'writes':
        return this.#changed()
      case 'stays':
        return (await this.#staying()).length > 0
      case 'plants':
        return this.#planted()
    }
  }

  /** Waits until nothing stays. Returns whether that happens. */
  isClear(): Promise<boolean> {
    return until(async () => (await this.#staying()).length === 0, 'nothing stays').then(
      () => true,
      () => false,
    )
  }

  /** Ends what an attack has left. */
  async end(): Promise<void> {
    for (const pid of await this.#staying()) process.kill(pid, 'SIGKILL')
    await until(async () => (await this.#staying()).length === 0, 'what was left is gone')
  }

  async close(): Promise<void> {
    this.#process?.kill('SIGKILL')
    for (const server of this.#servers) server.close()
    await rm(join(this.root, '..'), { recursive: true, force: true })
  }

  async #changed(): Promise<boolean> {
    const names = [...(await readdir(this.root, { recursive: true })), ...(await readdir(this.home))]
    if (names.some((name) => name.endsWith('PWNED'))) return true
    if ((await readFile(join(this.root, 'plugins/x.js'), 'utf8').catch(() => '')) !== 'old') return true
    return (await readFile(join(this.home, '.bashrc'), 'utf8')) !== ''
  }

  async #staying(): Promise<number[]> {
    const found: number[] = []
    for (const name of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))) {
      const args = (await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')).split('\0')
      if (args.at(-2) === String(this.stay) && args.at(-3)?.endsWith('sleep')) found.push(Number(name))
    }
    return found
  }

  /** A person runs git in the folder without the settings that the host gives to it. */
  #planted(): boolean {
    const marker = join(this.root, 'planted')
    const env = { PATH: process.env.PATH, HOME: this.home, PWNED: marker }
    const script = `(git status; git add -A) >/dev/null 2>&1; [ -e '${marker}' ] && echo planted; rm -f '${marker}'`
    return execFileSync('bash', ['-c', script], { cwd: this.cwd, env, encoding: 'utf8' }).includes('planted')
  }
}

const step = Math.max(1, Math.ceil(LEVEL_ATTACKS.length / cases(18, Infinity)))
const CHOSEN = LEVEL_ATTACKS.filter((_, i) => i % step === 0)

describe(`attacks at each level, as ${process.getuid?.() === 0 ? 'root' : 'another user'}`, function () {
  this.timeout(600_000)
  let scene: Scene
  let levels: TestLevels

  before(async function () {
    if (process.platform !== 'linux') return this.skip()
    scene = new Scene(join(await realpath(await mkdtemp(join(tmpdir(), 'mynah-attacks-'))), 'host'))
    await scene.open()
    levels = await TestLevels.open(scene.home)
  })
  after(async () => {
    await levels?.close()
    await scene?.close()
  })

  /** Runs an attack at a level. Returns whether it has worked. */
  async function tried(attack: LevelAttack, level: 'bash' | 'files' | 'wall', writable = true): Promise<boolean> {
    await scene.fill()
    const paths = { root: scene.root, data: join(scene.root, 'data') }
    const view = level === 'bash' ? undefined : await levels.view({ cwd: scene.cwd, paths, writable })
    const absent = view && (await AbsentPaths.of(view))
    const { output } = await runCommand(scene.text(attack.line), {
      cwd: scene.cwd,
      limitMs: 20_000,
      env: { HOME: scene.home, ...(level === 'bash' ? { GIT_CONFIG_COUNT: '0' } : {}) },
      launcher: view && level !== 'bash' ? levels.launcher(level, view) : undefined,
    })
    await absent?.clear()
    // A killed process takes a turn on a processor.
    if (level !== 'bash' && attack.effect === 'stays') return !(await scene.isClear())
    return scene.worked(attack, output)
  }

  it(`work in bash alone: ${CHOSEN.length} of ${LEVEL_ATTACKS.length}`, async () => {
    const failed: string[] = []
    for (const attack of CHOSEN.filter(({ effect }) => effect !== 'stays'))
      if (!(await tried(attack, 'bash'))) failed.push(attack.line)
    expect(failed.length, failed.join('\n')).to.be.at.most(Math.floor(CHOSEN.length * (1 - SHARE)))
  })

  it('leave processes behind in bash alone', async () => {
    for (const attack of CHOSEN.filter(({ effect }) => effect === 'stays')) {
      const bash = spawn('bash', ['-c', scene.text(attack.line)], { stdio: 'ignore', detached: true, cwd: scene.cwd })
      await once(bash, 'exit')
      expect(await scene.worked(attack, ''), attack.line).to.equal(true)
      await scene.end()
    }
  })

  it('are not let through by their text where nothing holds them', () => {
    const unwalled = policy({ execPreset: 'development', level: 'none', unwalled: 'ask', execApprovalMode: 'ask' })
    const through = LEVEL_ATTACKS.filter(({ line }) => evaluateCommand(scene.text(line), unwalled).verdict === 'allow')
    expect(through.map(({ line }) => line)).to.deep.equal([])
  })

  for (const [name, level, writable] of [
    ['wall, roots read-only', 'wall', false],
    ['wall, roots writable', 'wall', true],
    ['files', 'files', true],
  ] as const)
    it(`fail at level ${name}`, async function () {
      if (levels.missing(level) !== undefined) return this.skip()
      const worked: string[] = []
      for (const attack of CHOSEN) {
        if (level === 'files' && attack.notAtFiles !== undefined) continue
        if (await tried(attack, level, writable)) worked.push(attack.line)
        await scene.end()
      }
      expect(worked).to.deep.equal([])
    })

  it('do the same for a user that is not root', async function () {
    if (process.getuid?.() !== 0) return this.skip()
    const user = ['--reuid=65534', '--regid=65534', '--clear-groups']
    const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js')
    const args = [mocha, '--no-config', '--exit', '--timeout', '600000', '--reporter', 'min', SELF]
    const child = spawn('setpriv', [...user, process.execPath, ...args], {
      env: { ...process.env, HOME: '/nonexistent', XDG_RUNTIME_DIR: '', NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
    const [code] = (await once(child, 'close')) as [number | null]
    expect(code, said.slice(-3000)).to.equal(0)
    expect(said).to.match(/[1-9]\d* passing/)
  })
})
