// A server that does what a test tells it: real ones neither have services here, nor refuse on demand, nor send
// nonsense.
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

export interface Scripted {
  readonly port: number
  readonly sockets: ReadonlySet<Socket>
  stop(): Promise<void>
}

/** Starts a server that hands each line to `script`. */
export async function scripted(
  script: (line: string, say: (line: string) => void, socket: Socket) => void,
): Promise<Scripted> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => sockets.delete(socket))
    createInterface({ input: socket })
      .on('error', () => socket.destroy())
      .on('line', (line) =>
        script(
          line,
          (answer) => {
            socket.write(`${answer}\r\n`)
          },
          socket,
        ),
      )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Lets the bot into every channel that it asks for. */
export function joins(line: string, say: (line: string) => void): void {
  const channel = /^JOIN (\S+)/.exec(line)?.[1]
  if (channel === undefined) return
  say(`:mynah!m@host JOIN ${channel}`)
  say(`:s 353 mynah = ${channel} :mynah @alice`)
  say(`:s 366 mynah ${channel} :End`)
}
