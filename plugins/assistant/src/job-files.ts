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
/** Jobs that are formatted in one step. */
const PAGE = 500

const Id = Type.String({ minLength: 1, maxLength: 512 })
const Label = Type.Optional(Type.String({ maxLength: 256 }))
const ImportedJob = Type.Object({
  id: Id,
  label: Label,
  enabled: Type.Optional(Type.Boolean()),
  trigger: JobTrigger,
  action: JobAction,
  policy: Type.Optional(JobPolicy),
  notify: JobNotifyInput,
})
const ImportedTask = Type.Object({
  id: Id,
  label: Label,
  enabled: Type.Optional(Type.Boolean()),
  cronExpression: Type.String({ minLength: 1, maxLength: 256 }),
  timezone: Type.Optional(Type.String({ maxLength: 64 })),
  prompt: Type.String({ minLength: 1, maxLength: 32_768 }),
  agent: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  notify: JobNotifyInput,
})

/** Returns the valid fields of a job's history. An invalid history never prevents the import. */
function historyOf(row: unknown): Pick<NewJob, 'createdAt' | 'state'> {
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

/** A file format: the schema of its rows, and how a row becomes a job. */
type JobFormat<S extends TSchema> = {
  readonly schema: S
  readonly toJob: (value: Static<S>, notify: JobNotify) => NewJob
}
const assistantFormat: JobFormat<typeof ImportedJob> = {
  schema: ImportedJob,
  toJob: ({ id, label, enabled, trigger, action, policy }, notify) => ({
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
const cronFormat: JobFormat<typeof ImportedTask> = {
  schema: ImportedTask,
  toJob: ({ id, label, enabled, cronExpression, timezone, prompt, agent }, notify) => ({
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
  if (Array.isArray(jobs)) return jobs
  return Array.isArray(tasks) ? tasks : undefined
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

/** Imports the job files of older versions once. Unreadable files stay in place. Returns their problems. */
export async function importJobFiles(data: string, jobs: Jobs, log: Logger): Promise<readonly string[]> {
  const problems: string[] = []
  for (const [name, format] of [
    [ASSISTANT_FILE, assistantFormat],
    [CRON_FILE, cronFormat],
  ] as const) {
    const path = join(data, name)
    // An imported file was renamed to `.imported`.
    if (!(await exists(path)) || (await exists(`${path}.imported`))) continue
    try {
      const { size } = await stat(path)
      if (size > MAX_BYTES) throw new Error('it is larger than 16 MB')
      await importFile(path, format as JobFormat<TSchema>, jobs, log)
    } catch (error) {
      const why = error instanceof SyntaxError ? 'it is not valid JSON' : messageOf(error)
      problems.push(`${name} was not imported: ${why}`)
      log.error(`failed to import ${name}, which stays in place: ${why}`)
    }
  }
  return problems
}

async function importFile(path: string, { schema, toJob }: JobFormat<TSchema>, jobs: Jobs, log: Logger): Promise<void> {
  const rows = rowsOf(JSON.parse(await readFile(path, 'utf8')) as unknown)
  if (!rows) throw new Error('it has no list of jobs')
  const imported: NewJob[] = []
  rows.forEach((row, index) => {
    const refuse = (why: string): void =>
      log.warn(`failed to import job ${idOf(row, index)} of ${basename(path)}: ${why}`)
    if (typeof row === 'object' && row !== null && (row as { notify?: unknown }).notify === undefined)
      return refuse('it has no notify')
    const upgraded = upgradeSchedule(row)
    const [mistake] = mistakesIn(schema, upgraded)
    if (mistake) return refuse(`${mistake.path || 'it'} ${mistake.message}`)
    try {
      const job = {
        ...toJob(upgraded as never, normalizedNotify((upgraded as { notify: JobNotifyInput }).notify)),
        ...historyOf(row),
      }
      jobs.check(job)
      imported.push(job)
    } catch (error) {
      refuse(messageOf(error))
    }
  })
  await jobs.addAll(imported)
  await rename(path, `${path}.imported`)
  log.info(
    `imported ${imported.length} of ${rows.length} jobs from ${basename(path)}, ` +
      `which is kept as ${basename(path)}.imported`,
  )
}

/** Converts older forms of a schedule: an expression alone, and a time as text. */
function upgradeSchedule(row: unknown): unknown {
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

/** Writes the file of all jobs after each change, one write at a time. */
export class JobFileWriter {
  readonly #path: string
  readonly #jobs: Jobs
  readonly #log: Logger
  #writing: Promise<void> | undefined
  #isDirty = false

  constructor(data: string, jobs: Jobs, log: Logger) {
    this.#path = join(data, ASSISTANT_FILE)
    this.#jobs = jobs
    this.#log = log
  }

  /** Writes the file again. Changes during a write are written by the next one. */
  schedule(): void {
    this.#isDirty = true
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
  }

  async idle(): Promise<void> {
    await this.#writing
  }

  /** Formats all jobs, oldest first. Yields to the event loop between pages. */
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
    while (this.#isDirty) {
      this.#isDirty = false
      try {
        await writeFileAtomically(this.#path, await this.#text(), { mode: 0o600 })
        // The marker keeps the next start from importing the file.
        if (!(await exists(`${this.#path}.imported`)))
          await writeFileAtomically(`${this.#path}.imported`, '[]\n', { mode: 0o600 })
      } catch (error) {
        this.#log.warn(
          `failed to write ${ASSISTANT_FILE}: ${(error as NodeJS.ErrnoException).code ?? messageOf(error)}`,
        )
      }
    }
  }
}
