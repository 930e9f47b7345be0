// Real IRC servers for tests, the ones that the machine has installed, each private, on a free port, as a user
// without rights.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, until } from '@mynah/kernel/testing'

export type Kind = 'ngircd' | 'inspircd'
export const KINDS: readonly Kind[] = ['ngircd', 'inspircd']

const PROGRAMS: Readonly<Record<Kind, string>> = { ngircd: '/usr/sbin/ngircd', inspircd: '/usr/sbin/inspircd' }
/** `nobody`: InspIRCd refuses to run as root. */
const NOBODY = 65_534

/** Returns why tests against this server cannot run, or `undefined` where they can. */
export function whyNot(kind: Kind): string | undefined {
  return existsSync(PROGRAMS[kind]) ? undefined : `${kind} is not installed`
}

export interface ServerOptions {
  /** Leaves the server's flood limits as they come. */
  readonly flood?: true
  /** Offers TLS with a certificate of its own. */
  readonly tls?: true
  readonly password?: string
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

export class IrcServer {
  readonly kind: Kind
  readonly port: number
  readonly tlsPort: number
  /** The certificate, where it has one. */
  certificate = ''
  readonly #folder: string
  readonly #options: ServerOptions
  #process: ChildProcess | undefined
  readonly #onExit = (): void => {
    this.#process?.kill('SIGKILL')
  }

  private constructor(kind: Kind, port: number, tlsPort: number, folder: string, options: ServerOptions) {
    this.kind = kind
    this.port = port
    this.tlsPort = tlsPort
    this.#folder = folder
    this.#options = options
  }

  static async start(kind: Kind, options: ServerOptions = {}): Promise<IrcServer> {
    const folder = await mkdtemp(join(tmpdir(), 'mynah-irc-'))
    const server = new IrcServer(kind, await freePort(), await freePort(), folder, options)
    if (options.tls) await server.#certify()
    await writeFile(join(folder, 'conf'), kind === 'ngircd' ? server.#ngircd() : server.#inspircd())
    if (process.getuid?.() === 0)
      for (const name of ['', 'conf', ...(options.tls ? ['key.pem', 'cert.pem'] : [])])
        await chown(join(folder, name), NOBODY, NOBODY)
    process.once('exit', server.#onExit)
    try {
      await server.run()
    } catch (error) {
      await server.stop()
      throw error
    }
    return server
  }

  async #certify(): Promise<void> {
    const file = (name: string): string => join(this.#folder, name)
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '2',
        '-subj',
        '/CN=irc.loopback.test',
        '-addext',
        'subjectAltName=IP:127.0.0.1',
        '-keyout',
        file('key.pem'),
        '-out',
        file('cert.pem'),
      ],
      { stdio: 'ignore' },
    )
    this.certificate = execFileSync('cat', [file('cert.pem')], { encoding: 'utf8' })
  }

  #ngircd(): string {
    const { flood, tls, password } = this.#options
    return `[Global]
Name = irc.loopback.test
Info = test
Listen = 127.0.0.1
Ports = ${this.port}
MotdPhrase = "hello"
${password ? `Password = ${password}` : ''}
[Limits]
MaxConnectionsIP = 0
MaxNickLength = 20
MaxJoins = 50
PingTimeout = 20
PongTimeout = 10
${flood ? '' : 'MaxPenaltyTime = 0'}
[Options]
Ident = no
PAM = no
DNS = no
CloakHost = loop
${tls ? this.#ngircdTls() : ''}`
  }

  #ngircdTls(): string {
    return `[SSL]
CertFile = ${join(this.#folder, 'cert.pem')}
KeyFile = ${join(this.#folder, 'key.pem')}
Ports = ${this.tlsPort}
`
  }

  #inspircdTls(): string {
    const [certificate, key] = ['cert.pem', 'key.pem'].map((name) => join(this.#folder, name))
    return `<sslprofile name="own" provider="gnutls" certfile="${certificate}" keyfile="${key}">
<bind address="127.0.0.1" port="${this.tlsPort}" type="clients" sslprofile="own">`
  }

  #inspircd(): string {
    const modules = [
      'cap',
      'ircv3',
      'ircv3_servertime',
      'ircv3_echomessage',
      'ircv3_msgid',
      'ircv3_ctctags',
      'ircv3_accounttag',
      'ircv3_invitenotify',
      'namesx',
    ]
    const { tls, password } = this.#options
    if (tls) modules.push('ssl_gnutls')
    return `<config format="xml">
<server name="irc2.loopback.test" description="test" network="test" id="001">
<admin name="a" nick="a" email="a@localhost">
<bind address="127.0.0.1" port="${this.port}" type="clients">
${tls ? this.#inspircdTls() : ''}
<connect allow="*" timeout="60" pingfreq="30" hardsendq="1048576" softsendq="65536" recvq="65536" threshold="100000" commandrate="1000000" limit="5000" localmax="500" globalmax="500" resolvehostnames="no"${password ? ` password="${password}"` : ''}>
${modules.map((name) => `<module name="${name}">`).join('')}
<pid file="${join(this.#folder, 'pid')}">
<performance softlimit="4096" clonesonconnect="no">
<security hideserver="" maxtargets="20">
<log method="file" type="* -USERINPUT -USEROUTPUT" level="default" target="${join(this.#folder, 'log')}">
`
  }

  /** Starts the program, again after {@link IrcServer.kill}, and waits until it takes connections. */
  async run(): Promise<void> {
    const conf = join(this.#folder, 'conf')
    const args = this.kind === 'ngircd' ? ['-n', '-f', conf] : ['--nofork', '--nopid', '--config', conf]
    const rights = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
    const child = spawn(PROGRAMS[this.kind], args, { cwd: this.#folder, stdio: ['ignore', 'pipe', 'pipe'], ...rights })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => {
        said = (said + data.toString()).slice(-2_000)
      })
    this.#process = child
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`${this.kind} ended at once: ${said}`)
      return await answers(this.port)
    }, `until ${this.kind} takes connections`)
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
