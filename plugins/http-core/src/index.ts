// The HTTP server of a host: everything that others contribute to `routes` is served here.
import { relative } from 'node:path'
import { system } from '@mynah/contract'
import { definePlugin, FatalError, HostControl, HostPaths, ref } from '@mynah/kernel'
import { answered, Http, LocalConsole, AdminToken, route, routes, routeTokens as routeTokensPoint } from './api.js'
import { application } from './application.js'
import { Attempts } from './attempts.js'
import { HttpConfig } from './config.js'
import { healthOf, VERSION } from './health.js'
import { OpenCalls } from './open-calls.js'
import { openApiOf } from './openapi/document.js'
import { RateLimits } from './rate-limits.js'
import { RouteTokens } from './route-tokens.js'
import { RouteTable } from './router.js'
import { Listener } from './server.js'
import { mistakesInHttp, settingsFor, type Settings } from './settings.js'
import { watchToken } from './token-watch.js'
import { Tokens } from './tokens.js'

const inBrackets = (host: string): string => (host.includes(':') ? `[${host}]` : host)

export default definePlugin({
  name: 'http-core',
  description: 'HTTP server, bearer authentication, scopes, CORS, limits, health and the OpenAPI document',
  descriptions: { 'zh-CN': 'HTTP 服务器、令牌认证、权限范围、CORS、限流、健康检查与 OpenAPI 文档' },
  version: VERSION,
  config: {
    key: 'http',
    schema: HttpConfig,
    fatal: true,
    check: (config: HttpConfig) => mistakesInHttp(config, process.env),
  },
  needs: { host: HostControl, paths: ref(HostPaths), console: ref(LocalConsole) },
  provides: [Http, AdminToken],
  async setup(ctx) {
    const { host: address, base: apiPrefix } = ctx.config
    const compile = (config: HttpConfig) =>
      settingsFor(config, {
        environment: process.env,
        data: ctx.paths.current?.data,
        console: ctx.console.current?.origins ?? [],
      })
    let current = ctx.config
    let settings = compile(current)
    const tellTokenFile = (): void => {
      const { root } = ctx.paths.current ?? {}
      if (settings.tokenFile && root !== undefined)
        ctx.log.info(
          `${settings.tokenFile.made ? 'made a token; it is' : 'the token of this host is'} in ${relative(root, settings.tokenFile.path)}`,
        )
    }
    tellTokenFile()

    const tokens = new Tokens(settings.tokens)
    const routeTokens = new RouteTokens(ctx.read(routeTokensPoint))
    const openCalls = new OpenCalls()
    const reader = ctx.read(routes)
    const handler = application({
      prefix: apiPrefix,
      self: ctx.name,
      settings: () => settings,
      tokens,
      routeTokens,
      openCalls,
      host: ctx.host,
      log: ctx.log,
      attempts: ctx.keep('attempts', () => new Attempts()),
      rates: new RateLimits(),
      now: () => ctx.clock.now(),
      routes: new RouteTable(reader, apiPrefix, (owner, error) => ctx.host.report(owner, error)),
      answered: (answer) => ctx.emit(answered, answer),
    })
    const health = healthOf(ctx, ctx.host, apiPrefix)
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
    ctx.onDispose('server', () => {
      openCalls.endAll()
      return listener.close()
    })
    const { port } = listener
    const origin = `http://${inBrackets(address)}:${port}`
    const accept = (next: Settings): void => {
      settings = next
      tokens.replace(settings.tokens)
      openCalls.endRevoked((credential) => tokens.holds(credential) || routeTokens.holds(credential))
      tellTokenFile()
      watchTokenFile()
    }
    let unwatch = (): void => {}
    let watched: string | undefined
    const watchTokenFile = (): void => {
      if (settings.tokenFile?.path === watched) return
      unwatch()
      watched = settings.tokenFile?.path
      unwatch = watched === undefined ? () => {} : watchToken(watched, findTokens, ctx)
    }
    const findTokens = (): void => {
      try {
        const before = settings.tokens[0]?.token
        const next = compile(current)
        if (next.tokens[0]?.token !== before) accept(next)
      } catch (error) {
        if (!(error instanceof FatalError)) throw error
        ctx.log.error(`${error.message}; the tokens of before still count`)
      }
    }
    watchTokenFile()
    ctx.onDispose('watch of the token file', () => unwatch())
    ctx.provide(Http, Object.freeze({ apiPrefix, origin, address: Object.freeze({ host: address, port }) }))
    ctx.provide(AdminToken, Object.freeze({ reload: findTokens }))
    ctx.log.info(`listening on ${origin}`)

    return {
      update(next, previous) {
        if (next.host !== previous.host || next.port !== previous.port || next.base !== previous.base) return false
        let compiled: Settings
        try {
          compiled = compile(next)
        } catch (error) {
          if (!(error instanceof FatalError)) throw error
          // The restart says the same again, to whoever asked for the change, and then goes back.
          return false
        }
        current = next
        accept(compiled)
        return true
      },
    }
  },
})
