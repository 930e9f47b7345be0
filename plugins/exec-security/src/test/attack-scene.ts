// A host that attacks are tried on: its folder, its home folder, its server and one of its processes.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { until } from '@mynah/kernel/testing'
import type { LevelAttack } from './families/level-attacks.js'

/** Folders and sockets of other commands. */
export interface OtherCommands {
  readonly home: string
  readonly tmp: string
  readonly socket: string
}

/** The folder of a host with its home folder, its server and one of its processes. */
export class AttackScene {
  readonly canary = randomUUID()
  readonly stay = 7000 + Math.floor(Math.random() * 90_000) / 100
  readonly root: string
  #hits = 0
  readonly #servers: Server[] = []
  #process: ChildProcess | undefined
  #others: OtherCommands | undefined

  constructor(root: string) {
    this.root = root
  }

  get cwd(): string {
    return join(this.root, 'workspace')
  }

  get home(): string {
    return join(this.root, '..', 'home')
  }

  async open(others: OtherCommands): Promise<void> {
    this.#others = others
    await mkdir(this.root, { recursive: true })
    for (const where of [0, join(this.root, 'host.sock'), others.socket]) {
      const server = createServer((socket) => {
        this.#hits += 1
        socket.on('error', () => socket.destroy())
        socket.end()
      })
      if (where === 0) server.listen(0, '0.0.0.0')
      else server.listen(where)
      await once(server, 'listening')
      this.#servers.push(server)
    }
    const env = { PATH: process.env.PATH, SECRET: this.canary }
    this.#process = spawn('sleep', [`${this.stay}1`], { env, cwd: this.root, stdio: 'ignore' })
  }

  /** Makes all files anew, and what an attack needs. */
  async fill({ setup }: Pick<LevelAttack, 'setup'> = {}): Promise<void> {
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
      'workspace/says': '#!/bin/sh\necho FIR""ED >&2\n',
      '../home/.ssh/id_rsa': this.canary,
      '../home/.netrc': `machine x password ${this.canary}`,
      '../home/.bashrc': '',
    }
    for (const [name, text] of Object.entries(files)) {
      const path = join(this.root, name)
      await mkdir(join(path, '..'), { recursive: true })
      await writeFile(path, text)
    }
    for (const name of ['evil', 'says']) await chmod(join(this.cwd, name), 0o755)
    for (const folder of [this.#others?.home, this.#others?.tmp])
      if (folder !== undefined) await writeFile(join(folder, 'secret'), this.canary)
    this.#bash(
      'git init -q . && git -c user.name=n -c user.email=a@b.c add -A && git -c user.name=n -c user.email=a@b.c commit -qm a',
    )
    if (setup !== undefined) this.#bash(setup)
    this.#hits = 0
  }

  text(line: string): string {
    const [server] = this.#servers as [Server]
    const own = Object.values(networkInterfaces()).flatMap((found) => found ?? [])
    const address = own.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1'
    const port = String((server.address() as AddressInfo).port)
    return line
      .replaceAll('@canary@', this.canary)
      .replaceAll('@root@', this.root)
      .replaceAll('@home@', this.home)
      .replaceAll('@port@', port)
      .replaceAll('@own@', address)
      .replaceAll('@other-home@', this.#others?.home ?? '')
      .replaceAll('@other-tmp@', this.#others?.tmp ?? '')
      .replaceAll('@other-socket@', this.#others?.socket ?? '')
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
      case 'fires':
        return output.includes('FIRED')
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
    const inEach =
      'for d in . sub ../wt; do [ -d $d ] && (cd $d; git status; date +%N > person; git add -A); done >/dev/null 2>&1'
    const script = `${inEach}; [ -e '${marker}' ] && echo planted; rm -f '${marker}'`
    return execFileSync('bash', ['-c', script], { cwd: this.cwd, env, encoding: 'utf8' }).includes('planted')
  }

  #bash(script: string): void {
    const env = { PATH: process.env.PATH, HOME: this.home }
    execFileSync('bash', ['-c', script], { cwd: this.cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
  }
}
