// Job files of before: taken in once, kept beside, and written again where somebody still reads them.
import { readFile, rename, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { messageOf, type Logger } from '@mynah/kernel'
import { AssistantJob, JobAction, JobNotifyInput, JobPolicy, JobTrigger } from '@mynah/contract'
import { Type, type Static, type TSchema } from '@mynah/contract/type'
import type { JobNotify } from '@mynah/contract/types'
import { mistakesIn } from '@mynah/contract/validate'
import { writeFileAtomically } from '@mynah/kernel/files'
import { normalizedNotify, type Jobs, type NewJob } from '@mynah/plugin-cron/api'

const ASSISTANT_FILE = 'assistant-jobs.json'
const CRON_FILE = 'cron-jobs.json'
const MAX_BYTES = 16 * 1024 * 1024
/** Jobs that are written at once. */
const PAGE = 500

const Id = Type.String({ minLength: 1, maxLength: 512 })
const Label = Type.Optional(Type.String({ maxLength: 256 }))
const OlderJob = Type.Object({
  id: Id,
  label: Label,
  enabled: Type.Optional(Type.Boolean()),
  trigger: JobTrigger,
  action: JobAction,
  policy: Type.Optional(JobPolicy),
  notify: JobNotifyInput,
})
const OlderTask = Type.Object({
  id: Id,
  label: Label,
  enabled: Type.Optional(Type.Boolean()),
  cronExpression: Type.String({ minLength: 1, maxLength: 256 }),
  timezone: Type.Optional(Type.String({ maxLength: 64 })),
  prompt: Type.String({ minLength: 1, maxLength: 32_768 }),
  agent: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  notify: JobNotifyInput,
})

/** What a job came to, each part where it can be understood: no job is refused for what it was. */
function pastOf(row: unknown): Pick<NewJob, 'createdAt' | 'state'> {
  const { createdAt, state } = row as { createdAt?: unknown; state?: unknown }
  const known = Object.entries(AssistantJob.properties.state.properties).flatMap(([key, schema]) => {
    const value = (typeof state === 'object' && state !== null ? (state as Record<string, unknown>) : {})[key]
    return value !== undefined && mistakesIn(schema, value).length === 0 ? [[key, value] as const] : []
  })
  return {
    ...(mistakesIn(AssistantJob.properties.createdAt, createdAt).length ? {} : { createdAt: createdAt as number }),
    ...(known.length ? { state: Object.fromEntries(known) } : {}),
  }
}

type Make<S extends TSchema> = { readonly schema: S; readonly make: (value: Static<S>, notify: JobNotify) => NewJob }
const assistantForm: Make<typeof OlderJob> = {
  schema: OlderJob,
  make: ({ id, label, enabled, trigger, action, policy }, notify) => ({
    id,
    trigger,
    action,
    notify,
    creator: { kind: 'console' },
    enabled: enabled ?? true,
    ...(label === undefined ? {} : { label }),
    ...(policy === undefined ? {} : { policy }),
  }),
}
const cronForm: Make<typeof OlderTask> = {
  schema: OlderTask,
  make: ({ id, label, enabled, cronExpression, timezone, prompt, agent }, notify) => ({
    id,
    trigger: { kind: 'schedule', schedule: { cron: cronExpression, ...(timezone === undefined ? {} : { timezone }) } },
    action: { kind: 'agent', prompt, ...(agent === undefined ? {} : { agent }) },
    notify,
    creator: { kind: 'console' },
    enabled: enabled ?? true,
    ...(label === undefined ? {} : { label }),
  }),
}

const rowsOf = (value: unknown): readonly unknown[] | undefined => {
  if (Array.isArray(value)) return value
  const { jobs, tasks } = (typeof value === 'object' && value !== null ? value : {}) as {
    jobs?: unknown
    tasks?: unknown
  }
  return Array.isArray(jobs) ? jobs : Array.isArray(tasks) ? tasks : undefined
}
const idOf = (row: unknown, index: number): string => {
  const { id } = (typeof row === 'object' && row !== null ? row : {}) as { id?: unknown }
  return typeof id === 'string' ? `"${id.slice(0, 100)}"` : `number ${index + 1}`
}
const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )

/** Takes in the files that are there; those that cannot be read stay where they are. Gives what went wrong with them. */
export async function takeOlderFiles(data: string, jobs: Jobs, log: Logger): Promise<readonly string[]> {
  const problems: string[] = []
  for (const [name, form] of [
    [ASSISTANT_FILE, assistantForm],
    [CRON_FILE, cronForm],
  ] as const) {
    const path = join(data, name)
    // Once: what was taken in has its copy.
    if (!(await exists(path)) || (await exists(`${path}.imported`))) continue
    try {
      const { size } = await stat(path)
      if (size > MAX_BYTES) throw new Error('it is larger than 16 MB')
      await takeFile(path, form as Make<TSchema>, jobs, log)
    } catch (error) {
      const why = error instanceof SyntaxError ? 'it is no whole JSON' : messageOf(error)
      problems.push(`${name} was not taken in: ${why}`)
      log.error(`${name} was not taken in and stays where it is: ${why}`)
    }
  }
  return problems
}

async function takeFile(path: string, { schema, make }: Make<TSchema>, jobs: Jobs, log: Logger): Promise<void> {
  const rows = rowsOf(JSON.parse(await readFile(path, 'utf8')) as unknown)
  if (!rows) throw new Error('it has no list of jobs')
  const taken: NewJob[] = []
  rows.forEach((row, index) => {
    const refused = (why: string): void =>
      log.warn(`the job ${idOf(row, index)} of ${basename(path)} was not taken in: ${why}`)
    if (typeof row === 'object' && row !== null && (row as { notify?: unknown }).notify === undefined)
      return refused('it has no notify')
    const upgraded = withSchedule(row)
    const [mistake] = mistakesIn(schema, upgraded)
    if (mistake) return refused(`${mistake.path || 'it'} ${mistake.message}`)
    try {
      const job = {
        ...make(upgraded as never, normalizedNotify((upgraded as { notify: JobNotifyInput }).notify)),
        ...pastOf(row),
      }
      jobs.check(job)
      taken.push(job)
    } catch (error) {
      refused(messageOf(error))
    }
  })
  await jobs.addAll(taken)
  await rename(path, `${path}.imported`)
  log.info(
    `${taken.length} of ${rows.length} jobs were taken in from ${basename(path)}, which is kept as ${basename(path)}.imported`,
  )
}

/** A schedule may be written as the expression alone, and a time as text. */
function withSchedule(row: unknown): unknown {
  const { trigger } = (row ?? {}) as { trigger?: { kind?: unknown; schedule?: unknown; timezone?: unknown } }
  if (typeof trigger !== 'object' || trigger === null || trigger.kind !== 'schedule') return row
  const { schedule } = trigger
  if (typeof schedule === 'string')
    return {
      ...(row as object),
      trigger: {
        kind: 'schedule',
        schedule: { cron: schedule, ...(typeof trigger.timezone === 'string' ? { timezone: trigger.timezone } : {}) },
      },
    }
  const { at } = (schedule ?? {}) as { at?: unknown }
  return typeof at === 'string' && Number.isFinite(Date.parse(at))
    ? { ...(row as object), trigger: { kind: 'schedule', schedule: { at: Date.parse(at) } } }
    : row
}

/** Writes all jobs after each change, one write at a time. */
export class DualWrite {
  readonly #path: string
  readonly #jobs: Jobs
  readonly #log: Logger
  #writing: Promise<void> | undefined
  #again = false

  constructor(data: string, jobs: Jobs, log: Logger) {
    this.#path = join(data, ASSISTANT_FILE)
    this.#jobs = jobs
    this.#log = log
  }

  changed(): void {
    this.#again = true
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
  }

  async idle(): Promise<void> {
    await this.#writing
  }

  /** All jobs, oldest first; others have their turn between two pages. */
  async #text(): Promise<string> {
    const rows: string[] = []
    for (let before: string | undefined; ;) {
      const page = this.#jobs.list({ limit: PAGE, ...(before === undefined ? {} : { before }) })
      for (const { id, label, enabled, trigger, action, notify, policy, state, createdAt } of page)
        rows.push(JSON.stringify({ id, label, enabled, trigger, action, notify, policy, state, createdAt }))
      before = page.at(-1)?.id
      if (page.length < PAGE) return `{ "jobs": [\n${rows.reverse().join(',\n')}\n] }\n`
      await setImmediate()
    }
  }

  async #write(): Promise<void> {
    while (this.#again) {
      this.#again = false
      try {
        await writeFileAtomically(this.#path, await this.#text(), { mode: 0o600 })
        // It is ours: the next start does not take it in.
        if (!(await exists(`${this.#path}.imported`)))
          await writeFileAtomically(`${this.#path}.imported`, '[]\n', { mode: 0o600 })
      } catch (error) {
        this.#log.warn(
          `${ASSISTANT_FILE} could not be written: ${(error as NodeJS.ErrnoException).code ?? messageOf(error)}`,
        )
      }
    }
  }
}
