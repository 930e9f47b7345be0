// Which path answers a message: the command path, the AI path, or both.
import { messageOf, type HostControl, type Logger, type Reader } from '@mynah/kernel'
import type { Content, Segment } from '@mynah/contract/types'
import type { Receipt } from './api/message.js'
import type { AiPath, Dispatcher as DispatcherApi, OutboundPolish, OutboundReply } from './api/points.js'
import { withOutboundReply } from './api/reply-context.js'
import type { CommandRunner, Replies } from './commands/runner.js'
import type { DispatcherConfig } from './config.js'
import type { ReceivedMessage } from './inbound/received-message.js'
import type { AnswerOptions, Started } from './outbound/sender.js'

interface Deps {
  readonly runner: CommandRunner
  readonly aiPaths: Reader<AiPath>
  readonly config: () => DispatcherConfig
  readonly host: HostControl
  readonly log: Logger
  /** Sends in the channel of a message, through the endpoint as it is now. */
  readonly start: (message: ReceivedMessage, content: Content, request: AnswerOptions) => Started
  /** Whether anybody could ask for the reply context. */
  readonly contextWanted: () => boolean
}

interface Branch {
  readonly name: 'command' | 'ai'
  readonly run: (isLast: boolean) => Promise<void>
}

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
      await (command ?? this.#ai(message))?.run(true)
      return
    }
    const ai = this.#ai(message)
    const branches = (order === 'ai-first' ? [ai, command] : [command, ai]).filter(
      (branch): branch is Branch => branch !== undefined,
    )
    const chosen = allowDualReply ? branches : branches.slice(0, 1)
    for (const skipped of branches.slice(chosen.length))
      message.trace.step(skipped.name, skipped.name, 'skipped', 'another branch answers and allowDualReply is off')
    for (const branch of chosen) await branch.run(branch === chosen.at(-1))
  }

  #command(message: ReceivedMessage): Branch | undefined {
    const found = this.#deps.runner.find(message)
    if (!found) {
      message.trace.step('command', '', 'none')
      return undefined
    }
    return { name: 'command', run: (isLast) => found.run(message, this.#replies(message, isLast)) }
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
            await path.handle(message, (content) => this.reply(message, 'ai', content))
          } catch (error) {
            if (message.completion === 'handed over') message.completion = 'open'
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

  #replies(message: ReceivedMessage, isLast: boolean): Replies {
    return {
      reply: (content) => this.reply(message, 'command', content),
      answer: async (content) => {
        const ends = isLast && message.row !== undefined && message.completion === 'open'
        const { intended, receipt } = this.#start(message, 'command', content, ends ? { ends } : {})
        // Its end is in the store, the trace and the log; who answered has nothing left to do.
        receipt.catch((error: unknown) =>
          this.#deps.log.warn(`an answer could not be sent: ${messageOf(error)}`, {
            adapter: message.adapter,
            endpoint: message.endpoint,
            messageId: message.id,
          }),
        )
        const { stored } = intended instanceof Promise ? await intended : intended
        if (ends && stored) message.completion = 'with its answer'
        // Without a store only the sending itself keeps the answer from being lost.
        if (!stored) await receipt.catch(() => {})
      },
    }
  }

  /** The polished reply: only here the reply is known in the async context. */
  reply(
    message: ReceivedMessage,
    source: OutboundReply['source'],
    content: Content,
    request: AnswerOptions = {},
  ): Promise<Receipt> {
    try {
      return this.#start(message, source, content, request).receipt
    } catch (error) {
      return Promise.reject(error)
    }
  }

  #start(message: ReceivedMessage, source: OutboundReply['source'], content: Content, request: AnswerOptions): Started {
    const reply: OutboundReply = { message, source }
    const start = (): Started =>
      this.#deps.start(
        message,
        content,
        this.#polish.size ? { ...request, polish: (segments) => this.polished(segments, reply) } : request,
      )
    const started = this.#polish.size || this.#deps.contextWanted() ? withOutboundReply(reply, start) : start()
    message.trace.replies++
    return started
  }

  /** What the polish handlers make of a reply. */
  async polished(segments: readonly Segment[], reply: OutboundReply): Promise<readonly Segment[]> {
    let polished = segments
    for (const handler of this.#polish) polished = await handler(polished, reply)
    return polished
  }
}
