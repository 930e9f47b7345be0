import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { WireError } from '@mynah/contract'
import { messageOf } from '@mynah/kernel'
import { SocketOwners, type CommandRuns, type Sender } from './socket-owners.js'

/** Time before a sender that was not found is looked for once more, ms. */
const LOOK_AGAIN_MS = 100

/** An action that was refused, because a process of this host asked for it. */
export interface RefusedSender {
  /** The method and the route, or the RPC method. */
  readonly action: string
  /** Name of the token. */
  readonly token: string
  /** The process, in words. */
  readonly sender: string
}

/**
 * Refuses actions of processes that this host started, or that cannot be distinguished from those: a command or the
 * server of a tool would otherwise decide for its owner. Requests from other machines pass, as does what only reads.
 */
export class SenderCheck {
  readonly #owners: SocketOwners
  readonly #refused: (refused: RefusedSender) => void
  /** Senders by connection. The process at the other end of a connection does not change. */
  readonly #known = new WeakMap<Socket, Promise<Sender>>()

  constructor(runs: () => CommandRuns | undefined, refused: (refused: RefusedSender) => void) {
    this.#owners = new SocketOwners(runs)
    this.#refused = refused
  }

  /** @throws WireError `forbidden:descendant` */
  async assertForeign({ socket }: IncomingMessage, action: string, token: string): Promise<void> {
    let sender = await this.#senderOf(socket)
    if (sender.kind === 'unidentified') {
      // Processes come and go while their table is read, so that a busy machine may hide one that lives.
      await setTimeout(LOOK_AGAIN_MS)
      sender = await this.#senderOf(socket)
    }
    if (sender.kind === 'foreign') return
    const words = sender.kind === 'descendant' ? `process ${sender.pid}` : sender.because
    this.#refused({ action, token, sender: words })
    throw new WireError(
      'forbidden:descendant',
      'A process that this host started, or that cannot be distinguished from one, may only read',
    )
  }

  #senderOf(socket: Socket): Promise<Sender> {
    const known = this.#known.get(socket)
    if (known) return known
    const { remotePort, localPort, remoteAddress, localAddress } = socket
    const isLocal =
      process.platform === 'linux' &&
      (remoteAddress === undefined || remoteAddress === localAddress || isOwnAddress(remoteAddress))
    const sender: Promise<Sender> = isLocal
      ? this.#owners
          .of({ port: remotePort ?? 0, to: localPort ?? 0 })
          .catch((error: unknown) => ({ kind: 'unidentified', because: `a process unknown (${messageOf(error)})` }))
      : Promise.resolve({ kind: 'foreign' })
    this.#known.set(socket, sender)
    // The next request looks again where this one found nothing.
    void sender.then(({ kind }) => {
      if (kind === 'unidentified') this.#known.delete(socket)
    })
    return sender
  }
}

/** Returns whether an address is one of this machine. */
function isOwnAddress(address: string): boolean {
  const [plain = ''] = address.replace(/^::ffff:/i, '').split('%', 1)
  if (plain.startsWith('127.') || plain === '::1') return true
  return Object.values(networkInterfaces()).some((all) => all?.some((own) => own.address === plain))
}
