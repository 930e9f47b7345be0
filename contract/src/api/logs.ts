// The log of a host.
import { Type, type Static } from '@mynah/contract/type'
import { contract } from '../contract.js'
import { HostName, Id, IsoTime, JsonObject, Time } from './common.js'

/** The level of a log line. */
export const LogLevel = Type.Enum(['debug', 'info', 'warn', 'error'])
export type LogLevel = Static<typeof LogLevel>

/** A line of the log. */
export const LogEntry = Type.Object(
  {
    id: Type.String(),
    level: LogLevel,
    name: Type.String({ description: 'The plugin that wrote it' }),
    message: Type.String(),
    source: Type.String(),
    timestamp: IsoTime,
    host: Type.Optional(HostName),
    fields: Type.Optional(JsonObject),
  },
  {
    examples: [
      {
        id: '1',
        level: 'info',
        name: 'http-core',
        message: 'listening',
        source: 'http-core',
        timestamp: '2026-01-01T00:00:00.000Z',
      },
    ],
  },
)
export type LogEntry = Static<typeof LogEntry>

/** The number of log lines by level. */
export const LogStats = Type.Object({
  total: Type.Integer(),
  byLevel: Type.Record(Type.String(), Type.Integer()),
  oldestTimestamp: Type.Union([IsoTime, Type.Null()]),
})
export type LogStats = Static<typeof LogStats>

/** The number of log lines by the minute, oldest first. */
export const LogVolume = Type.Object({
  from: Time,
  step: Type.Integer({ description: 'Milliseconds that each figure covers' }),
  total: Type.Array(Type.Integer()),
  errors: Type.Array(Type.Integer({ description: 'Those of `total` with the level `error`' })),
})
export type LogVolume = Static<typeof LogVolume>

const matching = {
  host: Type.Optional(HostName),
  name: Type.Optional(Type.String({ maxLength: 214 })),
  search: Type.Optional(Type.String({ maxLength: 512, description: 'Part of the message, ignoring case' })),
}

/** Operations for the log. */
export const logs = contract({
  rest: {
    'GET /logs': {
      summary: 'Entries, newest first',
      query: Type.Object({
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
        level: Type.Optional(Type.Enum(['debug', 'info', 'warn', 'error', 'all'])),
        ...matching,
        before: Type.Optional(Id),
        from: Type.Optional(Time),
        to: Type.Optional(Type.Integer({ description: 'Milliseconds since the epoch; only earlier lines' })),
      }),
      data: Type.Array(LogEntry),
      errors: ['not_ready'],
    },
    'DELETE /logs': {
      summary: 'Clears the log',
      data: Type.Object({ deleted: Type.Integer() }),
      errors: ['not_ready'],
    },
    'GET /logs/stats': {
      summary: 'Counts of all lines, or of those that match',
      query: Type.Object(matching),
      data: LogStats,
      errors: ['not_ready'],
    },
    'GET /logs/volume': {
      summary: 'Counts by the minute of all lines, or of those that match. The last one is the current minute',
      query: Type.Object({
        ...matching,
        minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440, default: 60 })),
      }),
      data: LogVolume,
      errors: ['not_ready'],
    },
    'POST /logs/cleanup': {
      summary: 'Removes records older than `days` or beyond `maxRecords`, or counts them',
      body: Type.Object(
        {
          days: Type.Optional(Type.Number({ minimum: 0, maximum: 36_500 })),
          maxRecords: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
          dryRun: Type.Optional(
            Type.Boolean({ description: 'Deletes nothing, and returns the result that a call without it would have' }),
          ),
        },
        { examples: [{ days: 7, dryRun: true }] },
      ),
      data: Type.Object({ deleted: Type.Integer(), remaining: Type.Integer() }),
      errors: ['not_ready'],
    },
  },
})
