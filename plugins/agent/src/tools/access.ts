import type { Reader } from '@mynah/kernel'
import type { Tool, ToolCaller, ToolPolicy } from '@mynah/plugin-ai/api'

/** Decides who may call which tool: by the roles of the tool, and by the policies of plugins. */
export class ToolAccess {
  readonly #policies: Reader<ToolPolicy>

  constructor(policies: Reader<ToolPolicy>) {
    this.#policies = policies
  }

  /** Returns the roles of which a caller needs one, or `undefined` for a tool of everybody. */
  rolesFor(tool: Tool): readonly string[] | undefined {
    let roles = tool.requiredAnyRole
    for (const { value } of this.#policies.all()) roles = value.roles?.(tool) ?? roles
    return roles?.length && !roles.includes('user') ? roles : undefined
  }

  /** Returns why a caller may not call a tool, for the model, or `undefined`. */
  refusal(tool: Tool, caller: ToolCaller): string | undefined {
    const needed = this.rolesFor(tool)
    if (needed && !needed.some((role) => caller.roles.has(role)))
      return `the user may not use it: it needs one of ${needed.join(', ')}`
    for (const { value } of this.#policies.all()) {
      const refusal = value.refuse?.(tool, caller)
      if (refusal !== undefined) return refusal
    }
    return undefined
  }

  /** Returns the tools that a caller may call. */
  callable(tools: readonly Tool[], caller: ToolCaller): Tool[] {
    return tools.filter((tool) => this.refusal(tool, caller) === undefined)
  }
}
