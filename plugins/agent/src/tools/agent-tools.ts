import { Type } from '@mynah/contract/type'
import { defineTool, type Tool, type ToolCall } from '@mynah/plugin-ai/api'
import { ownElement, speakerElement } from '../prompt/speakers.js'
import type { AgentRuntime } from '../runtime.js'
import { isForTasks, rankTools } from './selection.js'

const DEFAULT_ROWS = 10
const MAX_ROWS = 100
const MAX_LINE = 1_000
/** Words that refer to something said before. */
const HISTORY_EN = /\b(?:earlier|last time|previously|history|recall|remember when|before that|yesterday)\b/i
const HISTORY_ZH = /之前|上次|以前|历史|记得|刚才|昨天/
/** Characters of a message that are searched for these words. */
const SAMPLE = 2_000

/** Returns the agent's own tools: asking the user, searching the chat history, finding tools. */
export function agentTools(runtime: AgentRuntime): Tool[] {
  return [askUser(), chatHistory(runtime), toolSearch(runtime)]
}

const askUser = (): Tool =>
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
  })

const chatHistory = (runtime: AgentRuntime): Tool =>
  defineTool({
    name: 'chat_history',
    description:
      'Finds what was said earlier in this conversation, also before it was reset. ' +
      'Without a keyword the last messages.',
    effect: 'read',
    keywords: ['history', 'earlier', 'before', '历史', '之前'],
    parameters: Type.Object({
      keyword: Type.Optional(Type.String({ maxLength: 200 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_ROWS, default: DEFAULT_ROWS })),
    }),
    preExec({ text }) {
      const sample = text.slice(0, SAMPLE)
      return HISTORY_EN.test(sample) || HISTORY_ZH.test(sample) ? {} : undefined
    },
    run: ({ keyword, limit }, call) => readHistory(runtime, call, keyword, limit ?? DEFAULT_ROWS),
  })

async function readHistory(
  { chat, activeTurns }: AgentRuntime,
  call: ToolCall,
  keyword: string | undefined,
  limit: number,
): Promise<string> {
  const { adapter, endpoint, channel } = call.origin
  if (adapter === undefined || endpoint === undefined || channel === undefined)
    return 'There is no chat whose history could be read.'
  // Only what is older than the question: that has the keyword itself, and the model has read it.
  const before = activeTurns.get(call.turn)?.live.message?.row
  const rows =
    (await chat?.transcript({
      adapter,
      endpoint,
      channel,
      limit,
      ...(before === undefined ? {} : { before }),
      ...(keyword ? { text: keyword } : {}),
    })) ?? []
  if (rows.length === 0) return keyword ? `Nothing with "${keyword}" was said here.` : 'Nothing was said here before.'
  const said = rows.map(({ sender: person, text, timestamp, direction }) => {
    const line = text.slice(0, MAX_LINE)
    const at = new Date(timestamp).toISOString().slice(0, 19)
    if (direction === 'out') return ownElement(line, at)
    const roles = chat?.rolesOf(adapter, endpoint, person.id) ?? new Set()
    return speakerElement('overheard', { adapter, endpoint, person, roles }, line, at)
  })
  return `[Said here earlier]\n${said.join('\n')}`
}

const toolSearch = (runtime: AgentRuntime): Tool =>
  defineTool({
    name: 'tool_search',
    description: 'Finds tools by what they do or by their names, and makes them callable in your next step.',
    permanent: true,
    effect: 'repeatable',
    parameters: Type.Object({ query: Type.String({ minLength: 1, maxLength: 500 }) }),
    async run({ query }, call) {
      const toolbox = runtime.activeTurns.get(call.turn)?.toolbox
      // Permanent tools are always there.
      const callable = toolbox?.callableTools ?? []
      const searched = callable.filter(({ permanent }) => !permanent)
      const found = findTools(searched, query).slice(0, runtime.config['ai.agent'].deferredToolMaxResults)
      if (found.length === 0) return 'No tool fits.'
      const offered = new Set(toolbox?.offerTools(found))
      return found
        .map((tool) => {
          const hint = offered.has(tool.name) ? '' : hintFor(runtime, tool, callable)
          return `${tool.name}: ${tool.description}${hint}`
        })
        .join('\n')
    },
  })

/** Returns the tools that the query names, and then those that are like it. */
function findTools(tools: readonly Tool[], query: string): Tool[] {
  const words = new Set(query.match(/[\w-]+/g))
  return [...new Set([...tools.filter(({ name }) => words.has(name)), ...rankTools(tools, query)])]
}

/** Returns how a tool can be used that cannot be called directly. */
const hintFor = ({ config }: AgentRuntime, tool: Tool, all: readonly Tool[]): string =>
  config['ai.agent'].toolSearch || isForTasks(tool, all)
    ? ' (by run_deferred_task)'
    : ' (search for its name to call it)'
