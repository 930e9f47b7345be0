import { createHash } from 'node:crypto'
import type { ServerConfig } from './config.js'
import type { ListedTool } from './listing.js'
import { cut } from './text.js'

/** Accepted tools of a server. Beyond it, new tools are held back, because the server may invent names. */
const MAX_ACCEPTED = 2_048
const MAX_STORED_DESCRIPTION = 2_000

/** A tool as it was accepted. The description is kept to be compared with a new one. */
export interface AcceptedTool {
  readonly fingerprint: string
  readonly description: string
}

/** The accepted tools of a server. */
export interface AcceptedServer {
  /** Hash of the server's command or address. When it changes, all tools are accepted again. */
  readonly target: string
  readonly tools: ReadonlyMap<string, AcceptedTool>
}

/** Which tools of a list may be used. */
export interface TrustDecision {
  readonly usable: readonly ListedTool[]
  readonly held: readonly ListedTool[]
  /** State to store before the tools are used. Absent when nothing is new. */
  readonly next?: AcceptedServer
}

/** Returns a hash of the command or address of a server, without its secrets. */
export function targetOf({ command, args = [], cwd, url }: ServerConfig): string {
  return createHash('sha256')
    .update(JSON.stringify([command, args, cwd, url]))
    .digest('hex')
}

const toAcceptedTool = ({ fingerprint, description }: ListedTool): AcceptedTool => ({
  fingerprint,
  description: cut(description, MAX_STORED_DESCRIPTION),
})

/** Separates tools that may be used from changed ones, which are held back. */
export function decideTrust(
  before: AcceptedServer | undefined,
  target: string,
  listed: readonly ListedTool[],
): TrustDecision {
  const known = before?.target === target ? before.tools : new Map<string, AcceptedTool>()
  const tools = new Map(known)
  const usable: ListedTool[] = []
  const held: ListedTool[] = []
  for (const tool of listed) {
    const accepted = known.get(tool.name)
    if (!accepted && tools.size < MAX_ACCEPTED) tools.set(tool.name, toAcceptedTool(tool))
    if (accepted ? accepted.fingerprint === tool.fingerprint : tools.has(tool.name)) usable.push(tool)
    else held.push(tool)
  }
  return {
    usable,
    held,
    ...(tools.size === known.size && before?.target === target ? {} : { next: { target, tools } }),
  }
}

/** Accepts all listed tools. Known tools that are not listed stay accepted as they were. */
export function acceptAll(
  before: AcceptedServer | undefined,
  target: string,
  listed: readonly ListedTool[],
): AcceptedServer {
  const now = listed.map((tool) => [tool.name, toAcceptedTool(tool)] as const)
  const tools = new Map([...(before?.target === target ? before.tools : []), ...now])
  return { target, tools: tools.size > MAX_ACCEPTED ? new Map(now) : tools }
}
