import { join } from 'node:path'
import { Type } from '@mynah/contract/type'
import { messageOf, type Reader } from '@mynah/kernel'
import { makeFolder, writeFileAtomically } from '@mynah/kernel/files'
import {
  defineTool,
  toolResult,
  wrapped,
  type Tool,
  type ToolCall,
  type ToolCaller,
  type ToolOutput,
  type Origin,
  type ToolPolicy,
} from '@mynah/plugin-ai/api'
import { MAX_BYTES, readText } from './bootstrap.js'
import type { Config } from './config.js'
import type { Notes } from './notes.js'
import { MAX_ENTRIES, profileKey, type Profiles } from './profiles.js'

const MAX_RECALLED = 20
/** The prompt shows no more of the guide. */
const MAX_GUIDE_BYTES = MAX_BYTES['AGENTS.md']

/** The parts of the plugin that the tools work with. */
interface MemoryParts {
  readonly config: () => Config
  /** Returns the folder of an agent's bootstrap files. */
  readonly folder: (of: Pick<Origin, 'agent'>) => string
  readonly notes: (of: Pick<Origin, 'agent'>) => Notes
  /** Returns the agent whose memory an agent uses; `undefined` is `main`. */
  readonly memoryOf: (agent: string | undefined) => string | undefined
  readonly profiles: Profiles
  readonly registered: Reader<Tool>
  readonly now: () => number
}

const failed = (text: string): ToolOutput => toolResult(text, { isError: true })

/** Creates the tools for the user's profile, the memory and the guide of the bot. */
export function memoryTools(parts: MemoryParts): Tool[] {
  return [profileTool(parts), rememberTool(parts), recallTool(parts), guideTool(parts)]
}

/** The tools that use the owner's memory. */
const MEMORY_TOOLS: readonly string[] = ['remember', 'recall']

/** Keeps the memory, and the server that stores it, from people whom it is not open to. */
export const memoryPolicy = (config: () => Config, memoryOf: MemoryParts['memoryOf']): ToolPolicy => ({
  name: 'memory',
  refuse({ name, source }, caller) {
    const isServer = source !== undefined && source === config()['ai.memoryMcp'].server
    if (isServer && memoryOf(caller.origin.agent) !== undefined)
      return 'The memory of the server belongs to another agent.'
    return isServer || MEMORY_TOOLS.includes(name) ? whyClosed({ config }, caller) : undefined
  },
})

/** Returns why a caller may not access the owner's memory. */
function whyClosed({ config }: Pick<MemoryParts, 'config'>, { roles, origin }: ToolCaller): string | undefined {
  if (config()['ai.memory'].scope === 'all') return undefined
  if (roles.has('master') && (origin.channel?.type ?? 'private') === 'private') return undefined
  return (
    'The memory belongs to the owner and is open in a private chat with the owner only. ' +
    'Facts that a user gives about themselves go into user_profile.'
  )
}

/** Calls the server that keeps the memory. Returns `undefined` when the files are used instead. */
async function askServer(
  { config, registered, memoryOf }: MemoryParts,
  action: 'recall' | 'remember',
  text: string,
  call: ToolCall,
): Promise<ToolOutput | undefined> {
  const names = config()['ai.memoryMcp']
  // The server keeps the memory of one agent.
  if (memoryOf(call.origin.agent) !== undefined) return undefined
  const tool = names.server && names[action] && registered.get(`${names.server}__${names[action]}`)?.value
  // `ai.memory.scope` decides about the memory, wherever it is stored.
  if (!tool) return undefined
  try {
    return await tool.run({ [fieldOf(tool.parameters)]: text } as never, call)
  } catch (error) {
    call.log.warn(`failed to use the memory of "${names.server}", using files instead: ${messageOf(error)}`)
    return undefined
  }
}

const profileTool = ({ profiles, memoryOf, now }: MemoryParts): Tool =>
  defineTool({
    name: 'user_profile',
    description:
      'Facts that the user gave about themselves, for later conversations: get, set or delete an entry. Only of the user who speaks.',
    effect: 'repeatable',
    keywords: ['profile', 'preference', 'name', '用户', '偏好', '资料'],
    parameters: Type.Object({
      action: Type.Enum(['get', 'set', 'delete']),
      key: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      value: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    }),
    async run({ action, key, value }, call) {
      const person = profileKey(call.origin, memoryOf(call.origin.agent))
      if (person === undefined) return failed('There is no user here.')
      if (action === 'get') {
        const own = await profiles.get(person)
        const shown = key === undefined ? [...own] : [...own].filter(([name]) => name === key)
        return shown.length ? shown.map(([name, text]) => `${name}: ${text}`).join('\n') : 'Nothing is known.'
      }
      if (key === undefined) return failed('key is missing')
      if (action === 'delete')
        return (await profiles.delete(person, key)) ? `${key} is forgotten` : `${key} was not known`
      if (value === undefined) return failed('value is missing')
      return (await profiles.set(person, clean(key), clean(value), now()))
        ? `${key} is kept`
        : failed(`There are ${MAX_ENTRIES} entries already; delete one first.`)
    },
  })

const rememberTool = (parts: MemoryParts): Tool =>
  defineTool({
    name: 'remember',
    description: 'Keeps a fact for later conversations with the owner: for good, or among the notes of today.',
    effect: 'once',
    keywords: ['memory', 'note', 'save', '记住', '记忆', '笔记'],
    parameters: Type.Object({
      text: Type.String({ minLength: 1, maxLength: 2_000 }),
      where: Type.Optional(Type.Enum(['memory', 'today'], { default: 'memory' })),
    }),
    async run({ text, where = 'memory' }, call) {
      const why = whyClosed(parts, call)
      if (why) return failed(why)
      const kept = where === 'memory' ? await askServer(parts, 'remember', text, call) : undefined
      if (kept !== undefined) return kept
      await parts.notes(call.origin).add([clean(text)], where === 'memory' ? 'memory' : { day: parts.now() })
      return 'It is remembered.'
    },
  })

const recallTool = (parts: MemoryParts): Tool =>
  defineTool({
    name: 'recall',
    description: 'Finds what was remembered or noted on earlier days. Without a query the newest of it.',
    effect: 'read',
    keywords: ['memory', 'remember', 'earlier', '回忆', '记得', '想起'],
    parameters: Type.Object({ query: Type.Optional(Type.String({ maxLength: 500 })) }),
    async run({ query = '' }, call) {
      const why = whyClosed(parts, call)
      if (why) return failed(why)
      const answer = await askServer(parts, 'recall', query, call)
      if (answer !== undefined) return answer
      const found = await parts.notes(call.origin).recall(query, MAX_RECALLED)
      return found.length
        ? wrapped(found.map(({ file, text }) => `${file.slice(0, -3)}: ${text}`).join('\n'), 'memory')
        : 'Nothing like that was remembered.'
    },
  })

const guideTool = ({ folder }: MemoryParts): Tool =>
  defineTool({
    name: 'update_guide',
    description:
      'Changes AGENTS.md, the guide by which you work: adds a part, or replaces it whole. It holds from the next conversation or summary on.',
    effect: 'once',
    requiredAnyRole: ['master'],
    keywords: ['guide', 'instructions', 'agents.md', '指南', '规则'],
    parameters: Type.Object({
      action: Type.Enum(['append', 'replace']),
      text: Type.String({ minLength: 1, maxLength: MAX_GUIDE_BYTES }),
    }),
    async run({ action, text }, { origin }) {
      const path = join(folder(origin), 'AGENTS.md')
      const before = action === 'append' ? await readText(path) : undefined
      const whole = `${before ? `${before.trimEnd()}\n\n` : ''}${clean(text).trim()}\n`
      if (Buffer.byteLength(whole) > MAX_GUIDE_BYTES)
        return failed(`The guide would be ${Buffer.byteLength(whole)} bytes; ${MAX_GUIDE_BYTES} are the most.`)
      await makeFolder(folder(origin))
      await writeFileAtomically(path, whole)
      return 'The guide is written.'
    },
  })

/** Removes what files and databases reject: NUL and unpaired surrogates. */
const clean = (text: string): string => Buffer.from(text.replaceAll('\0', '')).toString()

/** Returns the field of a tool that takes the text: the first required string, else the first string. */
function fieldOf(parameters: object): string {
  const { properties = {}, required = [] } = parameters as {
    readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>
    readonly required?: readonly string[]
  }
  const texts = Object.keys(properties).filter((name) => properties[name]?.type === 'string')
  return texts.find((name) => required.includes(name)) ?? texts[0] ?? 'query'
}
