// Plugins to install, from an npm registry.
import { Type, type Static } from '@mynah/contract/type'
import { contract } from '../contract.js'
import { Time } from './common.js'

/** The category of a package of the marketplace. */
export const Category = Type.Enum(['adapter', 'ai', 'feature', 'game', 'service', 'tool', 'theme', 'util'])

/** A package of the marketplace in a list. */
export const MarketplaceItem = Type.Object({
  name: Type.String(),
  displayName: Type.String(),
  version: Type.String(),
  description: Type.String(),
  author: Type.String(),
  isOfficial: Type.Boolean(),
  category: Category,
  keywords: Type.Array(Type.String()),
  npm: Type.String({ description: 'Address of the package page' }),
  downloads: Type.Object({ weekly: Type.Number(), monthly: Type.Number() }),
})
export type MarketplaceItem = Static<typeof MarketplaceItem>

/** A package of the marketplace with its text and versions. */
export const MarketplaceDetail = Type.Object({
  name: Type.String(),
  displayName: Type.String(),
  version: Type.String(),
  description: Type.String(),
  readme: Type.String(),
  license: Type.String(),
  homepage: Type.String(),
  repository: Type.String(),
  author: Type.String(),
  keywords: Type.Array(Type.String()),
  engines: Type.Record(Type.String(), Type.String()),
  peerDependencies: Type.Record(Type.String(), Type.String()),
  downloads: Type.Object({ weekly: Type.Number(), monthly: Type.Number() }),
  versions: Type.Array(Type.String()),
  publishedAt: Type.Union([Time, Type.Null()]),
  isOfficial: Type.Boolean(),
  category: Category,
  installed: Type.Optional(Type.String({ description: 'The installed version' })),
})
export type MarketplaceDetail = Static<typeof MarketplaceDetail>

const stale = Type.Optional(
  Type.Boolean({ description: 'The registry is unavailable, so this is its last successful answer' }),
)
const Text = Type.String({ maxLength: 256 })
const Page = Type.Integer({ minimum: 1, maximum: 10_000, default: 1 })
const Size = Type.Integer({ minimum: 1, maximum: 100 })

/** Operations that search for packages of plugins. */
export const marketplace = contract({
  rest: {
    'GET /pub/marketplace/search': {
      summary: 'Searches plugins. `q` and `size` have precedence over their aliases',
      query: Type.Object({
        q: Type.Optional(Text),
        keyword: Type.Optional(Text),
        page: Type.Optional(Page),
        size: Type.Optional(Size),
        limit: Type.Optional(Size),
        category: Type.Optional(Category),
        official: Type.Optional(Type.Boolean()),
      }),
      reply: Type.Object({
        success: Type.Boolean(),
        data: Type.Array(MarketplaceItem),
        total: Type.Integer(),
        page: Type.Integer(),
        size: Type.Integer(),
        stale,
      }),
      scope: 'public',
      errors: ['upstream_unavailable', 'not_ready'],
    },
    'GET /pub/marketplace/detail/*name': {
      summary: 'One plugin. The name may contain a scope',
      params: Type.Object({ name: Type.String({ minLength: 1, maxLength: 214 }) }),
      reply: Type.Object({ success: Type.Boolean(), data: MarketplaceDetail, stale }),
      scope: 'public',
      errors: ['upstream_unavailable', 'not_ready', 'not_found'],
    },
    'GET /marketplace/updates': {
      summary: 'Newer versions of installed plugins',
      data: Type.Array(
        Type.Object({ name: Type.String(), current: Type.String(), latest: Type.String(), description: Type.String() }),
      ),
      errors: ['upstream_unavailable', 'not_ready'],
    },
  },
})
