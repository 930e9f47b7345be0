import { isRecord } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import { messageOf, systemClock } from '@mynah/kernel'
import { withTimeout } from '@mynah/kernel/util'
import { defineTool, toolResult, type Tool, wrapped } from '@mynah/plugin-ai/api'
import type { Config } from './config.js'

const TIMEOUT_MS = 30_000
const MAX_BODY = 2 * 1024 * 1024
const COUNT = 5

interface Hit {
  readonly title: string
  readonly url: string
  readonly text: string
}
/** A search service. */
interface Engine {
  readonly request: (query: string, count: number) => { readonly url: string; readonly init?: RequestInit }
  /** Returns the list of results in an answer. */
  readonly rows: (answer: Record<string, unknown>) => unknown
  /** Field of a result that is its text. */
  readonly text: string
}

/** Returns the configured search service, or `undefined` without one. */
export function engineOf({ provider, url, key }: Config['search']): Engine | undefined {
  const chosen = provider ?? (url ? 'searxng' : undefined)
  if (chosen === 'searxng') {
    if (!url) return undefined
    return {
      request: (query) => ({
        url: `${withoutSlashes(url).replace(/\/search$/, '')}/search?${new URLSearchParams({ q: query, format: 'json' })}`,
      }),
      rows: ({ results }) => results,
      text: 'content',
    }
  }
  if (!key) return undefined
  if (chosen === 'brave') {
    return {
      request: (query, count) => ({
        url: `${url ?? 'https://api.search.brave.com/res/v1/web/search'}?${new URLSearchParams({ q: query, count: String(count) })}`,
        init: { headers: { accept: 'application/json', 'x-subscription-token': key } },
      }),
      rows: ({ web }) => (isRecord(web) ? web.results : undefined),
      text: 'description',
    }
  }
  if (chosen === 'tavily') {
    return {
      request: (query, count) => ({
        url: url ?? 'https://api.tavily.com/search',
        init: {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
          body: JSON.stringify({ query, max_results: count }),
        },
      }),
      rows: ({ results }) => results,
      text: 'content',
    }
  }
  return undefined
}

const str = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Reads a body of limited size. The answers of a configured service are still foreign. */
async function bodyOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).byteLength
    if (size > MAX_BODY) throw new Error('the answer is too large')
    chunks.push(chunk as Uint8Array)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function hits(engine: Engine, query: string, count: number, signal: AbortSignal): Promise<Hit[]> {
  const { url, init } = engine.request(query, count)
  const ask = async (limited: AbortSignal): Promise<string> => {
    const response = await fetch(url, { ...init, redirect: 'error', signal: limited })
    const body = await bodyOf(response)
    if (!response.ok) throw new Error(`the search service answered ${response.status}`)
    return body
  }
  const message = `the search service did not answer within ${TIMEOUT_MS / 1_000} s`
  const body = await withTimeout(systemClock, TIMEOUT_MS, ask, { parent: signal, message })
  const answer: unknown = JSON.parse(body)
  const rows = isRecord(answer) ? engine.rows(answer) : undefined
  if (!Array.isArray(rows)) throw new Error('the search service returned no results')
  return rows
    .filter(isRecord)
    .slice(0, count)
    .map((row) => ({
      title: plain(str(row.title)),
      url: str(row.url).slice(0, 1_000),
      text: plain(str(row[engine.text])),
    }))
}

const plain = (text: string): string =>
  text
    .slice(0, 2_000)
    .replace(/<\/?\w{1,10}>/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 1_000)

export function webSearch({
  engine,
  requiredAnyRole,
}: {
  readonly engine: Engine
  readonly requiredAnyRole?: readonly string[]
}): Tool {
  return defineTool({
    name: 'web_search',
    description: 'Searches the web. Read what looks useful with web_fetch.',
    effect: 'read',
    timeout: TIMEOUT_MS + 5_000,
    ...(requiredAnyRole ? { requiredAnyRole } : {}),
    keywords: ['search', 'google', 'internet', 'news', 'latest', '搜索', '查询', '新闻', '最新'],
    parameters: Type.Object({
      query: Type.String({ minLength: 1, maxLength: 400 }),
      count: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description: `Results; default ${COUNT}` })),
    }),
    async run({ query, count = COUNT }, { signal }) {
      let found: Hit[]
      try {
        found = await hits(engine, query, count, signal)
      } catch (error) {
        // The address may contain a key, so the message of the error is not shown.
        return toolResult(
          `The search failed: ${error instanceof TypeError ? 'the search service cannot be reached' : messageOf(error)}`,
          { isError: true },
        )
      }
      if (found.length === 0) return 'Nothing was found.'
      return wrapped(
        found.map(({ title, url, text }, index) => `${index + 1}. ${title}\n${url}\n${text}`).join('\n\n'),
        'web search',
      )
    },
  })
}

function withoutSlashes(address: string): string {
  let end = address.length
  while (address[end - 1] === '/') end--
  return address.slice(0, end)
}
