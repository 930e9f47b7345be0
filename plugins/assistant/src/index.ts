// The plugin `assistant`: events from outside, the home, the profile, defaults and older files. Without `assistant.enabled` it does nothing.
import { definePlugin, HostPaths, ref } from '@mynah/kernel'
import { assistant as contract } from '@mynah/contract'
import { promptSections } from '@mynah/plugin-agent/api'
import { tools, type ToolCall } from '@mynah/plugin-ai/api'
import {
  heartbeatSettings,
  jobNotifier,
  jobNotifiers,
  Jobs,
  jobsChanged,
  normalizedNotify,
  notifyDefaults,
} from '@mynah/plugin-cron/api'
import { Approvals, ExecSecurity } from '@mynah/plugin-exec-security/api'
import { route, routes, routeTokens } from '@mynah/plugin-http-core/api'
import { claim, msOf } from './config.js'
import { eventIngress } from './events.js'
import type { Home } from './home/home.js'
import { McpHome } from './home/mcp.js'
import { RestHome } from './home/rest.js'
import { homeTools } from './home/tools.js'
import { DualWrite, takeOlderFiles } from './older-files.js'
import { profileSection } from './profile.js'

const PAGE = 200
/** Bytes of an event: its payload, its prompt, and what is around them. */
const BODY_LIMIT = 256 * 1024
/** Characters of a token that nobody guesses. */
const GOOD_TOKEN = 16
const EVENTS = 'POST /assistant/events'

export default definePlugin({
  name: 'assistant',
  description: 'Events from outside, the home, the profile, and where results go',
  descriptions: { 'zh-CN': '来自外部的事件、家居与任务文件' },
  config: claim,
  needs: { jobs: Jobs, paths: ref(HostPaths), approvals: ref(Approvals), exec: ref(ExecSecurity) },
  async setup(ctx) {
    const { config, jobs, log, clock, paths } = ctx
    if (!config.enabled) {
      log.debug('assistant.enabled is not set: nothing of it is there')
      return
    }
    const { defaults, events, heartbeat, home, profile, profileFile, legacyDualWrite } = config
    const data = paths.current?.data
    const defaultNotify = defaults.notify && normalizedNotify(defaults.notify)
    ctx.contribute(notifyDefaults, { name: 'assistant', notify: () => defaultNotify })
    ctx.contribute(heartbeatSettings, {
      name: 'assistant',
      everyMs: msOf(heartbeat.every),
      ...(heartbeat.activeHours ? { activeHours: heartbeat.activeHours as [string, string] } : {}),
      ...(heartbeat.agent === undefined ? {} : { agent: heartbeat.agent }),
      ...(heartbeat.target ? { notify: normalizedNotify(heartbeat.target) } : {}),
    })

    if (data !== undefined) {
      const problems = await takeOlderFiles(data, jobs, log)
      if (problems.length) ctx.degrade(problems.join('; '))
      if (legacyDualWrite) {
        const writer = new DualWrite(data, jobs, log)
        ctx.on(jobsChanged, () => writer.changed())
        ctx.onDispose('file of jobs', () => writer.idle())
        writer.changed()
      }
    }

    ctx.contribute(
      routes,
      route(contract.rest, 'GET /assistant/jobs', ({ query: { limit = PAGE, before } }) => {
        const found = jobs.list({ limit: limit + 1, ...(before === undefined ? {} : { before }) })
        const page = found.slice(0, limit)
        const last = page.at(-1)
        return {
          jobs: page,
          eventsActive: events.enabled,
          ...(found.length > limit && last ? { nextBefore: last.id } : {}),
        }
      }),
    )
    if (events.enabled) {
      const take = eventIngress({ jobs, config, now: () => clock.now(), defaultNotify })
      ctx.contribute(
        routes,
        route(
          contract.rest,
          EVENTS,
          async ({ body }, call) => {
            const accepted = await take(body)
            if (accepted.deduplicated) call.setStatus(200)
            return accepted
          },
          { bodyLimit: BODY_LIMIT },
        ),
      )
      if (events.token !== undefined && events.token.length < GOOD_TOKEN)
        log.warn(
          `assistant.events.token has fewer than ${GOOD_TOKEN} characters: use a random one where others reach this host`,
        )
      if (events.token !== undefined)
        ctx.contribute(routeTokens, { name: 'assistant.events', token: events.token, opens: EVENTS })
    }

    if (home.enabled) {
      const registered = ctx.read(tools)
      const way = (call: Omit<ToolCall, 'signal'>): Home =>
        home.mcpServer === undefined
          ? new RestHome(home.url ?? '', home.token ?? '')
          : new McpHome(home.mcpServer, registered, () => call)
      for (const tool of homeTools({
        config: home,
        home: way,
        approvals: () => ctx.approvals.current,
        exec: () => ctx.exec.current,
      }))
        ctx.contribute(tools, tool)
      ctx.contribute(
        jobNotifiers,
        jobNotifier<'ha'>({
          channel: 'ha',
          async send({ service, target }, { text, label, runId, jobId, signal, log: noticeLog }) {
            const [domain = '', name = ''] = service.split('.')
            const fields =
              typeof target === 'object' && target !== null && !Array.isArray(target)
                ? (target as Record<string, unknown>)
                : target === undefined
                  ? {}
                  : { target }
            const call = {
              roles: new Set(['master']),
              origin: {},
              session: `job|${jobId}`,
              turn: '',
              id: runId,
              log: noticeLog,
              progress() {},
              wait: <T>(_kind: string, _id: string, done: (ended: AbortSignal) => Promise<T>): Promise<T> =>
                done(signal),
              ask: () => Promise.reject(new Error('Nobody can be asked')),
            }
            await way(call).call(domain, name, undefined, { ...fields, message: text, title: label }, signal)
          },
        }),
      )
    }
    if (profile !== undefined || profileFile !== undefined)
      ctx.contribute(promptSections, profileSection({ profile, file: profileFile, root: paths.current?.root, log }))
  },
})
