import { isWireError } from '@mynah/contract'
import { defineCommand, param, type Command, type Message } from '@mynah/plugin-chat/api'
import { estimateEntryTokens } from '../compaction/plan.js'
import { currentPrompt } from '../prompt/system-prompt.js'
import { agentOfKey } from '../session/key.js'
import type { Entry } from '../session/types.js'
import { textsFor } from '../texts.js'
import {
  agentParam,
  both,
  isOperator,
  keyOf,
  mayLook,
  namedAgent,
  OPERATORS,
  sessionOf,
  type CommandServices,
} from './access.js'
import { promptCostLines } from './prompt-cost.js'
import { commandTextsFor, type CommandTexts, type CountedKind } from './texts.js'

const PAGE = 20
/** Characters of a summary that are shown. */
const MAX_SUMMARY = 1_500

/** Returns the commands that show and change a conversation. */
export const conversationCommands = (services: CommandServices): Command[] => [
  compact(services),
  reset(services),
  tree(services),
  context(services),
]

const compact = (services: CommandServices): Command =>
  defineCommand({
    name: 'compact',
    description: both('Summarises the conversation so far', '压缩目前的对话'),
    requiredAnyRole: OPERATORS,
    slowAfter: 120,
    repeatable: true,
    args: { focus: param.rest({ optional: true, description: both('what to keep in mind', '需要特别保留的内容') }) },
    async run({ args, message }) {
      const { compactor, runtime } = services
      const session = await sessionOf(services, message)
      if (!session) return textsFor(message.locale).noSession
      const options = args.focus ? { focus: args.focus } : {}
      const texts = commandTextsFor(message.locale)
      if (!(await compactor.hasWork(session))) return texts.nothingToCompact
      const done = await compactor.compact(
        session,
        'command',
        await runtime.candidatesFor(agentOfKey(session.key), session.model),
        options,
      )
      return done ? `${texts.compacted(done)}\n\n${done.summary.slice(0, MAX_SUMMARY)}` : texts.noSummary
    },
  })

const reset = (services: CommandServices): Command =>
  defineCommand({
    name: 'reset',
    description: both('Starts a new conversation', '开始新的对话'),
    requiredAnyRole: OPERATORS,
    repeatable: true,
    args: { agent: agentParam() },
    async run({ args, message }) {
      const { turns, runtime } = services
      const agent = namedAgent(services, message, args.agent)
      if (agent === undefined) return commandTextsFor(message.locale).noAgent
      await turns.ready()
      const session = await sessionOf(services, message, agent)
      const before = runtime.rowOfBefore(message)
      // The run that a kill has interrupted had ended the conversation already, and another one has begun since.
      if (before !== undefined && (!session || session.id > before)) return commandTextsFor(message.locale).begins(0)
      if (!session) return textsFor(message.locale).noSession
      const { turns: stopped } = await turns.stopSession(session)
      if (await runtime.store.archive(session.id)) runtime.events.emit('sessionArchived', session)
      return commandTextsFor(message.locale).begins(stopped)
    },
  })

const tree = (services: CommandServices): Command =>
  defineCommand({
    name: 'tree',
    description: both('Shows the messages of the conversation, or goes back to one', '显示对话的分支点，或回到某一点'),
    requiredAnyRole: OPERATORS,
    slowAfter: 120,
    args: {
      index: param.integer({ optional: true, min: 1, description: both('the message to go back to', '要返回的编号') }),
      summary: param.choice(['summary'], {
        optional: true,
        description: both('keeps a summary of the branch that is left', '带上所离开分支的摘要'),
      }),
    },
    async run({ args, message }) {
      if (!(await sessionOf(services, message))) return textsFor(message.locale).noSession
      if (args.index !== undefined) return goBack(services, message, args.index, args.summary === 'summary')
      const { points, activeLeafMessageId } = await services.trees.tree(keyOf(services, message))
      if (points.length === 0) return textsFor(message.locale).noSession
      return points
        .slice(-PAGE)
        .map(({ index, messageId, preview }) => `${messageId === activeLeafMessageId ? '→' : ' '} ${index}. ${preview}`)
        .join('\n')
    },
  })

async function goBack(
  services: CommandServices,
  message: Message,
  index: number,
  withSummary: boolean,
): Promise<string> {
  const texts = commandTextsFor(message.locale)
  const switched = await services.trees
    .switchTo(keyOf(services, message), { index }, withSummary || undefined)
    .catch((error: unknown) => {
      if (isWireError(error) && error.code === 'invalid_request') return undefined
      throw error
    })
  if (!switched) return texts.noPoint(index)
  if (!switched.summary) return texts.goesOn(index)
  const summary = await switched.summary
  return summary
    ? `${texts.goesOn(index)}\n\n${texts.carried}\n${summary.slice(0, MAX_SUMMARY)}`
    : `${texts.goesOn(index)} ${texts.notCarried}`
}

const context = (services: CommandServices): Command =>
  defineCommand({
    name: 'context',
    description: both('Shows what a request consists of', '显示上下文的组成'),
    args: {
      what: param.choice(['clear'], {
        optional: true,
        description: both('reads files, skills and tools again', '重新读取文件、技能和工具'),
      }),
    },
    async run({ args, message }) {
      const { runtime, compactor } = services
      const texts = commandTextsFor(message.locale)
      if (!mayLook(services, message)) return texts.refusal
      const session = await sessionOf(services, message)
      if (!session) return textsFor(message.locale).noSession
      if (args.what !== 'clear')
        return contextLines(services, await runtime.store.path(session.id, session.leaf), texts).join('\n')
      if (!isOperator(message)) return texts.refusal
      if (!(await compactor.refreshPrompt(session))) return texts.meanwhile
      runtime.events.emit('prefixBroken', 'head')
      return texts.renewed
    },
  })

function contextLines({ runtime }: CommandServices, path: readonly Entry[], texts: CommandTexts): string[] {
  const kinds = new Map<CountedKind, { count: number; tokens: number }>()
  for (const entry of path) {
    const name = entry.kind === 'message' ? entry.role : entry.kind
    const { count, tokens } = kinds.get(name) ?? { count: 0, tokens: 0 }
    kinds.set(name, { count: count + 1, tokens: tokens + estimateEntryTokens(entry) })
  }
  const prompt = currentPrompt(path)
  // Of a file that was sent several times the newest counts.
  const files = new Map(path.flatMap(({ meta }) => (meta.files ?? []).map((file) => [file.name, file] as const)))
  const sourceOf = (tool: string): string | undefined => runtime.tools.get(tool)?.value.source
  return [
    ...Array.from(kinds, ([name, { count, tokens }]) => texts.entries(name, count, tokens)),
    ...(prompt ? promptCostLines(prompt.content, sourceOf, texts) : []),
    ...(files.size ? [texts.sentFiles, ...Array.from(files.values(), (file) => `  ${texts.file(file)}`)] : []),
  ]
}
