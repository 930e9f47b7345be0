// Shell commands and other actions that wait for the approval of an owner.
import { Type, type Static } from '@mynah/contract/type'
import { contract } from '../contract.js'
import { Id, Time } from './common.js'

/** What the policy decides: run it, ask the owner, or refuse it. */
export const ExecVerdict = Type.Enum(['allow', 'ask', 'deny'])
/** The level that holds commands: a view of their own, rules for files, or only the check of their text. */
export const ExecLevel = Type.Enum(['wall', 'files', 'none'])
/** The decision on one part of a command, and the rule that made it. */
export const ExecPart = Type.Object({
  text: Type.String(),
  verdict: ExecVerdict,
  rule: Type.String(),
  reason: Type.String(),
})
/** The decision of the policy on a command, with that on each of its parts. */
export const ExecDecisionView = Type.Object({
  verdict: ExecVerdict,
  reason: Type.String(),
  parts: Type.Array(ExecPart),
  suggestion: Type.Optional(Type.String()),
})
export type ExecDecisionView = Static<typeof ExecDecisionView>

/** Kind of a request, such as `bash`, `home`, `skill`, `job`, `pairing`, `host`, `path`, `package`, or of a plugin. */
export const ApprovalKind = Type.String({ minLength: 1, maxLength: 40, pattern: '^[a-z][a-z0-9-]*$' })

/** A host or a path that commands can be allowed to reach. */
export const ExecAddition = Type.Union([
  Type.Object({
    kind: Type.Literal('host'),
    host: Type.String({ minLength: 1, maxLength: 260, description: '`name` or `name:port`' }),
    private: Type.Optional(Type.Boolean({ description: 'Whether it may be in a private network' })),
  }),
  Type.Object({
    kind: Type.Literal('path'),
    path: Type.String({ minLength: 1, maxLength: 4096 }),
    write: Type.Boolean({ description: 'Whether commands may change it' }),
  }),
])
export type ExecAddition = Static<typeof ExecAddition>

/** An addition as the configuration would keep it. */
export const ExecOffer = Type.Object({
  addition: ExecAddition,
  key: Type.String({ description: 'The key of the configuration that would hold it' }),
  problem: Type.Optional(Type.String({ description: 'Why it cannot be allowed for good' })),
})
export type ExecOffer = Static<typeof ExecOffer>

/** The folders and hosts that a command reaches once it is approved. */
export const ExecReach = Type.Object({
  level: ExecLevel,
  roots: Type.Array(Type.Object({ path: Type.String(), write: Type.Boolean() }), {
    description: 'Folders that it sees. Empty at level none, where it sees what the host sees',
  }),
  network: Type.Enum(['none', 'hosts', 'any']),
  hosts: Type.Array(Type.String()),
})
export type ExecReach = Static<typeof ExecReach>

/** A host or a path that commands were kept from, as often as the last lines of the audit say. */
export const ExecRefusal = Type.Object({
  target: Type.String({ description: '`name`, `name:port` or a path' }),
  kind: Type.Enum(['host', 'path']),
  reason: Type.String(),
  command: Type.String({ description: 'The last command that was kept from it, on one line' }),
  count: Type.Integer(),
  lastAt: Time,
  allowed: Type.Boolean({ description: 'Whether the configuration allows it now' }),
  offer: Type.Optional(ExecOffer),
})
export type ExecRefusal = Static<typeof ExecRefusal>

/** A request for approval. */
export const ExecApproval = Type.Object({
  id: Id,
  kind: ApprovalKind,
  title: Type.String({ description: 'Describes the action in one line' }),
  command: Type.String({ description: 'The exact text to which the approval applies' }),
  shown: Type.Optional(
    Type.String({ description: 'The text with characters that may deceive named, where it has any' }),
  ),
  folder: Type.Optional(Type.String({ description: 'The folder to which the approval applies' })),
  adds: Type.Optional(
    Type.Array(Type.String(), { description: 'Hosts and paths that the approval adds to those that may be reached' }),
  ),
  adapter: Type.Optional(Type.String()),
  endpointId: Type.Optional(Type.String()),
  requestedBy: Type.Optional(Type.String()),
  channel: Type.Optional(Type.String()),
  reason: Type.String(),
  suggestion: Type.Optional(Type.String()),
  parts: Type.Optional(Type.Array(ExecPart)),
  reach: Type.Optional(ExecReach),
  offers: Type.Optional(
    Type.Array(ExecOffer, { description: 'The hosts and paths of a waiting request that can be allowed for good' }),
  ),
  answeredBy: Type.Optional(Type.String()),
  status: Type.Enum(['pending', 'approved', 'denied', 'expired', 'used', 'withdrawn']),
  createdAt: Time,
  expiresAt: Time,
})
export type ExecApproval = Static<typeof ExecApproval>

const Endpoint = { adapter: Id, endpointId: Id }
const Pattern = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: 'A linear-time pattern for one whole subcommand',
})
const Examples = Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 2000 }), { maxItems: 50 }))

/** A rule of an owner. Its examples are checked when it is created and when it is read. */
export const ExecRule = Type.Object({
  id: Type.String(),
  pattern: Type.String(),
  createdAt: Time,
  match: Examples,
  noMatch: Examples,
})
export type ExecRule = Static<typeof ExecRule>
/** The permanent approvals of an endpoint. */
export const ExecStanding = Type.Object({ ...Endpoint, bashAlways: Type.Boolean(), bashRules: Type.Array(ExecRule) })
export type ExecStanding = Static<typeof ExecStanding>

/** Methods for approvals and the policy of shell commands. */
export const exec = contract({
  rpc: {
    'exec:check': {
      summary: 'Decision of the policy about each part of a command',
      reads: true,
      params: Type.Object({ command: Type.String({ maxLength: 65_536 }) }),
      data: ExecDecisionView,
    },
    'exec:pending': {
      summary: 'Commands that wait for approval',
      reads: true,
      data: Type.Object({
        pending: Type.Array(ExecApproval),
        stored: Type.Boolean({ description: 'False while requests are kept in memory only' }),
        level: Type.Optional(ExecLevel),
        levelReasons: Type.Optional(
          Type.Array(Type.String(), { description: 'Why the stronger levels do not hold commands here' }),
        ),
      }),
    },
    'exec:answer': {
      summary: 'Answers one request, once',
      params: Type.Object({
        id: Id,
        approve: Type.Boolean(),
        forGood: Type.Optional(
          Type.Boolean({ description: 'Whether the configuration keeps the hosts and paths of the approved request' }),
        ),
      }),
      data: ExecApproval,
      errors: ['invalid_request', 'not_found', 'conflict', 'not_ready', 'forbidden'],
    },
    'exec:refusals': {
      summary: 'Hosts and paths that commands were kept from lately, and what would allow them',
      reads: true,
      data: Type.Object({ refusals: Type.Array(ExecRefusal) }),
    },
    'exec:allow': {
      summary: 'Writes a host or a path that commands may reach to the configuration',
      params: Type.Object({ addition: ExecAddition }),
      data: ExecOffer,
      errors: ['invalid_request', 'conflict', 'not_ready', 'forbidden'],
    },
    'exec:standing': {
      summary: 'Permanent approvals of owners',
      reads: true,
      data: Type.Object({ endpoints: Type.Array(ExecStanding) }),
    },
    'exec:rule-add': {
      summary: 'Adds a rule that allows matching subcommands',
      params: Type.Object({ ...Endpoint, pattern: Pattern, match: Examples, noMatch: Examples }),
      data: ExecRule,
      errors: ['invalid_request', 'conflict', 'forbidden'],
    },
    'exec:rule-remove': {
      summary: 'Deletes a rule',
      params: Type.Object({ ...Endpoint, id: Type.String({ minLength: 8, maxLength: 64 }) }),
      data: ExecRule,
      errors: ['not_found', 'conflict', 'forbidden'],
    },
    'exec:revoke': {
      summary: 'Revokes all permanent approvals of an endpoint',
      params: Type.Object(Endpoint),
      data: ExecStanding,
      errors: ['forbidden'],
    },
    'exec:history': {
      summary: 'Requests and their outcomes, newest first',
      reads: true,
      params: Type.Object({
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
        before: Type.Optional(Id),
      }),
      data: Type.Object({ approvals: Type.Array(ExecApproval), nextBefore: Type.Optional(Id) }),
    },
    'exec:rule-check': {
      summary: 'Number of the last requests that a rule would have allowed',
      reads: true,
      params: Type.Object({ ...Endpoint, pattern: Pattern }),
      data: Type.Object({ covered: Type.Integer(), of: Type.Integer() }),
      errors: ['invalid_request'],
    },
  },
  events: {
    'exec:approval': { summary: 'A request was created or answered', data: ExecApproval },
  },
})
