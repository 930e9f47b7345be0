// What other plugins may know of introspection: how an agent shows its bindings, tools, servers and session trees.
import { point, service, type Service } from '@mynah/kernel'
import type {
  IntrospectionBindingItem,
  IntrospectionMcpItem,
  IntrospectionToolItem,
  SessionLeaf,
  SessionTree,
} from '@mynah/contract/types'

interface Explained {
  /** Explains an empty list. */
  note?(): string | undefined
  /** What is missing, where there is no answer yet. */
  notReady?(): string | undefined
}

/** Items of a resource that chat does not know of. */
export type IntrospectionSource = Explained &
  (
    | { readonly resource: 'bindings'; items(): readonly IntrospectionBindingItem[] }
    | { readonly resource: 'tools'; items(): readonly IntrospectionToolItem[] }
    | { readonly resource: 'mcp'; items(): readonly IntrospectionMcpItem[] }
  )

/** One source a resource. */
export const introspectionSources = point<IntrospectionSource>({
  id: 'introspection.sources',
  key: (source) => source.resource,
})

/** The session trees of an agent. Both throw `not_found` where no session is active. */
export interface SessionTrees {
  tree(sessionKey: string): Promise<SessionTree>
  setLeaf(sessionKey: string, leaf: { readonly index: number } | { readonly messageId: number }): Promise<SessionLeaf>
}
export const SessionTrees: Service<SessionTrees> = service<SessionTrees>('agent-sessions')
