// What other plugins may know of introspection: how an agent shows its bindings, tools, servers and session trees.
import { point, service, type Service } from '@mynah/kernel'
import type { IntrospectionBindingItem, IntrospectionMcpItem, IntrospectionToolItem, SessionLeaf, SessionTree } from '@mynah/contract/types'

/** Items of a resource that chat does not know of; `note` explains an empty list. */
export type IntrospectionSource =
  | { readonly resource: 'bindings'; items(): readonly IntrospectionBindingItem[]; note?(): string | undefined }
  | { readonly resource: 'tools'; items(): readonly IntrospectionToolItem[]; note?(): string | undefined }
  | { readonly resource: 'mcp'; items(): readonly IntrospectionMcpItem[]; note?(): string | undefined }

/** One source a resource. */
export const introspectionSources = point<IntrospectionSource>({ id: 'introspection.sources', key: (source) => source.resource })

/** The session trees of an agent. Both throw `not_found` where no session is active. */
export interface SessionTrees {
  tree(sessionKey: string): Promise<SessionTree>
  setLeaf(sessionKey: string, leaf: { readonly index: number } | { readonly messageId: number }): Promise<SessionLeaf>
}
export const SessionTrees: Service<SessionTrees> = service<SessionTrees>('agent-sessions')
