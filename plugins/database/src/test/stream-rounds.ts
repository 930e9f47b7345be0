// Ends a host repeatedly while a client follows its stream. The client resumes and gets the event of each row once.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import { entity } from '../api.js'

export const STREAM_TOKEN = 'a-token-for-the-rounds-of-the-stream'
interface Row {
  readonly id: string
  readonly state: number
}
/** Rows of which each is announced once. */
export const Told = entity<Row>({
  package: 'mynah-plugin-told',
  name: 'told',
  columns: { id: { type: 'text', primary: true }, state: { type: 'integer' } },
})

/** Results of all rounds together. */
export interface Followed {
  readonly rounds: number
  /** Rows that were committed. */
  readonly rows: number
  /** Rows whose event never came. */
  readonly missed: number
  /** Events that came twice, or without their row. */
  readonly wrong: number
  /** Ids that do not follow the one before. */
  readonly gaps: number
  /** Times that the client had to start again without earlier events. */
  readonly resets: number
}

const HOST = new URL('./stream-process.js', import.meta.url)

/** A client that remembers where it was. */
class Follower {
  readonly told = new Map<string, number>()
  lastId: string | undefined
  gaps = 0
  resets = 0
  ended = false
  #opened = false
  #waiting: { readonly done: () => boolean; readonly resolve: () => void } | undefined

  /** Follows until the connection breaks; resolves when it is open. */
  async follow(origin: string): Promise<void> {
    const asked = request(`${origin}/api/events`, {
      agent: false,
      headers: {
        authorization: `Bearer ${STREAM_TOKEN}`,
        ...(this.lastId === undefined ? {} : { 'last-event-id': this.lastId }),
      },
    })
    asked.on('error', () => undefined)
    asked.end()
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    response.setEncoding('utf8')
    // A host that is killed breaks the connection; that is what this is about.
    response.on('error', () => undefined)
    let rest = ''
    response.on('data', (chunk: string) => {
      const blocks = (rest + chunk).split('\n\n')
      rest = blocks.pop() as string
      for (const block of blocks) this.#take(block)
      if (this.#waiting?.done()) this.#waiting.resolve()
    })
    await this.until(() => this.#opened)
    this.#opened = false
  }

  until(done: () => boolean): Promise<void> {
    return done()
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#waiting = { done, resolve }
        })
  }

  get count(): number {
    return this.told.size
  }

  #take(block: string): void {
    const id = /^id: (.*)$/m.exec(block)?.[1]
    const text = /^data: (.*)$/m.exec(block)?.[1]
    if (text === undefined) return
    const { type, data } = JSON.parse(text) as { type: string; data: unknown }
    if (type === 'init-data') this.#opened = true
    if (type === 'sync' && (data as { reset?: boolean }).reset) this.resets++
    if (id !== undefined) {
      const number = (position: string): number => Number(position.split('.')[1])
      if (this.lastId !== undefined && number(id) !== number(this.lastId) + 1) this.gaps++
      this.lastId = id
    }
    if (type === 'row') this.told.set(data as string, (this.told.get(data as string) ?? 0) + 1)
    if (type === 'end') this.ended = true
  }
}

async function start(
  data: string,
  mode: 'busy' | 'quiet',
): Promise<{ child: ChildProcess; origin: string; nextLine(): Promise<string> }> {
  const child = spawn(process.execPath, [HOST.pathname, data, mode], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin?.on('error', () => undefined)
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
  const nextLine = async (): Promise<string> => {
    const { value, done } = (await lines.next()) as { value: string; done?: boolean }
    if (done) throw new Error('The host ended by itself')
    return value
  }
  return { child, origin: (await nextLine()).split(' ')[1] as string, nextLine }
}

/** Ends a busy host `rounds` times on one data folder, every other time with `SIGKILL`, else with `SIGTERM`. */
export async function streamRounds(data: string, rounds: number): Promise<Followed> {
  const client = new Follower()
  for (let round = 0; round < rounds; round++) {
    const { child, origin } = await start(data, 'busy')
    const gone = once(child, 'exit')
    await client.follow(origin)
    child.stdin?.write('go\n')
    const enough = client.count + 1 + Math.floor(Math.random() * 300)
    await client.until(() => client.count >= enough)
    child.kill(round % 2 ? 'SIGTERM' : 'SIGKILL')
    await gone
  }
  const { child, origin, nextLine } = await start(data, 'quiet')
  const gone = once(child, 'exit')
  await client.follow(origin)
  child.stdin?.write('go\n')
  await client.until(() => client.ended)
  const rows = new Set(JSON.parse(await nextLine()) as string[])
  child.kill('SIGTERM')
  await gone
  const { told, gaps, resets } = client
  return {
    rounds,
    rows: rows.size,
    missed: [...rows].filter((id) => !told.has(id)).length,
    wrong: [...told].filter(([id, times]) => times !== 1 || !rows.has(id)).length,
    gaps,
    resets,
  }
}
