import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const TOKEN = 'a-token-for-a-storm-of-events'
/** Requests that are under way at once. */
const LANES = 32

export interface StormOptions {
  readonly folder: string
  readonly events: number
  readonly sources: number
  /** Events a minute and source. */
  readonly rateLimit: number
  /** Kills the host after so many answers, starts it again and sends everything once more that was not answered. */
  readonly killAfter?: number
}

export interface Storm {
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>
  /** Answers whose body was not what their status promises. */
  readonly unclear: number
  readonly accepted: number
  /** Accepted events that ran, and those that a kill interrupted before they did anything. */
  readonly ran: number
  readonly interrupted: number
  /** Events that ran more than once, whatever they were answered. */
  readonly twice: number
  readonly seconds: number
  /** Memory of the host above that at the start, in MB: at most, and after the last event. */
  readonly peakMb: number
  readonly afterMb: number
}

interface Answer {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: {
    readonly code?: string
    readonly data?: {
      readonly jobId?: string
      readonly runId?: string
      readonly runs?: readonly { readonly state: string }[]
    }
  }
}

class StormHost {
  #child!: ChildProcess
  #origin = ''
  readonly #agent = new Agent({ keepAlive: true, maxSockets: LANES })

  async start({ folder, rateLimit }: StormOptions): Promise<void> {
    this.#child = spawn(
      process.execPath,
      ['--expose-gc', fileURLToPath(new URL('storm-process.js', import.meta.url)), folder, TOKEN, String(rateLimit)],
      { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
    )
    const [said] = (await once(this.#child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
    this.#origin = said.toString().trim()
  }

  /** Bytes that the host holds, and jobs that it has. */
  async state(): Promise<{ readonly rss: number; readonly jobs: number }> {
    const told = once(this.#child, 'message')
    this.#child.send('state')
    return (await told)[0] as { rss: number; jobs: number }
  }

  async kill(): Promise<void> {
    const gone = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await gone
  }

  /** Returns the state of a job's one run. */
  async runOf(jobId: string): Promise<string> {
    const { body } = await this.send({ type: 'jobs:runs', id: jobId }, '/api/console/request')
    return body.data?.runs?.map(({ state }) => state).join() ?? 'none'
  }

  send(body: unknown, path = '/api/assistant/events'): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const asked = request(
        `${this.#origin}${path}`,
        {
          method: 'POST',
          agent: this.#agent,
          headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        },
        (response) => {
          let text = ''
          response
            .setEncoding('utf8')
            .on('data', (chunk: string) => {
              text += chunk
            })
            .on('error', reject)
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              retryAfter: response.headers['retry-after'],
              body: JSON.parse(text) as Answer['body'],
            }),
          )
        },
      )
      asked.on('error', reject).end(JSON.stringify(body))
    })
  }
}

const isClear = ({ status, retryAfter, body }: Answer): boolean =>
  status === 202 || status === 200
    ? typeof body.data?.runId === 'string'
    : status === 429 && body.code === 'rate_limited' && Number(retryAfter) >= 1

/** Plays a storm. */
export async function storm(options: StormOptions): Promise<Storm> {
  const { events, sources, killAfter = Infinity, folder } = options
  const host = new StormHost()
  await host.start(options)
  const before = (await host.state()).rss
  const answers = new Map<number, Answer>()
  let peak = before
  let next = 0
  let killing: Promise<void> | undefined
  const began = performance.now()
  const lane = async (): Promise<void> => {
    while (next < events) {
      const id = next++
      while (!answers.has(id)) {
        await killing
        try {
          answers.set(
            id,
            await host.send({
              source: `source-${id % sources}`,
              type: 'storm',
              payload: { n: id },
              action: { kind: 'agent', prompt: `event-${id}` },
              notify: { channel: 'silent' },
              eventId: `event-${id}`,
            }),
          )
        } catch (error) {
          if (!killing) throw error
        }
      }
      if (answers.size >= killAfter && !killing) killing = host.kill().then(() => host.start(options))
      if (killAfter === Infinity && id % 500 === 0) peak = Math.max(peak, (await host.state()).rss)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  const seconds = (performance.now() - began) / 1_000
  let state = await host.state()
  for (; state.jobs > 0; state = await host.state()) {
    peak = Math.max(peak, state.rss)
    await setTimeout(50)
  }
  const ran = (await readFile(join(folder, 'ran.txt'), 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' ')[0] as string)
  const times = new Map<string, number>()
  for (const event of ran) times.set(event, (times.get(event) ?? 0) + 1)
  const accepted = Array.from(answers)
    .filter(([, { status }]) => status === 202 || status === 200)
    .map(([id, { body }]) => ({ event: `event-${id}`, jobId: body.data?.jobId ?? '' }))
  const states = await Promise.all(
    accepted.filter(({ event }) => !times.has(event)).map(({ jobId }) => host.runOf(jobId)),
  )
  await host.kill()
  const statuses: Record<string, number> = {}
  for (const { status } of answers.values()) statuses[status] = (statuses[status] ?? 0) + 1
  return {
    statuses,
    unclear: Array.from(answers.values()).filter((answer) => !isClear(answer)).length,
    accepted: accepted.length,
    ran: accepted.length - states.length,
    interrupted: states.filter((state) => state === 'interrupted').length,
    twice: Array.from(times.values()).filter((count) => count > 1).length,
    seconds,
    peakMb: (peak - before) / 1_048_576,
    afterMb: (state.rss - before) / 1_048_576,
  }
}
