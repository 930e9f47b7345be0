import type { Tool, ToolOutcome, ToolSet } from '@mynah/plugin-ai/api'
import { currentPrompt } from '../prompt/system-prompt.js'
import type { AgentRuntime } from '../runtime.js'
import type { NewEntry } from '../session/types.js'
import { definitionOf, isForTasks, mayCall, NOT_FOR_WORKERS } from '../tools/selection.js'
import { buildView } from '../view/view.js'
import type { LiveTurn } from './live-turn.js'
import type { TurnEntries } from './turn-entries.js'

/** The conversation that the tools belong to. Its values may change between steps. */
export interface ToolScope {
  /** The tools that the agent sees. */
  readonly visibleTools: readonly Tool[]
  /** The roles of the user. */
  readonly roles: ReadonlySet<string>
  /** How many tools a prompt may have in addition to the permanent ones. */
  readonly maxTools: number
}

/** The tools of one turn: those in its prompt, and those that a search adds. Permissions are checked at each call. */
export class TurnTools {
  readonly #runtime: AgentRuntime
  readonly #entries: TurnEntries
  readonly #scope: ToolScope
  /** Names of the only tools that may be called. */
  readonly #only: readonly string[] | undefined
  #offered: Tool[] = []

  constructor(runtime: AgentRuntime, live: LiveTurn, entries: TurnEntries, scope: ToolScope) {
    this.#runtime = runtime
    this.#entries = entries
    this.#scope = scope
    this.#only = live.request?.tools
  }

  toolSet(): ToolSet {
    const entries = this.#entries
    return {
      // Read at each step, so that tools which a search has added are there for the next one.
      get definitions() {
        return currentPrompt(entries.path)?.content.tools ?? []
      },
      find: (name) => this.#scope.visibleTools.find((tool) => tool.name === name),
      refuse: (_call, tool) => {
        if (this.#only && !this.#only.includes(tool.name)) return 'this tool is not among those that may be used here'
        return mayCall(tool, this.#scope.roles)
          ? undefined
          : `the user may not use it: it needs one of ${tool.requiredAnyRole?.join(', ')}`
      },
    }
  }

  /** Adds tools to the prompt as far as there is room. Returns the names of those that the prompt has then. */
  offer(found: readonly Tool[]): readonly string[] {
    const visible = this.#scope.visibleTools
    const present = new Set(buildView(this.#entries.path).tools.map(({ name }) => name))
    const permanent = visible.filter((tool) => tool.permanent && present.has(tool.name)).length
    const room = Math.max(0, this.#scope.maxTools - (present.size - permanent))
    // With tool search, tasks run everything but orchestration: only what they may not run is added.
    const isOrchestrationOnly = this.#runtime.config['ai.agent'].toolSearch
    const added = found
      .filter(
        (tool) =>
          !present.has(tool.name) &&
          !isForTasks(tool, visible) &&
          (!isOrchestrationOnly || NOT_FOR_WORKERS.has(tool.name)),
      )
      .slice(0, room)
    this.#offered.push(...added)
    const names = new Set([...present, ...added.map(({ name }) => name)])
    return found.map(({ name }) => name).filter((name) => names.has(name))
  }

  /** Returns the prompt with the tools that were added since the last call, or nothing. */
  takePromptUpdate(): NewEntry[] {
    const offered = this.#offered
    this.#offered = []
    const prompt = currentPrompt(this.#entries.path)
    if (!offered.length || !prompt) return []
    const { content } = prompt
    return [{ kind: 'prompt', content: { ...content, tools: [...content.tools, ...offered.map(definitionOf)] } }]
  }
}

/** Returns the text of a tool result. */
export const outputText = (output: ToolOutcome['result']['output']): string =>
  typeof output === 'string' ? output : output.map((part) => (part.type === 'text' ? part.text : '')).join(' ')
