// The heartbeat: now and then the agent reads the owner's list and tells what is to be told.
import { messageOf, type Clock, type Logger, type Reader } from '@mynah/kernel'
import { isWireError } from '@mynah/contract'
import type { JobAction, JobNotify } from '@mynah/contract/types'
import type { Chat } from '@mynah/plugin-chat/api'
import type { HeartbeatFile, HeartbeatSettings } from './api.js'
import type { Engine } from './engine/engine.js'
import { ALL_CLEAR } from './engine/runner.js'
import type { MemoryTasks } from './memory-tasks.js'
import { hostZone, zoneOf } from './schedule/zone.js'

const ID = 'heartbeat'
const TASK = 'cron.heartbeat'
const EVERY_MS = 30 * 60_000
const DAY_MS = 86_400_000
/** Time that whoever keeps the file has to come, or to come back, ms. */
const AWAY_MS = 60_000
const MAX_LIST = 16_384
const PROMPT = `Below is the list of what your owner wants looked after. Look after what is due now, with the tools that you have. Answer with what your owner should know, and with nothing but ${ALL_CLEAR} where there is nothing to tell.`

interface Deps {
  readonly engine: Engine
  readonly memory: MemoryTasks
  readonly clock: Clock
  readonly log: Logger
  readonly chat: () => Chat | undefined
  readonly files: Reader<HeartbeatFile>
  readonly settings: Reader<HeartbeatSettings>
}

/** Whether a list asks for anything: headings, comments, empty and ticked boxes do not. */
export function asksForSomething(list: string): boolean {
  const text = withoutComments(list)
  return text.split('\n').some((line) => {
    const trimmed = line.trim()
    if (trimmed === '' || trimmed.startsWith('#') || /^[-=*_]{3,}$/.test(trimmed)) return false
    const item = /^(?:[-*+]|\d{1,9}[.)])(?: {1,4}|$)/.exec(trimmed)
    const rest = item ? trimmed.slice(item[0].length) : trimmed
    if (/^\[[xX]\]/.test(rest)) return false
    return (rest.startsWith('[ ]') ? rest.slice(3) : rest).trim() !== ''
  })
}

function withoutComments(text: string): string {
  let rest = text
  let kept = ''
  for (;;) {
    const from = rest.indexOf('<!--')
    if (from < 0) return kept + rest
    const to = rest.indexOf('-->', from + 4)
    kept += rest.slice(0, from)
    if (to < 0) return kept
    rest = rest.slice(to + 3)
  }
}

/** Whether a time of day lies within hours that may go past midnight. */
export function isWithin([from, to]: readonly [string, string], minutes: number): boolean {
  const [begin, end] = [from, to].map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))) as [
    number,
    number,
  ]
  if (begin === end) return true
  return begin < end ? minutes >= begin && minutes < end : minutes >= begin || minutes < end
}

export class Heartbeat {
  readonly #deps: Deps
  #beats = false
  #every = 0
  #ended = false
  #cancelAway: (() => void) | undefined
  #lane: Promise<unknown> = Promise.resolve()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Beats while there is a file to look at. */
  async begin(): Promise<void> {
    const { files, settings, engine, log } = this.#deps
    const follow = (): void => this.#follow()
    files.watch(follow)
    settings.watch(() => {
      follow()
      // What stopped it may be mended.
      if (engine.book.get(ID)?.paused)
        void engine
          .setEnabled(ID, true)
          .catch((error: unknown) => log.warn(`the heartbeat cannot be taken up again: ${messageOf(error)}`))
    })
    if (engine.book.get(ID)?.paused) await engine.setEnabled(ID, true)
    follow()
  }

  /** Beats no more, and leaves the job as it is. */
  end(): void {
    this.#ended = true
    this.#cancelAway?.()
  }

  #settings(): HeartbeatSettings | undefined {
    return this.#deps.settings.all()[0]?.value
  }

  #follow(): void {
    if (this.#ended) return
    const { memory, files, clock } = this.#deps
    const every = this.#settings()?.everyMs ?? EVERY_MS
    const should = files.all().length > 0
    if (this.#beats && (!should || every !== this.#every)) memory.remove(TASK)
    if (should && (!this.#beats || every !== this.#every)) {
      const minutes = every / 60_000
      const table = { next: (after: number) => (Math.floor(after / every) + 1) * every, zone: undefined }
      memory.add(
        {
          owner: 'cron',
          value: {
            id: TASK,
            expression: minutes === 30 ? '*/30 * * * *' : `every ${minutes} min`,
            description: 'Looks at HEARTBEAT.md',
            run: () => this.#beat(),
          },
        },
        table,
      )
    }
    this.#beats = should
    this.#every = every
    this.#cancelAway?.()
    // A plugin that is replaced comes back: the job, and that somebody paused it, outlives that.
    this.#cancelAway = should ? undefined : clock.setTimeout(() => this.#look(), AWAY_MS)
    if (should) this.#look()
  }

  /** The job is there as long as its file is. */
  #look(): void {
    void this.#read().catch((error: unknown) =>
      this.#deps.log.warn(`the heartbeat's file cannot be read: ${messageOf(error)}`),
    )
  }

  /** The list, with the job that belongs to it; one after the other, so that there is one job. */
  #read(): Promise<string | undefined> {
    const read = this.#lane.then(() => this.#readNow())
    this.#lane = read.catch(() => undefined)
    return read
  }

  async #readNow(): Promise<string | undefined> {
    const { engine, files } = this.#deps
    const list = (await files.all()[0]?.value.read())?.slice(0, MAX_LIST)
    const job = engine.book.get(ID)
    if (list === undefined) {
      if (job) await engine.remove(ID)
      return undefined
    }
    const agent = this.#settings()?.agent
    const action: JobAction = {
      kind: 'agent',
      prompt: `${PROMPT}\n\n${list}`,
      ...(agent === undefined ? {} : { agent }),
    }
    const notify = this.#target()
    if (!job)
      await engine.add({
        id: ID,
        label: 'Heartbeat',
        trigger: { kind: 'heartbeat' },
        action,
        notify,
        creator: { kind: 'host' },
      })
    else if (JSON.stringify([job.action, job.notify]) !== JSON.stringify([action, notify]))
      await engine.update(ID, { action, notify })
    return list
  }

  async #beat(): Promise<void> {
    const { engine, clock } = this.#deps
    const now = clock.now()
    const hours = this.#settings()?.activeHours
    if (hours && !isWithin(hours, Math.floor((zoneOf(hostZone()).wall(now) % DAY_MS) / 60_000))) return
    const list = await this.#read()
    if (list === undefined || !asksForSomething(list) || engine.runner.places.isBusy(ID)) return
    try {
      await engine.run(ID, { slot: String(Math.floor(now / this.#every) * this.#every) })
    } catch (error) {
      // Paused, by a person or by its failures: it stays so.
      if (!isWireError(error) || error.code !== 'conflict') throw error
    }
  }

  /** The owner's private chat: the first master of the first endpoint that has one. */
  #target(): JobNotify {
    const named = this.#settings()?.notify
    if (named) return named
    const chat = this.#deps.chat()
    for (const { adapter, name } of chat?.endpoints() ?? []) {
      const [master] = chat?.mastersOf(adapter, name) ?? []
      if (master !== undefined)
        return { channel: 'im', platform: adapter, endpointId: name, sceneId: master, scope: 'private' }
    }
    return { channel: 'log' }
  }
}
