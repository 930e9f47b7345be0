// The plugin `agent`: answers in chat, with sessions that survive and turns that end.
import { changed, definePlugin, draining, HostControl, HostPaths, ifEnabled, ref, messageOf } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import {
  budgetExceeded,
  Models,
  modelStateChanged,
  tools as toolsPoint,
  usageReported,
  Web,
} from '@mynah/plugin-ai/api'
import { Approvals } from '@mynah/plugin-exec-security/api'
import { jobActions, Jobs } from '@mynah/plugin-cron/api'
import { aiPaths, awaiting, Chat, commands, roleGrants, type Message } from '@mynah/plugin-chat/api'
import { rpcMethods } from '@mynah/plugin-console-rpc/api'
import { Database, entities } from '@mynah/plugin-database/api'
import { declare, event, publish, streamEvents } from '@mynah/plugin-events/api'
import { readinessChecks } from '@mynah/plugin-http-core/api'
import { introspectionSources, SessionTrees } from '@mynah/plugin-introspection/api'
import { metrics } from '@mynah/plugin-management/api'
import {
  Agent,
  agentPresets,
  aiHook,
  backgroundWork,
  beforeCompaction,
  promptSections,
  Speech,
  type AIHookName,
  type AIHooks,
  type ContextTransform,
  type TurnState,
} from './api.js'
import { agentCommands } from './commands.js'
import { Compactor } from './compaction/compactor.js'
import { claims, removedKeys, type Config } from './config.js'
import { agent as contract } from './contract.js'
import { agentJobs } from './job-action.js'
import { harnessOf, takesSkills } from './harness.js'
import { tellHooks } from './hooks.js'
import { agentMetrics, TurnCounters } from './metrics.js'
import { OwnerNotices } from './owner-notices.js'
import { ownSections, sourcesOf } from './prompt/sections.js'
import { agentMethods, turnRow } from './rpc.js'
import { DatabaseSessions } from './session/database-store.js'
import { MemorySessions } from './session/memory-store.js'
import { Entries, Sessions, TurnRecords, UsageRecords } from './session/tables.js'
import { Trees } from './session/trees.js'
import type { Entry, Session, SessionStore } from './session/types.js'
import { ownTools } from './tools/own.js'
import { visibleTools } from './tools/selection.js'
import { Questions } from './tools/questions.js'
import { decide } from './trigger/decide.js'
import { grants } from './trigger/grants.js'
import { RateLimit } from './trigger/rate-limit.js'
import { textsFor } from './texts.js'
import { agentNamed, candidatesOf } from './turn/choose.js'
import { makeHead } from './turn/heads.js'
import { ConcurrencyLimiter } from './turn/concurrency-limiter.js'
import { Turns } from './turn/turns.js'
import { UsageLog } from './usage.js'
import { MediaFolder } from './view/media.js'
import { viewOf } from './view/view.js'

const DAY_MS = 86_400_000
const TURN_DAYS = 30
/** Plugins that take longer to start bring their tools too late for turns that a stop has left. */
const PATIENCE_MS = 10_000
const WEEK_MS = 7 * DAY_MS

export default definePlugin({
  name: 'agent',
  description: 'The AI agent in chat: triggers, sessions, turns, compaction',
  descriptions: { 'zh-CN': '读取消息、调用工具并回答的智能体：会话、回合与提示' },
  config: claims,
  needs: {
    host: HostControl,
    paths: ref(HostPaths),
    models: ref(Models),
    web: ref(Web),
    speech: ref(Speech),
    chat: ref(Chat),
    approvals: ref(Approvals),
    jobs: ref(Jobs),
    database: ifEnabled(Database),
  },
  provides: [Agent, SessionTrees],
  setup(ctx) {
    const { clock, log, host, models, web, speech, chat, approvals, jobs, database } = ctx
    let config: Config = ctx.config
    for (const line of removedKeys(config)) log.warn(line)
    const now = (): number => clock.now()
    for (const table of [Sessions, Entries, TurnRecords, UsageRecords]) ctx.contribute(entities, table)
    const memory = ctx.keep('sessions', () => new MemorySessions(now))
    const durable = database && new DatabaseSessions(database, now)
    const store = (): SessionStore => (durable && config['ai.sessions'].useDatabase !== false ? durable : memory)
    if (!database) log.info('sessions are kept in memory only: enable database to keep them')
    const registered = ctx.read(toolsPoint)
    const sections = ctx.read(promptSections)
    const presets = ctx.read(agentPresets)
    const own = ownSections()
    const questions = new Questions()
    const places = new ConcurrencyLimiter({ inSession: 4, inAll: 16 })
    const usage = new UsageLog(() => database)
    const limits = new RateLimit()
    const transforms = new Set<ContextTransform>()
    const watching = new Set<(turn: { readonly sessionKey: string; readonly state: TurnState }) => void>()
    const media = ctx.paths.current ? new MediaFolder(ctx.paths.current.data) : undefined
    let warned = false
    const counters = new TurnCounters()

    const told = <K extends AIHookName>(name: K, payload: Omit<AIHooks[K], 'type' | 'timestamp'>): void => {
      const whole = { ...payload, type: name, timestamp: now() } as unknown as AIHooks[K]
      ctx.emit(aiHook(name), whole)
      tellHooks(name, whole, (error) => log.warn(`a handler of ${name} failed: ${messageOf(error)}`))
    }
    const sessionEvent = (session: Pick<Session, 'key' | 'id'>, what: 'new' | 'compact' | 'leaf' | 'archived'): void =>
      ctx.emit(
        publish,
        event(contract.events, 'agent:session', { sessionKey: session.key, sessionId: session.id, what }),
      )

    const names = (): string[] => [
      ...new Set(['main', ...Object.keys(config['ai.agents']), ...presets.all().map(({ value }) => value.name)]),
    ]
    const mainCandidates = async () => {
      const asked = models.current
      if (!asked) throw new WireError('not_ready', 'The plugin ai is not ready')
      return candidatesOf(asked, agentNamed('main', config, presets), new Set(), ctx.signal)
    }

    /** Everybody who spoke in a private conversation is a master. */
    const isOwners = ({ adapter, endpoint, channel }: Session, path: readonly Entry[]): boolean => {
      const people = path.flatMap(({ meta }) => (meta.sender ? [meta.sender.id] : []))
      return (
        channel?.type === 'private' &&
        people.length > 0 &&
        people.every((id) => chat.current?.rolesOf(adapter, endpoint, id).has('master') === true)
      )
    }
    /** What a head is to fit: the last that was said. */
    const lastSaid = (path: readonly Entry[]): string =>
      path
        .flatMap((entry) =>
          entry.kind === 'message' && entry.role === 'user' && entry.meta.said ? [entry.meta.said] : [],
        )
        .slice(-3)
        .join('\n')
    const compactor = new Compactor({
      store,
      models: () => models.current,
      config: () => config,
      clock,
      log,
      head: async (session, path) => {
        const [best] = await mainCandidates()
        const harness = harnessOf(
          config,
          best ?? { provider: '', model: '' },
          takesSkills(registered),
          best && models.current?.model(best),
        )
        const origin = {
          adapter: session.adapter,
          endpoint: session.endpoint,
          ...(session.channel ? { channel: session.channel } : {}),
        }
        return makeHead(
          { own, sections, host },
          {
            session: session.key,
            origin,
            roles: new Set(['user']),
            isOwnersChat: isOwners(session, path),
            agent: 'main',
            text: lastSaid(path),
            size: harness.size,
            maxSkills: harness.maxSkills,
          },
          {
            tools: visibleTools(registered, agentNamed('main', config, presets).config, harness),
            harness,
            toolSearch: config['ai.agent'].toolSearch,
            preset: presets.get('main')?.value,
          },
        )
      },
      before: (session, path, candidates, signal) =>
        ctx.parallel(beforeCompaction, {
          sessionKey: session.key,
          messages: viewOf(path).messages,
          candidates,
          isOwnersChat: isOwners(session, path),
          signal,
        }),
      done: ({ session, reason, ...figures }) => {
        counters.broke('summary')
        told('ai.session.compact', { sessionKey: session.key, sessionId: session.id, reason, ...figures })
        sessionEvent(session, 'compact')
      },
    })

    const lanes = new Map<string, Promise<unknown>>()
    const inOrder = <T>(session: string, work: () => Promise<T>): Promise<T> => {
      const before = lanes.get(session) ?? Promise.resolve()
      const mine = before.then(work, work)
      const settled: Promise<unknown> = mine
        .catch(() => undefined)
        .then(() => {
          if (lanes.get(session) === settled) lanes.delete(session)
        })
      lanes.set(session, settled)
      return mine
    }

    const idle = (): { readonly archive: number; readonly expire: number } => {
      const { expireMs = store().durable ? WEEK_MS : DAY_MS, sessionIdleArchiveMs } = config['ai.sessions']
      return { archive: sessionIdleArchiveMs || Infinity, expire: expireMs || Infinity }
    }
    const tracing = (): boolean => config['ai.agent'].phaseTrace || process.env.MYNAH_AGENT_PHASE_TRACE === '1'
    const agentTools = ownTools({
      chat: () => chat.current,
      asking: (call) => turns.all().find(({ journal }) => journal.id === call.turn)?.message?.row,
      all: (call) => turns.runner(call.turn)?.visible ?? [],
      most: () => config['ai.agent'].deferredToolMaxResults,
      offer: async (call, found) => turns.runner(call.turn)?.offer(found) ?? [],
    })
    for (const tool of agentTools) ctx.contribute(toolsPoint, tool)

    const turns: Turns = new Turns({
      store,
      models: () => models.current,
      web: () => web.current,
      speech: () => speech.current,
      chat: () => chat.current,
      tools: registered,
      sections,
      ownSections: own,
      presets,
      transforms: () => [...transforms],
      host,
      config: () => config,
      clock,
      startedAt: now(),
      log,
      places,
      questions,
      compactor,
      media,
      inOrder,
      background: ctx.read(backgroundWork),
      cannotTranscribe: () => {
        if (!warned)
          log.warn(
            `sound is not written down: ${speech.declared ? 'the plugin speech is not ready' : 'enable the plugin speech'}, or set ai.multimodal.audio.strategy to text-only`,
          )
        warned = true
      },
      async withdraw(requests) {
        for (const id of requests)
          await approvals.current
            ?.withdraw(id)
            .catch((error: unknown) => log.warn(`the request ${id} could not be withdrawn: ${messageOf(error)}`))
      },
      broke: (why) => counters.broke(why),
      began: (ms) => counters.began(ms),
      changed: (turn) => {
        for (const listener of watching) listener({ sessionKey: turn.session_key, state: turn.state })
        ctx.emit(
          publish,
          event(
            contract.events,
            'agent:turn',
            turnRow(turn, (text) => host.redact(text)),
          ),
        )
      },
      created: (key, id, previous) => {
        // Once a day, when there is something new: nothing ticks for it.
        if (began && now() - cleanedAt > DAY_MS)
          void keepHouse().catch((error: unknown) => log.warn(`old sessions could not be removed: ${messageOf(error)}`))
        told('ai.session.new', {
          sessionKey: key,
          sessionId: id,
          ...(previous === undefined ? {} : { previousSessionId: previous }),
        })
        sessionEvent({ key, id }, 'new')
      },
      ended: (turn) => counters.ended(turn),
      idle,
      archived: (session) => sessionEvent(session, 'archived'),
      received: ({ session_key, origin }, content) =>
        told('message:received', {
          sessionKey: session_key,
          userId: origin.user ?? '',
          content,
          platform: origin.adapter ?? '',
          channel: origin.channel?.id ?? '',
        }),
      sent: ({ journal: { session_key, origin } }, content, error) =>
        told('message:sent', {
          sessionKey: session_key,
          content,
          platform: origin.adapter ?? '',
          channel: origin.channel?.id ?? '',
          success: error === undefined,
          ...(error === undefined ? {} : { error }),
        }),
      toolEnded: ({ journal }, { call, result, ms }) =>
        told('tool:call', {
          sessionKey: journal.session_key,
          name: call.name,
          arguments: call.input,
          durationMs: Math.round(ms),
          success: !result.isError,
          ...(result.isError
            ? { error: host.redact(typeof result.output === 'string' ? result.output : 'failed') }
            : {}),
        }),
      phase: ({ journal }, stage, facts) => {
        if (tracing())
          log.info(`[AGENT_PHASE] ${stage}`, {
            turn: journal.id,
            session: journal.session_key,
            step: journal.step,
            ms: now() - journal.started_at,
            ...facts,
          })
      },
      fellBack: ({ message }, { from, to, error }) => {
        message?.step(
          'model',
          `${from.provider}:${from.model}`,
          'failed',
          `${error.class}; ${to.provider}:${to.model} is asked`,
        )
        log.warn(`${from.provider}:${from.model} failed (${error.class}); ${to.provider}:${to.model} is asked`)
      },
    })

    const trees = new Trees({
      store,
      log,
      active: (key) => turns.sessions.active(key),
      changed: (session) => sessionEvent(session, 'leaf'),
      summarises: () => config['ai.agent'].compaction.branchSummaries,
      summary: async (session, left) => compactor.branchSummary(session, left, await mainCandidates()),
    })
    const reset = async (session: Session): Promise<void> => {
      await store().archive(session.id)
      sessionEvent(session, 'archived')
    }

    ctx.contribute(
      roleGrants,
      grants(() => config['ai.trigger']),
    )
    const takes = (message: Message) => {
      if (turns.asked.by(message))
        return { matches: true as const, reason: 'answers a question of the agent', text: message.text }
      return decide(message, config['ai.trigger'], chat.current?.commandPrefix ?? '/')
    }
    ctx.contribute(awaiting, { name: 'agent', open: (message) => turns.asked.open(message) })
    ctx.contribute(aiPaths, {
      name: 'agent',
      decide: (message) => {
        const { matches, reason } = takes(message)
        return { matches, reason }
      },
      async handle(message, reply) {
        const decision = takes(message)
        if (!decision.matches) return
        if (!models.current) {
          const texts = textsFor(message.locale)
          await reply(texts.failed(models.declared ? texts.away : texts.none))
          return
        }
        const user = `${message.adapter}|${message.endpoint}|${message.sender.id}`
        const until = message.roles.has('master') ? undefined : limits.take(user, config['ai.agent'].rateLimit, now())
        if (until !== undefined) {
          await reply(textsFor(message.locale).wait(`${new Date(until).toISOString().slice(11, 16)}Z`))
          return
        }
        await turns.take(message, decision.text)
      },
    })
    for (const metric of agentMetrics(counters, () => turns.all().map(({ journal }) => journal)))
      ctx.contribute(metrics, metric)
    for (const command of agentCommands({
      store,
      models: () => models.current,
      jobs: () => jobs.current,
      checks: ctx.read(readinessChecks),
      chat: () => chat.current,
      turns,
      trees,
      compactor,
      usage,
      host,
      now,
      sourceOf: (name) => registered.get(name)?.value.source,
      candidates: mainCandidates,
      reset,
      broke: (why) => counters.broke(why),
    }))
      ctx.contribute(commands, command)
    for (const bound of agentMethods({ store, turns, usage, host, now })) ctx.contribute(rpcMethods, bound)
    ctx.contribute(streamEvents, declare(contract.events, 'agent:turn'))
    ctx.contribute(streamEvents, declare(contract.events, 'agent:session'))
    const aiIsAway = (): string | undefined =>
      models.current ? undefined : 'The AI service is not ready: the plugin ai is not running'
    ctx.contribute(introspectionSources, {
      resource: 'bindings',
      notReady: aiIsAway,
      items: () =>
        names().map((name) => {
          const { config: own, preset } = agentNamed(name, config, presets)
          const known = models.current?.list() ?? []
          const provider = own.provider ?? known.find(({ models: list }) => list.length)?.alias ?? ''
          return {
            name,
            provider,
            model: own.model ?? preset?.model ?? known.find(({ alias }) => alias === provider)?.models[0]?.id ?? '',
            mcpServers: [...(own.mcpServers ?? [])],
            hasAgentFile: preset !== undefined,
          }
        }),
    })
    ctx.contribute(introspectionSources, {
      resource: 'tools',
      notReady: aiIsAway,
      items: () =>
        registered.all().map(({ value, owner }) => ({
          name: value.name,
          description: value.description,
          source: value.source ?? owner,
        })),
    })

    ctx.on(usageReported, (report) => {
      const { origin } = report
      if (origin?.user !== undefined)
        limits.used(
          `${origin.adapter}|${origin.endpoint}|${origin.user}`,
          report.usage.input + report.usage.output,
          now(),
        )
      void usage
        .add(report)
        .catch((error: unknown) => log.warn(`what a model used could not be written down: ${messageOf(error)}`))
    })
    const notices = new OwnerNotices({ chat: () => chat.current, clock, log })
    ctx.on(budgetExceeded, (what) => notices.budget(what))
    ctx.on(modelStateChanged, (change) => {
      const { provider, model, state, reason } = change
      notices.model(change)
      const name = model === undefined ? provider : `${provider}:${model}`
      log.info(
        state === 'cooling'
          ? `${name} is not asked for a while: ${reason ?? 'no reason is known'}`
          : `${name} is asked again`,
      )
    })

    const notReady = (): Promise<never> => Promise.reject(new WireError('not_ready', 'The plugin ai is not ready'))
    ctx.contribute(
      jobActions,
      agentJobs({
        ask: (request) => (models.current ? turns.ask(request) : notReady()),
        knows: (name) => names().includes(name),
        watch(listener) {
          watching.add(listener)
          return () => void watching.delete(listener)
        },
      }),
    )
    ctx.provide(SessionTrees, trees)
    ctx.provide(
      Agent,
      Object.freeze<Agent>({
        ask: (request) => (models.current ? turns.ask(request) : notReady()),
        onTransformContext(transform) {
          transforms.add(transform)
          return () => void transforms.delete(transform)
        },
        stop: (id) => turns.stop(id),
        goesOn: (id) => turns.goesOn(id),
        facts: (id) => turns.runner(id)?.facts,
        async end(key) {
          const session = await store().active(key)
          if (session) await reset(session)
        },
        names,
        turns: () =>
          turns.all().map(({ journal: { id, session_key, state } }) => ({ id, sessionKey: session_key, state })),
      }),
    )

    let cleanedAt = -Infinity
    const keepHouse = async (): Promise<void> => {
      cleanedAt = now()
      await turns.sessions.archiveIdle()
      await store().prune(now() - config['ai.sessions'].keepArchivedDays * DAY_MS, now() - TURN_DAYS * DAY_MS)
    }
    let began: Promise<void> | undefined
    let patient = true
    /** Whether a plugin is about to bring its tools: a call that a stop has left open needs its own. */
    const isComing = (): boolean =>
      patient &&
      host
        .inspect()
        .some(({ state, waitingFor }) => state === 'starting' || (state === 'pending' && waitingFor.length === 0))
    /** Once, when those are there with whom turns go on. */
    const begin = (): void => {
      if (began || !models.current || (chat.declared && !chat.current) || isComing()) return
      cancel()
      began = (async () => {
        told('agent:bootstrap', {
          tools: registered.all().map(({ value }) => value.name),
          ...(await sourcesOf(sections, host)),
        })
        await turns.recover((row) => chat.current?.message(row) ?? Promise.resolve(undefined))
        await keepHouse()
      })().catch((error: unknown) => log.warn(`turns that a stop left could not be taken up: ${messageOf(error)}`))
    }
    const cancel = clock.setTimeout(() => {
      patient = false
      begin()
    }, PATIENCE_MS)
    ctx.onDispose('recovery', () => began)
    models.onChange(begin)
    chat.onChange(begin)
    ctx.on(changed, begin)
    ctx.on(draining, () => turns.idle())
    ctx.onDispose('turns', () => turns.leave())
    return {
      update(next) {
        config = next
        for (const line of removedKeys(config)) log.warn(line)
        return true
      },
    }
  },
})
