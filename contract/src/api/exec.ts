// Shell commands that wait for their owner.
import { Type, type Static } from '@mynah/contract/type'
import { contract } from '../contract.js'
import { Id, Time } from './common.js'

export const ExecVerdict = Type.Enum(['allow', 'ask', 'deny'])
export const ExecPart = Type.Object({ text: Type.String(), verdict: ExecVerdict, rule: Type.String(), reason: Type.String() })
export const ExecDecisionView = Type.Object({ verdict: ExecVerdict, reason: Type.String(), parts: Type.Array(ExecPart), suggestion: Type.Optional(Type.String()) })
export type ExecDecisionView = Static<typeof ExecDecisionView>

export const ExecApproval = Type.Object({
  id: Id,
  command: Type.String(),
  adapter: Type.Optional(Type.String()),
  endpointId: Type.Optional(Type.String()),
  requestedBy: Type.Optional(Type.String()),
  channel: Type.Optional(Type.String()),
  reason: Type.String(),
  suggestion: Type.Optional(Type.String()),
  status: Type.Enum(['pending', 'approved', 'denied', 'expired', 'used']),
  createdAt: Time,
  expiresAt: Time,
})
export type ExecApproval = Static<typeof ExecApproval>

export const exec = contract({
  rpc: {
    'exec:check': { summary: 'What the policy says of a command, part by part', params: Type.Object({ command: Type.String({ maxLength: 65_536 }) }), data: ExecDecisionView },
    'exec:pending': { summary: 'Commands that wait for an answer', data: Type.Object({ pending: Type.Array(ExecApproval), stored: Type.Boolean({ description: 'False while requests live in memory only' }) }) },
    'exec:answer': { summary: 'Answers one request, once', params: Type.Object({ id: Id, approve: Type.Boolean() }), data: ExecApproval, errors: ['not_found', 'conflict'] },
  },
  events: {
    'exec:approval': { summary: 'A command waits for its owner, or was answered', data: ExecApproval },
  },
})
