// The agent's own tools: asking the user, searching the transcript, finding tools.
import { Type } from '@mynah/contract/type'
import { defineTool, type Tool, type ToolCall, wrapped } from '@mynah/plugin-ai/api'
import type { Chat } from '@mynah/plugin-chat/api'
import { lineOf } from '../prompt/speakers.js'
import { ranked } from './selection.js'

const ROWS = 10
/** Words that ask for what was said before. */
const HISTORY =
  /\b(?:earlier|last time|previously|history|recall|remember when|before that|yesterday)\b|之前|上次|以前|历史|记得|刚才|昨天/i
const SAMPLE = 2_000

interface Deps {
  readonly chat: () => Chat | undefined
  /** Row of the message that the turn of a call answers. */
  readonly asking: (call: ToolCall) => string | undefined
  /** All tools that the agent of a call sees. */
  readonly all: (call: ToolCall) => readonly Tool[]
  /** Adds tools to the head of the running turn, as far as there is room; gives those that now stand there. */
  readonly offer: (call: ToolCall, tools: readonly Tool[]) => Promise<readonly string[]>
  readonly most: () => number
}

/** All of them. */
export function ownTools({ chat, asking, all, offer, most }: Deps): Tool[] {
  const history = async (call: ToolCall, keyword: string | undefined, limit: number): Promise<string> => {
    const { adapter, endpoint, channel } = call.origin
    if (adapter === undefined || endpoint === undefined || channel === undefined)
      return 'There is no chat whose history could be read.'
    // The question itself names the keyword, and says nothing that the model has not read.
    const before = asking(call)
    const rows =
      (await chat()?.transcript({
        adapter,
        endpoint,
        channel,
        limit,
        ...(before === undefined ? {} : { before }),
        ...(keyword ? { text: keyword } : {}),
      })) ?? []
    if (rows.length === 0) return keyword ? `Nothing with "${keyword}" was said here.` : 'Nothing was said here before.'
    return wrapped(
      rows
        .map(
          ({ sender, text, timestamp }) =>
            `${new Date(timestamp).toISOString()} ${lineOf(sender, text.slice(0, 1_000))}`,
        )
        .join('\n'),
      'chat history',
    )
  }
  return [
    defineTool({
      name: 'ask_user',
      description: 'Asks the user and waits for the answer. Give choices where there are few.',
      permanent: true,
      effect: 'repeatable',
      parameters: Type.Object({
        question: Type.String({ minLength: 1, maxLength: 4_000 }),
        choices: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 20 })),
      }),
      run: ({ question, choices }, call) => call.ask(question, choices ? { choices } : {}),
    }),
    defineTool({
      name: 'chat_history',
      description:
        'Finds what was said earlier in this conversation, also before it was reset. Without a keyword the last messages.',
      effect: 'read',
      keywords: ['history', 'earlier', 'before', '历史', '之前'],
      parameters: Type.Object({
        keyword: Type.Optional(Type.String({ maxLength: 200 })),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: ROWS })),
      }),
      preExec: ({ text }) => (HISTORY.test(text.slice(0, SAMPLE)) ? {} : undefined),
      run: ({ keyword, limit }, call) => history(call, keyword, limit ?? ROWS),
    }),
    defineTool({
      name: 'tool_search',
      description:
        'Finds tools by what they do and makes them available, as far as there is room; the others can be used by run_deferred_task.',
      permanent: true,
      effect: 'repeatable',
      parameters: Type.Object({ query: Type.String({ minLength: 1, maxLength: 500 }) }),
      async run({ query }, call) {
        // What is always there needs no search.
        const found = ranked(
          all(call).filter(({ permanent }) => !permanent),
          query,
        ).slice(0, most())
        if (found.length === 0) return 'No tool fits.'
        const offered = await offer(call, found)
        return found
          .map(
            ({ name, description }) =>
              `${name}: ${description}${offered.includes(name) ? '' : ' (by run_deferred_task)'}`,
          )
          .join('\n')
      },
    }),
  ]
}
