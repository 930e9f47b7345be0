import { resolve } from 'node:path'
import { isRecord } from '@mynah/contract'
import { messageOf, systemClock, type Clock } from '@mynah/kernel'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { ServerConfig } from '../config.js'
import { secretRedactor } from '../secrets.js'
import { within } from '../within.js'
import { boundedFetch } from './bounded-fetch.js'
import { LIST_MS, MAX_LISTED, MAX_PAGES, PING_MS } from './limits.js'
import { StdioTransport } from './stdio.js'

/** Options of a connection, and the events that it reports. */
export interface ConnectOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Time until the end of the first exchange, in milliseconds. */
  readonly startMs: number
  /** Base of relative working folders. */
  readonly root: string | undefined
  /** Called once when an open connection has ended, whichever side closed it. */
  onClosed(reason: string): void
  /** Called when the server reports that its tools have changed. */
  onToolsChanged(): void
  /** Called after an error that may mean the end of the connection. */
  onTrouble(): void
  /** Called with the end of a transport, so that the caller can wait until everything is closed. */
  ending(done: Promise<unknown>): void
}

/** An open connection. */
export interface Connection {
  readonly transport: 'stdio' | 'http' | 'sse'
  /** Lists all tools as the server describes them. */
  list(signal: AbortSignal): Promise<readonly unknown[]>
  call(
    name: string,
    input: Readonly<Record<string, unknown>>,
    options: { readonly signal: AbortSignal; readonly progress?: ((text: string) => void) | undefined },
  ): Promise<unknown>
  /** Rejects when the server does not answer. */
  ping(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** An error with which the server answered. The connection works. */
export class ErrorResponse extends Error {}

/** A server over HTTP has refused a request as a whole, as it does once the session has ended. It has not run. */
export class RequestRefused extends Error {}

/** Disables the timers of the SDK in milliseconds, because they do not use the clock of the host. */
const NEVER = 2 ** 31 - 1
const OLD_SERVER = new Set([400, 404, 405])
const REFUSED: ReadonlySet<unknown> = new Set([400, 404])
const LEAVE_MS = 1_000

async function loadSdk() {
  const [{ Client }, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ])
  return { Client, types }
}
type Sdk = Awaited<ReturnType<typeof loadSdk>>

/** Connects within a time limit. Closes the transport when this fails. */
export async function connect(config: ServerConfig, options: ConnectOptions): Promise<Connection> {
  const sdk = await loadSdk()
  const { clock, signal } = options
  return within(
    { clock, signal, ms: options.startMs, what: 'The server did not finish the first exchange' },
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
  // Without capabilities a server cannot call models or ask users.
  const client = new Client({ name: 'mynah', version: '1' }, { capabilities: {} })
  const reason = (): string | undefined => (transport instanceof StdioTransport ? transport.reason : undefined)
  let made = false
  client.onclose = () => {
    if (made) options.onClosed(reason() ?? 'the connection was closed')
  }
  client.onerror = () => {
    // On a pipe an error is only a malformed line. The end of the process is reported separately.
    if (made && kind !== 'stdio') options.onTrouble()
  }
  client.setNotificationHandler(types.ToolListChangedNotificationSchema, () => {
    if (made) options.onToolsChanged()
  })
  const failure = (error: unknown): Error => {
    if (error instanceof types.McpError && error.code !== types.ErrorCode.ConnectionClosed)
      return new ErrorResponse(error.message)
    const Refusal = kind === 'http' && REFUSED.has(codeOf(error)) ? RequestRefused : Error
    return new Refusal(reason() ?? requestError(error), { cause: error })
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

/** Reads all pages. The SDK does not check the tools, so that a malformed one does not hide the others. */
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
    // Spreading a list of millions would exceed the limit of arguments.
    for (const tool of (result['tools'] as unknown[]).slice(0, MAX_LISTED - all.length)) all.push(tool)
    if (all.length >= MAX_LISTED) break
    const next = result['nextCursor']
    if (typeof next !== 'string' || next === cursor || next === '') break
    cursor = next
  }
  return all
}

/** Ends the session of a server over HTTP. A server that is not reached drops the session by itself. */
async function leave(transport: Transport): Promise<void> {
  if (!('terminateSession' in transport) || typeof transport.terminateSession !== 'function') return
  const ended = (transport.terminateSession as () => Promise<void>).call(transport)
  // The clock of the plugin may have stopped with the plugin.
  await within(
    { clock: systemClock, signal: new AbortController().signal, ms: LEAVE_MS, what: 'The session was not ended' },
    () => ended,
  ).catch(() => undefined)
}

const codeOf = (error: unknown): unknown => (error instanceof Error ? (error as { code?: unknown }).code : undefined)

/** Returns the message of a failed request, with its cause. */
function requestError(error: unknown): string {
  const cause = isRecord(error) || error instanceof Error ? (error as { cause?: unknown }).cause : undefined
  return cause === undefined ? messageOf(error) : `${messageOf(error)}: ${messageOf(cause)}`
}
