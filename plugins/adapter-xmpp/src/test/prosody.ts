// A real XMPP server for tests, the prosody that the machine has installed: private, on a free port, as a user without
// rights.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { chown, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, until } from '@mynah/kernel/testing'

const PROGRAM = '/usr/bin/prosody'
const NOBODY = 65_534
export const PASSWORD = 'correct horse battery'
export const ROOM = 'town@rooms.localhost'

/** Returns why tests against prosody cannot run, or undefined where they can. */
export const whyNot = (): string | undefined => (existsSync(PROGRAM) ? undefined : 'prosody is not installed')

/** Sends the last message with a text to a session of the bot again, with the id that the archive has given it. */
const AGAIN = `
local filters = require "util.filters"
local st = require "util.stanza"
local last
module:hook("resource-bind", function (event)
  local session = event.session
  if session.username ~= "bot" then return end
  filters.add_filter(session, "stanzas/out", function (stanza)
    if st.is_stanza(stanza) and stanza.name == "message" and stanza:get_child("body") then last = st.clone(stanza) end
    return stanza
  end)
end)
module:hook("iq-get/host/urn:mynah:again:again", function (event)
  for _, session in pairs(prosody.hosts[module.host].sessions["bot"].sessions) do session.send(st.clone(last)) end
  event.origin.send(st.reply(event.stanza))
  return true
end)
`

const configuration = (folder: string, port: number): string => `
pidfile = "${folder}/prosody.pid"
data_path = "${folder}/data"
plugin_paths = { "${folder}/modules" }
daemonize = false
interfaces = { "127.0.0.1" }
c2s_ports = { ${port} }
s2s_ports = {}
http_ports = {}
https_ports = {}
modules_enabled = { "roster", "saslauth", "disco", "smacks", "mam", "ping", "offline", "time", "again" }
modules_disabled = { "s2s", "tls" }
c2s_require_encryption = false
allow_unencrypted_plain_auth = false
authentication = "internal_hashed"
default_archive_policy = true
limits = { c2s = { rate = "10mb/s" } }
log = { { levels = { min = "error" }, to = "file", filename = "${folder}/prosody.log" } }
VirtualHost "localhost"
Component "rooms.localhost" "muc"
  modules_enabled = { "muc_mam" }
  muc_log_by_default = true
  muc_room_default_persistent = true
  muc_room_default_public_jids = true
`

async function chownAll(folder: string): Promise<void> {
  await chown(folder, NOBODY, NOBODY)
  for (const name of await readdir(folder, { recursive: true })) await chown(join(folder, name), NOBODY, NOBODY)
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** Users of this process, by their names: their accounts are made once, since that takes most of a start. */
const accounts = new Map<string, Promise<string>>()

export class Prosody {
  readonly port: number
  readonly #folder: string
  #process: ChildProcess | undefined
  readonly #rights: { readonly uid?: number; readonly gid?: number } =
    process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  readonly #onExit = (): void => void this.#process?.kill('SIGKILL')

  private constructor(port: number, folder: string) {
    this.port = port
    this.#folder = folder
  }

  static async start(users: readonly string[] = ['bot', 'second', 'alice', 'eve']): Promise<Prosody> {
    const name = users.join()
    const known = accounts.get(name) ?? Prosody.#register(users)
    accounts.set(name, known)
    const template = await known
    const server = await Prosody.#create()
    process.once('exit', server.#onExit)
    try {
      await cp(join(template, 'data'), join(server.#folder, 'data'), { recursive: true })
      if (server.#rights.uid !== undefined) await chownAll(join(server.#folder, 'data'))
      await server.run()
    } catch (error) {
      await server.stop()
      throw error
    }
    return server
  }

  static async #create(): Promise<Prosody> {
    const folder = await mkdtemp(join(tmpdir(), 'mynah-xmpp-'))
    const server = new Prosody(await freePort(), folder)
    await writeFile(join(folder, 'prosody.cfg.lua'), configuration(folder, server.port))
    for (const name of ['data', 'modules']) await mkdir(join(folder, name))
    await writeFile(join(folder, 'modules', 'mod_again.lua'), AGAIN)
    if (server.#rights.uid !== undefined)
      for (const name of ['', 'data']) await chown(join(folder, name), NOBODY, NOBODY)
    return server
  }

  /** Returns a folder with the accounts of these users. It is removed when the process ends. */
  static async #register(users: readonly string[]): Promise<string> {
    const server = await Prosody.#create()
    process.once('exit', () => rmSync(server.#folder, { recursive: true, force: true }))
    for (const user of users) server.#addUser(user)
    return server.#folder
  }

  get service(): string {
    return `xmpp://127.0.0.1:${this.port}`
  }

  #addUser(user: string): void {
    const config = join(this.#folder, 'prosody.cfg.lua')
    const done = spawnSync('prosodyctl', ['--config', config, 'register', user, 'localhost', PASSWORD], {
      ...this.#rights,
      cwd: this.#folder,
    })
    if (done.status !== 0) throw new Error(`prosodyctl: ${done.stdout.toString()}${done.stderr.toString()}`)
  }

  /** Starts the program, again after {@link Prosody.kill}, and waits until it takes connections. */
  async run(): Promise<void> {
    const config = join(this.#folder, 'prosody.cfg.lua')
    const child = spawn(PROGRAM, ['--config', config], { ...this.#rights, cwd: this.#folder, stdio: 'ignore' })
    this.#process = child
    await until(() => {
      if (child.exitCode !== null) throw new Error('prosody ended at once')
      return answers(this.port)
    }, 'prosody to take connections')
  }

  /** Dies at once. */
  async kill(): Promise<void> {
    const child = this.#process
    this.#process = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  /** Freezes the server with all its connections open. */
  freeze(): void {
    this.#process?.kill('SIGSTOP')
  }

  thaw(): void {
    this.#process?.kill('SIGCONT')
  }

  async stop(): Promise<void> {
    process.off('exit', this.#onExit)
    await this.kill()
    await rm(this.#folder, { recursive: true, force: true })
  }
}
