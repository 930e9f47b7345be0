import { ConfigurationWriter, definePlugin, HostControl, messageOf, packagesOf, ref, started } from '@mynah/kernel'
import { marketplace as contract, packages as packagesContract, WireError } from '@mynah/contract'
import type { MarketplaceDetail } from '@mynah/contract/types'
import { Type } from '@mynah/contract/type'
import { rpcMethods } from '@mynah/plugin-console-rpc/api'
import { tools } from '@mynah/plugin-ai/api'
import { declare, event, publish, streamEvents } from '@mynah/plugin-events/api'
import { route, routes, type Route } from '@mynah/plugin-http-core/api'
import { Packages } from '@mynah/plugin-management/api'
import { Approvals } from '@mynah/plugin-exec-security/api'
import { installMethods } from './install-methods.js'
import { Installer } from './installer.js'
import { changePackage } from './package-tool.js'
import { isNewer, NAME, type SearchPage } from './packages.js'
import { DOCUMENT_LIMIT, documentReader, SEARCH_LIMIT, searchReader } from './readers.js'
import { NotFoundError, Registry, type Resource, type RegistryAnswer } from './registry.js'
import { optionDescriptions } from './option-descriptions.zh.js'

const DEFAULT_SIZE = 20
/** Results that are filtered by category or origin, which the protocol does not support. */
const FILTERED = 250
const UPDATES_AT_ONCE = 2
/** Each request is forwarded to the registry, so pages of other sites must not send them. */
const OWN_PAGES = { rejectCrossOrigin: true } as const

const { rest } = contract

function searchRoute(registry: Registry, packagePage: (name: string) => string): Route {
  return route(
    rest,
    'GET /pub/marketplace/search',
    async ({ query }, { signal }) => {
      const { page = 1, category, official } = query
      const text = query.q ?? query.keyword ?? ''
      const size = query.size ?? query.limit ?? DEFAULT_SIZE
      const filtered = category !== undefined || official !== undefined
      const address = new URLSearchParams({
        text: `keywords:mynah-plugin ${text}`.trim(),
        size: String(filtered ? FILTERED : size),
        from: String(filtered ? 0 : (page - 1) * size),
      })
      const {
        value: { items, total },
        stale,
      } = await search(
        registry,
        { path: `/-/v1/search?${address}`, limit: SEARCH_LIMIT, reader: searchReader(packagePage) },
        signal,
      )
      const marked = stale ? { stale: true } : {}
      if (!filtered) return { success: true, data: items, total, page, size, ...marked }
      const matching = items.filter(
        (item) =>
          (category === undefined || item.category === category) &&
          (official === undefined || item.isOfficial === official),
      )
      return {
        success: true,
        data: matching.slice((page - 1) * size, page * size),
        total: matching.length,
        page,
        size,
        ...marked,
      }
    },
    OWN_PAGES,
  )
}

function detailRoute(registry: Registry, host: HostControl): Route {
  return route(
    rest,
    'GET /pub/marketplace/detail/*name',
    async ({ params: { name } }, { signal }) => {
      if (!NAME.test(name)) throw new WireError('not_found', 'There is no package of that name')
      try {
        const { value, stale } = await registry.get(documentOf(name), signal)
        const installed = packagesOf(host.inspect()).get(name)
        return {
          success: true,
          data: { ...value, ...(installed === undefined ? {} : { installed }) },
          ...(stale ? { stale: true } : {}),
        }
      } catch (error) {
        if (error instanceof NotFoundError) throw new WireError('not_found', `There is no package "${name}"`)
        throw error
      }
    },
    OWN_PAGES,
  )
}

function updatesRoute(registry: Registry, host: HostControl): Route {
  return route(rest, 'GET /marketplace/updates', async (_, { signal }) => {
    const installed = packagesOf(host.inspect())
    const waiting = Array.from(installed)
    const latest = new Map<string, MarketplaceDetail>()
    // Few at a time, because all callers share the queue of the registry.
    await Promise.all(
      Array.from({ length: UPDATES_AT_ONCE }, async () => {
        for (let next = waiting.pop(); next; next = waiting.pop()) {
          const [name] = next
          const found = await documentIn(registry, name, signal)
          if (found) latest.set(name, found)
        }
      }),
    )
    return Array.from(installed, ([name, current]) => {
      const { version, description } = latest.get(name) ?? { version: '', description: '' }
      return version && isNewer(version, current) ? { name, current, latest: version, description } : undefined
    }).filter((update) => update !== undefined)
  })
}

export default definePlugin({
  name: 'marketplace',
  description: 'Plugins to install, from an npm registry',
  descriptions: { 'zh-CN': '从 npm 仓库查找可安装的插件' },
  optionDescriptions: { 'zh-CN': optionDescriptions },
  config: {
    key: 'marketplace',
    schema: Type.Object(
      {
        registry: Type.Optional(
          Type.String({
            pattern: '^https?://',
            description: 'Address of the npm registry; default: the registry that npm is configured with',
          }),
        ),
        install: Type.Optional(
          Type.Enum(['off', 'ask'], {
            default: 'ask',
            description: 'Whether packages are installed from the console: `off`, or `ask` for each plan',
          }),
        ),
        allow: Type.Optional(
          Type.Array(Type.String({ minLength: 1, maxLength: 214 }), {
            maxItems: 200,
            description: 'The only packages that may be installed, such as `@acme/*`; default: all',
          }),
        ),
        scripts: Type.Optional(
          Type.Enum(['never', 'ask'], {
            default: 'ask',
            description: 'Whether install scripts of packages may be confirmed. None runs by itself',
          }),
        ),
      },
      { additionalProperties: false, default: {} },
    ),
  },
  needs: {
    host: HostControl,
    packages: ref(Packages),
    writer: ref(ConfigurationWriter),
    approvals: ref(Approvals),
  },
  setup(ctx) {
    const { install = 'ask', allow, scripts = 'ask' } = ctx.config
    const { packages, writer, log } = ctx
    const installer = new Installer({ packages, writer, log, policy: { install, allow, scripts } })
    for (const bound of installMethods(installer)) ctx.contribute(rpcMethods, bound)
    if (installer.isOn) ctx.contribute(tools, changePackage(installer, ctx.approvals))
    const finish = (): void =>
      void installer.enterRest().catch((error: unknown) => ctx.log.error(`failed to list plugins: ${messageOf(error)}`))
    if (ctx.host.status === 'running') finish()
    else ctx.on(started, finish)
    ctx.contribute(streamEvents, declare(packagesContract.events, 'packages:run'))
    const unlisten = ctx.packages.current?.listen(
      (run) => void ctx.emit(publish, event(packagesContract.events, 'packages:run', run)),
    )
    if (unlisten) ctx.onDispose('events of installations', () => void unlisten())
    // npm sets this variable for its scripts.
    const base = ctx.config.registry ?? process.env['npm_config_registry']
    const registry = new Registry(base, ctx.clock, ctx.signal)
    const packagePage = (name: string): string =>
      base === undefined ? '' : `${base.endsWith('/') ? base : `${base}/`}${name}`

    for (const bound of [
      searchRoute(registry, packagePage),
      detailRoute(registry, ctx.host),
      updatesRoute(registry, ctx.host),
    ])
      ctx.contribute(routes, bound)
  },
})

const documentOf = (name: string): Resource<MarketplaceDetail> => ({
  path: `/${name.replace('/', '%2f')}`,
  limit: DOCUMENT_LIMIT,
  reader: documentReader(name),
})

/** Returns the document of a package, or `undefined` if the registry does not have it. */
async function documentIn(
  registry: Registry,
  name: string,
  signal: AbortSignal,
): Promise<MarketplaceDetail | undefined> {
  try {
    return (await registry.get(documentOf(name), signal)).value
  } catch (error) {
    if (error instanceof NotFoundError) return undefined
    throw error
  }
}

async function search(
  registry: Registry,
  resource: Resource<SearchPage>,
  signal: AbortSignal,
): Promise<RegistryAnswer<SearchPage>> {
  try {
    return await registry.get(resource, signal)
  } catch (error) {
    if (error instanceof NotFoundError)
      throw new WireError('upstream_unavailable', 'The plugin registry does not support searching')
    throw error
  }
}
