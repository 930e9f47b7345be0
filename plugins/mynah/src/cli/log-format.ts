// Lines of the log for people at a terminal, and for programs otherwise.
import type { LogLevel, LogRecord } from '@mynah/kernel'
import { UsageError } from './arguments.js'

export const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']
const COLOURS: Readonly<Record<LogLevel, number>> = { debug: 90, info: 36, warn: 33, error: 31 }

/** Where lines go, and how. */
export interface LogTarget {
  readonly write: (line: string) => unknown
  readonly pretty: boolean
  readonly colour: boolean
  readonly level: LogLevel
}

/** The standard output of this process: pretty on a terminal, JSON elsewhere; `MYNAH_LOG` names the lowest level. */
export function standardOutput(env: NodeJS.ProcessEnv = process.env): LogTarget {
  const pretty = process.stdout.isTTY === true
  const level = LEVELS.find((known) => known === env['MYNAH_LOG']) ?? 'info'
  return { write: (line) => process.stdout.write(line), pretty, colour: pretty && !env['NO_COLOR'], level }
}

/** Throws where `MYNAH_LOG` names no level. */
export function assertLevel(env: NodeJS.ProcessEnv = process.env): void {
  const level = env['MYNAH_LOG']
  if (level && !(LEVELS as readonly string[]).includes(level)) throw new UsageError(`MYNAH_LOG must be one of ${LEVELS.join(', ')}, not "${level}"`)
}

/** Writes records to `target`. */
export function logWriter(target: LogTarget): (record: LogRecord) => void {
  const lowest = LEVELS.indexOf(target.level)
  const format = target.pretty ? prettyLine : jsonLine
  return (record) => {
    if (LEVELS.indexOf(record.level) >= lowest) target.write(`${format(record, target.colour)}\n`)
  }
}

/** Control characters, which could repaint a terminal, as escapes. */
const visible = (text: string): string => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`)

function jsonLine(record: LogRecord): string {
  const { time, level, name, message, fields } = record
  return JSON.stringify({ time: new Date(time).toISOString(), level, name, message, ...(fields ? { fields: plain(fields) } : {}) })
}

/** A value that JSON can show: errors by their message, cycles, functions and big integers as text. */
function plain(value: unknown, above: readonly unknown[] = []): unknown {
  if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol') return String(value)
  if (value instanceof Error) return { name: value.name, message: value.message, stack: value.stack }
  if (typeof value !== 'object' || value === null) return value
  if (above.includes(value)) return '[circular]'
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return value
  const path = [...above, value]
  if (Array.isArray(value)) return value.map((item) => plain(item, path))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner, path)]))
}

function prettyLine(record: LogRecord, colour: boolean): string {
  const paint = (code: number, text: string): string => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
  const { stack, ...fields } = record.fields ?? {}
  const time = new Date(record.time).toTimeString().slice(0, 8)
  const rest = Object.entries(fields).filter(([, value]) => value !== undefined).map(([key, value]) => `${key}=${inline(value)}`).join(' ')
  const line = `${paint(90, time)} ${paint(COLOURS[record.level], (record.level[0] as string).toUpperCase())} ${paint(1, record.name)} ${visible(record.message)}${rest ? ` ${paint(90, visible(rest))}` : ''}`
  return record.level === 'error' && typeof stack === 'string' ? `${line}\n${paint(90, visible(stack.split('\n').slice(1, 6).join('\n')))}` : line
}

const inline = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(plain(value)))
