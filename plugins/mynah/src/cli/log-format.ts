// Lines of the log for people at a terminal, and for programs otherwise.
import { kernelErrors, type KernelCode, type LogLevel, type LogRecord } from '@mynah/kernel'
import { UsageError } from './arguments.js'
import { describePlace, placeInStack } from './modules/places.js'
import { visible, visibleJson, visibleLines } from './visible.js'

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
  if (level && !(LEVELS as readonly string[]).includes(level))
    throw new UsageError(`MYNAH_LOG must be one of ${LEVELS.join(', ')}, not "${level}"`)
}

/** How failures are told. */
export interface FailureView {
  /** Folder of the host, which places are relative to. */
  readonly root: string
  /** With their stacks; else with the innermost place in the host's own files. */
  readonly verbose: boolean
}

/** Writes records to `target`. */
export function logWriter(
  target: LogTarget,
  view: FailureView = { root: process.cwd(), verbose: false },
): (record: LogRecord) => void {
  const lowest = LEVELS.indexOf(target.level)
  const format = target.pretty ? prettyLine : jsonLine
  return (record) => {
    if (LEVELS.indexOf(record.level) >= lowest) target.write(`${format(placed(record, view), target.colour)}\n`)
  }
}

/** A record whose stack became a place, unless stacks are wanted. */
function placed(record: LogRecord, { root, verbose }: FailureView): LogRecord {
  const { stack, ...fields } = record.fields ?? {}
  if (typeof stack !== 'string') return record
  const found = placeInStack(stack, root)
  const at = found && describePlace(found, root)
  const { code } = fields
  const hint =
    record.level === 'error' && typeof code === 'string' && Object.hasOwn(kernelErrors, code)
      ? kernelErrors[code as KernelCode]
      : undefined
  const told = {
    ...fields,
    ...(hint ? { hint } : {}),
    ...(at && !record.message.includes(at) ? { at } : {}),
    ...(verbose ? { stack } : {}),
  }
  const { fields: _, ...line } = record
  return Object.keys(told).length ? { ...line, fields: told } : line
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
  const { stack, at, hint, ...fields } = record.fields ?? {}
  const time = new Date(record.time).toTimeString().slice(0, 8)
  const rest = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${inline(value)}`)
    .join(' ')
  const line = `${paint(90, time)} ${paint(COLOURS[record.level], (record.level[0] as string).toUpperCase())} ${paint(1, visible(record.name))} ${visible(record.message)}${rest ? ` ${paint(90, visible(rest))}` : ''}`
  const more = [at, hint].filter((part) => typeof part === 'string').join(': ')
  const told = more ? `${line}\n${paint(90, `         ${typeof at === 'string' ? 'at ' : ''}${visible(more)}`)}` : line
  return typeof stack === 'string' ? `${told}\n${paint(90, visibleLines(stack.split('\n').slice(1).join('\n')))}` : told
}

const inline = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(plain(value)))
