// What people say to the agent by commands: sessions, turns, what it costs and how it is.
import { isWireError } from '@mynah/contract'
import type { Candidate, Models } from '@mynah/plugin-ai/api'
import { defineCommand, param, type Chat, type Command, type Message } from '@mynah/plugin-chat/api'
import type { HostControl } from '@mynah/kernel'
import { commandTextsFor, type Counted } from './command-texts.js'
import type { Compactor } from './compaction/compactor.js'
import { roughTokens } from './compaction/plan.js'
import { headLines } from './head-cost.js'
import { healthLines, type HealthDeps } from './health.js'
import type { PrefixBreak } from './metrics.js'
import { sessionKey } from './session/key.js'
import type { Trees } from './session/trees.js'
import type { Session, SessionStore } from './session/types.js'
import { textsFor } from './texts.js'
import type { Turns } from './turn/turns.js'
import type { UsageLog } from './usage.js'

interface Deps extends Pick<HealthDeps, 'jobs' | 'checks'> {
  readonly store: () => SessionStore
  readonly models: () => Models | undefined
  readonly chat: () => Chat | undefined
  readonly turns: Turns
  readonly trees: Trees
  readonly compactor: Compactor
  readonly usage: UsageLog
  readonly host: HostControl
  readonly now: () => number
  /** The MCP server that a tool belongs to. */
  readonly sourceOf: (tool: string) => string | undefined
  readonly candidates: () => Promise<readonly Candidate[]>
  readonly reset: (session: Session) => Promise<void>
  /** A request will not extend the one before it. */
  readonly broke: (why: PrefixBreak) => void
}

const OPERATORS = ['master', 'trusted'] as const
const PAGE = 20
const both = (en: string, zh: string) => ({ en, 'zh-CN': zh })

export function agentCommands({
  store,
  models,
  jobs,
  checks,
  turns,
  trees,
  compactor,
  usage,
  host,
  now,
  sourceOf,
  candidates,
  reset,
  broke,
}: Deps): Command[] {
  const keyOf = ({ adapter, endpoint, channel }: Message): string => sessionKey(adapter, endpoint, channel)
  const sessionOf = (message: Message): Promise<Session | undefined> => turns.sessions.active(keyOf(message))
  const isOperator = ({ roles }: Message): boolean => OPERATORS.some((role) => roles.has(role))
  /** The user of a private chat may do what concerns that chat alone. */
  const isTheirs = (message: Message): boolean => isOperator(message) || message.channel.type === 'private'
  /** Who is being answered may look, too. */
  const mayLook = (message: Message): boolean =>
    isTheirs(message) ||
    turns
      .all()
      .some(({ journal }) => journal.session_key === keyOf(message) && journal.origin.user === message.sender.id)

  return [
    defineCommand({
      name: 'compact',
      description: both('Makes a summary of the conversation so far', '压缩目前的对话'),
      requiredAnyRole: OPERATORS,
      slowAfter: 120,
      args: { focus: param.rest({ optional: true, description: both('what to keep in mind', '需要特别保留的内容') }) },
      async run({ args, message }) {
        const session = await sessionOf(message)
        if (!session) return textsFor(message.locale).noSession
        const done = await compactor.compact(
          session,
          'command',
          await candidates(),
          args.focus ? { focus: args.focus } : {},
        )
        const texts = commandTextsFor(message.locale)
        return done ? `${texts.compacted(done)}\n\n${done.summary.slice(0, 1_500)}` : texts.nothingToCompact
      },
    }),
    defineCommand({
      name: 'reset',
      description: both('Begins a new conversation', '开始新的对话'),
      requiredAnyRole: OPERATORS,
      async run({ message }) {
        const session = await sessionOf(message)
        if (!session) return textsFor(message.locale).noSession
        const { turns: stopped } = turns.stopSession(session)
        await reset(session)
        return commandTextsFor(message.locale).begins(stopped)
      },
    }),
    defineCommand({
      name: 'tree',
      description: both('Shows the points of the conversation, or goes back to one', '显示对话的分支点，或回到某一点'),
      requiredAnyRole: OPERATORS,
      slowAfter: 120,
      args: {
        index: param.integer({ optional: true, min: 1, description: both('the point to go back to', '要返回的编号') }),
        summary: param.choice(['summary'], {
          optional: true,
          description: both('takes a summary of the branch that is left along', '带上所离开分支的摘要'),
        }),
      },
      async run({ args, message }) {
        if (!(await sessionOf(message))) return textsFor(message.locale).noSession
        if (args.index !== undefined) {
          const texts = commandTextsFor(message.locale)
          const chosen = await trees
            .choose(keyOf(message), { index: args.index }, args.summary === 'summary' || undefined)
            .catch((error: unknown) => {
              if (isWireError(error) && error.code === 'invalid_request') return undefined
              throw error
            })
          if (!chosen) return texts.noPoint(args.index)
          const carried = await chosen.summary
          return `${texts.goesOn(args.index)}${carried ? `\n\n${texts.carried}\n${carried.slice(0, 1_500)}` : chosen.summary ? ` ${texts.notCarried}` : ''}`
        }
        const { points, activeLeafMessageId } = await trees.tree(keyOf(message))
        if (points.length === 0) return textsFor(message.locale).noSession
        return points
          .slice(-PAGE)
          .map(
            ({ index, messageId, preview }) => `${messageId === activeLeafMessageId ? '→' : ' '} ${index}. ${preview}`,
          )
          .join('\n')
      },
    }),
    defineCommand({
      name: 'stop',
      description: both('Stops what is being answered here', '停止正在进行的回答'),
      async run({ message }) {
        const session = await sessionOf(message)
        const stopped =
          session && turns.stopSession(session, ({ user }) => isTheirs(message) || user === message.sender.id)
        // A turn says by itself that it was stopped.
        if (stopped?.turns) return undefined
        return stopped?.work ? textsFor(message.locale).stopped : commandTextsFor(message.locale).nothingToStop
      },
    }),
    defineCommand({
      // What a button says: people answer in words.
      name: 'answer',
      description: both('Answers a question of the agent', '回答智能体的问题'),
      hidden: true,
      args: { question: param.string(), choice: param.integer({ min: 1, max: 100 }) },
      run: async ({ args, message }) =>
        (await turns.asked.pressed(message, args.question, args.choice)) === 'over'
          ? textsFor(message.locale).over
          : undefined,
    }),
    defineCommand({
      name: 'usage',
      description: both('Tells what this conversation and this month have used', '显示用量'),
      async run({ message }) {
        const { refusal, used } = commandTextsFor(message.locale)
        if (!mayLook(message)) return refusal
        const session = await sessionOf(message)
        const days = await usage.days(
          new Date(now() - 29 * 86_400_000).toISOString().slice(0, 10),
          isOperator(message) ? {} : { adapter: message.adapter, endpoint: message.endpoint, user: message.sender.id },
        )
        const sum = days.reduce(
          (all, { input, cachedInput, output, cost }) => ({
            input: all.input + input,
            cachedInput: all.cachedInput + cachedInput,
            output: all.output + output,
            ...(cost === undefined && all.cost === undefined ? {} : { cost: (all.cost ?? 0) + (cost ?? 0) }),
          }),
          { input: 0, cachedInput: 0, output: 0 } as {
            input: number
            cachedInput: number
            output: number
            cost?: number
          },
        )
        return [
          ...(session ? [used('conversation', session.usage)] : []),
          used(isOperator(message) ? 'everybody' : 'yours', sum),
        ].join('\n')
      },
    }),
    defineCommand({
      name: 'status',
      description: both('Tells what is being done here', '显示当前状态'),
      async run({ message }) {
        const texts = commandTextsFor(message.locale)
        if (!mayLook(message)) return texts.refusal
        const session = await sessionOf(message)
        if (!session) return textsFor(message.locale).noSession
        const running = turns.all().filter(({ journal }) => journal.session === session.id)
        const lines = running.map(({ journal: { state, stage, step, model, started_at, waiting } }) =>
          texts.running({
            state,
            stage,
            step,
            model,
            seconds: Math.round((now() - started_at) / 1000),
            ...(waiting ? { waiting } : {}),
          }),
        )
        return [
          texts.standing(
            session.messages,
            running.length,
            turns.all().filter(({ journal }) => journal.state === 'queued').length,
          ),
          ...lines,
        ].join('\n')
      },
    }),
    defineCommand({
      name: 'context',
      description: both('Tells what a request is made of', '显示上下文的组成'),
      args: {
        what: param.choice(['clear'], {
          optional: true,
          description: both('reads files, skills and tools again', '重新读取文件、技能和工具'),
        }),
      },
      async run({ args, message }) {
        const texts = commandTextsFor(message.locale)
        if (!mayLook(message)) return texts.refusal
        const session = await sessionOf(message)
        if (!session) return textsFor(message.locale).noSession
        const path = await store().path(session.id, session.leaf)
        if (args.what === 'clear') {
          if (!isOperator(message)) return texts.refusal
          if (!(await compactor.renew(session))) return texts.meanwhile
          broke('head')
          return texts.renewed
        }
        const kinds = new Map<Counted, { count: number; tokens: number }>()
        for (const entry of path) {
          const name = entry.kind === 'message' ? entry.role : entry.kind
          const sum = kinds.get(name) ?? { count: 0, tokens: 0 }
          kinds.set(name, { count: sum.count + 1, tokens: sum.tokens + roughTokens(entry) })
        }
        const head = path.findLast((entry) => entry.kind === 'head')
        // Of a file that was told again the newest counts.
        const told = new Map(
          path.flatMap(({ meta: { files = [] } }) => files.map((file) => [file.name, file] as const)),
        )
        return [
          ...Array.from(kinds, ([name, { count, tokens }]) => texts.entries(name, count, tokens)),
          ...(head?.kind === 'head' ? headLines(head.content, sourceOf, texts) : []),
          ...(told.size ? [texts.toldWith, ...Array.from(told.values(), (file) => `  ${texts.file(file)}`)] : []),
        ].join('\n')
      },
    }),
    defineCommand({
      name: 'models',
      description: both('Lists models', '列出模型'),
      requiredAnyRole: OPERATORS,
      args: { filter: param.string({ optional: true, description: both('part of a name', '名称的一部分') }) },
      run({ args, message }) {
        const texts = commandTextsFor(message.locale)
        const lines = (models()?.list() ?? []).flatMap(({ alias, sdk, status, error, models: known }) => [
          `${alias} (${sdk}): ${texts.state(status)}${error ? `, ${host.redact(error)}` : ''}`,
          ...known
            .filter(({ id }) => !args.filter || `${alias}:${id}`.includes(args.filter))
            .slice(0, PAGE)
            .map(
              ({ id, score, cooldownUntil, cooldownReason }) =>
                `  ${id} ${Math.round(score)}${cooldownUntil && cooldownUntil > now() ? `, ${texts.cooling(Math.ceil((cooldownUntil - now()) / 1000), cooldownReason ?? '')}` : ''}`,
            ),
        ])
        return lines.length ? lines.join('\n') : texts.noModel
      },
    }),
    defineCommand({
      name: 'health',
      description: both('Tells what works', '显示健康状况'),
      requiredAnyRole: OPERATORS,
      run: async ({ message }) =>
        (
          await healthLines(
            { host, models, jobs, checks, durable: () => store().durable },
            commandTextsFor(message.locale),
          )
        ).join('\n'),
    }),
  ]
}
