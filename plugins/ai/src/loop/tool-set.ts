// Makes a set of a list of tools, and the context of calls for loops without one.
import type { Logger } from '@mynah/kernel'
import type { ToolCallContext, ToolSet } from '../api/loop.js'
import type { Tool } from '../api/tools.js'

const none: ToolSet = { definitions: [], find: () => undefined }
const sets = new WeakMap<readonly Tool[], ToolSet>()

/** Returns a list of tools as a set. The same list gives the same set. */
export function toolSetOf(tools: readonly Tool[] | ToolSet | undefined): ToolSet {
  if (!tools) return none
  if (!isList(tools)) return tools
  let set = sets.get(tools)
  if (!set) {
    const byName = new Map(tools.map((tool) => [tool.name, tool]))
    set = {
      definitions: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
      find: (name) => byName.get(name),
    }
    sets.set(tools, set)
  }
  return set
}

const isList = (tools: readonly Tool[] | ToolSet): tools is readonly Tool[] => Array.isArray(tools)

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} }
const NO_ROLES: ReadonlySet<string> = new Set()

/** Returns the context of a call outside a chat, without roles and without a person to ask. */
export function defaultCallContext(log: Logger = silent): ToolCallContext {
  return {
    roles: NO_ROLES,
    origin: {},
    session: '',
    turn: '',
    log,
    wait: (_kind, _id, done) => done(new AbortController().signal),
    ask: () => Promise.reject(new Error('There is no person to ask')),
  }
}
