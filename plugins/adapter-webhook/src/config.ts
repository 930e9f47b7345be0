import { Type, type Static } from '@mynah/contract/type'

export const WebhookConfig = Type.Object({
  secret: Type.String({
    minLength: 16,
    maxLength: 512,
    secret: true,
    description: 'Key of the signatures in both directions, shared with the peer. It has at least 16 characters',
  }),
  url: Type.Optional(
    Type.String({
      pattern: '^https?://[^\\s#]+$',
      maxLength: 2048,
      basic: true,
      description: 'Address to which messages of the bot are posted. Without it the endpoint only receives',
    }),
  ),
})

/** The configuration of one peer. */
export type WebhookConfig = Static<typeof WebhookConfig>
