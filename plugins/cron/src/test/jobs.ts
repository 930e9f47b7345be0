import type { JobRun } from '@mynah/contract/types'
import type { JobHandler, NewJob } from '../api.js'
import { until, type Rig } from './support.js'

/** The private chat of the owner of a rig with chat. */
export const ownerChat = {
  channel: 'im',
  platform: 'test',
  endpointId: 'one',
  sceneId: 'owner',
  scope: 'private',
} as const
/** The private chat of another user. */
export const friendChat = { ...ownerChat, sceneId: 'friend' } as const

/** A job that is run by hand, without a notice. */
export const job = (more: Partial<NewJob> = {}): NewJob => ({
  trigger: { kind: 'im' },
  action: { kind: 'agent', prompt: 'x' },
  notify: { channel: 'silent' },
  creator: { kind: 'console' },
  ...more,
})

export const handlerJob = (handler: string, more: Partial<NewJob> = {}): NewJob =>
  job({ action: { kind: 'handler', handler }, ...more })

/** A handler that never ends, whatever its signal says, and the signals that it was given. */
export function hangingHandler(name: string, more: Partial<JobHandler> = {}) {
  const signals: AbortSignal[] = []
  const handler: JobHandler = {
    name,
    run: (_, { signal }) => {
      signals.push(signal)
      return new Promise(() => {})
    },
    ...more,
  }
  return { handler, signals }
}

/** Adds a job, starts a run of it, and returns its id. */
export async function started(rig: Rig, added: NewJob): Promise<string> {
  const { id } = await rig.jobs.add(added)
  await rig.jobs.run(id)
  return id
}

export async function lastRun(rig: Rig, id: string): Promise<JobRun | undefined> {
  return (await rig.runs(id))[0]
}

/** Waits until the last run of a job is in a state. */
export async function untilState(rig: Rig, id: string, state: JobRun['state']): Promise<JobRun> {
  let run: JobRun | undefined
  await until(async () => {
    run = await lastRun(rig, id)
    return run?.state === state
  })
  return run as JobRun
}

/** Texts that a user of the chat was sent. */
export const sentTo = (rig: Rig, user: string): string[] =>
  rig.sent.filter(({ target }) => target.id === user).map(({ text }) => text)
