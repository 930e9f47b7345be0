// What an update tells chat: a message, a request, or notices.
import type { InboundMessage, InboundNotice, InboundRequest } from '@mynah/plugin-chat/api'

/** What an update tells. */
export type InboundItem =
  | { readonly message: InboundMessage }
  | { readonly request: InboundRequest }
  | { readonly notices: readonly InboundNotice[] }
