// Which path answers a message: the command path, the AI path, or both.
import type { HostControl, Reader } from '@mynah/kernel'
import { messageOf } from '@mynah/kernel'
import type { Content, Segment } from '@mynah/contract/types'
import type { Receipt } from './api/message.js'
import type { AiPath, Dispatcher as DispatcherApi, OutboundPolish, OutboundReply } from './api/points.js'
import { withOutboundReply } from './api/reply-context.js'
import type { CommandRunner } from './commands/runner.js'
import type { DispatcherConfig } from './config.js'
import type { ReceivedMessage } from './message.js'
import type { SendOptions } from './sending.js'
import type { Endpoint } from './endpoint.js'

interface Deps {
  readonly runner: CommandRunner
  readonly aiPaths: Reader<AiPath>
  readonly config: () => DispatcherConfig
  readonly host: HostControl
  readonly send: (endpoint: Endpoint, message: ReceivedMessage, content: Content, options: SendOptions) => Promise<Receipt>
  /** Whether anybody could ask for the reply context. */
  readonly contextWanted: () => boolean
}

type Reply = (content: Content) => Promise<Receipt>
interface Branch { readonly name: 'command' | 'ai'; readonly run: () => Promise<void> }

export class Dispatcher implements DispatcherApi {
  readonly #deps: Deps
  readonly #polish = new Set<OutboundPolish>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  addOutboundPolish(handler: OutboundPolish): () => void {
    this.#polish.add(handler)
    return () => void this.#polish.delete(handler)
  }

  /** Whether the message calls a command that there is. */
  isCommand(message: ReceivedMessage): boolean {
    return this.#deps.runner.find(message)?.known === true
  }

  /** Lets the branches answer that the configuration chooses. */
  async dispatch(message: ReceivedMessage): Promise<void> {
    const { mode, order, allowDualReply } = this.#deps.config()
    const command = this.#command(message)
    if (mode === 'exclusive') {
      await (command ?? this.#ai(message))?.run()
      return
    }
    const ai = this.#ai(message)
    const branches = (order === 'ai-first' ? [ai, command] : [command, ai]).filter((branch): branch is Branch => branch !== undefined)
    const chosen = allowDualReply ? branches : branches.slice(0, 1)
    for (const skipped of branches.slice(chosen.length)) message.trace.step(skipped.name, skipped.name, 'skipped', 'another branch answers and allowDualReply is off')
    for (const branch of chosen) await branch.run()
  }

  #command(message: ReceivedMessage): Branch | undefined {
    const found = this.#deps.runner.find(message)
    if (!found) {
      message.trace.step('command', '', 'none')
      return undefined
    }
    return { name: 'command', run: () => found.run(message, this.#reply(message, 'command'), message.trace) }
  }

  #ai(message: ReceivedMessage): Branch | undefined {
    const paths = this.#deps.aiPaths.all()
    if (paths.length === 0) {
      message.trace.step('ai', '', 'none', 'no plugin answers with AI')
      return undefined
    }
    for (const { value: path, owner } of paths) {
      if (!this.#decides(path, owner, message)) continue
      return {
        name: 'ai',
        run: async () => {
          try {
            await path.handle(message, this.#reply(message, 'ai'))
          } catch (error) {
            message.trace.step('ai', path.name, 'failed', messageOf(error))
            this.#deps.host.report(owner, error)
          }
        },
      }
    }
    return undefined
  }

  #decides(path: AiPath, owner: string, message: ReceivedMessage): boolean {
    try {
      const { matches, reason } = path.decide(message)
      message.trace.step('ai', path.name, matches ? 'matched' : 'passed', reason)
      return matches
    } catch (error) {
      // One that cannot decide does not keep a command from its answer.
      message.trace.step('ai', path.name, 'failed', messageOf(error))
      this.#deps.host.report(owner, error)
      return false
    }
  }

  /** The polished reply: only here the reply is known in the async context. */
  #reply(message: ReceivedMessage, source: OutboundReply['source']): Reply {
    return async (content) => {
      const reply: OutboundReply = { message, source }
      const options: SendOptions = {
        replyTo: message.id,
        ...(message.rowId === undefined ? {} : { answers: message.rowId }),
        ...(this.#polish.size ? { polish: (segments: readonly Segment[]) => this.#polished(segments, reply) } : {}),
      }
      const send = (): Promise<Receipt> => this.#deps.send(message.source, message, content, options)
      const receipt = await (this.#polish.size || this.#deps.contextWanted() ? withOutboundReply(reply, send) : send())
      message.trace.replies++
      return receipt
    }
  }

  async #polished(segments: readonly Segment[], reply: OutboundReply): Promise<readonly Segment[]> {
    let polished = segments
    for (const handler of this.#polish) polished = await handler(polished, reply)
    return polished
  }
}
