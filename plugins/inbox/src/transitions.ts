// Changes of message states, which come several a message: those that arrive during a commit go into the next one together.
import type { Database } from '@mynah/plugin-database/api'
import type { MessageState } from './tables.js'

/** A message's next state, with what the platform said. */
export interface Transition { readonly id: string; readonly state: MessageState; readonly messageId?: string; readonly error?: string }

interface Waiting { readonly transition: Transition; readonly resolve: () => void; readonly reject: (error: unknown) => void }

const MAX_ROWS = 500

export class Transitions {
  readonly #database: Database
  #waiting: Waiting[] = []
  #running = false

  constructor(database: Database) {
    this.#database = database
  }

  /** Resolves when the state is committed. */
  put(transition: Transition): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ transition, resolve, reject })
      if (!this.#running) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#running = true
    while (this.#waiting.length) {
      let batch: Waiting[] = []
      try {
        await this.#database.tx((db) => {
          batch = this.#take()
          const parameters: (string | null)[] = []
          const rows = batch.map(({ transition: { id, state, messageId, error } }) => {
            const at = parameters.push(id, state, messageId ?? null, error ?? null)
            return `($${at - 3}, $${at - 2}, $${at - 1}, $${at})`
          })
          return db.run(`UPDATE message SET state = v.column2, message_id = coalesce(v.column3, message.message_id), error = v.column4
            FROM (VALUES ${rows.join(', ')}) AS v WHERE message.id = v.column1`, parameters)
        })
        for (const { resolve } of batch) resolve()
      } catch (error) {
        if (batch.length === 0) batch = this.#take()
        for (const { reject } of batch) reject(error)
      }
    }
    this.#running = false
  }

  /** The oldest ones; of one message one only, since a statement changes a row once. */
  #take(): Waiting[] {
    const ids = new Set<string>()
    let count = 0
    while (count < this.#waiting.length && count < MAX_ROWS) {
      const { id } = (this.#waiting[count] as Waiting).transition
      if (ids.has(id)) break
      ids.add(id)
      count++
    }
    return this.#waiting.splice(0, count)
  }
}
