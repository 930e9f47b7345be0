// What a server says that it can do, read piece by piece and bounded: it was written by a stranger.
import { createHash } from 'node:crypto'
import { isRecord, isShallow } from '@mynah/contract'
import type { ToolEffect } from '@mynah/plugin-ai/api'
import { cut, tidy } from './text.js'

/** Tools of one server. */
export const MAX_TOOLS = 512
const MAX_NAME = 256
const MAX_DESCRIPTION = 8_192
const MAX_SCHEMA_CHARS = 131_072
const MAX_SCHEMA_DEPTH = 64
const MAX_ALL_CHARS = 4 * 1024 * 1024
const MAX_REASONS = 5

/** A tool that can be offered. */
export interface ListedTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly parameters: object
  readonly effect: ToolEffect
  /** Changes with everything that a model reads of it, and with what it says of its effects. */
  readonly fingerprint: string
}

/** What can be used of a list, and why the rest cannot. */
export interface Listing {
  readonly tools: readonly ListedTool[]
  readonly problems: readonly string[]
}

/** Reads a list; only tools that pass `wanted` count. */
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
    if (typeof read === 'string') problems.push(`${tidy(cut(name, 64))} ${read}`)
    else if (tools.has(name)) problems.push(`${tidy(cut(name, 64))} is listed twice`)
    else {
      tools.set(name, read.tool)
      chars += read.chars
    }
  }
  const told = problems.slice(0, MAX_REASONS)
  if (problems.length > told.length) told.push(`${problems.length - told.length} more cannot be used`)
  if (left)
    told.push(
      `${left} tools are left out: at most ${MAX_TOOLS}, with ${MAX_ALL_CHARS} characters of schemas, are taken`,
    )
  return { tools: [...tools.values()], problems: told }
}

/** A tool and the size of its schema, or why it cannot be used. */
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
  const description = tidy(cut(said, MAX_DESCRIPTION)).trim() || name
  const hints = isRecord(raw['annotations']) ? raw['annotations'] : {}
  const effect: ToolEffect =
    hints['readOnlyHint'] === true ? 'read' : hints['idempotentHint'] === true ? 'repeatable' : 'once'
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([name, description, effect]))
    .update(text)
    .digest('hex')
  return { tool: { name, description, parameters, effect, fingerprint }, chars: text.length }
}

/** JSON with keys in order: another order of the same is no change. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isRecord(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  )
}
