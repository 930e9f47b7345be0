import { closestMatch, messageOf, type BaseContext, type HostControl, type Reader } from '@mynah/kernel'
import { FixedWindowLimiter } from '@mynah/kernel/util'
import { isWireError } from '@mynah/contract'
import type { Content } from '@mynah/contract/types'
import type { Command } from '../api/command.js'
import type { Message, Receipt } from '../api/message.js'
import { commands } from '../api/points.js'
import type { ReceivedMessage } from '../inbound/received-message.js'
import type { Endpoints } from '../endpoints/endpoints.js'
import type { ActiveMessages } from '../inbound/active-messages.js'
import type { ChatSettings } from '../settings.js'
import { errorText } from '../error-text.js'
import { isReordered, prefixLength, visibleWord } from '../util/visible-text.js'
import { textsFor, type Texts } from '../texts.js'
import { readInput, UsageError } from './read-input.js'
import { details, groupHelp, mayUse, overview } from './help.js'
import { afterSpace, afterWord, lineOf, tokenize, UnclosedQuote, type Line, type Token } from './tokens.js'
import { CommandTree, type OwnedCommand } from './tree.js'

/** The command or suggestion that answers a message. */
export interface CommandMatch {
  /** False for a suggestion: no command has the name. */
  readonly isKnown: boolean
  /** See {@link Command.repeatable}. */
  readonly isRepeatable: boolean
  readonly run: (message: ReceivedMessage, replies: Replies) => Promise<void>
}

/** How a command answers. */
export interface Replies {
  /** Replies while the command runs. Resolves when the platform has the reply. */
  readonly reply: (content: Content) => Promise<Receipt>
  /** Replies at the end. Resolves when the reply is stored, together with the end of the handling. */
  readonly answer: (content: Content) => Promise<void>
}

/** Words of a line that may belong to the name of a command. */
const MAX_WORDS = 8
/** Longest word that is compared with names: comparing costs the product of the lengths. */
const MAX_SUGGESTED = 64

/** Finds the command that a message calls, and runs it. */
export class CommandRunner {
  readonly #ctx: BaseContext<unknown>
  readonly #host: HostControl
  readonly #settings: ChatSettings
  readonly #endpoints: Endpoints
  readonly #active: ActiveMessages
  readonly #commands: Reader<Command>
  readonly #limiter = new FixedWindowLimiter()
  /** Notices to users who are too fast, one in a window. */
  readonly #notices = new FixedWindowLimiter()
  #tree: CommandTree | undefined
  #revision = -1

  constructor(
    ctx: BaseContext<unknown>,
    host: HostControl,
    settings: ChatSettings,
    endpoints: Endpoints,
    active: ActiveMessages,
  ) {
    this.#ctx = ctx
    this.#host = host
    this.#settings = settings
    this.#endpoints = endpoints
    this.#active = active
    this.#commands = ctx.read(commands)
  }

  /** Returns the tree of the registered commands. */
  tree(): CommandTree {
    if (!this.#tree || this.#revision !== this.#commands.revision) {
      this.#tree = new CommandTree(
        this.#commands.all().map(({ value, owner }): OwnedCommand => ({ command: value, owner })),
      )
      this.#revision = this.#commands.revision
    }
    return this.#tree
  }

  /** Returns whether the message calls a registered command. */
  isCommand(message: Message): boolean {
    return this.find(message)?.isKnown === true
  }

  /** Returns the command that a message calls, or a suggestion where it looks mistyped. */
  find(message: Message): CommandMatch | undefined {
    const { prefix } = this.#settings.commands
    const line = lineOf(message.segments, this.#endpoints.find(message.adapter, message.endpoint)?.self.id)
    const from = prefixLength(line.text, prefix)
    if (from === 0) return undefined
    const words = line.text.slice(from).split(/\s+/, MAX_WORDS).map(visibleWord)
    const [first = ''] = words
    // A prefix followed by a space is not a command: "/ 2" or "! what".
    if (first === '') return undefined
    const tree = this.tree()
    const match = tree.match(words)
    if (!match) {
      if (!message.addressed || first.length < 3 || first.length > MAX_SUGGESTED) return undefined
      if (isReordered(first)) return undefined
      const meant = closestMatch(
        first,
        tree.firstWords((command) => !command.hidden && mayUse(command, message.roles)),
      )
      if (meant === undefined) return undefined
      return {
        isKnown: false,
        isRepeatable: true,
        run: (_message, { answer }) => answer(textsFor(message.locale).didYouMean(prefix + first, prefix + meant)),
      }
    }
    const { found } = match
    if (!found) {
      return {
        isKnown: true,
        isRepeatable: true,
        run: (_message, { answer }) => answer(groupHelp(tree, match.node.words, prefix, message.locale, message.roles)),
      }
    }
    return {
      isKnown: true,
      isRepeatable: found.command.repeatable === true,
      run: (received, replies) => this.#run(found, line, afterWords(line.text, from, match.words), received, replies),
    }
  }

  async #run(
    { command, owner }: OwnedCommand,
    line: Line,
    from: number,
    message: ReceivedMessage,
    { reply, answer }: Replies,
  ): Promise<void> {
    const { trace } = message
    const { prefix } = this.#settings.commands
    const texts = textsFor(message.locale)
    let input: CommandInput
    try {
      // A command runs only where it is shown as it is.
      if (isReordered(line.text)) throw new Refusal('reordered text', texts.reordered)
      this.#assertAllowed(command, message, texts)
      input = inputOf(command, line, from, prefix, texts)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      trace.step('command', command.name, 'refused', error.reason)
      return error.isSilent ? undefined : answer(error.message)
    }
    message.currentStep = () => `the command "${command.name}"`
    if (command.slowAfter !== undefined) this.#active.setSlowAfter(message, command.slowAfter)
    try {
      const result = (await (command.run as (input: unknown) => unknown)({
        // Written out, since a spread is slow in Node 20.
        args: input.args,
        options: input.options,
        message,
        reply,
        prompt: message.$prompt.bind(message),
      })) as Content | undefined
      trace.step('command', command.name, 'ran')
      if (result !== undefined && result !== '') await answer(result)
    } catch (error) {
      trace.step('command', command.name, 'failed', messageOf(error))
      // A wire error is written for the user; any other goes to the log.
      if (isWireError(error) && !error.code.startsWith('internal')) return answer(errorText(error, message, this.#host))
      this.#host.report(owner, error)
      await answer(texts.failed(prefix + command.name))
    }
  }

  /** Throws {@link Refusal} where the sender may not run the command here and now. Counts the call. */
  #assertAllowed(command: Command, message: ReceivedMessage, texts: Texts): void {
    const { requiredAnyRole = [] } = command
    if (!mayUse(command, message.roles))
      throw new Refusal(`needs one of ${requiredAnyRole.join(', ')}`, texts.notAllowed(requiredAnyRole))
    if (command.privateOnly && message.channel.type !== 'private')
      throw new Refusal('private chats only', texts.privateOnly)
    const limit = command.rateLimit ?? this.#settings.commands.rateLimit
    if (!limit) return
    const { adapter, endpoint, sender } = message
    const key = `${command.rateLimit ? command.name : '*'}|${adapter}|${endpoint}|${sender.id}`
    const now = this.#ctx.clock.now()
    const windowMs = limit.seconds * 1000
    const waitMs = this.#limiter.take(key, { count: limit.count, windowMs }, now)
    if (waitMs === 0) return this.#notices.reset(key)
    // An automaton would answer each notice with another call.
    const isFirst = this.#notices.take(key, { count: 1, windowMs }, now) === 0
    throw new Refusal('rate limit', isFirst ? texts.tooFast(Math.ceil(waitMs / 1000)) : undefined)
  }

  /** Returns whether a message calls `/start`, whatever follows. */
  isStart(message: Message): boolean {
    const { prefix } = this.#settings.commands
    const { text } = lineOf(message.segments, this.#endpoints.find(message.adapter, message.endpoint)?.self.id)
    const [first = ''] = text.slice(prefixLength(text, prefix)).split(/\s+/, 1)
    return visibleWord(first).toLowerCase() === 'start'
  }

  /** Returns the text of `/start`. */
  greeting(message: Message, hasAi: boolean): string {
    const texts = textsFor(message.locale)
    const { name = '' } = this.#endpoints.find(message.adapter, message.endpoint)?.self ?? {}
    return [texts.greeting(name), ...(hasAi ? [texts.talk] : []), '', this.help(undefined, message)].join('\n')
  }

  /**
   * Returns the text of `/help`.
   *
   * @param name the command to describe; without it, all commands are listed
   */
  help(name: string | undefined, message: Message): string {
    const { prefix } = this.#settings.commands
    const tree = this.tree()
    if (!name) return overview(tree, prefix, message.locale, message.roles)
    const bare = name.startsWith(prefix) ? name.slice(prefix.length) : name
    const found = tree.get(bare)
    if (found && mayUse(found.command, message.roles))
      return details(tree, found.command, prefix, message.locale, message.roles)
    if (tree.below(bare.split(/\s+/)).length)
      return groupHelp(tree, bare.split(/\s+/), prefix, message.locale, message.roles)
    return textsFor(message.locale).noSuchCommand(prefix + bare)
  }
}

type CommandInput = ReturnType<typeof readInput>

/** A command that does not run. The message is for the user, the reason for the trace. */
class Refusal extends Error {
  readonly reason: string
  readonly isSilent: boolean

  /** @param message the answer; without it the user is not answered */
  constructor(reason: string, message?: string) {
    super(message)
    this.reason = reason
    this.isSilent = message === undefined
  }
}

/** Reads the arguments and options of a command. Throws {@link Refusal} where they do not fit. */
function inputOf(command: Command, line: Line, from: number, prefix: string, texts: Texts): CommandInput {
  try {
    const tokens: Token[] = from >= line.text.length ? [] : tokenize(line, from)
    return readInput(command, line, tokens, prefix, texts)
  } catch (error) {
    if (error instanceof UsageError) throw new Refusal('wrong input', error.message)
    if (error instanceof UnclosedQuote) throw new Refusal('wrong input', texts.unclosedQuote)
    throw error
  }
}

/** Returns the index after a number of words. */
function afterWords(text: string, from: number, words: number): number {
  let at = from
  for (let word = 0; word < words; word++) at = afterWord(text, afterSpace(text, at))
  return at
}
