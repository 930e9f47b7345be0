// Checks of `mynah doctor`: whether the running host is ready, and whether the server of its database answers.
import { connect } from 'node:net'
import { valueAt } from '@mynah/kernel/loader'
import type { Finding } from './checks.js'
import { ask } from './control.js'
import { tokenOf } from './tokens.js'

type Values = Readonly<Record<string, unknown>>

const PATIENCE_MS = 3000
const DEFAULT_HTTP_PORT = 8086
/** Connections that the plugin `database` opens by default. */
const CONNECTIONS = 10
const DEFAULT_POSTGRES_PORT = 5432

interface Check {
  readonly status?: string
  readonly reason?: string
}

/**
 * Asks the running host for its parts. Returns a finding for each that is not ready.
 *
 * @param api of {@link apiOf}
 */
export async function checkReadiness(file: string, root: string, api: string): Promise<Finding[]> {
  const subject = 'readiness'
  const mend = (text: string): Finding => ({ state: 'mend', subject, text, remedy: 'The log of the host says more' })
  try {
    const response = await fetch(`${api}/ready`, {
      headers: { authorization: `Bearer ${(await tokenOf(file, root)) ?? ''}` },
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    // Without the plugin "management" there is no such path.
    if (response.status === 404) return []
    if (response.status !== 200 && response.status !== 503) return [mend(`the host answers with ${response.status}`)]
    const parts = Object.entries(checksIn(await response.json())).filter(([, { status }]) => status !== 'ok')
    if (parts.length === 0) return [{ state: 'ok', subject, text: 'all parts of the host are ready' }]
    return parts.map(([part, { status, reason }]) => ({
      ...mend(`${part} is ${status}${reason ? `: ${reason}` : ''}`),
      ...(status === 'degraded' ? { state: 'note' as const } : {}),
    }))
  } catch (error) {
    const { cause, name } = error as { readonly cause?: { readonly code?: string }; readonly name: string }
    return [mend(`the host does not answer (${cause?.code ?? name})`)]
  }
}

/**
 * Returns the address of the API of the host of a data directory. A running host is asked: its environment may differ
 * from that of this command, and with it the port.
 */
export async function apiOf(data: string, values: Values): Promise<string> {
  const answer = await ask(data, { do: 'status' }).catch(() => undefined)
  const api = answer && 'report' in answer ? answer.report?.api : undefined
  return api === undefined
    ? configuredApi(values)
    : api.replace(/^http:\/\/(?:0\.0\.0\.0|\[::\]):/, 'http://127.0.0.1:')
}

function configuredApi(values: Values): string {
  const written = String(valueAt(values, 'http.host') ?? '127.0.0.1')
  const host = written === '0.0.0.0' || written === '::' ? '127.0.0.1' : written
  const port = Number(valueAt(values, 'http.port') ?? DEFAULT_HTTP_PORT)
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}${String(valueAt(values, 'http.base') ?? '/api')}`
}

function checksIn(body: unknown): Readonly<Record<string, Check>> {
  const { data, checks } = body as { readonly data?: { readonly checks?: object }; readonly checks?: object }
  return { ...(data?.checks ?? checks) }
}

/** Checks whether the server of the database accepts connections, if one is configured. */
export async function checkDatabaseServer(values: Values): Promise<Finding[]> {
  if (valueAt(values, 'database.type') !== 'postgres') return []
  const subject = 'database'
  const url = String(valueAt(values, 'database.url') ?? '')
  if (!URL.canParse(url))
    return [
      {
        state: 'mend',
        subject,
        text: 'database.url is no address',
        remedy: 'Write postgres://user:password@host/name',
      },
    ]
  const { hostname, port, searchParams } = new URL(url)
  // With a socket file the name of the host is empty.
  const host = hostname || searchParams.get('host') || '127.0.0.1'
  const to = Number(port || DEFAULT_POSTGRES_PORT)
  const error = await connectionError(host.startsWith('/') ? `${host}/.s.PGSQL.${to}` : { host, port: to })
  if (error === undefined) {
    const most = Number(valueAt(values, 'database.connections') ?? CONNECTIONS)
    const text = `PostgreSQL answers at ${host}:${to}; the host opens up to ${most} connections (database.connections)`
    return [{ state: 'ok', subject, text }]
  }
  return [
    {
      state: 'mend',
      subject,
      text: `PostgreSQL does not answer at ${host}:${to} (${error})`,
      remedy: 'Start it, or correct database.url',
    },
  ]
}

function connectionError(to: string | { readonly host: string; readonly port: number }): Promise<string | undefined> {
  return new Promise((done) => {
    const socket = typeof to === 'string' ? connect(to) : connect(to)
    const end = (error?: string): void => {
      socket.destroy()
      done(error)
    }
    socket.once('connect', () => end())
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
    socket.setTimeout(PATIENCE_MS, () => end('ETIMEDOUT'))
  })
}
