import type { InboundMessage, InboundNotice, InboundRequest } from '@mynah/plugin-chat/api'

/** Items of an update that chat receives. */
export type InboundItem =
  | { readonly message: InboundMessage }
  | { readonly request: InboundRequest }
  | { readonly notices: readonly InboundNotice[] }
