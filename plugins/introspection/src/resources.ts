// The five resources: where their items come from, what a filter matches, and one page of them.
import { INTROSPECTION_PAGE_SIZE, WireError, type IntrospectionResource } from '@mynah/contract'
import type {
  IntrospectionBindingItem,
  IntrospectionBotItem,
  IntrospectionCommandItem,
  IntrospectionMcpItem,
  IntrospectionToolItem,
} from '@mynah/contract/types'
import type { Reader, Ref } from '@mynah/kernel'
import type { Chat, Locale } from '@mynah/plugin-chat/api'
import type { IntrospectionSource } from './api.js'

/** What one item of each resource is. */
export interface Items {
  commands: IntrospectionCommandItem
  endpoints: IntrospectionBotItem
  bindings: IntrospectionBindingItem
  tools: IntrospectionToolItem
  mcp: IntrospectionMcpItem
}

export interface Query {
  readonly page?: number
  readonly pageSize?: number
  readonly filter?: string
  /** Language of what the host itself describes; English unless told. */ readonly locale?: Locale
}

/** One page of a resource. */
export interface Page<T> {
  items: T[]
  page: number
  pageSize: number
  total: number
  totalPages: number
  filter?: string
  note?: string
}

const MATCHED: { readonly [R in IntrospectionResource]: readonly (keyof Items[R] & string)[] } = {
  commands: ['pattern', 'desc', 'plugin'],
  endpoints: ['adapter', 'name'],
  bindings: ['name', 'provider', 'model'],
  tools: ['name', 'source', 'description'],
  mcp: ['name'],
}

const NOT_READY: { readonly [R in IntrospectionResource]: string } = {
  commands: 'The command feature is not ready: the plugin chat is not running',
  endpoints: 'Endpoints are not ready: the plugin chat is not running',
  bindings: 'The AI service is not ready: no agent is running',
  tools: 'The AI service is not ready: no agent is running',
  mcp: 'MCP is not ready: no agent is running',
}

const sortKey = (item: object): string =>
  String((item as { pattern?: string }).pattern ?? (item as { name?: string }).name ?? '')

export class Resources {
  readonly #chat: Ref<Chat>
  readonly #sources: Reader<IntrospectionSource>

  constructor(chat: Ref<Chat>, sources: Reader<IntrospectionSource>) {
    this.#chat = chat
    this.#sources = sources
  }

  #items<R extends IntrospectionResource>(
    resource: R,
    locale: Locale | undefined,
  ): { items: readonly Items[R][]; note?: string } | string {
    const chat = this.#chat.current
    if (!chat && (resource === 'commands' || resource === 'endpoints')) return NOT_READY[resource]
    if (chat && resource === 'commands')
      return {
        items: chat
          .commands(locale)
          .map(({ pattern, desc, plugin }) => ({ pattern, desc, plugin })) as unknown as Items[R][],
      }
    if (chat && resource === 'endpoints')
      return {
        items: chat.endpoints().map(({ adapter, name, status }) => ({
          adapter,
          name,
          online: status === 'online',
        })) as unknown as Items[R][],
      }
    const source = this.#sources.get(resource)?.value
    // An agent does without servers: that is an answer, not a failure.
    if (!source && resource === 'mcp' && this.#sources.get('bindings'))
      return { items: [], note: 'MCP is not initialised: the plugin mcp is not running' }
    if (!source) return NOT_READY[resource]
    const missing = source.notReady?.()
    if (missing !== undefined) return missing
    const note = source.note?.()
    return { items: source.items() as unknown as readonly Items[R][], ...(note === undefined ? {} : { note }) }
  }

  /** A page, or `not_ready` with the empty page that goes with it. */
  page<R extends IntrospectionResource>(resource: R, query: Query): Page<Items[R]> {
    const page = query.page ?? 1
    const pageSize = query.pageSize ?? INTROSPECTION_PAGE_SIZE[resource]
    const found = this.#items(resource, query.locale)
    if (typeof found === 'string')
      throw new WireError('not_ready', found, { data: { items: [], page, pageSize, total: 0, totalPages: 0 } })
    const filter = query.filter?.toLowerCase()
    const matching = found.items.filter(
      (item) =>
        !filter ||
        MATCHED[resource].some((field) =>
          String(item[field] ?? '')
            .toLowerCase()
            .includes(filter),
        ),
    )
    const sorted = matching.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : sortKey(a) > sortKey(b) ? 1 : 0))
    return {
      items: sorted.slice((page - 1) * pageSize, page * pageSize),
      page,
      pageSize,
      total: sorted.length,
      totalPages: Math.ceil(sorted.length / pageSize),
      ...(query.filter ? { filter: query.filter } : {}),
      ...(found.note === undefined ? {} : { note: found.note }),
    }
  }
}
