// The tools of one turn: those that its head carries, looked up and refused when they are called; a search adds to them.
import type { Tool, ToolOutcome, ToolSet } from '@mynah/plugin-ai/api'
import type { NewEntry } from '../session/types.js'
import { definitionOf, isForTasks, mayCall, NOT_FOR_WORKERS } from '../tools/selection.js'
import { viewOf } from '../view/view.js'
import type { Chain } from './chain.js'
import { headOf } from './heads.js'

interface Deps {
  readonly chain: Chain
  /** All that this agent may see. */
  readonly all: () => readonly Tool[]
  readonly roles: () => ReadonlySet<string>
  /** Names of the only ones that may be called. */
  readonly only: readonly string[] | undefined
  /** Places beside the permanent ones. */
  readonly most: () => number
  /** Tasks run everything but orchestration: only what they may not run is added. */
  readonly closed: () => boolean
}

export class TurnTools {
  readonly #deps: Deps
  #offered: Tool[] = []

  constructor(deps: Deps) {
    this.#deps = deps
  }

  set(): ToolSet {
    const { chain, roles, only } = this.#deps
    return {
      // Asked for at each step: what a search has found is there for the next one.
      get definitions() {
        return headOf(chain.path)?.content.tools ?? []
      },
      find: (name) => this.#deps.all().find((tool) => tool.name === name),
      refuse: (_call, tool) => {
        if (only && !only.includes(tool.name)) return 'this tool is not among those that may be used here'
        return mayCall(tool, roles())
          ? undefined
          : `the user may not use it: it needs one of ${tool.requiredAnyRole?.join(', ')}`
      },
    }
  }

  /** Adds found tools to the head as far as there is room; gives the names of those that stand there then. */
  offer(found: readonly Tool[]): readonly string[] {
    const there = new Set(viewOf(this.#deps.chain.path).tools.map(({ name }) => name))
    const permanent = this.#deps.all().filter((tool) => tool.permanent && there.has(tool.name)).length
    const room = Math.max(0, this.#deps.most() - (there.size - permanent))
    const all = this.#deps.all()
    const added = found
      .filter(
        (tool) =>
          !there.has(tool.name) && !isForTasks(tool, all) && (!this.#deps.closed() || NOT_FOR_WORKERS.has(tool.name)),
      )
      .slice(0, room)
    this.#offered.push(...added)
    return found
      .filter(({ name }) => there.has(name) || added.some((tool) => tool.name === name))
      .map(({ name }) => name)
  }

  /** The head with what was added since it was asked last. */
  grown(): NewEntry[] {
    const offered = this.#offered
    this.#offered = []
    const head = headOf(this.#deps.chain.path)
    return offered.length && head
      ? [{ kind: 'head', content: { ...head.content, tools: [...head.content.tools, ...offered.map(definitionOf)] } }]
      : []
  }
}

/** The words of a result. */
export const outputText = (output: ToolOutcome['result']['output']): string =>
  typeof output === 'string' ? output : output.map((part) => (part.type === 'text' ? part.text : '')).join(' ')
