// Which tools of a server may be used: those that are as they were when they were first seen or last accepted.
import { createHash } from 'node:crypto'
import type { ServerConfig } from './config.js'
import type { ListedTool } from './listing.js'
import { cut } from './text.js'

/** Beyond this a server that invents names makes no new ones known by itself. */
const MAX_KNOWN = 2_048
const MAX_KEPT = 2_000

/** A tool as it was accepted; the description is kept to be shown beside a new one. */
export interface Accepted {
  readonly fingerprint: string
  readonly description: string
}

/** What was accepted of a server. */
export interface Approved {
  /** What the server was then; another command or address in the configuration begins anew. */
  readonly target: string
  readonly tools: ReadonlyMap<string, Accepted>
}

/** What of a list may be used. */
export interface Judgement {
  readonly usable: readonly ListedTool[]
  readonly held: readonly ListedTool[]
  /** To be stored before a tool is used; absent where nothing is new. */
  readonly next?: Approved
}

/** Names what a configuration starts or asks, without its secrets. */
export function targetOf({ command, args = [], cwd, url }: ServerConfig): string {
  return createHash('sha256')
    .update(JSON.stringify([command, args, cwd, url]))
    .digest('hex')
}

const acceptedOf = ({ fingerprint, description }: ListedTool): Accepted => ({
  fingerprint,
  description: cut(description, MAX_KEPT),
})

/** Tells the tools that may be used from those that changed. */
export function judge(before: Approved | undefined, target: string, listed: readonly ListedTool[]): Judgement {
  const known = before?.target === target ? before.tools : new Map<string, Accepted>()
  const tools = new Map(known)
  const usable: ListedTool[] = []
  const held: ListedTool[] = []
  for (const tool of listed) {
    const accepted = known.get(tool.name)
    if (!accepted && tools.size < MAX_KNOWN) tools.set(tool.name, acceptedOf(tool))
    if (accepted ? accepted.fingerprint === tool.fingerprint : tools.has(tool.name)) usable.push(tool)
    else held.push(tool)
  }
  return {
    usable,
    held,
    ...(tools.size === known.size && before?.target === target ? {} : { next: { target, tools } }),
  }
}

/** Everything that is listed, accepted. What was known and is not listed now stays known: it may come back changed. */
export function acceptAll(before: Approved | undefined, target: string, listed: readonly ListedTool[]): Approved {
  const now = listed.map((tool) => [tool.name, acceptedOf(tool)] as const)
  const tools = new Map([...(before?.target === target ? before.tools : []), ...now])
  return { target, tools: tools.size > MAX_KNOWN ? new Map(now) : tools }
}
