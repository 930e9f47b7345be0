import { parseJson } from './parse-json.js'
import { readStored, writeStored } from './storage.js'

const KEY = 'mynah_recent'
const MOST = 5

/** Ids of commands, the last one first. */
export function recentCommands(): readonly string[] {
  const value = parseJson(readStored(KEY))
  return Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string').slice(0, MOST) : []
}

/** Puts one first. */
export function rememberCommand(id: string): void {
  writeStored(KEY, JSON.stringify([id, ...recentCommands().filter((other) => other !== id)].slice(0, MOST)))
}
