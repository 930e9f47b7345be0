import type { ConfigOf } from '@mynah/kernel'
import { Type, type Static } from '@mynah/contract/type'

const closed = { additionalProperties: false } as const
/** Defaults that patterns of providers can override. */
export const BUILT_IN = { maxTools: 12, maxSkills: 5, contextTokens: 128_000 } as const
const ms = (description: string, value?: number) =>
  Type.Integer({ minimum: 0, description: `${description}, ms`, ...(value === undefined ? {} : { default: value }) })
const People = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 512 }), {
    default: [],
    description: `${description}: user ids for every endpoint, \`adapter|endpointId|userId\` for one`,
  })
const Size = Type.Enum(['small', 'medium', 'large', ''])

const Harness = Type.Object(
  {
    maxIterations: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    maxTools: Type.Optional(Type.Integer({ minimum: 0, maximum: 128 })),
    maxSkills: Type.Optional(Type.Integer({ minimum: 0, maximum: 64 })),
    contextTokens: Type.Optional(Type.Integer({ minimum: 1_000 })),
    modelSizeHint: Type.Optional(Size),
    skillInstructionMaxChars: Type.Optional(Type.Integer({ minimum: 0 })),
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
    parallelToolCalls: Type.Optional(Type.Boolean()),
    providerOptions: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    disabledTools: Type.Optional(Type.Array(Type.String())),
  },
  closed,
)
export type Harness = Static<typeof Harness>

const AgentOf = Type.Object(
  {
    provider: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Alias in ai.providers; without it every alias is searched in file order',
      }),
    ),
    model: Type.Optional(Type.String({ minLength: 1, description: 'Without it the best-scored model' })),
    priority: Type.Optional(Type.Number({ default: 0, description: 'Of several that match, the highest answers' })),
    match: Type.Optional(
      Type.Object(
        {
          hasMedia: Type.Optional(
            Type.Array(Type.Enum(['image', 'audio', 'video', 'file']), {
              description: 'Answers messages with such media',
            }),
          ),
        },
        closed,
      ),
    ),
    fallback: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description: '`alias` or `alias:model`, in place of the candidates that would follow; [] for none',
      }),
    ),
    mcpServers: Type.Optional(Type.Array(Type.String(), { description: 'The only servers whose tools it sees' })),
  },
  closed,
)
export type AgentConfig = Static<typeof AgentOf>

export const claims = {
  keys: {
    'ai.agents': Type.Record(Type.String(), AgentOf, {
      default: {},
      description: 'Agents by name: main answers, vision reads images, draw makes them',
    }),
    'ai.sessions': Type.Object(
      {
        useDatabase: Type.Optional(
          Type.Boolean({ description: 'Whether sessions are stored; default whether the database runs' }),
        ),
        maxHistory: Type.Optional(
          Type.Integer({ minimum: 2, description: 'Messages of a view; default 200 stored, 100 in memory' }),
        ),
        expireMs: Type.Optional(
          Type.Integer({
            minimum: 0,
            description: 'Idle epochs are archived after so long, ms; default 7 days stored, 24 hours in memory',
          }),
        ),
        coldStartMaxMessages: Type.Integer({
          minimum: 0,
          default: 0,
          description: 'Messages with which a session goes on after a cold start; 0 is all',
        }),
        coldStartMaxAgeMs: ms('Pause that makes it cold; 0 is a start of the host, or an hour', 0),
        sessionIdleArchiveMs: ms('Idle time after which an epoch is archived; 0 is never', 0),
        keepArchivedDays: Type.Integer({ minimum: 1, default: 90, description: 'Days that archived epochs are kept' }),
      },
      { ...closed, default: {} },
    ),
    'ai.context': Type.Object(
      {
        enabled: Type.Boolean({ default: true, description: 'Summaries by the number of messages' }),
        maxRecentMessages: Type.Integer({
          minimum: 2,
          default: 100,
          description: 'Messages after the last summary that are sent at most',
        }),
        summaryThreshold: Type.Integer({
          minimum: 2,
          default: 50,
          description: 'Messages after which a summary is made',
        }),
        keepAfterSummary: Type.Integer({ minimum: 0, default: 10, description: 'Messages that stay as they are' }),
        maxContextTokens: Type.Integer({
          minimum: 100,
          default: 4_000,
          description: 'Tokens of summaries carried along',
        }),
      },
      { ...closed, default: {} },
    ),
    'ai.trigger': Type.Object(
      {
        enabled: Type.Boolean({ default: true, description: 'Whether messages are answered at all' }),
        respondToAt: Type.Boolean({ default: true, description: 'Answer mentions in groups and channels' }),
        respondToPrivate: Type.Boolean({ default: true, description: 'Answer private messages' }),
        prefixes: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
          default: ['ai:'],
          description: 'Beginnings that are answered in private chats; removed from the text',
        }),
        ignorePrefixes: Type.Optional(
          Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
            description: 'Beginnings that are never answered; default the prefix of commands',
          }),
        ),
        timeout: ms('Waiting for a place and for the first part of an answer, together', 60_000),
        masters: People('Masters'),
        trusted: People('Trusted users'),
        permissionLevel: Type.Optional(
          Type.Unknown({ deprecated: true, description: 'Removed: use masters and trusted' }),
        ),
      },
      { ...closed, default: {} },
    ),
    'ai.multimodal': Type.Object(
      {
        audio: Type.Object(
          {
            strategy: Type.Enum(['transcribe', 'mcp', 'text-only'], {
              default: 'transcribe',
              description: 'Sound is written down, stored for tools, or named only',
            }),
            reply: Type.Enum(['off', 'voice'], { default: 'off', description: 'Whether answers to sound are spoken' }),
          },
          { ...closed, default: {} },
        ),
      },
      { ...closed, default: {} },
    ),
    'ai.agent': Type.Object(
      {
        maxIterations: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 200,
            description:
              'Rounds of tool calls; default 15. Where skills can be activated or installed, 3 more than this',
          }),
        ),
        timeout: ms('A turn, without the time that it waits for people and tasks', 120_000),
        preExecTimeout: ms('Tools that run before the model is asked', 15_000),
        maxSkills: Type.Integer({
          minimum: 0,
          maximum: 64,
          default: BUILT_IN.maxSkills,
          description: 'Skills told of',
        }),
        maxTools: Type.Integer({
          minimum: 0,
          maximum: 128,
          default: BUILT_IN.maxTools,
          description: 'Tools offered beside the permanent ones',
        }),
        contextTokens: Type.Integer({
          minimum: 1_000,
          default: BUILT_IN.contextTokens,
          description: 'Window of models whose own is not known, tokens',
        }),
        maxHistoryShare: Type.Number({
          minimum: 0.05,
          maximum: 0.95,
          default: 0.5,
          description: 'Share of the window that the conversation may take',
        }),
        toneAwareness: Type.Boolean({ default: true, description: 'A word on the mood of what was said' }),
        rateLimit: Type.Object(
          {
            perMinute: Type.Optional(Type.Integer({ minimum: 1, description: 'Turns of a user' })),
            perHour: Type.Optional(Type.Integer({ minimum: 1, description: 'Turns of a user' })),
            tokensPerDay: Type.Optional(Type.Integer({ minimum: 1, description: 'Tokens of a user' })),
          },
          { ...closed, default: {} },
        ),
        modelSizeHint: Type.Enum(['small', 'medium', 'large', ''], {
          default: '',
          description: 'Size of the model; empty is by its name',
        }),
        skillInstructionMaxChars: Type.Integer({
          minimum: 0,
          default: 0,
          description: 'Length of a skill’s instructions; 0 is by the size of the model',
        }),
        phaseTrace: Type.Boolean({
          default: false,
          description: 'Log lines that begin with [AGENT_PHASE]; also by MYNAH_AGENT_PHASE_TRACE=1',
        }),
        modelHarness: Type.Object(
          {
            providerPatterns: Type.Record(Type.String(), Harness, {
              default: {},
              description: 'By pattern of the alias, `*` is anything',
            }),
            models: Type.Record(Type.String(), Harness, { default: {}, description: 'By `model` or `provider:model`' }),
          },
          { ...closed, default: {} },
        ),
        compaction: Type.Object(
          {
            enabled: Type.Boolean({ default: true, description: 'Whether sessions are compacted' }),
            auto: Type.Boolean({ default: true, description: 'Near the limit of the window, by itself' }),
            keepRecentTokens: Type.Integer({
              minimum: 0,
              default: 20_000,
              description: 'Tokens of recent messages that stay',
            }),
            minKeepCount: Type.Integer({ minimum: 0, default: 2, description: 'Messages that stay at least' }),
            branchSummaries: Type.Boolean({ default: false, description: 'A summary of the branch that is left' }),
          },
          { ...closed, default: {} },
        ),
        toolSearch: Type.Boolean({ default: false, description: 'The agent keeps only orchestration tools' }),
        deferredToolMaxResults: Type.Integer({
          minimum: 1,
          maximum: 64,
          default: 8,
          description: 'Tools found by one search',
        }),
        steeringMode: Type.Enum(['one-at-a-time', 'all'], {
          default: 'one-at-a-time',
          description: 'How many messages of a master are taken into a running turn at once',
        }),
        followUpMode: Type.Enum(['one-at-a-time', 'all'], {
          default: 'one-at-a-time',
          description: 'The same for those that came too late',
        }),
        stream: Type.Enum(['draft', 'chunks', 'off'], {
          default: 'draft',
          description:
            'An answer grows in one message where the platform can edit; chunks sends whole paragraphs elsewhere',
        }),
        chatModel: Type.Optional(Type.Unknown({ deprecated: true, description: 'Removed: use ai.agents.main.model' })),
        visionModel: Type.Optional(
          Type.Unknown({ deprecated: true, description: 'Removed: use ai.agents.vision.model' }),
        ),
        permissionLevel: Type.Optional(
          Type.Unknown({ deprecated: true, description: 'Removed: use endpoints[].master and endpoints[].trusted' }),
        ),
        execAsk: Type.Optional(Type.Unknown({ deprecated: true, description: 'Removed: use execApprovalMode' })),
        // Keys of exec-security and tasks. They are accepted unread when these plugins are not enabled.
        ...Object.fromEntries(
          [
            'execSecurity',
            'execPreset',
            'execAllowlist',
            'execApprovalMode',
            'subagentExecApprovalMode',
            'execPlatformCli',
            'execSandbox',
            'execEnv',
            'maxSubagentIterations',
            'subagentTurnWaitMs',
            'subagentTools',
            'workerBaseTools',
          ].map((key) => [key, Type.Optional(Type.Unknown({ description: 'Of exec-security or tasks' }))]),
        ),
      },
      { ...closed, default: {} },
    ),
  },
} as const

export type Config = ConfigOf<typeof claims>

const REMOVED = {
  'ai.agent': {
    chatModel: 'ai.agents.main.model',
    visionModel: 'ai.agents.vision.model',
    permissionLevel: 'endpoints[].master and endpoints[].trusted',
    execAsk: 'ai.agent.execApprovalMode',
  },
  'ai.trigger': { permissionLevel: 'ai.trigger.masters and ai.trigger.trusted' },
} as const

/** Returns a warning for each removed key in the configuration. */
export function removedKeys(config: Config): string[] {
  return Object.entries(REMOVED).flatMap(([section, keys]) => {
    const own = config[section as keyof typeof REMOVED] as Record<string, unknown>
    return Object.entries(keys)
      .filter(([key]) => own[key] !== undefined)
      .map(([key, instead]) => `${section}.${key} was removed and has no effect; use ${instead}`)
  })
}
