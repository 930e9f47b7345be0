import { hostname } from 'node:os'
import { cluster as contract } from '@mynah/contract'
import { Type } from '@mynah/contract/type'
import {
  Cluster,
  Configuration,
  definePlugin,
  FatalError,
  HostPaths,
  messageOf,
  NotReady,
  ref,
  Supervisor,
  type ConfigOf,
} from '@mynah/kernel'
import { method, rpcMethods } from '@mynah/plugin-console-rpc/api'
import { readinessChecks } from '@mynah/plugin-http-core/api'
import { IdentityInUse } from './database/cluster-tables.js'
import { hostId } from './identity.js'
import { Member } from './member/member.js'
import type { Durations } from './member/state.js'
import { optionDescriptions } from './option-descriptions.zh.js'
import { version } from './version.js'

/** Delay before a database that is unavailable is tried again. */
const RETRY_MS = 2_000
const CONFIGURATION_EXIT = 2
const IN_USE_EXIT = 3

const config = {
  key: 'cluster',
  schema: Type.Object(
    {
      host: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'Name of this host for people; default: the name of the machine',
        }),
      ),
      lease: Type.String({
        pattern: '^([4-9]|[1-5][0-9]|60)s$',
        default: '10s',
        description: 'Silence after which a host counts as dead, from 4s to 60s; the same on all hosts',
      }),
    },
    { additionalProperties: false, default: {} },
  ),
} as const

const durationsOf = ({ lease: text }: ConfigOf<typeof config>): Durations => {
  const lease = Number.parseInt(text, 10) * 1_000
  return { lease, margin: 0.3 * lease, beat: lease / 5, look: lease / 10 }
}

/** The settings of the database, as far as they are needed here. */
const DATABASE = Type.Object({ type: Type.Optional(Type.String()), url: Type.Optional(Type.String()) })

/**
 * Returns the address of the database that the hosts share.
 *
 * @throws FatalError where the configuration has none
 */
async function databaseUrl(configuration: Configuration | undefined): Promise<string> {
  const { database } = configuration?.source() ?? {}
  const section = (await configuration?.fill((database ?? {}) as Record<string, unknown>, DATABASE)) ?? {}
  if (section.type !== 'postgres' || typeof section.url !== 'string' || section.url === '')
    throw new FatalError('cluster: hosts can share a PostgreSQL database only', {
      exitCode: CONFIGURATION_EXIT,
      hint: 'Set database.type to postgres and database.url, or remove cluster from plugins',
    })
  return section.url
}

export default definePlugin({
  name: 'cluster',
  description: 'Hosts that share a PostgreSQL database: one runs the bot, the others take over when it dies',
  descriptions: { 'zh-CN': '共用一个 PostgreSQL 的多台主机：一台运行机器人，其余在它失效时接管' },
  config,
  optionDescriptions: { 'zh-CN': optionDescriptions },
  needs: { configuration: ref(Configuration), paths: ref(HostPaths), supervisor: ref(Supervisor) },
  provides: [Cluster],
  async setup(ctx) {
    const { paths, supervisor, clock, log } = ctx
    const url = await databaseUrl(ctx.configuration.current)
    const member = await joinCluster({
      url,
      id: await hostId(paths.current?.data ?? 'data'),
      name: ctx.config.host ?? hostname(),
      version: version(),
      durations: durationsOf(ctx.config),
      clock,
      log,
      exit: () => supervisor.current?.abandon(),
      changed: () => log.info(describe(member)),
    })
    ctx.onDispose('membership', () => member.close())
    ctx.contribute(readinessChecks, {
      name: 'cluster',
      check: () => (member.owns() ? { status: 'ok' } : { status: 'failed', reason: describe(member) }),
    })
    ctx.contribute(
      rpcMethods,
      method(contract.rpc, 'cluster:hosts', async () => ({
        hosts: (await member.hosts()).map((host) => ({
          ...host,
          places: [...host.places],
          self: host.id === member.self.id,
        })),
      })),
    )
    ctx.provide(Cluster, member)
  },
})

function describe(member: Member): string {
  return member.standbyReason() ?? 'this host runs everything'
}

async function joinCluster(options: Parameters<typeof Member.join>[0]): Promise<Member> {
  try {
    return await Member.join(options)
  } catch (error) {
    if (error instanceof IdentityInUse)
      throw new FatalError(error.message, {
        exitCode: IN_USE_EXIT,
        hint: 'Stop the other host, or delete data/host-id of the copy to make it a host of its own',
      })
    const { code } = error as { readonly code?: unknown }
    const reason = typeof code === 'string' ? ` (${code})` : ''
    options.log.debug(messageOf(error))
    throw new NotReady(`the database server does not answer${reason}`, {
      retryAfter: RETRY_MS,
      cause: error,
    })
  }
}
