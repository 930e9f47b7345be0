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
  /** Returns what is missing while there is no answer yet. */
  notReady?(): string | undefined
}

/** Source of a resource that does not come from chat. */
export type IntrospectionSource = Explained &
  (
    | { readonly resource: 'bindings'; items(): readonly IntrospectionBindingItem[] }
    | { readonly resource: 'tools'; items(): readonly IntrospectionToolItem[] }
    | { readonly resource: 'mcp'; items(): readonly IntrospectionMcpItem[] }
  )

/** All sources, one per resource. */
export const introspectionSources = point<IntrospectionSource>({
  id: 'introspection.sources',
  key: (source) => source.resource,
})

/** The session trees of an agent. Both methods throw `not_found` without an active session. */
export interface SessionTrees {
  tree(sessionKey: string): Promise<SessionTree>
  setLeaf(sessionKey: string, leaf: { readonly index: number } | { readonly messageId: number }): Promise<SessionLeaf>
}
export const SessionTrees: Service<SessionTrees> = service<SessionTrees>('agent-sessions', { plugin: 'agent' })
