// The session tree of the agent.
import { Type, type Static } from '@mynah/contract/type'
import { contract } from '../contract.js'

const SessionKey = Type.Object({ sessionKey: Type.String({ minLength: 1, maxLength: 1024 }) })
const Leaf = Type.Union([Type.Integer(), Type.Null()], { description: 'Null means the last message' })

/** The entries of a session with their parents. */
export const SessionTree = Type.Object({
  sessionKey: Type.String(),
  sessionId: Type.String(),
  activeLeafMessageId: Leaf,
  points: Type.Array(
    Type.Object({
      index: Type.Integer({ description: 'Ordinal of the user message on the active path' }),
      messageId: Type.Integer(),
      preview: Type.String({ description: 'About 80 characters of the user message' }),
    }),
  ),
})
export type SessionTree = Static<typeof SessionTree>

/** The entry of a session that the next turn continues. */
export const SessionLeaf = Type.Object({
  sessionKey: Type.String(),
  sessionId: Type.String(),
  activeLeafMessageId: Leaf,
})
export type SessionLeaf = Static<typeof SessionLeaf>

/** Operations for sessions of the agent. */
export const sessions = contract({
  rest: {
    'GET /agent/sessions/:sessionKey/tree': {
      summary: 'Branch points of the active session',
      params: SessionKey,
      data: SessionTree,
      errors: ['not_found', 'not_ready'],
    },
    'POST /agent/sessions/:sessionKey/leaf': {
      summary: 'Continues the session from an earlier user message. Exactly one of `index` and `messageId` is required',
      params: SessionKey,
      body: Type.Object(
        {
          index: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
          messageId: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
        },
        { examples: [{ index: 2 }] },
      ),
      reply: Type.Object({ success: Type.Boolean(), message: Type.String(), data: SessionLeaf }),
      errors: ['not_found', 'not_ready'],
    },
  },
})
