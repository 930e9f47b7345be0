import { createHash } from 'node:crypto'
import type { EndpointHandle } from '@mynah/plugin-chat/api'

const CURSOR = 'unfindable'
const MAX_KEYS = 100
const LENGTH = 22

/** Returns the key as it is in the metadata of a message. */
export const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url').slice(0, LENGTH)

/** The last messages that Slack does not give back, noted before they are sent. */
export class Unfindable {
  readonly #cursor: EndpointHandle['cursor']
  #keys: string[] | undefined

  constructor(cursor: EndpointHandle['cursor']) {
    this.#cursor = cursor
  }

  async #load(): Promise<string[]> {
    return (this.#keys ??= ((await this.#cursor.get(CURSOR)) ?? '').split(',').filter(Boolean))
  }

  async has(key: string): Promise<boolean> {
    return (await this.#load()).includes(hashOf(key))
  }

  async add(key: string): Promise<void> {
    const keys = await this.#load()
    if (keys.includes(hashOf(key))) return
    keys.push(hashOf(key))
    if (keys.length > MAX_KEYS) keys.shift()
    await this.#cursor.set({ [CURSOR]: keys.join(',') })
  }
}
