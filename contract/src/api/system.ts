// Health, readiness, system status, statistics, restart.
import { Type, type Static } from '@mynah/contract/type'
import { contract } from '../contract.js'
import { IsoTime, Outcome } from './common.js'

/** The state of the process. */
export const HealthStatus = Type.Enum(['ok', 'degraded', 'starting', 'stopping'])

/** Whether the process answers. It needs no token. */
export const Health = Type.Object(
  {
    status: HealthStatus,
    uptime: Type.Number({ description: 'Seconds since the host started' }),
    version: Type.String(),
    name: Type.String(),
    apiPrefix: Type.String(),
    contract: Type.String({ description: 'Version of the wire contract' }),
  },
  { examples: [{ status: 'ok', uptime: 12.5, version: '0.1.0', name: 'mynah', apiPrefix: '/api', contract: '1.0' }] },
)
export type Health = Static<typeof Health>

/** The result of one readiness check. */
export const Check = Type.Object({
  status: Type.Enum(['ok', 'degraded', 'failed']),
  reason: Type.Optional(Type.String()),
})
/** Whether the parts of the host can do their work, by name. */
export const Ready = Type.Object(
  { status: HealthStatus, checks: Type.Record(Type.String(), Check) },
  {
    examples: [{ status: 'ok', checks: { chat: { status: 'ok' } } }],
  },
)
export type Ready = Static<typeof Ready>

const Bytes = (description: string) => Type.Integer({ description: `${description}, bytes`, minimum: 0 })

/** Memory, load and versions of the process. */
export const SystemStatus = Type.Object({
  uptime: Type.Number({ description: 'Seconds since the host started' }),
  memory: Type.Object({
    rss: Bytes('Resident'),
    heapTotal: Bytes('Heap reserved'),
    heapUsed: Bytes('Heap used'),
    external: Bytes('Outside the heap'),
    arrayBuffers: Bytes('Array buffers'),
  }),
  osMemory: Type.Object({ freeMem: Bytes('Free'), totalMem: Bytes('Total') }),
  cpu: Type.Object({
    user: Type.Integer({ description: 'Microseconds since the host started' }),
    system: Type.Integer({ description: 'Microseconds since the host started' }),
    percent: Type.Number({ description: 'Percent of one processor in the last interval' }),
  }),
  platform: Type.String(),
  nodeVersion: Type.String(),
  runtime: Type.String({ examples: ['node'] }),
  pid: Type.Integer(),
  timestamp: IsoTime,
})
export type SystemStatus = Static<typeof SystemStatus>

/** Counts for the dashboard. */
export const Stats = Type.Object(
  {
    plugins: Type.Object({ total: Type.Integer(), active: Type.Integer() }),
    endpoints: Type.Object({ total: Type.Integer(), online: Type.Integer() }),
    commands: Type.Integer(),
    components: Type.Integer({ description: 'Registered message components' }),
    uptime: Type.Number({ description: 'Seconds since the host started' }),
    memory: Type.Number({ description: 'Resident memory, MB' }),
    runtime: Type.String(),
  },
  {
    examples: [
      {
        plugins: { total: 9, active: 9 },
        endpoints: { total: 1, online: 1 },
        commands: 6,
        components: 0,
        uptime: 42.1,
        memory: 88.4,
        runtime: 'node',
      },
    ],
  },
)
export type Stats = Static<typeof Stats>

/** Operations for the state of the host. */
export const system = contract({
  rest: {
    'GET /pub/health': {
      summary: 'Health of the host: 503 while it starts or stops',
      reply: Health,
      scope: 'public',
      errors: ['not_ready'],
    },
    'GET /pub/openapi.json': { summary: 'This document', raw: 'application/json', scope: 'public' },
    'GET /ready': {
      summary: 'Readiness of every part, with the reason if it is not ready',
      data: Ready,
      monitored: true,
      errors: ['not_ready'],
    },
    'GET /system/status': {
      summary: 'State of the process and the machine, at most a second old',
      data: SystemStatus,
      scope: 'demo',
      monitored: true,
    },
    'GET /stats': { summary: 'Counts for a dashboard', data: Stats, scope: 'demo', monitored: true },
    'GET /metrics': {
      summary: 'Metrics in the Prometheus text format',
      raw: 'text/plain; version=0.0.4; charset=utf-8',
      monitored: true,
    },
  },
  rpc: {
    'system:restart': {
      summary: 'Drains, stops and starts the host. Needs the supervisor of `mynah start`',
      data: Outcome,
      errors: ['unsupported'],
    },
  },
  events: {
    'system:restarting': { summary: 'The host is about to restart', data: Type.Null() },
  },
})
