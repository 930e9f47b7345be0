import type { ConfigOf } from '@mynah/kernel'
import { Type, type Static } from '@mynah/contract/type'
import { AccessRules } from '@mynah/plugin-chat/api'
import { agentConflicts, agentMistakes } from './trigger/agent-conflicts.js'
import type { MatchingAgents } from './trigger/persona.js'

const closed = { additionalProperties: false } as const
/** Defaults that patterns of providers can override. */
export const BUILT_IN = { maxTools: 12, maxSkills: 5, contextTokens: 128_000 } as const
const ms = (description: string, value: number, zero?: string) =>
  Type.Integer({
    minimum: 0,
    default: value,
    description: `${description}, in milliseconds${zero === undefined ? '' : `; 0 is ${zero}`}`,
  })
const People = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 512 }), {
    default: [],
    description: `${description}: user ids for every endpoint, \`adapter|endpointId|userId\` for one`,
  })
const Names = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 512 }), { minItems: 1, maxItems: 1_000, description }),
  )
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
        description:
          'Alias of the provider in ai.providers. By default all providers are searched in the order of the file',
      }),
    ),
    model: Type.Optional(
      Type.String({ minLength: 1, description: 'Name of the model. By default the one with the highest score' }),
    ),
    priority: Type.Optional(
      Type.Number({
        default: 0,
        description: 'Of several agents whose match is as specific, the one with the highest priority answers',
      }),
    ),
    match: Type.Optional(
      Type.Object(
        {
          endpoint: Names('The agent answers at these endpoints: ids, or `adapter|endpointId`'),
          channel: Names(
            'The agent answers in these channels, and in threads of them: ids, or `adapter|endpointId|channelId`',
          ),
          user: Names('The agent answers these users: ids, or `adapter|endpointId|userId`'),
          command: Type.Optional(
            Type.Array(Type.String({ pattern: '^[\\p{L}\\p{N}_-]{1,64}$', examples: ['code'] }), {
              minItems: 1,
              maxItems: 20,
              description:
                'The agent answers messages that begin with one of these commands, such as `code` for `/code`',
            }),
          ),
          hasMedia: Type.Optional(
            Type.Array(Type.Enum(['image', 'audio', 'video', 'file']), {
              description: 'The agent answers messages that contain one of these media',
            }),
          ),
        },
        closed,
      ),
    ),
    tools: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        description: 'Names of the tools that the agent may use, next to the permanent ones. By default all',
      }),
    ),
    fallback: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description:
          'Models to ask after a failure, as `alias` or `alias:model`. By default the other models and providers; [] for none',
      }),
    ),
    models: Type.Optional(
      Type.Array(
        Type.Object(
          {
            model: Type.String({
              minLength: 3,
              maxLength: 256,
              pattern: '^[^:\\s]+:\\S+$',
              description: 'The model, as `alias:model`',
            }),
            roles: Type.Optional(
              Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
                description: 'Roles of which the user needs one, such as `trusted`. By default everybody may choose it',
              }),
            ),
          },
          closed,
        ),
        {
          maxItems: 100,
          description:
            'Models that users may choose for their conversation with `/model`. Masters may choose any. By default only they may',
        },
      ),
    ),
    mcpServers: Type.Optional(
      Type.Array(Type.String(), { description: 'MCP servers whose tools the agent may use. By default all' }),
    ),
  },
  closed,
)
export type AgentConfig = Static<typeof AgentOf>

export const claims = {
  check: ({ 'ai.agents': agents }: { readonly 'ai.agents': MatchingAgents }) => agentMistakes(agents),
  warn: ({ 'ai.agents': agents }: { readonly 'ai.agents': MatchingAgents }) => agentConflicts(agents),
  keys: {
    'ai.agents': Type.Record(Type.String(), AgentOf, {
      default: {},
      description: 'Agents by name: `main` answers, `vision` reads images, `draw` makes them',
    }),
    'ai.sessions': Type.Object(
      {
        useDatabase: Type.Optional(
          Type.Boolean({
            description: 'Store sessions in the database. By default when the plugin database is enabled',
          }),
        ),
        maxHistory: Type.Optional(
          Type.Integer({
            minimum: 2,
            description:
              'Maximum number of messages that are sent to the model. Default 200 with a database, 100 in memory',
          }),
        ),
        expireMs: Type.Optional(
          Type.Integer({
            minimum: 0,
            description:
              'Idle time after which a session ends, in milliseconds; 0 is never. Default 7 days with a database, 24 hours in memory',
          }),
        ),
        coldStartMaxMessages: Type.Integer({
          minimum: 0,
          default: 0,
          description: 'Number of messages that are kept after a long pause; 0 keeps all',
        }),
        coldStartMaxAgeMs: ms(
          'Length of that pause, and without `coldStartMaxMessages` the age of the messages that are sent after a start or a pause',
          0,
          'a restart of the host, or one hour',
        ),
        sessionIdleArchiveMs: ms('Idle time after which a session is archived', 0, 'never'),
        keepArchivedDays: Type.Integer({
          minimum: 1,
          default: 90,
          description: 'Number of days until archived sessions are deleted',
        }),
      },
      { ...closed, default: {} },
    ),
    'ai.context': Type.Object(
      {
        enabled: Type.Boolean({ default: true, description: 'Summarise a session when it has many messages' }),
        maxRecentMessages: Type.Integer({
          minimum: 2,
          default: 100,
          description: 'Maximum number of messages after the last summary that are sent to the model',
        }),
        summaryThreshold: Type.Integer({
          minimum: 2,
          default: 50,
          description: 'Number of messages after which a summary is made',
        }),
        keepAfterSummary: Type.Integer({
          minimum: 0,
          default: 10,
          description: 'Number of newest messages that are not summarised',
        }),
        maxContextTokens: Type.Integer({
          minimum: 100,
          default: 4_000,
          description: 'Maximum length of a summary in tokens',
        }),
      },
      { ...closed, default: {} },
    ),
    'ai.trigger': Type.Object(
      {
        enabled: Type.Boolean({ default: true, description: 'Answer messages' }),
        respondToAt: Type.Boolean({ default: true, description: 'Answer mentions in groups and channels' }),
        respondToPrivate: Type.Boolean({ default: true, description: 'Answer private messages' }),
        prefixes: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
          default: ['ai:'],
          description: 'Prefixes that are answered in private chats and removed from the text',
        }),
        ignorePrefixes: Type.Optional(
          Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
            description: 'Prefixes that are never answered. Default: the prefix of commands',
          }),
        ),
        timeout: ms('Timeout until the first part of an answer, with the wait for a free slot', 60_000, 'none'),
        collectMs: ms(
          'Time in which further messages of a person become one turn; always 0 in the sandbox',
          1_500,
          'to answer each message at once',
        ),
        masters: People('Masters'),
        trusted: People('Trusted users'),
        permissionLevel: Type.Optional(
          Type.Unknown({ deprecated: true, description: 'Removed: use masters and trusted' }),
        ),
      },
      { ...closed, default: {} },
    ),
    'ai.access': Type.Object(AccessRules.properties, { ...closed, default: {} }),
    'ai.multimodal': Type.Object(
      {
        audio: Type.Object(
          {
            strategy: Type.Enum(['transcribe', 'mcp', 'text-only'], {
              default: 'transcribe',
              description: '`transcribe` turns sound into text, `mcp` stores it for tools, `text-only` only names it',
            }),
            reply: Type.Enum(['off', 'voice'], { default: 'off', description: '`voice` answers sound with sound' }),
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
              'Maximum rounds of tool calls; default 15. Three more where skills can be activated or installed',
          }),
        ),
        timeout: ms('Timeout of a turn, without waits for people and tasks', 120_000, 'none'),
        preExecTimeout: ms('Timeout of the tools that run before the first request', 15_000),
        maxSkills: Type.Integer({
          minimum: 0,
          maximum: 64,
          default: BUILT_IN.maxSkills,
          description: 'Maximum number of skills that are listed in the prompt',
        }),
        maxTools: Type.Integer({
          minimum: 0,
          maximum: 128,
          default: BUILT_IN.maxTools,
          description: 'Maximum number of tools in addition to the permanent ones',
        }),
        contextTokens: Type.Integer({
          minimum: 1_000,
          default: BUILT_IN.contextTokens,
          description: 'Context window, in tokens, of models whose window is unknown',
        }),
        maxHistoryShare: Type.Number({
          minimum: 0.05,
          maximum: 0.95,
          default: 0.5,
          description: 'Share of the context window that the conversation may use',
        }),
        toneAwareness: Type.Boolean({ default: true, description: 'Mention the mood of a message to the model' }),
        rateLimit: Type.Object(
          {
            perMinute: Type.Optional(Type.Integer({ minimum: 1, description: 'Maximum turns of a user per minute' })),
            perHour: Type.Optional(Type.Integer({ minimum: 1, description: 'Maximum turns of a user per hour' })),
            strangersPerHour: Type.Integer({
              minimum: 0,
              default: 20,
              description: 'Maximum turns per hour of a user without a role; 0 is no limit',
            }),
            tokensPerDay: Type.Optional(Type.Integer({ minimum: 1, description: 'Maximum tokens of a user per day' })),
          },
          { ...closed, default: {} },
        ),
        modelSizeHint: Type.Enum(['small', 'medium', 'large', ''], {
          default: '',
          description: 'Size of the model. Empty: derived from its name',
        }),
        skillInstructionMaxChars: Type.Integer({
          minimum: 0,
          default: 0,
          description: 'Maximum characters of a skill’s instructions; 0 depends on the size of the model',
        }),
        phaseTrace: Type.Boolean({
          default: false,
          description: 'Log each phase of a turn as [AGENT_PHASE]; also enabled by MYNAH_AGENT_PHASE_TRACE=1',
        }),
        modelHarness: Type.Object(
          {
            providerPatterns: Type.Record(Type.String(), Harness, {
              default: {},
              description: 'Settings by pattern of the provider alias; `*` matches any text',
            }),
            models: Type.Record(Type.String(), Harness, {
              default: {},
              description: 'Settings by `model` or `provider:model`',
            }),
          },
          { ...closed, default: {} },
        ),
        compaction: Type.Object(
          {
            enabled: Type.Boolean({ default: true, description: 'Compact long sessions' }),
            auto: Type.Boolean({
              default: true,
              description: 'Compact automatically near the limit of the context window',
            }),
            keepRecentTokens: Type.Integer({
              minimum: 0,
              default: 20_000,
              description: 'Tokens of recent messages that are not summarised',
            }),
            minKeepCount: Type.Integer({
              minimum: 0,
              default: 2,
              description: 'Minimum number of messages that are not summarised',
            }),
            branchSummaries: Type.Boolean({
              default: false,
              description: 'Summarise the left branch when a session switches to another one',
            }),
          },
          { ...closed, default: {} },
        ),
        toolSearch: Type.Boolean({
          default: false,
          description: 'Give the agent only tools that start tasks; tasks have the others',
        }),
        deferredToolMaxResults: Type.Integer({
          minimum: 1,
          maximum: 64,
          default: 8,
          description: 'Maximum number of tools that one search finds',
        }),
        steeringMode: Type.Enum(['one-at-a-time', 'all'], {
          default: 'one-at-a-time',
          description: 'How many waiting messages of a master a running turn takes at once',
        }),
        followUpMode: Type.Enum(['one-at-a-time', 'all'], {
          default: 'one-at-a-time',
          description: 'The same for messages that came too late for the running turn',
        }),
        stream: Type.Enum(['draft', 'chunks', 'off'], {
          default: 'draft',
          description:
            '`draft` edits one message where the platform can, `chunks` also sends paragraphs elsewhere, `off` sends the answer at its end',
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
            'execTrust',
            'execUnwalled',
            'execNetwork',
            'execHosts',
            'execView',
            'execLimits',
            'execEnv',
            'maxSubagentIterations',
            'subagentTurnWaitMs',
            'subagentTools',
            'workerBaseTools',
          ].map((key) => [
            key,
            Type.Optional(Type.Unknown({ description: 'Belongs to the plugin exec-security or tasks' })),
          ]),
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
