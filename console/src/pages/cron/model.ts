import { shortName } from '../../lib/format.js'
import type { Tick } from '../../ui/ticks.js'
import type { MemoryRow, Notify, Task } from './wire.js'

export const nameOf = (task: Task): string => task.label || shortName(task.prompt) || task.id

const BAD: ReadonlySet<Task['lastStatus']> = new Set(['error', 'undelivered', 'interrupted'])
const isBad = ({ lastStatus }: Task): boolean => BAD.has(lastStatus)

/** Sorts tasks: failed ones first, then by next run, paused ones last. */
export function inOrder(tasks: readonly Task[]): Task[] {
  const rank = (task: Task): number => {
    if (isBad(task)) return 0
    return task.enabled ? 1 : 2
  }
  return [...tasks].sort(
    (a, b) =>
      rank(a) - rank(b) ||
      (a.nextRun ?? Number.MAX_SAFE_INTEGER) - (b.nextRun ?? Number.MAX_SAFE_INTEGER) ||
      nameOf(a).localeCompare(nameOf(b)),
  )
}

const QUARTER_MS = 900_000
const QUARTERS = 96

/** Id of the task that is being edited. */
export const OWN = 'own'

export interface Day {
  readonly ticks: Tick[]
  readonly names: readonly (readonly string[])[]
  /** Known runs of tasks in the day. */
  readonly runs: number
  /** The fullest quarter. */
  readonly fullest: { readonly at: number; readonly count: number } | undefined
  readonly from: number
}

/**
 * Returns the runs of the coming 24 hours. The host lists the next five runs of a task; evenly spaced ones are
 * continued.
 */
export function day(tasks: readonly Task[], memory: readonly MemoryRow[], now: number): Day {
  const from = Math.floor(now / QUARTER_MS) * QUARTER_MS
  const names: string[][] = Array.from({ length: QUARTERS }, () => [])
  const quiet = Array.from({ length: QUARTERS }, () => false)
  const place = (time: number): number => Math.floor((time - from) / QUARTER_MS)
  const own = new Set<number>()
  for (const task of tasks) {
    if (!task.enabled) continue
    for (const time of runsOf(task, from + 86_400_000)) {
      names[place(time)]?.push(nameOf(task))
      if (task.id === OWN) own.add(place(time))
    }
  }
  for (const row of memory) {
    const at = row.nextRun === null ? -1 : place(row.nextRun)
    if (at >= 0 && at < QUARTERS) quiet[at] = true
  }
  const most = Math.max(2, ...names.map((list) => list.length))
  const top = names.reduce((best, list, index) => (list.length > (names[best]?.length ?? 0) ? index : best), 0)
  const count = names[top]?.length ?? 0
  return {
    names,
    from,
    ticks: names.map((list, index) =>
      list.length > 0
        ? { value: list.length / most, tone: own.has(index) ? 'ink' : 'on' }
        : { value: quiet[index] ? 0.3 : 0, tone: 'off' },
    ),
    runs: names.reduce((sum, list) => sum + list.length, 0),
    fullest: count > 0 ? { at: from + top * QUARTER_MS, count } : undefined,
  }
}

/** Tasks that start in the same quarter of an hour as `time`. */
export const sharing = (tasks: readonly Task[], time: number): Task[] =>
  tasks.filter(
    (task) =>
      task.enabled &&
      runsOf(task, time + QUARTER_MS).some((run) => Math.floor(run / QUARTER_MS) === Math.floor(time / QUARTER_MS)),
  )

/**
 * Returns every third hour of the day with its position on the scale, without labels that would overlap "now" or the
 * end.
 */
export function hours(
  from: number,
  hourOf: (time: number) => string,
): { readonly at: number; readonly text: string; readonly sixth: boolean }[] {
  return Array.from({ length: QUARTERS - 17 }, (_, index) => index + 5).flatMap((quarter) => {
    const text = hourOf(from + quarter * QUARTER_MS)
    const [hour = '', minute] = text.split(':')
    return minute === '00' && Number(hour) % 3 === 0
      ? [{ at: quarter / QUARTERS, text, sixth: Number(hour) % 6 === 0 }]
      : []
  })
}

function runsOf(task: Task, until: number): number[] {
  const told = [...new Set(task.nextRuns ?? (task.nextRun === undefined ? [] : [task.nextRun]))].sort((a, b) => a - b)
  const runs = told.filter((time) => time < until)
  const steps = told.slice(1).map((time, index) => time - (told[index] as number))
  const [step] = steps
  const last = told.at(-1)
  if (step === undefined || last === undefined || step < 60_000 || steps.some((other) => other !== step)) return runs
  for (let time = last + step; time < until; time += step) runs.push(time)
  return runs
}

/** Policies for slots that pass while the host is down. Without one the host decides. */
export const MISSED = ['', 'once', 'skip'] as const

export interface Form {
  readonly missed: (typeof MISSED)[number]
  readonly cron: string
  readonly timezone: string
  readonly prompt: string
  readonly label: string
  readonly channel: Notify['channel']
  readonly platform: string
  readonly endpointId: string
  readonly scope: 'private' | 'group' | 'channel'
  readonly sceneId: string
  readonly service: string
}

export const EMPTY_FORM: Form = {
  missed: '',
  cron: '0 9 * * *',
  timezone: '',
  prompt: '',
  label: '',
  channel: 'log',
  platform: '',
  endpointId: '',
  scope: 'private',
  sceneId: '',
  service: '',
}

/** Returns the form values of a task. */
export function formOf(task: Task): Form {
  const { notify } = task
  const im =
    notify.channel === 'im'
      ? {
          platform: notify.platform,
          endpointId: notify.endpointId,
          sceneId: notify.sceneId,
          scope: notify.scope ?? ('private' as const),
        }
      : {}
  return {
    ...EMPTY_FORM,
    ...im,
    missed: task.missed ?? '',
    cron: task.cronExpression,
    timezone: task.timezone ?? '',
    prompt: task.prompt,
    label: task.label ?? '',
    channel: notify.channel,
    ...(notify.channel === 'ha' ? { service: notify.service } : {}),
  }
}

export type FormProblem = 'cron' | 'prompt' | 'target' | 'service' | undefined

/** Returns the first missing field of a form. The host validates expressions. */
export function problemOf(form: Form): FormProblem {
  if (fieldsOf(form.cron).length < 5 || fieldsOf(form.cron).length > 6) return 'cron'
  if (!form.prompt.trim()) return 'prompt'
  if (form.channel === 'im' && (!form.platform || !form.endpointId || !form.sceneId.trim())) return 'target'
  return form.channel === 'ha' && !form.service.trim() ? 'service' : undefined
}

/** Returns the fields of an expression. */
export const fieldsOf = (expression: string): string[] => expression.trim().split(/\s+/).filter(Boolean)

function notifyOf({ channel, platform, endpointId, sceneId, scope, service }: Form): Notify {
  if (channel === 'im') return { channel, platform, endpointId, sceneId: sceneId.trim(), scope }
  return channel === 'ha' ? { channel, service: service.trim() } : { channel }
}

/** Returns the parameters of `cron:add` and `cron:update`. */
export function parametersOf(form: Form): Readonly<Record<string, unknown>> {
  return {
    cronExpression: fieldsOf(form.cron).join(' '),
    prompt: form.prompt,
    notify: notifyOf(form),
    ...(form.label.trim() ? { label: form.label.trim() } : {}),
    ...(form.timezone.trim() ? { timezone: form.timezone.trim() } : {}),
    ...(form.missed ? { missed: form.missed } : {}),
  }
}
