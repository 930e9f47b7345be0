import { messageOf, type Mistake } from '@mynah/kernel'
import { HOUR_MS, MINUTE_MS } from '@mynah/kernel/util'
import { JobNotifyInput } from '@mynah/contract'
import { Type, type Static } from '@mynah/contract/type'
import { normalizedNotify } from '@mynah/plugin-cron/api'

const closed = { additionalProperties: false } as const
const Name = Type.String({ minLength: 1, maxLength: 256 })
const EntityId = Type.String({ pattern: '^[a-z0-9_]{1,100}\\.[a-z0-9_]{1,155}$', examples: ['light.kitchen'] })
const TimeOfDay = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', examples: ['22:30'] })
const Duration = /^(\d{1,4})([mh])$/

const Home = Type.Object(
  {
    enabled: Type.Boolean({ default: false, description: 'Enables the tools `home_*`' }),
    url: Type.Optional(
      Type.String({
        pattern: '^https?://',
        maxLength: 2_048,
        description: 'Address of Home Assistant, such as `http://homeassistant.local:8123`',
      }),
    ),
    token: Type.Optional(Type.String({ secret: true, description: 'A long-lived access token' })),
    mcpServer: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'Server of `ai.mcpServers` that is used instead of `url`',
      }),
    ),
    aliases: Type.Record(Type.String(), EntityId, {
      default: {},
      description: 'Aliases for tools, each for one entity',
    }),
    exposedEntities: Type.Optional(
      Type.Array(EntityId, { description: 'Entities that tools may use; default all with an alias' }),
    ),
    policy: Type.Object(
      {
        requireMaster: Type.Boolean({ default: true, description: 'Limits the tools to masters' }),
        confirmServices: Type.Optional(
          Type.Array(
            Type.String({ pattern: '^[a-z0-9_]{1,100}(\\.([a-z0-9_]{1,100}|\\*))?$', examples: ['lock.unlock'] }),
            {
              description:
                'Services that wait for the owner: `lock.unlock`, or a whole domain; ' +
                'default those of locks, alarms, valves, and covers of garages, gates and doors',
            },
          ),
        ),
      },
      { ...closed, default: {} },
    ),
  },
  { ...closed, default: {} },
)
export type HomeConfig = Static<typeof Home>

const schema = Type.Object(
  {
    enabled: Type.Boolean({ default: false, description: 'Enables the plugin' }),
    defaults: Type.Object(
      { notify: Type.Optional(JobNotifyInput) },
      { ...closed, default: {}, description: 'Default `notify` of jobs' },
    ),
    events: Type.Object(
      {
        enabled: Type.Boolean({ default: false, description: 'Serves `POST assistant/events`' }),
        token: Type.Optional(
          Type.String({
            secret: true,
            minLength: 1,
            maxLength: 1_024,
            pattern: '^[\\x21-\\x7e]+$',
            description: 'Token that is valid only for `POST assistant/events`; tokens of full scope are valid, too',
          }),
        ),
        allowedSources: Type.Optional(
          Type.Array(Name, { description: 'Sources that may send events; default all, `[]` allows none' }),
        ),
        rateLimit: Type.Integer({
          minimum: 1,
          maximum: 100_000,
          default: 60,
          description: 'Events per minute and source',
        }),
      },
      { ...closed, default: {} },
    ),
    heartbeat: Type.Object(
      {
        every: Type.String({
          pattern: '^[0-9]{1,4}[mh]$',
          default: '30m',
          description: 'Interval between two runs of HEARTBEAT.md, in minutes or hours',
        }),
        activeHours: Type.Optional(
          Type.Array(TimeOfDay, {
            minItems: 2,
            maxItems: 2,
            description: 'Hours of the day in the time zone of the host, such as `["08:00", "22:00"]`',
          }),
        ),
        agent: Type.Optional(
          Type.String({ minLength: 1, maxLength: 256, description: 'Name of the agent; default `main`' }),
        ),
        target: Type.Optional(JobNotifyInput),
      },
      { ...closed, default: {} },
    ),
    home: Home,
    profile: Type.Optional(
      Type.String({ maxLength: 16_384, description: 'Text about the owner that every agent gets, in Markdown' }),
    ),
    profileFile: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_024,
        description: 'File with the same text, relative to the configuration file; for equal headings `profile` wins',
      }),
    ),
    legacyDualWrite: Type.Boolean({
      default: false,
      description: 'Writes `data/assistant-jobs.json` after each change of a job',
    }),
  },
  { ...closed, default: {} },
)
export type Config = Static<typeof schema>

/** Returns the milliseconds of a duration such as `30m` or `2h`. */
export function durationMs(duration: string): number {
  const [, count = '30', unit] = Duration.exec(duration) ?? []
  return Number(count) * (unit === 'h' ? HOUR_MS : MINUTE_MS)
}

function notifyMistakes(notify: JobNotifyInput | undefined, path: string): Mistake[] {
  if (!notify) return []
  try {
    normalizedNotify(notify, path)
    return []
  } catch (error) {
    return [{ path, message: messageOf(error) }]
  }
}

function isPrivateChat(input: JobNotifyInput): boolean {
  const notify = normalizedNotify(input)
  return notify.channel === 'im' && notify.scope === 'private'
}

export const claim = {
  key: 'assistant',
  schema,
  check({ defaults, heartbeat, home }: Config): readonly Mistake[] {
    const mistakes = [
      ...notifyMistakes(defaults.notify, 'assistant.defaults.notify'),
      ...notifyMistakes(heartbeat.target, 'assistant.heartbeat.target'),
    ]
    if (heartbeat.target && mistakes.length === 0 && !isPrivateChat(heartbeat.target)) {
      mistakes.push({
        path: 'assistant.heartbeat.target',
        message: 'must be a private chat (channel im, scope private): the heartbeat reports to the owner alone',
      })
    }
    if (durationMs(heartbeat.every) < MINUTE_MS)
      mistakes.push({ path: 'assistant.heartbeat.every', message: 'must be at least 1m' })
    if (home.enabled && (home.url === undefined) === (home.mcpServer === undefined))
      mistakes.push({ path: 'assistant.home', message: 'must have either url (with token) or mcpServer' })
    if (home.enabled && home.url !== undefined && !home.token)
      mistakes.push({ path: 'assistant.home.token', message: 'is needed with url' })
    if (home.enabled && home.url !== undefined && !URL.canParse(home.url))
      mistakes.push({ path: 'assistant.home.url', message: 'must be an address' })
    return mistakes
  },
} as const
