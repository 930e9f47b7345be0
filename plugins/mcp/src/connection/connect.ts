import { resolve } from 'node:path'
import { isRecord } from '@mynah/contract'
import { messageOf, systemClock, type Clock } from '@mynah/kernel'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { ServerConfig } from '../config.js'
import { secretRedactor } from '../secrets.js'
import { within } from '../within.js'
import { boundedFetch } from './bounded-fetch.js'
import { HANDSHAKE_MS, LIST_MS, MAX_LISTED, MAX_PAGES, PING_MS } from './limits.js'
import { StdioTransport } from './stdio.js'

/** What a connection needs of its surroundings. */
export interface ConnectOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Folder that relative ones begin at. */
  readonly root: string | undefined
  /** It has ended, by whatever side; told once, and only after it was made. */
  onClosed(reason: string): void
  /** The server says that its tools are others now. */
  onToolsChanged(): void
  /** Something went wrong that may be its end. */
  onTrouble(): void
  /** What was begun is being ended; whoever waits for the end of everything waits for this. */
  ending(done: Promise<unknown>): void
}

/** A connection that has been made. */
export interface Connection {
  readonly transport: 'stdio' | 'http' | 'sse'
  /** All tools, as the server tells of them. */
  list(signal: AbortSignal): Promise<readonly unknown[]>
  call(
    name: string,
    input: Readonly<Record<string, unknown>>,
    options: { readonly signal: AbortSignal; readonly progress?: ((text: string) => void) | undefined },
  ): Promise<unknown>
  /** Rejects where the server gives no sign of life. */
  ping(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** A failure that the server itself answered with: it lives. */
export class ErrorResponse extends Error {}

/** Beyond any deadline of ours: the SDK's own timers do not know our clock. */
const NEVER = 2 ** 31 - 1
const OLD_SERVER = new Set([400, 404, 405])
const LEAVE_MS = 1_000

async function loadSdk() {
  const [{ Client }, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ])
  return { Client, types }
}
type Sdk = Awaited<ReturnType<typeof loadSdk>>

/** Makes a connection within {@link HANDSHAKE_MS}. What was begun for one that fails is ended. */
export async function connect(config: ServerConfig, options: ConnectOptions): Promise<Connection> {
  const sdk = await loadSdk()
  const { clock, signal } = options
  return within(
    { clock, signal, ms: HANDSHAKE_MS, what: 'The server did not finish the first exchange' },
    async (bounded) => {
      if (config.command !== undefined)
        return open(sdk, 'stdio', stdioOf(sdk, config.command, config, options.root), options, bounded)
      const url = new URL(config.url ?? '')
      const init = { requestInit: { headers: { ...config.headers } }, fetch: boundedFetch }
      const { StreamableHTTPClientTransport, StreamableHTTPError } =
        await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
      try {
        return await open(sdk, 'http', new StreamableHTTPClientTransport(url, init) as Transport, options, bounded)
      } catch (error) {
        const { cause } = error as Error
        if (bounded.aborted || !(cause instanceof StreamableHTTPError) || !OLD_SERVER.has(cause.code ?? 0)) throw error
        const { SSEClientTransport } = await import('@modelcontextprotocol/sdk/client/sse.js')
        try {
          return await open(sdk, 'sse', new SSEClientTransport(url, init), options, bounded)
        } catch (older) {
          throw new Error(`${messageOf(error)}; as an old server: ${messageOf(older)}`, { cause: older })
        }
      }
    },
  )
}

function stdioOf({ types }: Sdk, command: string, config: ServerConfig, root: string | undefined): StdioTransport {
  const { args = [], env = {}, cwd } = config
  const folder = cwd === undefined ? root : resolve(root ?? '.', cwd)
  return new StdioTransport({
    command,
    args,
    env,
    cwd: folder,
    hide: secretRedactor(config),
    parse: (line) => types.JSONRPCMessageSchema.parse(line),
  })
}

async function open(
  { Client, types }: Sdk,
  kind: Connection['transport'],
  transport: Transport,
  options: ConnectOptions,
  signal: AbortSignal,
): Promise<Connection> {
  // No capability: a server may neither ask our models nor our users anything.
  const client = new Client({ name: 'mynah', version: '1' }, { capabilities: {} })
  const reason = (): string | undefined => (transport instanceof StdioTransport ? transport.reason : undefined)
  let made = false
  client.onclose = () => {
    if (made) options.onClosed(reason() ?? 'the connection was closed')
  }
  client.onerror = () => {
    // A line of noise on a pipe is no trouble, and the end of a pipe is told by itself.
    if (made && kind !== 'stdio') options.onTrouble()
  }
  client.setNotificationHandler(types.ToolListChangedNotificationSchema, () => {
    if (made) options.onToolsChanged()
  })
  const failure = (error: unknown): Error => {
    if (error instanceof types.McpError && error.code !== types.ErrorCode.ConnectionClosed)
      return new ErrorResponse(error.message)
    return new Error(reason() ?? reachable(error), { cause: error })
  }
  const close = async (): Promise<void> => {
    await leave(transport)
    await client.close()
  }
  const asked = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw failure(error)
    }
  }
  const stop = (): void => options.ending(transport.close())
  signal.addEventListener('abort', stop, { once: true })
  try {
    signal.throwIfAborted()
    await client.connect(transport, { timeout: NEVER, signal })
  } catch (error) {
    options.ending(transport.close())
    throw failure(error)
  } finally {
    signal.removeEventListener('abort', stop)
  }
  made = true
  return {
    transport: kind,
    list: (outer) =>
      within(
        { clock: options.clock, signal: outer, ms: LIST_MS, what: 'The server did not list its tools' },
        (bounded) => asked(() => listAll(client, types, bounded)),
      ),
    call: (name, input, { signal: bounded, progress }) =>
      asked(() =>
        client.request({ method: 'tools/call', params: { name, arguments: { ...input } } }, types.ResultSchema, {
          timeout: NEVER,
          signal: bounded,
          ...(progress
            ? {
                onprogress: (said) =>
                  progress(said.message ?? `${said.progress}${said.total === undefined ? '' : ` of ${said.total}`}`),
              }
            : {}),
        }),
      ),
    ping: (outer) =>
      within(
        { clock: options.clock, signal: outer, ms: PING_MS, what: 'The server gave no sign of life' },
        async (bounded) => {
          await asked(() => client.ping({ timeout: NEVER, signal: bounded })).catch((error: unknown) => {
            if (!(error instanceof ErrorResponse)) throw error
          })
        },
      ),
    close,
  }
}

/** Every page; our own reading follows, so that one bad tool does not hide the rest. */
async function listAll(client: Client, types: Sdk['types'], signal: AbortSignal): Promise<readonly unknown[]> {
  if (!client.getServerCapabilities()?.tools) return []
  const all: unknown[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const result: Readonly<Record<string, unknown>> = await client.request(
      { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
      types.ResultSchema,
      { timeout: NEVER, signal },
    )
    if (!Array.isArray(result['tools'])) throw new Error('The server answered with no list of tools')
    // A list of millions is more than a call takes as its arguments, and more than anybody reads.
    for (const tool of (result['tools'] as unknown[]).slice(0, MAX_LISTED - all.length)) all.push(tool)
    if (all.length >= MAX_LISTED) break
    const next = result['nextCursor']
    if (typeof next !== 'string' || next === cursor || next === '') break
    cursor = next
  }
  return all
}

/** Tells a server over HTTP that its session ends; one that does not hear it forgets it by itself. */
async function leave(transport: Transport): Promise<void> {
  if (!('terminateSession' in transport) || typeof transport.terminateSession !== 'function') return
  const ended = (transport.terminateSession as () => Promise<void>).call(transport)
  // The plugin's own clock has stopped where the plugin goes.
  await within(
    { clock: systemClock, signal: new AbortController().signal, ms: LEAVE_MS, what: 'The session was not ended' },
    () => ended,
  ).catch(() => undefined)
}

/** What a failed request says: of the network, its cause. */
function reachable(error: unknown): string {
  const cause = isRecord(error) || error instanceof Error ? (error as { cause?: unknown }).cause : undefined
  return cause === undefined ? messageOf(error) : `${messageOf(error)}: ${messageOf(cause)}`
}
