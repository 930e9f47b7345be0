// Endpoints that other hosts of a cluster run: what is sent through them, and how they are.
import { endpointPlace, type Clock, type Cluster } from '@mynah/kernel'
import { isRecord, isWireError, WireError } from '@mynah/contract'
import type { Channel, Content, EndpointRow, Trace } from '@mynah/contract/types'
import type { Receipt } from '../api/message.js'
import type { Chat, SendOptions } from '../api/points.js'

const SEND = 'chat:send'
const ROW = 'chat:row'
const TRACES = 'chat:traces'
/** Characters of the traces of one answer. */
const MAX_TRACES = 256_000
/** Attempts of a message with a key, whose second delivery finds the first. */
const TRIES = 3
/** Time after which an endpoint is shown as this host knows it, in milliseconds. */
const ROW_LIMIT_MS = 2_000

/** Which traces are asked for. */
export interface TraceQuery {
  readonly limit: number
  readonly endpointId?: string
  readonly messageId?: string
}

interface TracesOfOthers {
  readonly traces: readonly Trace[]
  /** Names of the hosts that did not answer. */
  readonly unanswered: readonly string[]
}

interface PassedMessage {
  readonly adapter: string
  readonly endpoint: string
  readonly target: Channel
  readonly content: Content
  readonly key: string | null
}

/** The endpoints of other hosts. */
export class OtherHosts {
  readonly #cluster: Cluster
  readonly #clock: Clock

  constructor(cluster: Cluster, clock: Clock) {
    this.#cluster = cluster
    this.#clock = clock
  }

  /** Whether another host runs an endpoint. */
  have(adapter: string, endpoint: string): boolean {
    return this.#cluster.isElsewhere(endpointPlace(adapter, endpoint))
  }

  /** Sends a message through an endpoint of another host. */
  async send(
    adapter: string,
    endpoint: string,
    target: Channel,
    content: Content,
    { key }: Pick<SendOptions, 'key'> = {},
  ): Promise<Receipt> {
    const passed: PassedMessage = { adapter, endpoint, target, content, key: key ?? null }
    for (let tries = 1; ; tries++) {
      try {
        return (await this.#cluster.call(endpointPlace(adapter, endpoint), SEND, passed)) as Receipt
      } catch (error) {
        const mayRepeat = key !== undefined && tries < TRIES
        if (!mayRepeat || !isWireError(error) || error.code !== 'upstream_unavailable:unknown') throw error
      }
    }
  }

  /** Returns how an endpoint is by the host that runs it; `undefined` where that does not answer soon. */
  async row(adapter: string, endpoint: string): Promise<EndpointRow | undefined> {
    let cancel = (): void => {}
    const late = new Promise<undefined>((resolve) => {
      cancel = this.#clock.setTimeout(() => resolve(undefined), ROW_LIMIT_MS)
    })
    try {
      const asked = this.#cluster.call(endpointPlace(adapter, endpoint), ROW, { adapter, endpoint })
      return (await Promise.race([asked.catch(() => undefined), late])) as EndpointRow | undefined
    } finally {
      cancel()
    }
  }

  /** Name of this host. */
  get self(): string {
    return this.#cluster.self.name
  }

  /**
   * Returns the traces of the other hosts.
   *
   * @param host name of the only one that is asked
   */
  async traces(query: TraceQuery, host?: string): Promise<TracesOfOthers> {
    const asked = this.#cluster.others().filter(({ name }) => host === undefined || name === host)
    const answers = await Promise.all(
      asked.map(async ({ owner, name }) => {
        const answer = await this.#cluster.call(owner, TRACES, query).catch(() => undefined)
        return { name, traces: Array.isArray(answer) ? (answer as readonly Trace[]) : undefined }
      }),
    )
    return {
      traces: answers.flatMap(({ name, traces = [] }) => traces.map((trace) => ({ ...trace, host: name }))),
      unanswered: answers.flatMap(({ name, traces }) => (traces ? [] : [name])),
    }
  }

  /** Answers what other hosts ask about the endpoints of this one. Returns how to stop. */
  answer(chat: Chat, rowOf: (adapter: string, endpoint: string) => Promise<EndpointRow>): () => void {
    const stops = [
      this.#cluster.answer(SEND, async (params) => {
        const { adapter, endpoint, target, content, key } = passedMessage(params)
        return chat.send(adapter, endpoint, target, content, key === null ? {} : { key })
      }),
      this.#cluster.answer(ROW, async (params) => {
        const { adapter, endpoint } = (isRecord(params) ? params : {}) as Record<string, unknown>
        return rowOf(String(adapter), String(endpoint))
      }),
      this.#cluster.answer(TRACES, async (params) => newestWithin(chat.traces(traceQuery(params)))),
    ]
    return () => stops.forEach((stop) => stop())
  }
}

function traceQuery(params: unknown): TraceQuery {
  if (!isRecord(params) || typeof params.limit !== 'number')
    throw new WireError('invalid_request', 'The other host has another version')
  return params as unknown as TraceQuery
}

/** Returns the first of some traces that are not too long for one answer. */
function newestWithin(traces: readonly Trace[]): readonly Trace[] {
  let length = 0
  const end = traces.findIndex((trace) => (length += JSON.stringify(trace).length) > MAX_TRACES)
  return end < 0 ? traces : traces.slice(0, end)
}

function passedMessage(params: unknown): PassedMessage {
  if (!isRecord(params) || typeof params.adapter !== 'string' || typeof params.endpoint !== 'string')
    throw new WireError('invalid_request', 'The other host has another version')
  return params as unknown as PassedMessage
}
