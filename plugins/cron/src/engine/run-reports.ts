import type { Locale } from '@mynah/plugin-chat/api'
import type { JobNotify } from '@mynah/contract/types'
import type { JobFields, PendingNotice, StoredJob, StoredRun } from '../store/types.js'
import { durationText, RunTimeout } from './attempt.js'
import type { Collaborators, OwnerChat } from './collaborators.js'
import { labelOf } from './outcome.js'
import { textsFor } from './texts.js'

/** Names that one message lists. */
const MAX_NAMES = 20

type Tell = (job: StoredJob, to: JobFields) => PendingNotice | undefined

/** The log is in English. */
const textsOf = ({ notify }: StoredJob, { locale }: { readonly locale: Locale }) =>
  textsFor(notify.channel === 'log' ? 'en' : locale)

function pauseText(job: StoredJob, to: JobFields, reason: string, collaborators: Collaborators): string | undefined {
  return to.paused ? textsOf(job, collaborators).paused(labelOf(job), to.failures ?? 0, reason) : undefined
}

const pending = (text: string | undefined, owner: string | undefined): PendingNotice | undefined =>
  text === undefined && owner === undefined
    ? undefined
    : { ...(text === undefined ? {} : { text }), ...(owner === undefined ? {} : { owner }) }

/** Tells of a paused job, and the owner of a run that took too long. */
export const tellFailure =
  (error: unknown, reason: string, collaborators: Collaborators): Tell =>
  (job, to) => {
    const owner =
      error instanceof RunTimeout
        ? textsFor(collaborators.locale).timedOut(labelOf(job), durationText(error.limitMs))
        : undefined
    return pending(pauseText(job, to, reason, collaborators), owner)
  }

/** Tells the owner of a result that did not arrive. */
export const tellUndelivered =
  (reason: string, collaborators: Collaborators): Tell =>
  (job, to) =>
    pending(pauseText(job, to, reason, collaborators), textsFor(collaborators.locale).undelivered(labelOf(job), reason))

/** Tells of a run that was stopped, and the owner as well. */
export const tellStop =
  (reason: string, collaborators: Collaborators): Tell =>
  (job) => ({
    text: textsOf(job, collaborators).stopped(labelOf(job), reason),
    owner: textsFor(collaborators.locale).stopped(labelOf(job), reason),
  })

/** Tells of a run that a stop of the host has interrupted. The owner gets one message about all of them. */
export const tellHostStop = (job: StoredJob, collaborators: Collaborators): PendingNotice => ({
  text: textsOf(job, collaborators).hostStopped(labelOf(job)),
})

/** A run that a stop of the host has interrupted. */
interface Interrupted {
  readonly run: string
  readonly name: string
  readonly notify: JobNotify
}

/** Tells the owner how runs have ended. */
export class RunReports {
  readonly #collaborators: Collaborators
  /** Runs that the last stop of the host has interrupted, and about which the owner has no message yet. */
  #interrupted: readonly Interrupted[] = []
  #telling: Promise<void> | undefined

  constructor(collaborators: Collaborators) {
    this.#collaborators = collaborators
  }

  /** Adds a run about which the owner is notified together with others. */
  addInterrupted(run: StoredRun, job: StoredJob): void {
    this.#interrupted = [...this.#interrupted, { run: run.id, name: labelOf(job), notify: job.notify }]
  }

  /**
   * Tells the owner about a run. He may already have the notice of an interrupted one.
   *
   * @param text the message; `undefined` for a run about which the owner is notified together with others
   * @throws WireError `not_ready` while chat does not start
   */
  async tellOwner(run: StoredRun, job: StoredJob, text: string | undefined, signal: AbortSignal): Promise<void> {
    if (text === undefined) {
      if (!this.#interrupted.some((one) => one.run === run.id)) return
      this.#telling ??= this.#tellInterrupted(signal).finally(() => {
        this.#telling = undefined
      })
      return this.#telling
    }
    const owner = await this.#collaborators.owner(signal)
    if (!owner || (run.state === 'interrupted' && isSame(job.notify, owner))) return
    await owner.send(text, `job/${run.id}/${run.state}/owner`)
  }

  async #tellInterrupted(signal: AbortSignal): Promise<void> {
    const owner = await this.#collaborators.owner(signal)
    const runs = this.#interrupted
    const others = runs.filter(({ notify }) => owner && !isSame(notify, owner))
    const [first] = others
    if (owner && first) {
      const names = others.slice(0, MAX_NAMES).map(({ name }) => name)
      const list = names.join(', ') + (others.length > MAX_NAMES ? ', …' : '')
      const text = textsFor(this.#collaborators.locale).hostStoppedMany(others.length, list)
      await owner.send(text, `job/${first.run}/interrupted/owner`)
    }
    this.#interrupted = this.#interrupted.filter((one) => !runs.includes(one))
  }
}

const isSame = (notify: JobNotify, owner: OwnerChat): boolean => JSON.stringify(notify) === JSON.stringify(owner.notify)
