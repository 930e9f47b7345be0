import type {
  InboundChange,
  InboundMessage,
  InboundNotice,
  InboundReaction,
  InboundRequest,
} from '@mynah/plugin-chat/api'

/** Items of an update that chat receives. */
export type InboundItem =
  | { readonly message: InboundMessage }
  | { readonly request: InboundRequest }
  | { readonly notices: readonly InboundNotice[] }
  | { readonly change: InboundChange }
  | { readonly reactions: readonly InboundReaction[] }
