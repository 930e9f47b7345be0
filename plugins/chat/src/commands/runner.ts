// From a line of text to a command that runs: match, roles, limits, input, answer.
import { messageOf, closestMatch, type Contribution, type HostControl, type Reader } from '@mynah/kernel'
import { isWireError } from '@mynah/contract'
import type { Content } from '@mynah/contract/types'
import type { Command } from '../api/command.js'
import type { Message, Receipt } from '../api/message.js'
import type { ReceivedMessage } from '../inbound/received-message.js'
import type { CommandsConfig } from '../config.js'
import { textsFor } from '../texts.js'
import { readInput, UsageError } from './read-input.js'
import { details, groupHelp, mayUse, overview } from './help.js'
import { RateLimit } from './rate-limit.js'
import { afterSpace, afterWord, lineOf, tokenize, UnclosedQuote, type Line, type Token } from './tokens.js'
import { CommandTree, type OwnedCommand } from './tree.js'

/** What the command path found in a message. */
export interface CommandMatch {
  readonly line: Line
  readonly name: string
  /** False for a suggestion in place of a command that there is not. */
  readonly known: boolean
  readonly run: (message: ReceivedMessage, replies: Replies) => Promise<void>
}

/** How a command answers. */
export interface Replies {
  /** In the middle: resolves when the platform has it. */
  readonly reply: (content: Content) => Promise<Receipt>
  /** At the end: resolves when it is stored, together with the end of the handling. */
  readonly answer: (content: Content) => Promise<void>
}

interface Deps {
  readonly commands: Reader<Command>
  readonly config: () => CommandsConfig
  readonly selfId: (message: Message) => string | undefined
  readonly host: HostControl
  readonly now: () => number
  /** A command has a time of its own after which it counts as slow, s. */
  readonly expect: (message: ReceivedMessage, seconds: number) => void
}

/** Words of a line that may name a command: no more than the deepest name could have. */
const MAX_WORDS = 8
/** Letters of a word that may be a mistyped command: comparing costs the product of the lengths. */
const MAX_SUGGESTED = 64

export class CommandRunner {
  readonly #deps: Deps
  readonly #limits = new RateLimit()
  #tree: CommandTree | undefined
  #revision = -1

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** The tree of what is registered now. */
  tree(): CommandTree {
    const { commands } = this.#deps
    if (!this.#tree || this.#revision !== commands.revision) {
      this.#tree = new CommandTree(
        commands
          .all()
          .map((entry: Contribution<Command>): OwnedCommand => ({ command: entry.value, owner: entry.owner })),
      )
      this.#revision = commands.revision
    }
    return this.#tree
  }

  /** The command that a message means, or nothing. */
  find(message: Message): CommandMatch | undefined {
    const { prefix } = this.#deps.config()
    const line = lineOf(message.segments, this.#deps.selfId(message))
    if (!line.text.startsWith(prefix)) return undefined
    const words = line.text.slice(prefix.length).split(/\s+/, MAX_WORDS)
    const [first = ''] = words
    // A prefix followed by a space is not a command: "/ 2" or "! what".
    if (first === '') return undefined
    const tree = this.tree()
    const match = tree.match(words)
    if (!match) {
      if (!message.addressed || first.length < 3 || first.length > MAX_SUGGESTED) return undefined
      const meant = closestMatch(
        first,
        tree.firstWords((command) => !command.hidden && mayUse(command, message.roles)),
      )
      if (meant === undefined) return undefined
      return {
        line,
        name: first,
        known: false,
        run: (_message, { answer }) => answer(textsFor(message.locale).didYouMean(prefix + first, prefix + meant)),
      }
    }
    const { found } = match
    if (!found) {
      return {
        line,
        name: match.node.words.join(' '),
        known: true,
        run: (_message, { answer }) => answer(groupHelp(tree, match.node.words, prefix, message.locale, message.roles)),
      }
    }
    return {
      line,
      name: found.command.name,
      known: true,
      run: (received, replies) =>
        this.#run(found, line, afterWords(line.text, prefix.length, match.words), received, replies),
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
    const texts = textsFor(message.locale)
    const { prefix, rateLimit } = this.#deps.config()
    const refuse = async (reason: string, text: string): Promise<void> => {
      trace.step('command', command.name, 'refused', reason)
      await answer(text)
    }
    if (!mayUse(command, message.roles))
      return refuse(`needs one of ${command.requiredAnyRole?.join(', ')}`, texts.notAllowed)
    if (command.privateOnly && message.channel.type !== 'private')
      return refuse('private chats only', texts.privateOnly)
    const limit = command.rateLimit ?? rateLimit
    if (limit) {
      const wait = this.#limits.take(
        `${command.rateLimit ? command.name : '*'}|${message.adapter}|${message.endpoint}|${message.sender.id}`,
        limit,
        this.#deps.now(),
      )
      if (wait > 0) return refuse('rate limit', texts.tooFast(wait))
    }
    let input: ReturnType<typeof readInput>
    try {
      const tokens: Token[] = from >= line.text.length ? [] : tokenize(line, from)
      input = readInput(command, line, tokens, prefix, texts)
    } catch (error) {
      if (error instanceof UsageError) return refuse('wrong input', error.message)
      if (error instanceof UnclosedQuote) return refuse('wrong input', texts.unclosedQuote)
      throw error
    }
    message.currentStep = () => `the command "${command.name}"`
    if (command.slowAfter !== undefined) this.#deps.expect(message, command.slowAfter)
    let result: Content | undefined
    try {
      result = (await (command.run as (input: unknown) => unknown)({
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
      // A wire error is meant for who asked; anything else is the log's.
      if (isWireError(error) && !error.code.startsWith('internal')) return answer(texts.wire(error))
      this.#deps.host.report(owner, error)
      await answer(texts.failed(prefix + command.name))
    }
  }

  /** The answer of `/help`. */
  help(name: string | undefined, message: Message): string {
    const { prefix } = this.#deps.config()
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

/** Where so many words end. */
function afterWords(text: string, from: number, words: number): number {
  let at = from
  for (let word = 0; word < words; word++) at = afterWord(text, afterSpace(text, at))
  return at
}
