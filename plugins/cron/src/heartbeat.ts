import { messageOf, type Clock, type Logger, type Reader, type Ref } from '@mynah/kernel'
import { DAY_MS, MINUTE_MS, omitUndefined, SerialQueue } from '@mynah/kernel/util'
import { isWireError } from '@mynah/contract'
import type { JobAction, JobNotify } from '@mynah/contract/types'
import type { Chat } from '@mynah/plugin-chat/api'
import type { HeartbeatFile, HeartbeatSettings } from './api.js'
import type { Engine } from './engine/engine.js'
import { ALL_CLEAR } from './engine/run-executor.js'
import { cut } from './engine/text.js'
import type { MemoryTasks } from './memory-tasks.js'
import { hostZone, zoneOf } from './schedule/zone.js'

const JOB_ID = 'heartbeat'
const TASK_ID = 'cron.heartbeat'
const DEFAULT_INTERVAL_MS = 30 * MINUTE_MS
/** Time that the plugin of the file has to start or restart before the job is removed, in milliseconds. */
const FILE_GRACE_MS = MINUTE_MS
const MAX_LIST = 16_384
const PROMPT =
  'Below is the list of what your owner wants looked after. ' +
  'Look after what is due now, with the tools that you have. ' +
  `Answer with what your owner should know, and with nothing but ${ALL_CLEAR} where there is nothing to tell.`

/** The parts of the host that the heartbeat works with. */
interface HeartbeatParts {
  readonly engine: Engine
  readonly memory: MemoryTasks
  readonly chat: Ref<Chat>
  readonly files: Reader<HeartbeatFile>
  readonly settings: Reader<HeartbeatSettings>
}

/** Returns whether a list has open items. Headings, comments, empty items and ticked boxes are none. */
export function hasOpenItems(list: string): boolean {
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

/** Returns whether a time of day, in minutes, lies within hours that may span midnight. */
export function isWithinHours([from, to]: readonly [string, string], minutes: number): boolean {
  const begin = minutesOf(from)
  const end = minutesOf(to)
  if (begin === end) return true
  return begin < end ? minutes >= begin && minutes < end : minutes >= begin || minutes < end
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/** Periodically lets the agent look at the owner's list, and reports to the owner. */
export class Heartbeat {
  readonly #parts: HeartbeatParts
  readonly #clock: Clock
  readonly #log: Logger
  readonly #queue = new SerialQueue()
  #isActive = false
  #intervalMs = 0
  #isStopped = false
  #cancelRemoval: (() => void) | undefined

  constructor(parts: HeartbeatParts, clock: Clock, log: Logger) {
    this.#parts = parts
    this.#clock = clock
    this.#log = log
  }

  /** Runs while a heartbeat file exists. */
  async start(): Promise<void> {
    const { files, settings, engine } = this.#parts
    const apply = (): void => this.#applySettings()
    files.watch(apply)
    settings.watch(() => {
      apply()
      // The new settings may have fixed what paused the job.
      if (engine.index.get(JOB_ID)?.paused)
        void engine
          .setEnabled(JOB_ID, true)
          .catch((error: unknown) => this.#log.warn(`failed to resume the heartbeat: ${messageOf(error)}`))
    })
    if (engine.index.get(JOB_ID)?.paused) await engine.setEnabled(JOB_ID, true)
    apply()
  }

  /** Stops the timer and keeps the job. */
  stop(): void {
    this.#isStopped = true
    this.#cancelRemoval?.()
  }

  #settings(): HeartbeatSettings | undefined {
    return this.#parts.settings.all()[0]?.value
  }

  #applySettings(): void {
    if (this.#isStopped) return
    const { memory, files } = this.#parts
    const intervalMs = this.#settings()?.everyMs ?? DEFAULT_INTERVAL_MS
    const hasFile = files.all().length > 0
    if (this.#isActive && (!hasFile || intervalMs !== this.#intervalMs)) memory.remove(TASK_ID)
    if (hasFile && (!this.#isActive || intervalMs !== this.#intervalMs)) {
      const minutes = intervalMs / MINUTE_MS
      const timetable = {
        next: (after: number) => (Math.floor(after / intervalMs) + 1) * intervalMs,
        zone: undefined,
      }
      memory.add(
        {
          owner: 'cron',
          value: {
            id: TASK_ID,
            expression: minutes === 30 ? '*/30 * * * *' : `every ${minutes} min`,
            description: 'Looks at HEARTBEAT.md',
            run: () => this.#run(),
          },
        },
        timetable,
      )
    }
    this.#isActive = hasFile
    this.#intervalMs = intervalMs
    this.#cancelRemoval?.()
    // The job and its paused state survive a restart of the plugin that owns the file.
    this.#cancelRemoval = hasFile ? undefined : this.#clock.setTimeout(() => this.#syncInBackground(), FILE_GRACE_MS)
    if (hasFile) this.#syncInBackground()
  }

  #syncInBackground(): void {
    void this.#sync().catch((error: unknown) =>
      this.#log.warn(`failed to read the heartbeat file: ${messageOf(error)}`),
    )
  }

  /** Creates, updates or removes the job to match the file. Returns the list of the file. */
  #sync(): Promise<string | undefined> {
    return this.#queue.run(() => this.#syncNow())
  }

  async #syncNow(): Promise<string | undefined> {
    const { engine, files } = this.#parts
    const text = await files.all()[0]?.value.read()
    const list = text === undefined ? undefined : cut(text, MAX_LIST)
    const job = engine.index.get(JOB_ID)
    if (list === undefined) {
      if (job) await engine.remove(JOB_ID)
      return undefined
    }
    const action: JobAction = omitUndefined({
      kind: 'agent' as const,
      prompt: `${PROMPT}\n\n${list}`,
      agent: this.#settings()?.agent,
    })
    const notify = this.#target()
    if (!job)
      await engine.add({
        id: JOB_ID,
        label: 'Heartbeat',
        trigger: { kind: 'heartbeat' },
        action,
        notify,
        creator: { kind: 'host' },
      })
    else if (JSON.stringify([job.action, job.notify]) !== JSON.stringify([action, notify]))
      await engine.update(JOB_ID, { action, notify })
    return list
  }

  async #run(): Promise<void> {
    const { engine } = this.#parts
    const now = this.#clock.now()
    const hours = this.#settings()?.activeHours
    if (hours && !isWithinHours(hours, Math.floor((zoneOf(hostZone()).wall(now) % DAY_MS) / MINUTE_MS))) return
    const list = await this.#sync()
    if (list === undefined || !hasOpenItems(list) || engine.runner.pool.isBusy(JOB_ID)) return
    try {
      await engine.run(JOB_ID, { slot: String(Math.floor(now / this.#intervalMs) * this.#intervalMs) })
    } catch (error) {
      // A conflict means that the job is paused.
      if (!isWireError(error) || error.code !== 'conflict') throw error
    }
  }

  /** Returns the configured target. The default is the private chat of the owner. */
  #target(): JobNotify {
    const named = this.#settings()?.notify
    if (named) return named
    const owner = this.#parts.chat.current?.ownerChannel()
    if (!owner) return { channel: 'log' }
    const { adapter, endpoint, channel } = owner
    return { channel: 'im', platform: adapter, endpointId: endpoint, sceneId: channel.id, scope: 'private' }
  }
}
