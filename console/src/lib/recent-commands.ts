// What was chosen last in the palette, in this browser.
import { readStored, writeStored } from './storage.js'

const KEY = 'mynah_recent'
const MOST = 5

/** Ids of commands, the last one first. */
export function recentCommands(): readonly string[] {
  try {
    const value: unknown = JSON.parse(readStored(KEY) ?? '[]')
    return Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string').slice(0, MOST) : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}

/** Puts one first. */
export function rememberCommand(id: string): void {
  writeStored(KEY, JSON.stringify([id, ...recentCommands().filter((other) => other !== id)].slice(0, MOST)))
}
