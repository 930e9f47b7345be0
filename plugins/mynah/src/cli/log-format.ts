import { kernelErrors, type KernelCode, type LogLevel, type LogRecord } from '@mynah/kernel'
import { UsageError } from './arguments.js'
import { formatLocation, locationInStack } from './modules/code-location.js'
import { visible, visibleJson, visibleLines } from './visible.js'

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']
const COLOURS: Readonly<Record<LogLevel, number>> = { debug: 90, info: 36, warn: 33, error: 31 }

/** Destination and format of log lines. */
export interface LogTarget {
  readonly write: (line: string) => unknown
  readonly pretty: boolean
  readonly colour: boolean
  readonly level: LogLevel
}

/** Returns the standard output: pretty on a terminal, otherwise JSON. `MYNAH_LOG` sets the lowest level. */
export function standardOutput(env: NodeJS.ProcessEnv = process.env): LogTarget {
  const pretty = process.stdout.isTTY === true
  const level = LEVELS.find((known) => known === env['MYNAH_LOG']) ?? 'info'
  return { write: (line) => process.stdout.write(line), pretty, colour: pretty && !env['NO_COLOR'], level }
}

/** Throws if `MYNAH_LOG` is not a level. */
export function assertLevel(env: NodeJS.ProcessEnv = process.env): void {
  const level = env['MYNAH_LOG']
  if (level && !(LEVELS as readonly string[]).includes(level))
    throw new UsageError(`MYNAH_LOG must be one of ${LEVELS.join(', ')}, not "${level}"`)
}

/** Format of errors. */
export interface FailureView {
  /** Folder of the host. Locations are relative to it. */
  readonly root: string
  /** Shows stacks instead of the innermost location in the files of the host. */
  readonly verbose: boolean
}

/** Returns a function that writes records to `target`. */
export function logWriter(
  target: LogTarget,
  view: FailureView = { root: process.cwd(), verbose: false },
): (record: LogRecord) => void {
  const lowest = LEVELS.indexOf(target.level)
  const format = target.pretty ? prettyLine : jsonLine
  return (record) => {
    if (LEVELS.indexOf(record.level) >= lowest) target.write(`${format(withLocation(record, view), target.colour)}\n`)
  }
}

/** Replaces the stack of a record by a location, unless stacks are wanted. */
function withLocation(record: LogRecord, { root, verbose }: FailureView): LogRecord {
  const { stack, ...fields } = record.fields ?? {}
  if (typeof stack !== 'string') return record
  const found = locationInStack(stack, root)
  const at = found && formatLocation(found, root)
  const { code } = fields
  const hint =
    record.level === 'error' && typeof code === 'string' && Object.hasOwn(kernelErrors, code)
      ? kernelErrors[code as KernelCode]
      : undefined
  const shown = {
    ...fields,
    ...(hint ? { hint } : {}),
    ...(at && !record.message.includes(at) ? { at } : {}),
    ...(verbose ? { stack } : {}),
  }
  const { fields: _, ...line } = record
  return Object.keys(shown).length ? { ...line, fields: shown } : line
}

function jsonLine(record: LogRecord): string {
  const { time, level, name, message, fields } = record
  return visibleJson(
    JSON.stringify({
      time: new Date(time).toISOString(),
      level,
      name,
      message,
      ...(fields ? { fields: plain(fields) } : {}),
    }),
  )
}

/** Converts a value for JSON: errors to their message, cycles, functions and big integers to text. */
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
  const { stack, at, hint, ...fields } = record.fields ?? {}
  const time = new Date(record.time).toTimeString().slice(0, 8)
  const rest = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${inline(value)}`)
    .join(' ')
  const level = paint(COLOURS[record.level], (record.level[0] as string).toUpperCase())
  const head = `${paint(90, time)} ${level} ${paint(1, visible(record.name))} ${visible(record.message)}`
  const line = rest ? `${head} ${paint(90, visible(rest))}` : head
  const more = [at, hint].filter((part) => typeof part === 'string').join(': ')
  const shown = more ? `${line}\n${paint(90, `         ${typeof at === 'string' ? 'at ' : ''}${visible(more)}`)}` : line
  return typeof stack === 'string'
    ? `${shown}\n${paint(90, visibleLines(stack.split('\n').slice(1).join('\n')))}`
    : shown
}

const inline = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(plain(value)))
