import { definePlugin, HostPaths, ref } from '@mynah/kernel'
import { omitUndefined } from '@mynah/kernel/util'
import { assistant as contract } from '@mynah/contract'
import { promptSections } from '@mynah/plugin-agent/api'
import { tools, type ToolCall } from '@mynah/plugin-ai/api'
import {
  heartbeatSettings,
  jobNotifiers,
  Jobs,
  jobsChanged,
  normalizedNotify,
  notifyDefaults,
  type HeartbeatSettings,
} from '@mynah/plugin-cron/api'
import { Approvals, ExecSecurity } from '@mynah/plugin-exec-security/api'
import { route, routes, routeTokens, type Route } from '@mynah/plugin-http-core/api'
import { claim, durationMs, type Config } from './config.js'
import { EventIngress } from './events.js'
import type { Home } from './home/home.js'
import { McpHome } from './home/mcp.js'
import { homeNotifier } from './home/notifier.js'
import { RestHome } from './home/rest.js'
import { homeTools } from './home/tools.js'
import { importJobFiles, JobFileWriter } from './job-files.js'
import { profileSection } from './profile.js'
import { optionDescriptions } from './option-descriptions.zh.js'

const DEFAULT_PAGE = 200
/** Bytes of an event: its payload, its prompt and the rest of its body. */
const BODY_LIMIT = 256 * 1024
/** Characters from which a token counts as hard to guess. */
const STRONG_TOKEN = 16
const EVENTS_ROUTE = 'POST /assistant/events'

export default definePlugin({
  name: 'assistant',
  description: 'Events from outside, the home, the profile and default notices',
  descriptions: { 'zh-CN': '来自外部的事件、家居与任务文件' },
  optionDescriptions: { 'zh-CN': optionDescriptions },
  config: claim,
  needs: { jobs: Jobs, paths: ref(HostPaths), approvals: ref(Approvals), exec: ref(ExecSecurity) },
  async setup(ctx) {
    const { config, jobs, log, clock, paths, approvals, exec } = ctx
    if (!config.enabled) {
      log.debug('assistant.enabled is not set: the plugin does nothing')
      return
    }
    const { defaults, events, home, profile, profileFile, legacyDualWrite } = config
    const defaultNotify = defaults.notify && normalizedNotify(defaults.notify)
    ctx.contribute(notifyDefaults, { name: 'assistant', notify: () => defaultNotify })
    ctx.contribute(heartbeatSettings, heartbeatOf(config.heartbeat))

    const data = paths.current?.data
    if (data !== undefined) {
      const problems = await importJobFiles(data, jobs, log)
      if (problems.length) ctx.degrade(problems.join('; '))
      if (legacyDualWrite) {
        const writer = new JobFileWriter(data, jobs, log)
        ctx.on(jobsChanged, () => writer.schedule())
        ctx.onDispose('file of jobs', () => writer.idle())
        writer.schedule()
      }
    }

    ctx.contribute(routes, jobsRoute(jobs, events.enabled))
    if (events.enabled) {
      ctx.contribute(routes, eventsRoute(new EventIngress(jobs, events, defaultNotify, () => clock.now())))
      if (events.token !== undefined) {
        if (events.token.length < STRONG_TOKEN)
          log.warn(
            `assistant.events.token has fewer than ${STRONG_TOKEN} characters: ` +
              'use a random one where others reach this host',
          )
        ctx.contribute(routeTokens, { name: 'assistant.events', token: events.token, opens: EVENTS_ROUTE })
      }
    }

    if (home.enabled) {
      const registered = ctx.read(tools)
      const connect = (call: Omit<ToolCall, 'signal'>): Home =>
        home.mcpServer === undefined
          ? new RestHome(home.url ?? '', home.token ?? '')
          : new McpHome(home.mcpServer, registered, call)
      for (const tool of homeTools({ config: home, connect, approvals, exec })) ctx.contribute(tools, tool)
      ctx.contribute(jobNotifiers, homeNotifier(connect))
    }
    if (profile !== undefined || profileFile !== undefined)
      ctx.contribute(promptSections, profileSection({ profile, file: profileFile, root: paths.current?.root, log }))
  },
})

const heartbeatOf = ({ every, activeHours, agent, target }: Config['heartbeat']): HeartbeatSettings =>
  omitUndefined({
    name: 'assistant',
    everyMs: durationMs(every),
    activeHours: activeHours as [string, string] | undefined,
    agent,
    notify: target && normalizedNotify(target),
  })

const jobsRoute = (jobs: Jobs, eventsActive: boolean): Route =>
  route(contract.rest, 'GET /assistant/jobs', ({ query: { limit = DEFAULT_PAGE, before } }) => {
    const found = jobs.list(omitUndefined({ limit: limit + 1, before }))
    const page = found.slice(0, limit)
    return omitUndefined({
      jobs: page,
      eventsActive,
      nextBefore: found.length > limit ? page.at(-1)?.id : undefined,
    })
  })

const eventsRoute = (ingress: EventIngress): Route =>
  route(
    contract.rest,
    EVENTS_ROUTE,
    async ({ body }, call) => {
      const accepted = await ingress.accept(body)
      if (accepted.deduplicated) call.setStatus(200)
      return accepted
    },
    { bodyLimit: BODY_LIMIT },
  )
