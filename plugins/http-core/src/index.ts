import { system } from '@mynah/contract'
import { definePlugin, HostControl, HostPaths, ref } from '@mynah/kernel'
import {
  answered,
  CommandRuns,
  Http,
  LocalConsole,
  AdminToken,
  type Answered,
  refusedSenders,
  route,
  routes,
  routeTokens as routeTokensPoint,
  upgrades,
} from './api.js'
import { application } from './application.js'
import { LoginThrottle } from './login-throttle.js'
import { HttpConfig } from './config.js'
import { createHealthReporter, VERSION } from './health.js'
import { LiveSettings } from './live-settings.js'
import { OpenCalls } from './open-calls.js'
import { openApiOf } from './openapi/document.js'
import { TokenRateLimiter } from './token-rate-limiter.js'
import { RouteTokens } from './route-tokens.js'
import { RouteTable } from './router.js'
import { Listener } from './listener.js'
import { SenderCheck } from './senders/sender-check.js'
import { validateHttpConfig } from './settings.js'
import { upgradeHandler } from './upgrade-handler.js'
import { optionDescriptions } from './option-descriptions.zh.js'

const inBrackets = (host: string): string => (host.includes(':') ? `[${host}]` : host)

export default definePlugin({
  name: 'http-core',
  description: 'HTTP server, bearer authentication, scopes, CORS, limits, health and the OpenAPI document',
  descriptions: { 'zh-CN': 'HTTP 服务器、令牌认证、权限范围、CORS、限流、健康检查与 OpenAPI 文档' },
  optionDescriptions: { 'zh-CN': optionDescriptions },
  version: VERSION,
  config: {
    key: 'http',
    schema: HttpConfig,
    fatal: true,
    check: (config: HttpConfig) => validateHttpConfig(config, process.env),
  },
  needs: { host: HostControl, paths: ref(HostPaths), console: ref(LocalConsole), runs: ref(CommandRuns) },
  provides: [Http, AdminToken],
  async setup(ctx) {
    const { host: address, base: apiPrefix } = ctx.config
    const openCalls = new OpenCalls()
    const routeTokens = new RouteTokens(ctx.read(routeTokensPoint))
    const settings = new LiveSettings({
      config: ctx.config,
      paths: () => ctx.paths.current,
      consoleOrigins: () => ctx.console.current?.origins ?? [],
      openCalls,
      routeTokens,
      clock: ctx.clock,
      log: ctx.log,
    })
    const reader = ctx.read(routes)
    const parts = {
      prefix: apiPrefix,
      pluginName: ctx.name,
      settings: () => settings.current,
      tokens: settings.tokens,
      routeTokens,
      openCalls,
      senders: new SenderCheck(
        () => ctx.runs.current,
        (refused) => {
          ctx.log.warn(`refused ${refused.action} of ${refused.sender}`, { token: refused.token })
          ctx.emit(refusedSenders, refused)
        },
      ),
      host: ctx.host,
      log: ctx.log,
      attempts: ctx.keep('attempts', () => new LoginThrottle()),
      rates: new TokenRateLimiter(),
      now: () => ctx.clock.now(),
      routes: new RouteTable(reader, apiPrefix, (owner, error) => ctx.host.report(owner, error)),
      answered: (answer: Answered) => void ctx.emit(answered, answer),
    }
    const handler = application(parts)
    const health = createHealthReporter(ctx, ctx.host, apiPrefix)
    ctx.contribute(
      routes,
      route(system.rest, 'GET /pub/health', (_, call) => {
        const state = health()
        if (state.status === 'starting' || state.status === 'stopping') call.setStatus(503)
        return state
      }),
    )
    const openApi = openApiOf(reader, apiPrefix)
    ctx.contribute(
      routes,
      route(system.rest, 'GET /pub/openapi.json', (_, { response }) => void response.end(openApi())),
    )

    const listener = await Listener.open(handler, { host: address, port: ctx.config.port })
    listener.onUpgrade(upgradeHandler({ ...parts, upgrades: ctx.read(upgrades), handler }))
    ctx.onDispose('server', () => {
      openCalls.endAll()
      return listener.close()
    })
    const { port } = listener
    const origin = `http://${inBrackets(address)}:${port}`
    settings.watch()
    ctx.onDispose('watch of the token file', () => settings.unwatch())
    ctx.provide(Http, Object.freeze({ apiPrefix, origin, address: Object.freeze({ host: address, port }) }))
    ctx.provide(
      AdminToken,
      Object.freeze({
        get value() {
          return settings.adminToken
        },
        reload: () => settings.reload(),
      }),
    )
    ctx.log.info(`listening on ${origin}`)

    return {
      update(next, previous) {
        if (next.host !== previous.host || next.port !== previous.port || next.base !== previous.base) return false
        return settings.update(next)
      },
    }
  },
})
