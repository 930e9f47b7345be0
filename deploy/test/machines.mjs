// Runs the commands of a page as an administrator would on several machines: each is a folder and a loopback address of
// this one. Programs that would change this machine are replaced; PROGRAMS says by what.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../tools/lib.mjs'
import { until } from '../../tools/trial.mjs'
import { deploy } from './support.mjs'

const MYNAH = join(root, 'plugins/mynah/bin/mynah.js')
const BLOCK = /^```(sh|yaml)\n([\s\S]*?)^```$/gm

/** Programs of the page that are replaced: each is a script that does this in place of the real one. */
const PROGRAMS = {
  // The command of the repository in place of that in node_modules.
  npx: `[ "$1" = mynah ] && shift && exec "${process.execPath}" "${MYNAH}" "$@"; exit 64`,
  // The packages of the repository.
  npm: `[ "$*" = ci ] && exec ln -s "${join(root, 'node_modules')}" node_modules; exit 64`,
  // Another machine is another folder.
  scp: `exec cp -p "$MACHINES/\${1%%:*}/srv/\${1##*/srv/}" "$2"`,
  // The user of the service is the one that runs the tests.
  chown: 'exit 0',
  // The test has created the database.
  sudo: `[ "$1 $2" = "-u postgres" ] && case "$3" in createuser|createdb) exit 0;; esac; exit 64`,
  systemctl: `exec "${process.execPath}" "$MACHINES/ask.mjs" "$MACHINE" "$@"`,
}

/** Returns the blocks of a section of a page: commands with their machine, and configuration. */
export function stepsOf(page, heading) {
  const section = page.split('\n## ').find((text) => text.startsWith(heading))
  if (section === undefined) throw new Error(`the page has no section ${heading}`)
  return Array.from(section.matchAll(BLOCK), ([, language, code]) => {
    const machine = /^# ([\w-]+)/.exec(code)?.[1]
    return { language, code, machine }
  })
}

/** Values of `Name=value` in a unit, in order. */
const settingsOf = (unit, name) =>
  Array.from(unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm')), ([, value]) => value.replace(/^"(.*)"$/, '$1'))

/** Ends a process and its children without a word. */
export function killWhole(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')
  child.kill('SIGKILL')
  for (const pid of children.filter(Boolean)) process.kill(Number(pid), 'SIGKILL')
}

/** The machines of a page. */
export class Machines {
  #folder
  #replace
  #server
  #services = new Map()
  #startOther

  /**
   * @param folder has a folder for each machine
   * @param replace pairs of texts: what the page says, and what stands for it here
   * @param startOther starts a service that is no host: `(service, machine folder) => child process`
   */
  constructor(folder, replace, startOther) {
    this.#folder = folder
    this.#replace = replace
    this.#startOther = startOther
  }

  async open() {
    mkdirSync(join(this.#folder, 'bin'))
    for (const [name, script] of Object.entries(PROGRAMS))
      writeFileSync(join(this.#folder, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    this.#server = createServer((request, response) => {
      const [machine, ...words] = JSON.parse(decodeURIComponent(request.url.slice(1)))
      this.#systemctl(machine, words).then(
        () => response.end(),
        (error) => response.writeHead(500).end(String(error.stack)),
      )
    })
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    const ask = `const words = encodeURIComponent(JSON.stringify(process.argv.slice(2)))
const answer = await fetch('http://127.0.0.1:${this.#server.address().port}/' + words)
if (!answer.ok) { console.error(await answer.text()); process.exitCode = 1 }\n`
    writeFileSync(join(this.#folder, 'ask.mjs'), ask)
    return this
  }

  /** Returns the folder of a machine that stands for its root. */
  rootOf(machine) {
    const folder = join(this.#folder, machine)
    for (const place of ['srv/mynah', 'etc/caddy', 'etc/systemd/system'])
      mkdirSync(join(folder, place), { recursive: true })
    return folder
  }

  /** Writes what stands for a text of the page on a machine. */
  here(text, machine) {
    const all = [
      ...this.#replace,
      ['/srv/', `${this.rootOf(machine)}/srv/`],
      [/(?<![\w.])\/etc\//g, `${this.rootOf(machine)}/etc/`],
    ]
    return all.reduce((whole, [said, meant]) => whole.replaceAll(said, meant), text)
  }

  /** Runs a block of the page. Returns its output. */
  async run(code, machine) {
    try {
      const { stdout, stderr } = await promisify(execFile)(
        'bash',
        ['-euo', 'pipefail', '-c', this.here(code, machine)],
        {
          cwd: root,
          env: {
            ...this.#environment(),
            PATH: `${join(this.#folder, 'bin')}:${process.env.PATH}`,
            MACHINES: this.#folder,
            MACHINE: machine,
          },
        },
      )
      return stdout + stderr
    } catch (error) {
      throw new Error(`on ${machine}: ${error.message}\n${error.stdout}\n${this.#said()}`, { cause: error })
    }
  }

  /** Returns the process of a service. */
  processOf(machine, service) {
    return this.#services.get(`${machine} ${service}`)?.child
  }

  /** Returns what a service has written. */
  said(machine, service) {
    return this.#services.get(`${machine} ${service}`)?.said ?? ''
  }

  /** Starts a service again that was killed. */
  async start(machine, service) {
    await this.#systemctl(machine, ['start', service])
  }

  async close() {
    for (const { child } of this.#services.values()) await stopped(child)
    this.#server?.close()
    this.#server?.closeAllConnections()
  }

  #said() {
    return Array.from(this.#services, ([name, { said }]) => `${name}:\n${said.slice(-3_000)}`).join('\n')
  }

  #environment() {
    const { HTTP_TOKEN: _, ...inherited } = process.env
    return inherited
  }

  async #systemctl(machine, words) {
    const [command, ...names] = words.filter((word) => word !== '--now')
    if (command === 'daemon-reload') return
    for (const name of names) {
      const key = `${machine} ${name}`
      if (command === 'stop' || command === 'restart') await stopped(this.#services.get(key)?.child)
      if (command !== 'stop') await this.#startService(key, machine, name)
    }
  }

  async #startService(key, machine, name) {
    const [, instance] = /^mynah@([\w-]+)$/.exec(name) ?? []
    const child = instance === undefined ? await this.#startOther(name, machine) : this.#startHost(machine, instance)
    const service = { child, said: '' }
    this.#services.set(key, service)
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        service.said = (service.said + text).slice(-50_000)
      })
    if (instance === undefined) return
    // The unit says that it has started when its plugins have.
    const isUp = async () => child.exitCode !== null || /(\d+) of \1 plugins are up/.test(service.said)
    await until(`all plugins of ${key}`, isUp, 120_000).catch((error) => {
      throw new Error(`${error.message}\n${service.said}`, { cause: error })
    })
    if (child.exitCode !== null) throw new Error(`${key} ended with ${child.exitCode}\n${service.said}`)
  }

  /** Starts what the unit says, in its folder and with its environment. */
  #startHost(machine, instance) {
    const unit = readFileSync(join(deploy, 'mynah@.service'), 'utf8').replaceAll('%i', instance)
    const [folder] = settingsOf(unit, 'WorkingDirectory')
    const [program, ...args] = settingsOf(unit, 'ExecStart')[0].split(' ')
    if (!program.endsWith('/node_modules/.bin/mynah')) throw new Error(`the unit starts ${program}`)
    const variables = settingsOf(unit, 'Environment').map((pair) => pair.split(/=(.*)/s).slice(0, 2))
    return spawn(process.execPath, [MYNAH, ...args], {
      cwd: this.here(folder, machine),
      env: { ...this.#environment(), ...Object.fromEntries(variables) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }
}

async function stopped(child) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
