import { INTROSPECTION_PAGE_SIZE, WireError, type IntrospectionResource } from '@mynah/contract'
import type {
  IntrospectionBindingItem,
  IntrospectionBotItem,
  IntrospectionCommandItem,
  IntrospectionMcpItem,
  IntrospectionToolItem,
} from '@mynah/contract/types'
import type { Reader, Ref } from '@mynah/kernel'
import { omitUndefined } from '@mynah/kernel/util'
import type { Chat, Locale } from '@mynah/plugin-chat/api'
import type { IntrospectionSource } from './api.js'

/** Type of the items of each resource. */
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
  /** Language of descriptions; default English. */
  readonly locale?: Locale
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

/** Fields that a filter searches. */
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

const bySortKey = (a: object, b: object): number => {
  const [left, right] = [sortKey(a), sortKey(b)]
  if (left === right) return 0
  return left < right ? -1 : 1
}

interface Found<T> {
  readonly items: readonly T[]
  readonly note?: string
}

/** Resources of chat. Fields that chat and the contract both have pass through unchanged; dispatch drops the others. */
const chatItems: {
  readonly [R in 'commands' | 'endpoints']: (chat: Chat, locale: Locale | undefined) => readonly Items[R][]
} = {
  commands: (chat, locale) => chat.commands(locale),
  endpoints: (chat) => chat.endpoints().map((endpoint) => ({ ...endpoint, online: endpoint.status === 'online' })),
}

/** The resources of a host, paged and filtered. */
export class Resources {
  readonly #chat: Ref<Chat>
  readonly #sources: Reader<IntrospectionSource>

  constructor(chat: Ref<Chat>, sources: Reader<IntrospectionSource>) {
    this.#chat = chat
    this.#sources = sources
  }

  #find<R extends IntrospectionResource>(resource: R, locale: Locale | undefined): Found<Items[R]> | string {
    const chat = this.#chat.current
    if (resource === 'commands' || resource === 'endpoints')
      return chat
        ? { items: chatItems[resource as keyof typeof chatItems](chat, locale) as unknown as readonly Items[R][] }
        : NOT_READY[resource]
    const source = this.#sources.get(resource)?.value
    // An agent may run without MCP servers, so their absence is not a failure.
    if (!source && resource === 'mcp' && this.#sources.get('bindings'))
      return { items: [], note: 'MCP is not initialised: the plugin mcp is not running' }
    if (!source) return NOT_READY[resource]
    const missing = source.notReady?.()
    if (missing !== undefined) return missing
    return omitUndefined({ items: source.items() as unknown as readonly Items[R][], note: source.note?.() })
  }

  /**
   * Returns a page.
   *
   * @throws WireError `not_ready` with an empty page as its data
   */
  page<R extends IntrospectionResource>(resource: R, query: Query): Page<Items[R]> {
    const page = query.page ?? 1
    const pageSize = query.pageSize ?? INTROSPECTION_PAGE_SIZE[resource]
    const found = this.#find(resource, query.locale)
    if (typeof found === 'string')
      throw new WireError('not_ready', found, { data: { items: [], page, pageSize, total: 0, totalPages: 0 } })
    const filter = query.filter?.toLowerCase()
    const matching = (found.items as Items[R][]).filter(
      (item) =>
        !filter ||
        MATCHED[resource].some((field) =>
          String(item[field] ?? '')
            .toLowerCase()
            .includes(filter),
        ),
    )
    const sorted = matching.sort(bySortKey)
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
