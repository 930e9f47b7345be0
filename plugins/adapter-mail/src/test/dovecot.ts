// A real IMAP server on free ports, with mail that is delivered over LMTP.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises'
import { connect, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { freePort, until } from '@mynah/kernel/testing'

const PROGRAM = '/usr/sbin/dovecot'
export const PASSWORD = 'password-of-the-mailbox'

/** Returns why tests against it cannot run, or `undefined` where they can. */
export function whyNoDovecot(): string | undefined {
  if (!existsSync(PROGRAM) || !existsSync('/usr/lib/dovecot/imap') || !existsSync('/usr/lib/dovecot/lmtp'))
    return 'dovecot-imapd or dovecot-lmtpd is not installed'
  return process.getuid?.() === 0 ? undefined : 'dovecot must be started by root'
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
    socket.once('close', () => resolve(false))
  })

export class Dovecot {
  readonly port: number
  readonly #lmtpPort: number
  readonly #folder: string
  #process: ChildProcess | undefined
  #said = ''
  #dropped = 0
  readonly #onExit = (): void => this.#signal('SIGKILL')

  private constructor(port: number, lmtpPort: number, folder: string) {
    this.port = port
    this.#lmtpPort = lmtpPort
    this.#folder = folder
  }

  static async start(): Promise<Dovecot> {
    const folder = await mkdtemp(join(tmpdir(), 'mynah-mail-'))
    const server = new Dovecot(await freePort(), await freePort(), folder)
    process.once('exit', server.#onExit)
    await chmod(folder, 0o755)
    await mkdir(join(folder, 'mail'))
    await chmod(join(folder, 'mail'), 0o777)
    await writeFile(join(folder, 'conf'), server.#configuration())
    try {
      await server.run()
    } catch (error) {
      await server.stop()
      throw error
    }
    return server
  }

  get url(): string {
    return `imap://127.0.0.1:${this.port}`
  }

  #configuration(): string {
    const folder = this.#folder
    return `protocols = imap lmtp
base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = /dev/stderr
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_failure_delay = 0
auth_username_format = %n
mail_location = maildir:${folder}/mail/%n
mail_max_userip_connections = 100
mail_fsync = never
first_valid_uid = 1
first_valid_gid = 1
passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=mail gid=mail home=${folder}/mail/%n
}
namespace inbox {
  inbox = yes
  mailbox Sent {
    auto = create
    special_use = \\Sent
  }
}
service imap-login {
  inet_listener imap {
    port = ${this.port}
  }
  inet_listener imaps {
    port = 0
  }
}
service lmtp {
  inet_listener lmtp {
    port = ${this.#lmtpPort}
  }
}
`
  }

  /** Starts the program, again after {@link Dovecot.kill}. */
  async run(): Promise<void> {
    // A group of its own, so that all its processes can be ended.
    const child = spawn(PROGRAM, ['-F', '-c', join(this.#folder, 'conf')], {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    })
    child.stderr.on('data', (data: Buffer) => {
      this.#said = (this.#said + data.toString()).slice(-2_000)
    })
    this.#process = child
    await until(
      async () => {
        if (child.exitCode !== null) throw new Error(`dovecot ended at once: ${this.#said}`)
        return (await answers(this.port)) && (await answers(this.#lmtpPort))
      },
      () => `dovecot to answer: ${this.#said}`,
    )
  }

  #signal(signal: NodeJS.Signals): void {
    const pid = this.#process?.pid
    if (pid === undefined) return
    try {
      process.kill(-pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }

  /** Dies at once, with all its processes. */
  async kill(): Promise<void> {
    const child = this.#process
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    this.#signal('SIGKILL')
    await exited
    this.#process = undefined
    // Its children hold the ports for a moment longer, which the next start needs.
    await until(
      async () => !(await answers(this.port)) && !(await answers(this.#lmtpPort)),
      'the ports of dovecot to be free',
    )
    await rm(join(this.#folder, 'run'), { recursive: true, force: true })
  }

  /** Freezes the server with all its connections open. */
  freeze(): void {
    this.#signal('SIGSTOP')
  }

  thaw(): void {
    this.#signal('SIGCONT')
  }

  /** Delivers a mail as it is. Resolves when the mailbox has it. */
  async deliver(to: string, raw: string, from = 'alice@example.org'): Promise<void> {
    const socket = new Socket().setNoDelay(true)
    const options = { host: '127.0.0.1', port: this.#lmtpPort, lmtp: true, ignoreTLS: true, socket }
    const transport = createTransport(options as object)
    try {
      await transport.sendMail({ envelope: { from, to: [to] }, raw } as object)
    } finally {
      transport.close()
    }
  }

  /** Puts a mail into the folder of a user who has logged in before, as a local program does. */
  async drop(user: string, raw: string, subfolder = ''): Promise<void> {
    const name = `${Math.floor(Date.now() / 1000)}.M${String(++this.#dropped).padStart(6, '0')}P1.test`
    const folder = join(this.#folder, 'mail', user, subfolder)
    await writeFile(join(folder, 'tmp', name), raw, { mode: 0o644 })
    await rename(join(folder, 'tmp', name), join(folder, 'new', name))
  }

  /** Makes the server give other numbers to the mails of a folder. */
  async renumber(user: string): Promise<void> {
    const folder = join(this.#folder, 'mail', user)
    const list = join(folder, 'dovecot-uidlist')
    const former = Number(/ V(\d+) /.exec(await readFile(list, 'utf8'))?.[1])
    for (const name of await readdir(folder))
      if (/^dovecot[.-](?:uid|index)/.test(name)) await unlink(join(folder, name))
    // Dovecot takes the time in seconds, which may be the former number.
    await writeFile(list, `3 V${former + 1} N1\n`)
  }

  async stop(): Promise<void> {
    process.off('exit', this.#onExit)
    await this.kill()
    await rm(this.#folder, { recursive: true, force: true })
  }
}
