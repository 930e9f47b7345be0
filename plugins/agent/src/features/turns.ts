import { join } from 'node:path'
import { messageOf } from '@mynah/kernel'
import { tools, usageReported } from '@mynah/plugin-ai/api'
import { accessVerdict, isKnown, type AccessVerdict } from '../access/verdict.js'
import { PairingDesk } from '../access/pairing-desk.js'
import { DatabasePairings, MemoryPairings } from '../access/pairings.js'
import { aiPaths, awaiting, middlewares, roleGrants, type Message } from '@mynah/plugin-chat/api'
import { backgroundWork } from '../api.js'
import type { Compactor } from '../compaction/compactor.js'
import type { AgentContext, AgentRuntime } from '../runtime.js'
import { textsFor } from '../texts.js'
import { agentTools } from '../tools/agent-tools.js'
import { userKey } from '../tools/tool-use.js'
import { ToolUseFile } from '../tools/tool-use-file.js'
import { decide, decideCommand, type Trigger } from '../trigger/decide.js'
import { roleGrant } from '../trigger/role-grants.js'
import { UserRateLimiter } from '../trigger/user-rate-limiter.js'
import { Turns } from '../turn/turns.js'
import { DatabaseUsageStore, MemoryUsageStore, UsageLog } from '../usage-log.js'

/** Answers messages: decides which, limits their rate, and runs a turn for each. */
export function register(
  ctx: AgentContext,
  runtime: AgentRuntime,
  { compactor }: { readonly compactor: Compactor },
): { readonly turns: Turns; readonly usage: UsageLog; readonly desk: PairingDesk } {
  const turns = new Turns(runtime, compactor, ctx.read(backgroundWork))
  const usage = new UsageLog(ctx.database ? new DatabaseUsageStore(ctx.database) : new MemoryUsageStore())
  const limiter = new UserRateLimiter()
  for (const tool of agentTools(runtime)) ctx.contribute(tools, tool)
  ctx.contribute(
    roleGrants,
    roleGrant(() => runtime.config['ai.trigger']),
  )
  ctx.contribute(awaiting, {
    name: 'agent',
    ready: () => turns.ready(),
    open: (message) => turns.questions.openRequests(message),
  })
  const desk = registerPairing(ctx, runtime)
  const verdictOf = (message: Message): AccessVerdict =>
    accessVerdict(message, runtime.config['ai.access'], runtime.chat?.accessOf(message.adapter, message.endpoint))
  const trigger = (message: Message): Trigger => {
    if (turns.questions.match(message))
      return { matches: true, reason: 'answers a question of the agent', text: message.text }
    const decision = triggerOf(runtime, turns, message)
    return decision.matches && verdictOf(message) === 'refuse'
      ? { matches: false, reason: 'ai.access lets others in only' }
      : decision
  }
  ctx.contribute(aiPaths, {
    name: 'agent',
    decide(message) {
      const { matches, reason } = trigger(message)
      return { matches, reason }
    },
    hasCommand: (message) => runtime.personaOf(message)?.commandText !== undefined,
    async handle(message, reply) {
      const decision = trigger(message)
      if (!decision.matches) return
      if (verdictOf(message) === 'pair') {
        const met = await desk.meet(message)
        if (met === 'asked') return void (await reply(textsFor(message.locale).pairing))
        if (met === 'silent') return
      }
      const refusal = refusalOf(ctx, runtime, limiter, message)
      if (refusal === 'silent') return
      if (refusal) return void (await reply(refusal.text))
      await turns.startFromMessage(message, decision.text, decision.agent)
    },
  })
  ctx.contribute(middlewares, {
    name: 'agent-collect',
    handle(message, next) {
      // A command follows what was said before it.
      if (message.text.startsWith(runtime.chat?.commandPrefix ?? '/')) turns.added.endCollecting(message)
      return next()
    },
  })
  ctx.on(usageReported, (report) => {
    const { origin } = report
    const tokens = report.usage.input + report.usage.output
    if (origin?.user !== undefined) limiter.addTokens(userKey(origin), tokens, ctx.clock.now())
    void usage
      .add(report)
      .catch((error: unknown) => ctx.log.warn(`failed to store the usage of a model: ${messageOf(error)}`))
  })
  runtime.events.on('toolEnded', ({ journal }, { call }) => runtime.toolUse.add(userKey(journal.origin), call.name))
  keepToolUse(ctx, runtime)
  logTurns(ctx, runtime)
  return { turns, usage, desk }
}

/** Decides whether a message is answered, and by which agent. */
function triggerOf(runtime: AgentRuntime, turns: Turns, message: Message): Trigger {
  const { text, channel, segments } = message
  const persona = runtime.personaOf(message)
  // A person who has mentioned the bot goes on without a mention, as long as his turn waits for more.
  const collecting = turns.added.collectingFor(message)
  const addressed = message.addressed || persona?.isNamed === true || collecting !== undefined
  const asked = { text, channel, segments, addressed }
  const own = runtime.config['ai.trigger']
  const decided =
    persona?.commandText === undefined
      ? decide(asked, own, runtime.chat?.commandPrefix ?? '/')
      : decideCommand(asked, persona.commandText, own)
  const agent = collecting && !persona?.isNamed ? collecting.journal.origin.agent : persona?.name
  return decided.matches ? { ...decided, agent } : decided
}

/** Keeps over a restart which tools were called lately. */
function keepToolUse(ctx: AgentContext, { toolUse: use }: AgentRuntime): void {
  const data = ctx.paths.current?.data
  if (data === undefined) return
  const file = new ToolUseFile({ use, file: join(data, 'tool-use.json'), clock: ctx.clock, log: ctx.log })
  use.waitFor(file.load())
  ctx.onDispose('tool-use', () => file.close())
}

function registerPairing(ctx: AgentContext, runtime: AgentRuntime): PairingDesk {
  const { database, clock, log } = ctx
  const pairings = database ? new DatabasePairings(database) : ctx.keep('pairings', () => new MemoryPairings())
  const { approvals, signal } = runtime
  const desk = new PairingDesk({ pairings, approvals, chat: () => runtime.chat, clock, log, signal })
  desk.resume().catch((error: unknown) => log.warn(`failed to read the requests of strangers: ${messageOf(error)}`))
  return desk
}

/** Returns why a message is not answered now, `silent` where its sender knows, or `undefined` where it is answered. */
function refusalOf(
  { models }: AgentContext,
  { config, clock }: AgentRuntime,
  limiter: UserRateLimiter,
  { adapter, endpoint, sender, roles, locale }: Message,
): { readonly text: string } | 'silent' | undefined {
  const texts = textsFor(locale)
  if (!models.current) return { text: texts.failed(models.declared ? texts.unavailable : texts.none) }
  if (roles.has('master')) return undefined
  const { strangersPerHour, ...limits } = config['ai.agent'].rateLimit
  const perHour = Math.min(limits.perHour ?? Infinity, (!isKnown(roles) && strangersPerHour) || Infinity)
  const user = userKey({ adapter, endpoint, user: sender.id })
  const now = clock.now()
  const until = limiter.take(user, { ...limits, ...(Number.isFinite(perHour) ? { perHour } : {}) }, now)
  if (until === undefined) return undefined
  if (!limiter.notify(user, until, now)) return 'silent'
  return { text: texts.wait(`${new Date(until).toISOString().slice(11, 16)}Z`) }
}

/** Logs phases, where that is enabled, and changes of the model. */
function logTurns({ log }: AgentContext, runtime: AgentRuntime): void {
  runtime.events.on('phase', ({ journal }, stage, facts) => {
    if (!runtime.config['ai.agent'].phaseTrace && process.env.MYNAH_AGENT_PHASE_TRACE !== '1') return
    const { id, sessionKey, step, startedAt } = journal
    const ms = runtime.clock.now() - startedAt
    log.info(`[AGENT_PHASE] ${stage}`, { turn: id, session: sessionKey, step, ms, ...facts })
  })
  runtime.events.on('fellBack', ({ trace }, { from, to, error }) => {
    const failed = `${from.provider}:${from.model}`
    const next = `${to.provider}:${to.model}`
    trace.fellBack(from, to, error, runtime.clock.now())
    log.warn(`model ${failed} failed (${error.class}), ${next === failed ? 'trying it again' : `trying ${next}`}`)
  })
}
