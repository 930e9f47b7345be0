// Local storage for tests that run outside a browser.
import type { ConnectionStorage } from '../connection.js'

export class MemoryStorage implements ConnectionStorage {
  readonly values = new Map<string, string>()

  getItem(key: string): string | null {
    return this.values.get(key) ?? null
  }

  setItem(key: string, value: string): void {
    this.values.set(key, value)
  }

  removeItem(key: string): void {
    this.values.delete(key)
  }
}
