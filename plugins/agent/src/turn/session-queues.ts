import { SerialQueue } from '@mynah/kernel/util'

/** Runs the jobs of each session one at a time. Sessions do not wait for each other. */
export class SessionQueues {
  readonly #queues = new Map<string, { readonly queue: SerialQueue; jobs: number }>()

  async run<T>(session: string, job: () => Promise<T>): Promise<T> {
    const entry = this.#queues.get(session) ?? { queue: new SerialQueue(), jobs: 0 }
    this.#queues.set(session, entry)
    entry.jobs++
    try {
      return await entry.queue.run(job)
    } finally {
      if (--entry.jobs === 0) this.#queues.delete(session)
    }
  }
}
