import { createHash } from 'node:crypto'
import { isRecord, isShallow } from '@mynah/contract'
import type { ToolEffect } from '@mynah/plugin-ai/api'
import { cut, withoutControls } from './text.js'

/** Tools that are accepted from one server. */
const MAX_TOOLS = 512
const MAX_NAME = 256
const MAX_DESCRIPTION = 8_192
const MAX_SCHEMA_CHARS = 131_072
const MAX_SCHEMA_DEPTH = 64
const MAX_ALL_CHARS = 4 * 1024 * 1024
const MAX_REASONS = 5

/** A valid tool of a server. */
export interface ListedTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly parameters: object
  readonly effect: ToolEffect
  /** Whether the server says that the tool changes or destroys something. */
  readonly isDestructive: boolean
  /** Hash of everything that a model reads about the tool, and of its effect. */
  readonly fingerprint: string
}

/** The valid tools of a list, and the problems of the others. */
export interface Listing {
  readonly tools: readonly ListedTool[]
  readonly problems: readonly string[]
}

/** Validates a list from a server, which is untrusted input. Tools that fail `wanted` are ignored. */
export function readListing(raw: readonly unknown[], wanted: (name: string) => boolean): Listing {
  const tools = new Map<string, ListedTool>()
  const problems: string[] = []
  let chars = 0
  let left = 0
  for (const each of raw) {
    const name = isRecord(each) && typeof each['name'] === 'string' ? each['name'] : undefined
    if (name === undefined || !isRecord(each)) {
      problems.push('a tool has no name')
      continue
    }
    if (!wanted(name)) continue
    if (tools.size >= MAX_TOOLS || chars > MAX_ALL_CHARS) {
      left++
      continue
    }
    const read = readTool(name, each)
    if (typeof read === 'string') problems.push(`${withoutControls(cut(name, 64))} ${read}`)
    else if (tools.has(name)) problems.push(`${withoutControls(cut(name, 64))} is listed twice`)
    else {
      tools.set(name, read.tool)
      chars += read.chars
    }
  }
  const shown = problems.slice(0, MAX_REASONS)
  if (problems.length > shown.length) shown.push(`${problems.length - shown.length} more cannot be used`)
  if (left)
    shown.push(
      `${left} tools are left out: at most ${MAX_TOOLS}, with ${MAX_ALL_CHARS} characters of schemas, are taken`,
    )
  return { tools: [...tools.values()], problems: shown }
}

/** Returns a tool and the size of its schema, or the reason why it is invalid. */
function readTool(
  name: string,
  raw: Readonly<Record<string, unknown>>,
): { readonly tool: ListedTool; readonly chars: number } | string {
  if (name.length > MAX_NAME || name.length === 0)
    return `has a name of ${name.length} characters; 1 to ${MAX_NAME} are taken`
  const execution = isRecord(raw['execution']) ? raw['execution'] : {}
  if (execution['taskSupport'] === 'required') return 'runs as a task only, which is not supported'
  const schema = raw['inputSchema'] ?? { type: 'object' }
  if (!isRecord(schema) || (schema['type'] !== undefined && schema['type'] !== 'object'))
    return 'has a schema that is not of an object'
  if (!isShallow(schema, MAX_SCHEMA_DEPTH)) return `has a schema nested deeper than ${MAX_SCHEMA_DEPTH} levels`
  const parameters = { type: 'object', ...schema }
  const text = canonical(parameters)
  if (text.length > MAX_SCHEMA_CHARS)
    return `has a schema of ${text.length} characters; at most ${MAX_SCHEMA_CHARS} are taken`
  const said = typeof raw['description'] === 'string' ? raw['description'] : ''
  const description = withoutControls(cut(said, MAX_DESCRIPTION)).trim() || name
  const hints = isRecord(raw['annotations']) ? raw['annotations'] : {}
  const effect = effectOf(hints)
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([name, description, effect]))
    .update(text)
    .digest('hex')
  const isDestructive = changesThings(hints)
  return { tool: { name, description, parameters, effect, isDestructive, fingerprint }, chars: text.length }
}

function effectOf(hints: Readonly<Record<string, unknown>>): ToolEffect {
  if (hints['readOnlyHint'] === true) return 'read'
  return hints['idempotentHint'] === true ? 'repeatable' : 'once'
}

/** By the protocol a tool that is not read-only destroys things unless it says otherwise. Silence says nothing. */
function changesThings({ readOnlyHint, destructiveHint }: Readonly<Record<string, unknown>>): boolean {
  return destructiveHint === true || (readOnlyHint === false && destructiveHint !== false)
}

/** Returns JSON with sorted keys, so that the order of keys does not matter. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  )
}
