import type { Tool, ToolCaller, ToolDefinition, ToolOutcome, ToolSet } from '@mynah/plugin-ai/api'
import { audienceOf, currentPrompt } from '../prompt/system-prompt.js'
import type { AgentRuntime } from '../runtime.js'
import type { NewEntry } from '../session/types.js'
import { definitionOf, FOUND_PLACES, isForTasks, NOT_FOR_WORKERS } from '../tools/selection.js'
import { isKnown } from '../access/verdict.js'
import { hasOutsideText, hasStrangers, needsConsent, withConsent } from '../tools/room-consent.js'
import { byUsefulness } from '../tools/usefulness.js'
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

const STRANGER: ReadonlySet<string> = new Set(['user'])

/** The tools of one turn: those in its prompt, and those that a search adds. Permissions are checked at each call. */
export class TurnTools {
  readonly #runtime: AgentRuntime
  readonly #live: LiveTurn
  readonly #entries: TurnEntries
  readonly #scope: ToolScope
  /** Names of the only tools that may be called. */
  readonly #only: readonly string[] | undefined
  /** The roles that the user had when the turn began, which decide about its prompt. */
  readonly audience: string
  #found: Tool[] = []
  /** Names of tools that the user has agreed to, although text from outside was read. */
  readonly #agreed = new Set<string>()

  constructor(runtime: AgentRuntime, live: LiveTurn, entries: TurnEntries, scope: ToolScope) {
    this.#runtime = runtime
    this.#live = live
    this.#entries = entries
    this.#scope = scope
    this.#only = live.request?.tools
    this.audience = audienceOf(scope.roles)
  }

  get #caller(): ToolCaller {
    return { roles: this.#scope.roles, origin: this.#live.journal.origin }
  }

  /** The tools that the user may call. Others are neither offered nor found. */
  get callable(): readonly Tool[] {
    return this.#runtime.access.callable(this.#scope.visibleTools, this.#caller)
  }

  toolSet(): ToolSet {
    const prompt = () => currentPrompt(this.#entries.path, this.audience)
    return {
      // Read at each step, so that tools which a search has added are there for the next one.
      get definitions() {
        return prompt()?.content.tools ?? []
      },
      find: (name) => {
        const found = this.#scope.visibleTools.find((tool) => tool.name === name)
        return found && this.#asking(found)
      },
      refuse: (_call, tool) =>
        this.#only && !this.#only.includes(tool.name)
          ? 'this tool is not among those that may be used here'
          : this.#runtime.access.refusal(tool, this.#caller),
    }
  }

  /**
   * Returns a tool as it runs in this turn. It asks the user first in a room where strangers have spoken, and, once a
   * turn, where it changes something after text from outside was read: the author of that text may not act by him.
   */
  #asking(tool: Tool): Tool {
    const fitting = this.#runtime.longResults.of(tool)
    const { message } = this.#live
    if (!message || !isKnown(this.#scope.roles) || !needsConsent(tool, this.#isForKnown(tool))) return fitting
    const { locale, channel } = message
    if (channel.type !== 'private' && hasStrangers(this.#entries.path))
      return withConsent(fitting, { locale, why: 'strangers' })
    const isSafe = tool.effect === 'read' || this.#agreed.has(tool.name) || !hasOutsideText(this.#entries.path)
    const onYes = (): void => void this.#agreed.add(tool.name)
    return isSafe ? fitting : withConsent(fitting, { locale, why: 'outside', onYes })
  }

  /** Returns whether a user without a role may not use a tool here, be it by its roles or by a policy. */
  #isForKnown(tool: Tool): boolean {
    return this.#runtime.access.refusal(tool, { ...this.#caller, roles: STRANGER }) !== undefined
  }

  /**
   * Adds tools to the prompt, for which the oldest found ones make room. Returns the names of those that can be called
   * in the next step.
   */
  offer(found: readonly Tool[]): readonly string[] {
    const visible = this.#scope.visibleTools
    const present = new Set(currentPrompt(this.#entries.path, this.audience)?.content.tools.map(({ name }) => name))
    for (const { name } of this.#found) present.add(name)
    // With tool search, tasks run everything but orchestration: only what they may not run is added.
    const isOrchestrationOnly = this.#runtime.config['ai.agent'].toolSearch
    const places = Math.min(FOUND_PLACES, this.#scope.maxTools)
    const added = found
      .filter(
        (tool) =>
          !present.has(tool.name) &&
          !isForTasks(tool, visible) &&
          (!isOrchestrationOnly || NOT_FOR_WORKERS.has(tool.name)),
      )
      .slice(0, Math.max(0, places - this.#found.length))
    this.#found.push(...added)
    for (const { name } of added) present.add(name)
    return found.map(({ name }) => name).filter((name) => present.has(name))
  }

  /** Returns the prompt with the tools that were found since the last call, or nothing. */
  takePromptUpdate(): NewEntry[] {
    const added = this.#found.map(definitionOf)
    this.#found = []
    const prompt = currentPrompt(this.#entries.path, this.audience)
    if (!added.length || !prompt) return []
    const { tools, chosen = tools.length } = prompt.content
    const found = [...tools.slice(chosen), ...added].slice(-Math.min(FOUND_PLACES, this.#scope.maxTools))
    const kept = this.#withRoomFor(found.length, tools.slice(0, chosen))
    const content = { ...prompt.content, tools: [...kept, ...found], chosen: kept.length }
    return [{ kind: 'prompt', content }]
  }

  /** Removes the least useful of the chosen tools where found ones need their places. Permanent tools stay. */
  #withRoomFor(found: number, chosen: readonly ToolDefinition[]): readonly ToolDefinition[] {
    const room = Math.max(0, this.#scope.maxTools - found)
    const names = new Set(chosen.map(({ name }) => name))
    const known = this.#scope.visibleTools.filter(({ name }) => names.has(name))
    const kept = new Set([
      ...known.filter(({ permanent }) => permanent),
      ...byUsefulness(known.filter(({ permanent }) => !permanent)).slice(0, room),
    ])
    return chosen.filter(({ name }) => [...kept].some((tool) => tool.name === name))
  }
}

/** Returns the text of a tool result. */
export const outputText = (output: ToolOutcome['result']['output']): string =>
  typeof output === 'string' ? output : output.map((part) => (part.type === 'text' ? part.text : '')).join(' ')
