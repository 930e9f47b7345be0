// The marketplace: searching, reading about and updating plugins over the npm registry protocol.
import { definePlugin, HostControl } from '@mynah/kernel'
import { marketplace as contract, WireError } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import { route, routes } from '@mynah/plugin-http-core/api'
import { installedPackages } from './installed.js'
import { isNewer, NAME, toDetail, toFound, type Found } from './packages.js'
import { Missing, Registry, type Said } from './registry.js'

const DEFAULT_SIZE = 20
/** Results that are looked through for one category or for official plugins, which the protocol cannot ask for. */
const FILTERED = 250

export default definePlugin({
  name: 'marketplace',
  description: 'Plugins to install, from an npm registry',
  config: {
    key: 'marketplace',
    schema: Type.Object({
      registry: Type.Optional(Type.String({ pattern: '^https?://', description: 'Address of the npm registry; unless set, the one that npm is set up with' })),
    }, { additionalProperties: false, default: {} }),
  },
  needs: { host: HostControl },
  setup(ctx) {
    // npm tells its scripts which registry it is set up with.
    const base = ctx.config.registry ?? process.env['npm_config_registry']
    const registry = new Registry(base, ctx.clock, ctx.signal)
    const packagePage = (name: string): string => (base === undefined ? '' : `${base.replace(/\/*$/, '/')}${name}`)
    const { rest } = contract

    ctx.contribute(routes, route(rest, 'GET /pub/marketplace/search', async ({ query }) => {
      const { page = 1, category, official } = query
      const text = query.q ?? query.keyword ?? ''
      const size = query.size ?? query.limit ?? DEFAULT_SIZE
      const filtered = category !== undefined || official !== undefined
      const address = new URLSearchParams({ text: `keywords:mynah-plugin ${text}`.trim(), size: String(filtered ? FILTERED : size), from: String(filtered ? 0 : (page - 1) * size) })
      const { value: { items, total }, stale } = await search(registry, `/-/v1/search?${address}`, packagePage)
      const marked = stale ? { stale: true } : {}
      if (!filtered) return { success: true, data: items, total, page, size, ...marked }
      const matching = items.filter((item) => (category === undefined || item.category === category) && (official === undefined || item.isOfficial === official))
      return { success: true, data: matching.slice((page - 1) * size, page * size), total: matching.length, page, size, ...marked }
    }))

    ctx.contribute(routes, route(rest, 'GET /pub/marketplace/detail/*name', async ({ params: { name } }) => {
      if (!NAME.test(name)) throw new WireError('not_found', 'There is no package of that name')
      try {
        const { value, stale } = await registry.get(documentOf(name))
        const installed = installedPackages(ctx.host).get(name)
        return { success: true, data: { ...value, ...(installed === undefined ? {} : { installed }) }, ...(stale ? { stale: true } : {}) }
      } catch (error) {
        if (error instanceof Missing) throw new WireError('not_found', `There is no package "${name}"`)
        throw error
      }
    }))

    ctx.contribute(routes, route(rest, 'GET /marketplace/updates', async () => {
      const updates = await Promise.all(Array.from(installedPackages(ctx.host), async ([name, current]) => {
        try {
          const { version: latest, description } = (await registry.get(documentOf(name))).value
          return latest && isNewer(latest, current) ? { name, current, latest, description } : undefined
        } catch (error) {
          // Installed from elsewhere: the registry does not know it.
          if (error instanceof Missing) return undefined
          throw error
        }
      }))
      return updates.filter((update) => update !== undefined)
    }))
  },
})

const documentOf = (name: string) => ({ path: `/${name.replace('/', '%2f')}`, read: (body: unknown) => toDetail(body, name) })

async function search(registry: Registry, path: string, packagePage: (name: string) => string): Promise<Said<Found>> {
  try {
    return await registry.get({ path, read: (body) => toFound(body, packagePage) })
  } catch (error) {
    if (error instanceof Missing) throw new WireError('upstream_unavailable', 'The plugin registry offers no search')
    throw error
  }
}
