// A user on a server, over a plain socket: shares no code with the adapter.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { until } from '@mynah/kernel/testing'

/** A line as it came: `:nick!user@host COMMAND params :last`. */
export interface Line {
  readonly raw: string
  readonly tags: string
  readonly nick: string
  readonly command: string
  readonly params: readonly string[]
}

function parse(raw: string): Line {
  const [, tags = '', prefix = '', rest = ''] = /^(?:@(\S+) )?(?::(\S+) )?(.*)$/.exec(raw) ?? []
  const [middle = '', ...trailing] = rest.split(/ :(.*)/s)
  const [command = '', ...params] = middle.split(' ')
  return {
    raw,
    tags,
    nick: prefix.split('!')[0] ?? '',
    command,
    params: trailing[0] === undefined ? params : [...params, trailing[0]],
  }
}

export class User {
  nick: string
  readonly #socket: Socket
  readonly lines: Line[] = []

  private constructor(nick: string, socket: Socket) {
    this.nick = nick
    this.#socket = socket
    socket.on('error', () => {
      socket.destroy()
    })
    createInterface({ input: socket })
      .on('error', () => socket.destroy())
      .on('line', (raw) => {
        const line = parse(raw)
        if (line.command === 'PING') return this.raw(`PONG :${line.params.at(-1)}`)
        this.lines.push(line)
      })
  }

  static async enter(port: number, nick: string, channels: readonly string[] = []): Promise<User> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    const user = new User(nick, socket)
    user.raw(`NICK ${nick}`)
    user.raw(`USER ${nick} 0 * :${nick}`)
    await user.gets(({ command }) => command === '001', 'a welcome')
    for (const channel of channels) await user.join(channel)
    return user
  }

  raw(line: string): void {
    this.#socket.write(`${line}\r\n`)
  }

  async rename(nick: string): Promise<void> {
    this.raw(`NICK ${nick}`)
    await this.gets(({ command, params }) => command === 'NICK' && params[0] === nick, `the name ${nick}`)
    this.nick = nick
  }

  async join(channel: string): Promise<void> {
    this.raw(`JOIN ${channel}`)
    await this.gets(
      ({ command, params }) => command === '366' && params[1]?.toLowerCase() === channel.toLowerCase(),
      `the names in ${channel}`,
    )
  }

  say(target: string, text: string): void {
    this.raw(`PRIVMSG ${target} :${text}`)
  }

  /** Waits for a line that came or will come. */
  async gets(accepts: (line: Line) => boolean, what: string): Promise<Line> {
    await until(
      () => this.lines.some(accepts),
      () => `for ${what}; ${this.nick} last got ${JSON.stringify(this.lines.slice(-8).map(({ raw }) => raw))}`,
    )
    return this.lines.find(accepts) as Line
  }

  /** Waits until a user is in a channel with this one. */
  async sees(nick: string, channel: string): Promise<void> {
    await this.gets(
      ({ command, params, nick: who }) =>
        (command === 'JOIN' && who === nick && params[0] === channel) ||
        (command === '353' &&
          params[2] === channel &&
          (params[3] ?? '').split(' ').some((name) => name.replace(/^[~&@%+]+/, '') === nick)),
      `${nick} in ${channel}`,
    )
  }

  /** Returns the messages of a user, oldest first. */
  heard(from: string): string[] {
    return this.lines
      .filter(({ command, nick }) => command === 'PRIVMSG' && nick === from)
      .map(({ params }) => params[1] ?? '')
  }

  async leave(): Promise<void> {
    if (this.#socket.destroyed) return
    const closed = once(this.#socket, 'close')
    this.raw('QUIT :bye')
    this.#socket.end()
    await closed
  }

  /** Closes the connection without a QUIT. */
  drop(): void {
    this.#socket.destroy()
  }
}
