import { messageOf, type BaseContext, type HostControl, type Reader } from '@mynah/kernel'
import { aiPaths, type AiPath } from './api/points.js'
import type { CommandRunner, Replies } from './commands/runner.js'
import type { LoopGuard } from './inbound/loop-guard.js'
import type { ReceivedMessage } from './inbound/received-message.js'
import type { Outbound } from './outbound/outbound.js'
import type { ChatSettings } from './settings.js'
import type { InboundStates } from './store/inbound-states.js'
import { isUnavailable } from './store/pending-writes.js'

/** One way in which a message can be answered. */
interface Branch {
  readonly name: 'command' | 'ai'
  /** Whether it is the call of a command, which automata do not write. */
  readonly isKnownCommand: boolean
  /** @param isLast whether no other branch answers after this one */
  readonly run: (isLast: boolean) => Promise<void>
}

/** Decides whether a command, the AI or both answer a message. */
export class Dispatcher {
  readonly #ctx: BaseContext<unknown>
  readonly #host: HostControl
  readonly #settings: ChatSettings
  readonly #states: InboundStates
  readonly #runner: CommandRunner
  readonly #outbound: Outbound
  readonly #loops: LoopGuard
  readonly #aiPaths: Reader<AiPath>

  constructor(
    ctx: BaseContext<unknown>,
    host: HostControl,
    settings: ChatSettings,
    states: InboundStates,
    runner: CommandRunner,
    outbound: Outbound,
    loops: LoopGuard,
  ) {
    this.#ctx = ctx
    this.#host = host
    this.#settings = settings
    this.#states = states
    this.#runner = runner
    this.#outbound = outbound
    this.#loops = loops
    this.#aiPaths = ctx.read(aiPaths)
  }

  /** Runs the branches that the configuration selects. */
  async dispatch(message: ReceivedMessage): Promise<void> {
    const { mode, order, allowDualReply } = this.#settings.dispatcher
    const command = this.#commandBranch(message)
    if (mode === 'exclusive') {
      const branch = command ?? this.#aiBranch(message)
      return this.#run(branch ? [branch] : [], message)
    }
    const ai = this.#aiBranch(message)
    const branches = (order === 'ai-first' ? [ai, command] : [command, ai]).filter(
      (branch): branch is Branch => branch !== undefined,
    )
    const chosen = allowDualReply ? branches : branches.slice(0, 1)
    for (const skipped of branches.slice(chosen.length))
      message.trace.step(skipped.name, skipped.name, 'skipped', 'another branch answers and allowDualReply is off')
    await this.#run(chosen, message)
  }

  async #run(branches: readonly Branch[], message: ReceivedMessage): Promise<void> {
    if (branches.some(({ isKnownCommand }) => !isKnownCommand) && !this.#loops.admit(message))
      return message.trace.step('dispatcher', '', 'skipped', 'a loop with this user was ended')
    for (const branch of branches) await branch.run(branch === branches.at(-1))
  }

  #commandBranch(message: ReceivedMessage): Branch | undefined {
    const match = this.#runner.find(message)
    if (!match || (!match.isKnown && this.#aiPaths.all().some(({ value }) => value.hasCommand?.(message)))) {
      message.trace.step('command', '', 'none')
      return undefined
    }
    return {
      name: 'command',
      isKnownCommand: match.isKnown,
      run: (isLast) => match.run(message, this.#replies(message, isLast)),
    }
  }

  #aiBranch(message: ReceivedMessage): Branch | undefined {
    const paths = this.#aiPaths.all()
    if (paths.length === 0) {
      message.trace.step('ai', '', 'none', 'no plugin answers with AI')
      return undefined
    }
    const entry = paths.find(({ value, owner }) => this.#decides(value, owner, message))
    return entry && { name: 'ai', isKnownCommand: false, run: () => this.#runAi(entry.value, entry.owner, message) }
  }

  async #runAi(path: AiPath, owner: string, message: ReceivedMessage): Promise<void> {
    try {
      await path.handle(message, (content) => this.#outbound.reply(message, content, { source: 'ai' }))
    } catch (error) {
      this.#states.reattach(message)
      message.trace.step('ai', path.name, 'failed', messageOf(error))
      // Nothing was done for the message yet: it waits for the store.
      if (message.stored && message.trace.replies === 0 && isUnavailable(error)) return this.#states.giveBack(message)
      this.#host.report(owner, error)
    }
  }

  #decides(path: AiPath, owner: string, message: ReceivedMessage): boolean {
    try {
      const { matches, reason } = path.decide(message)
      message.trace.step('ai', path.name, matches ? 'matched' : 'passed', reason)
      return matches
    } catch (error) {
      // A path that cannot decide must not keep a command from answering.
      message.trace.step('ai', path.name, 'failed', messageOf(error))
      this.#host.report(owner, error)
      return false
    }
  }

  #replies(message: ReceivedMessage, isLast: boolean): Replies {
    return {
      reply: (content) => this.#outbound.reply(message, content, { source: 'command' }),
      answer: async (content) => {
        const finishes = isLast && message.row !== undefined && message.completion === 'handler'
        const { intent, receipt } = this.#outbound.startReply(message, content, { source: 'command', finishes })
        // The store, the trace and the log have the failure; the command has nothing left to do.
        receipt.catch((error: unknown) =>
          this.#ctx.log.warn(`failed to send an answer: ${messageOf(error)}`, {
            adapter: message.adapter,
            endpoint: message.endpoint,
            messageId: message.id,
          }),
        )
        const { stored } = intent instanceof Promise ? await intent : intent
        if (finishes && stored) this.#states.finishedWithReply(message)
        // Without a row only the sending itself keeps the answer from being lost.
        if (!stored) await receipt.catch(() => {})
      },
    }
  }
}
