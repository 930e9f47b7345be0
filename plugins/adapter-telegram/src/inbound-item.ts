import type { InboundMessage, InboundNotice, InboundRequest } from '@mynah/plugin-chat/api'

/** What an update contains for chat. */
export type InboundItem =
  | { readonly message: InboundMessage }
  | { readonly request: InboundRequest }
  | { readonly notices: readonly InboundNotice[] }
