// A real homeserver for tests: the Synapse of this machine, or one that was unpacked below the folder `SYNAPSE_ROOT`,
// such as from the packages of Debian. Each has its own data and port.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, until } from '@mynah/kernel/testing'

const ROOT = process.env['SYNAPSE_ROOT']
const PROGRAM = '/usr/bin/synapse_homeserver'
/** Any user without rights. */
const USER = 65_534

/** Returns why tests against Synapse cannot run, or undefined where they can. */
export function whyNot(): string | undefined {
  if (ROOT === undefined)
    return existsSync(PROGRAM) ? undefined : 'Synapse is not installed, and SYNAPSE_ROOT is not set'
  if (!existsSync(join(ROOT, 'usr/bin/python3'))) return 'SYNAPSE_ROOT has no system with Synapse'
  return process.getuid?.() === 0 ? undefined : 'only root can start the Synapse of SYNAPSE_ROOT'
}

const unlimited = '{per_second: 10000, burst_count: 10000}'
const configuration = (folder: string, port: number): string => `server_name: localhost
listeners:
  - {port: ${port}, tls: false, type: http, x_forwarded: false, bind_addresses: ['127.0.0.1'], resources: [{names: [client], compress: false}]}
database: {name: sqlite3, args: {database: ${folder}/data.db}}
log_config: ${folder}/log.yaml
media_store_path: ${folder}/media
signing_key_path: ${folder}/signing.key
enable_registration: true
enable_registration_without_verification: true
registration_shared_secret: shared
macaroon_secret_key: macaroon
form_secret: form
report_stats: false
trusted_key_servers: []
suppress_key_server_warning: true
rc_message: ${unlimited}
rc_registration: ${unlimited}
rc_login: {address: ${unlimited}, account: ${unlimited}, failed_attempts: ${unlimited}}
rc_joins: {local: ${unlimited}, remote: ${unlimited}}
rc_invites: {per_room: ${unlimited}, per_user: ${unlimited}, per_issuer: ${unlimited}}
`

export class Synapse {
  readonly port: number
  /** The folder as this process sees it, and as Synapse does. */
  readonly #outside: string
  readonly #inside: string
  #process: ChildProcess | undefined
  readonly #onExit = (): void => void this.#process?.kill('SIGKILL')

  private constructor(port: number, outside: string) {
    this.port = port
    this.#outside = outside
    this.#inside = ROOT === undefined ? outside : outside.slice(ROOT.length)
  }

  static async start(): Promise<Synapse> {
    const folder = await mkdtemp(join(ROOT === undefined ? tmpdir() : join(ROOT, 'tmp'), 'mynah-synapse-'))
    const server = new Synapse(await freePort(), folder)
    await writeFile(join(folder, 'hs.yaml'), configuration(server.#inside, server.port))
    await writeFile(join(folder, 'log.yaml'), 'version: 1\nroot: {level: CRITICAL}\ndisable_existing_loggers: true\n')
    if (process.getuid?.() === 0) await chown(folder, USER, USER)
    await chmod(folder, 0o755)
    process.once('exit', server.#onExit)
    try {
      await once(server.#spawn('--generate-keys'), 'exit')
      await server.run()
    } catch (error) {
      await server.stop()
      throw error
    }
    return server
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  #spawn(...more: readonly string[]): ChildProcess {
    const args = ['--config-path', join(this.#inside, 'hs.yaml'), ...more]
    const options = { stdio: 'ignore', env: { HOME: this.#inside, PATH: '/usr/bin:/bin' } } as const
    if (ROOT === undefined) {
      const rights = process.getuid?.() === 0 ? { uid: USER, gid: USER } : {}
      return spawn(PROGRAM, args, { ...options, ...rights })
    }
    const python = ['/usr/bin/python3', '-m', 'synapse.app.homeserver', ...args]
    return spawn('/usr/sbin/chroot', [`--userspec=${USER}:${USER}`, ROOT, ...python], options)
  }

  /** Starts the program, again after {@link Synapse.kill}, and waits until it answers. */
  async run(): Promise<void> {
    const child = this.#spawn()
    this.#process = child
    const isUp = (): Promise<boolean> =>
      fetch(`${this.origin}/_matrix/client/versions`).then(
        ({ ok }) => ok,
        () => false,
      )
    await until(
      () => {
        if (child.exitCode !== null) throw new Error('Synapse ended at once')
        return isUp()
      },
      'Synapse to answer',
      300_000,
    )
  }

  /** Dies at once. */
  async kill(): Promise<void> {
    const child = this.#process
    this.#process = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  async stop(): Promise<void> {
    process.off('exit', this.#onExit)
    await this.kill()
    await rm(this.#outside, { recursive: true, force: true })
  }

  /** Registers a user. */
  async user(name: string): Promise<SynapseUser> {
    const password = `password of ${name}`
    const account = { username: name, password, auth: { type: 'm.login.dummy' } }
    const answer = await call(this.origin, 'POST', '/register', undefined, account)
    return new SynapseUser(this.origin, answer.user_id, answer.access_token, password)
  }
}

async function call(origin: string, method: string, path: string, token?: string, body?: unknown): Promise<any> {
  const response = await fetch(`${origin}/_matrix/client/v3${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Record<string, unknown>
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}

/** A user who talks to the bot. */
export class SynapseUser {
  readonly id: string
  readonly token: string
  readonly #origin: string
  #since: string | undefined
  #count = 0
  #listening: Promise<void> | undefined
  #isOver = false
  /** Events of others in all rooms, without those of state. */
  readonly events: any[] = []

  readonly password: string

  constructor(origin: string, id: string, token: string, password: string) {
    this.password = password
    this.#origin = origin
    this.id = id
    this.token = token
  }

  call(method: string, path: string, body?: unknown): Promise<any> {
    return call(this.#origin, method, path, this.token, body)
  }

  async createRoom(options: object): Promise<string> {
    return (await this.call('POST', '/createRoom', options)).room_id
  }

  async join(room: string): Promise<void> {
    await this.call('POST', `/join/${encodeURIComponent(room)}`, {})
  }

  /** Sends an event and returns its id. Repeats it until the server is up. */
  async send(room: string, content: object, type = 'm.room.message'): Promise<string> {
    const path = `/rooms/${encodeURIComponent(room)}/send/${type}/t${this.#count++}`
    let id = ''
    await until(
      async () => {
        id = (await this.call('PUT', path, content).catch(() => undefined))?.event_id ?? ''
        return id !== ''
      },
      'the message to be taken',
      60_000,
    )
    return id
  }

  say(room: string, body: string): Promise<string> {
    return this.send(room, { msgtype: 'm.text', body })
  }

  /** Takes what others send from now on. */
  async listen(): Promise<void> {
    this.#since = (await this.call('GET', '/sync?timeout=0')).next_batch
    this.#listening = this.#take()
  }

  async #take(): Promise<void> {
    while (!this.#isOver) {
      const answer = await this.call('GET', `/sync?timeout=500&since=${this.#since}`).catch(() => undefined)
      if (!answer) {
        await new Promise((resolve) => setTimeout(resolve, 50))
        continue
      }
      this.#since = answer.next_batch
      for (const { timeline } of Object.values<any>(answer.rooms?.join ?? {}))
        for (const event of timeline.events)
          if (event.sender !== this.id && event.state_key === undefined) this.events.push(event)
    }
  }

  async leave(): Promise<void> {
    this.#isOver = true
    await this.#listening
  }
}
