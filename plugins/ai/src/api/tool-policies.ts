import { point } from '@mynah/kernel'
import type { Origin, Tool } from './tools.js'

/** The caller of a tool, and the conversation. */
export interface ToolCaller {
  readonly roles: ReadonlySet<string>
  readonly origin: Origin
}

/** A rule about who may call tools, in addition to what the tools declare. */
export interface ToolPolicy {
  readonly name: string
  /** Returns the roles that replace {@link Tool.requiredAnyRole} of a tool. `user` among them means anyone. */
  roles?(tool: Tool): readonly string[] | undefined
  /** Returns why the caller may not call a tool, for the model. It is neither offered nor found then. */
  refuse?(tool: Tool, caller: ToolCaller): string | undefined
}

/** All rules about who may call tools. A call needs the consent of each. */
export const toolPolicies = point<ToolPolicy>({ id: 'tools.policies', key: (policy) => policy.name })
