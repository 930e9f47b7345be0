import { createHash } from 'node:crypto'
import { isRecord } from '@mynah/contract'
import { readToolSchema, UnusableSchema, type ToolEffect } from '@mynah/plugin-ai/api'
import type { LeftOutTool } from './api.js'
import { cut, withoutControls } from './text.js'

/** Tools that are accepted from one server. */
const MAX_TOOLS = 512
const MAX_NAME = 256
const MAX_DESCRIPTION = 8_192
const MAX_ALL_CHARS = 4 * 1024 * 1024
/** Tools that are named with the reason why they cannot be used. */
const MAX_LEFT_OUT = 512
const MAX_REASON = 300
/** Tools of which a summary has the reasons. */
const MAX_SUMMARIZED = 5

/** A valid tool of a server. */
export interface ListedTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of an object, as it is read. */
  readonly parameters: object
  readonly effect: ToolEffect
  /** Whether the server says that the tool changes or destroys something. */
  readonly isDestructive: boolean
  /** Hash of everything that a model reads about the tool, and of its effect. */
  readonly fingerprint: string
}

/** The valid tools of a list, and the others. */
export interface Listing {
  readonly tools: readonly ListedTool[]
  readonly leftOut: readonly LeftOutTool[]
}

/** Validates a list from a server, which is untrusted input. Tools that fail `wanted` are ignored. */
export function readListing(raw: readonly unknown[], wanted: (name: string) => boolean): Listing {
  const tools = new Map<string, ListedTool>()
  const leftOut: LeftOutTool[] = []
  const leave = (name: string, reason: string): void => {
    if (leftOut.length >= MAX_LEFT_OUT) return
    leftOut.push({ name: withoutControls(cut(name, 64)), reason: withoutControls(cut(reason, MAX_REASON)) })
  }
  let chars = 0
  for (const each of raw) {
    const name = isRecord(each) && typeof each['name'] === 'string' ? each['name'] : undefined
    if (name === undefined || !isRecord(each)) {
      leave('', 'has no name')
      continue
    }
    if (!wanted(name)) continue
    if (tools.size >= MAX_TOOLS || chars > MAX_ALL_CHARS) {
      leave(name, `is left out: at most ${MAX_TOOLS} tools, with ${MAX_ALL_CHARS} characters of schemas, are taken`)
      continue
    }
    const read = readTool(name, each)
    if (typeof read === 'string') leave(name, read)
    else if (tools.has(name)) leave(name, 'is listed twice')
    else {
      tools.set(name, read.tool)
      chars += read.chars
    }
  }
  return { tools: [...tools.values()], leftOut }
}

/** Returns the first tools that are left out, in one sentence. */
export function summaryOf(leftOut: readonly LeftOutTool[]): string | undefined {
  const shown = leftOut.slice(0, MAX_SUMMARIZED).map(({ name, reason }) => `${name || 'a tool'} ${reason}`)
  if (leftOut.length > shown.length) shown.push(`${leftOut.length - shown.length} more cannot be used`)
  return shown.join('; ') || undefined
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
  const schema = raw['inputSchema'] ?? {}
  let parameters: object
  try {
    parameters = readToolSchema(schema)
  } catch (error) {
    if (!(error instanceof UnusableSchema)) throw error
    return `has a schema that cannot be used: ${error.message}`
  }
  // A later version may repair more, which is no change of the tool.
  const text = canonical({ type: 'object', ...(schema as object) })
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
