// A project whose packages change, the command line and the host that change them, and what a kill has left.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { freePort, until } from '@mynah/kernel/testing'
import { foldersOf } from '../../plugins/mynah/dist/cli/packages/folders.js'
import { isEnded, readRuns } from '../../plugins/mynah/dist/cli/packages/runs.js'
import { Running } from '../../plugins/mynah/dist/test/cli.js'
import { PackageProject, pluginVersion } from '../../plugins/mynah/dist/test/package-project.js'

const MAIN = fileURLToPath(new URL('../../plugins/mynah/dist/cli/main.js', import.meta.url))
const PRELOAD = new URL('../processes/kill-at-step.mjs', import.meta.url).href
const TOKEN = 'full-token-of-killed-installations'
export const WHOLE = 'mynah-plugin-whole'
export const EXTRA = 'mynah-plugin-extra'
const LIBRARIES = Array.from({ length: 8 }, (_, index) => `part-${index}`)
export const NAMES = [WHOLE, ...LIBRARIES, EXTRA]

/** Returns a plugin that needs all libraries in its own version, and logs which ones it has. */
function wholeVersion(version) {
  const plugin = pluginVersion(WHOLE, version, {
    dependencies: Object.fromEntries(LIBRARIES.map((name) => [name, version])),
  })
  const imports = LIBRARIES.map((name, index) => `import part${index} from '${name}'\n`).join('')
  const versions = LIBRARIES.map((_, index) => `part${index}`).join(', ')
  const setup = `setup(ctx) { ctx.log.info('whole runs ' + ['${version}', ${versions}].join(' ')) }`
  return { ...plugin, files: { 'index.js': `${imports}export default { name: 'whole', ${setup} }\n` } }
}

const libraryVersion = (name, version) => ({
  manifest: { name, version, type: 'module', exports: './index.js', license: 'MIT' },
  files: { 'index.js': `export default '${version}'\n` },
})

export class PackageLives {
  project
  /** Where the steps of all processes are noted. */
  #notes
  #port
  #host

  /** Installs the first version. */
  static async create() {
    const lives = new PackageLives()
    lives.project = await PackageProject.create()
    lives.#notes = await mkdtemp(join(tmpdir(), 'mynah-fault-'))
    lives.#port = await freePort()
    for (const version of ['0.9.0', '1.0.0']) lives.publish(version)
    const own = ['http-core', 'console-rpc', 'events', 'marketplace', 'workspace', WHOLE]
    await lives.project.write(
      'mynah.config.yml',
      `plugins: [${own.join(', ')}]\nhttp: { port: ${lives.#port}, token: ${TOKEN} }\n`,
    )
    // Twice, so that the host starts with the packages of before too.
    for (const version of ['0.9.0', '1.0.0']) {
      const first = lives.command('add', `${WHOLE}@${version}`)
      if ((await first.ended) !== 0) throw new Error(`the first installation failed: ${first.err}`)
    }
    return lives
  }

  publish(version) {
    const { registry } = this.project
    registry.publish(wholeVersion(version))
    registry.publish(pluginVersion(EXTRA, version))
    for (const name of LIBRARIES) registry.publish(libraryVersion(name, version))
  }

  /** Runs a command that changes packages, in a group of processes of its own. */
  command(...args) {
    return this.#spawn('command', [...args, '--yes'])
  }

  /** Starts the host, and waits until it runs or is killed. Returns whether it runs. */
  async startHost() {
    this.#host = this.#spawn('supervisor', ['start'])
    const isUp = this.#host.shows(/(\d+) of \1 plugins are up/).then(
      () => true,
      () => false,
    )
    return isUp
  }

  get host() {
    return this.#host
  }

  #spawn(command, args) {
    const child = spawn(process.execPath, [MAIN, ...args], {
      cwd: this.project.folder,
      env: {
        ...process.env,
        NODE_OPTIONS: `--import ${PRELOAD}`,
        MYNAH_FAULT_ROOT: this.project.folder,
        MYNAH_FAULT_FOLDER: this.#notes,
        MYNAH_FAULT_COMMAND: command,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    return new Running(child)
  }

  /** Kills a group of processes. Those with a group of their own, such as npm, go on. */
  async kill(running) {
    try {
      process.kill(-running.child.pid, 'SIGKILL')
    } catch (error) {
      if (error.code !== 'ESRCH') throw error
    }
    await running.ended
  }

  async rpc(type, parameters = {}) {
    const response = await fetch(`http://127.0.0.1:${this.#port}/api/console/request`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ type, ...parameters }),
    })
    const answer = await response.json()
    if (!answer.success) throw new Error(`${type}: ${answer.code} ${answer.error}`)
    return answer.data
  }

  /** Kills at a step of the next life. */
  async arm(order) {
    await writeFile(join(this.#notes, 'armed'), JSON.stringify({ id: randomUUID(), ...order }))
  }

  disarm() {
    return rm(join(this.#notes, 'armed'), { force: true })
  }

  /** Returns and forgets what was noted. */
  async takeNotes() {
    const file = join(this.#notes, 'steps')
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    await rm(file, { force: true })
    // The last line of a killed process may be cut off.
    return text.split('\n').flatMap((line) => {
      try {
        return [JSON.parse(line)]
      } catch {
        return []
      }
    })
  }

  /** Returns the versions by name, and each disagreement between manifests, folders and code. */
  state() {
    return stateIn(this.project.folder)
  }

  /** Returns what a rollback would bring, or `undefined` where it is impossible. */
  previous() {
    const folder = foldersOf(this.project.folder).previous
    return existsSync(join(folder, 'package-lock.json')) ? lockedIn(folder) : undefined
  }

  runs() {
    return readRuns(foldersOf(this.project.folder))
  }

  /** Waits until the host has looked at all runs. Returns those that have no end. */
  async openRuns() {
    const isOpen = (run) => !isEnded(run) || (run.state === 'done' && run.listing === true)
    const open = () => this.runs().filter(isOpen)
    await until(() => open().length === 0, 'the ends of all runs').catch(() => {})
    return open()
  }

  /** Returns how often the configuration lists the plugin that is added and removed. */
  listed() {
    const { plugins } = parse(readFileSync(join(this.project.folder, 'mynah.config.yml'), 'utf8'))
    return plugins.filter((item) => [EXTRA, 'extra'].includes(item?.name ?? item)).length
  }

  async remove() {
    if (this.#host) await this.kill(this.#host)
    await rm(this.#notes, { recursive: true, force: true })
    await this.project.remove()
  }
}

function lockedIn(folder) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  return Object.fromEntries(NAMES.map((name) => [name, packages[`node_modules/${name}`]?.version]))
}

function stateIn(folder) {
  const read = (name) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : undefined)
  const wrong = []
  const locked = lockedIn(folder)
  const { dependencies } = JSON.parse(read('package.json'))
  for (const name of NAMES) {
    const manifest = read(`node_modules/${name}/package.json`)
    const inPlace = manifest && JSON.parse(manifest).version
    const code = read(`node_modules/${name}/index.js`)
    const found = [inPlace, ...(name === WHOLE || name === EXTRA ? [dependencies[name]] : [])]
    if (found.some((version) => version !== locked[name])) wrong.push(`${name}: ${locked[name]} and ${found.join()}`)
    if ((code !== undefined && !code.includes(locked[name])) || (code === undefined) !== (inPlace === undefined))
      wrong.push(`${name}: its code is not that of ${locked[name]}`)
  }
  return { locked, wrong }
}
