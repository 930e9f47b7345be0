import { hostname } from 'node:os'
import { join } from 'node:path'
import { Type } from '@mynah/contract/type'
import {
  changed,
  Cluster,
  Configuration,
  definePlugin,
  FatalError,
  HOUSE,
  HostControl,
  HostPaths,
  messageOf,
  NotReady,
  packagesOf,
  ref,
  SharedConfiguration,
  started,
  Supervisor,
  type Clock,
  type ConfigOf,
  type Logger,
} from '@mynah/kernel'
import { rpcMethods } from '@mynah/plugin-console-rpc/api'
import { readinessChecks, type ReadinessCheck } from '@mynah/plugin-http-core/api'
import { ownFile } from './configuration/own-file.js'
import { shareConfiguration } from './configuration/share-configuration.js'
import { connect } from './database/connect.js'
import { IdentityInUse } from './database/host-tables.js'
import { VersionRefused } from './database/upgrade.js'
import { Disk } from './files/disk.js'
import { SharedFiles } from './files/shared-files.js'
import { hostId } from './identity.js'
import { Member } from './member/member.js'
import type { Durations } from './member/state.js'
import { optionDescriptions } from './option-descriptions.zh.js'
import { clusterMethods } from './rpc.js'
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
      config: Type.Enum(['shared', 'file'], {
        default: 'shared',
        description: 'Whether all hosts run one configuration, or each its own file, which the console cannot change',
      }),
    },
    { additionalProperties: false, default: {} },
  ),
} as const

const durationsOf = ({ lease: text }: ConfigOf<typeof config>): Durations => {
  const lease = Number.parseInt(text, 10) * 1_000
  return { lease, margin: 0.3 * lease, beat: lease / 5, look: lease / 10, give: lease }
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
  description: 'Hosts that share a PostgreSQL database and the endpoints: the others take over when one dies',
  descriptions: { 'zh-CN': '共用一个 PostgreSQL 的多台主机分担接入点：一台失效时由其余接管' },
  config,
  optionDescriptions: { 'zh-CN': optionDescriptions },
  needs: {
    configuration: ref(Configuration),
    host: HostControl,
    paths: ref(HostPaths),
    supervisor: ref(Supervisor),
  },
  provides: [Cluster, SharedConfiguration],
  async setup(ctx) {
    const { paths, supervisor, clock, log } = ctx
    const configuration = ctx.configuration.current
    const url = await databaseUrl(configuration)
    const shares = ctx.config.config === 'shared' && configuration !== undefined
    const member = await joinCluster({
      url,
      id: await hostId(paths.current?.data ?? 'data'),
      name: ctx.config.host ?? hostname(),
      version: version(),
      durations: durationsOf(ctx.config),
      sharesConfiguration: shares,
      clock,
      log,
      exit: () => supervisor.current?.abandon(),
      restart: () => supervisor.current?.restart() ?? Promise.reject(new Error('the host has no supervisor')),
      onHouseMoved: (joining) => log.info(describe(joining)),
    })
    ctx.onDispose('membership', () => member.close())
    ctx.contribute(readinessChecks, {
      name: 'cluster',
      check: () => readinessOf(member),
    })
    for (const method of clusterMethods(member)) ctx.contribute(rpcMethods, method)
    const sayPackages = (): void => member.hasPackages(ownPackages(ctx.host))
    ctx.on(started, sayPackages)
    ctx.on(changed, ({ what }) => void (what === 'state' && ctx.host.status === 'running' && sayPackages()))
    const files = paths.current && (await shareFiles(ctx, member, url, paths.current))
    if (files) ctx.onDispose('shared files', files)
    ctx.provide(Cluster, member)
    if (!shares) {
      ctx.provide(SharedConfiguration, ownFile)
      return
    }
    const data = paths.current?.data ?? 'data'
    const { revisions, stop } = shareConfiguration({ configuration, data, url, member, host: ctx.host, clock, log })
    ctx.onDispose('shared configuration', stop)
    ctx.provide(SharedConfiguration, revisions)
  },
})

function readinessOf(member: Member): Awaited<ReturnType<ReadinessCheck['check']>> {
  if (!member.holds()) return { status: 'failed', reason: 'this host may not act until it reaches the database again' }
  if (member.waitsFor !== undefined) return { status: 'failed', reason: `this host waits: ${member.waitsFor}` }
  return { status: 'ok', ...reasonOf(member) }
}

/** Returns why this host takes no places, or why no host runs what belongs to no endpoint, where that is so. */
function reasonOf(member: Member): { readonly reason?: string } {
  const reason = member.revisionProblem ?? (member.isElsewhere(HOUSE) ? undefined : member.standbyReason())
  return reason === undefined ? {} : { reason }
}

const MAX_PACKAGES = 500

/** Returns the packages of the plugins of this host. Those of its own version of Mynah say nothing more than that. */
function ownPackages(host: HostControl): ReadonlyMap<string, string> {
  const own = version()
  const others = Array.from(packagesOf(host.inspect())).filter(
    ([name, installed]) => !(name.startsWith('@mynah/') && installed === own),
  )
  return new Map(others.slice(0, MAX_PACKAGES))
}

function describe(member: Member): string {
  return member.standbyReason() ?? 'this host runs what belongs to no endpoint'
}

/** Subject under which hosts tell each other that shared files have changed. */
const FILES = 'cluster:files'

/** Keeps the files that hosts share the same. Returns how to stop. */
async function shareFiles(
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
  member: Member,
  url: string,
  { root, data }: HostPaths,
): Promise<() => void> {
  const files = new SharedFiles({
    disk: new Disk(root),
    memory: join(data, 'shared-files.json'),
    clock,
    log,
    tell: () => void member.tell(FILES, null),
    // A large file must not hold up the beats.
    async use(work) {
      const session = await connect(url, member.session.name, () => {})
      try {
        return await work(session)
      } finally {
        await session.end()
      }
    },
  })
  const reconcile = (): Promise<void> =>
    files.reconcile().catch((error: unknown) => log.warn(`failed to share files: ${messageOf(error)}`))
  // Before other plugins read them.
  await reconcile()
  const stops = [files.start(), member.onTold(FILES, () => void reconcile()), member.onGap(() => void reconcile())]
  return () => stops.forEach((stop) => stop())
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
    if (error instanceof VersionRefused)
      throw new FatalError(error.message, {
        exitCode: CONFIGURATION_EXIT,
        hint: 'Update this host. To go back, restore a backup from before the change into a new database',
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
