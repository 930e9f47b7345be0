import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { configuration as contract } from '@mynah/contract'
import {
  Configuration,
  ConfigurationWriter,
  definePlugin,
  exchanged,
  HostControl,
  HostPaths,
  ifEnabled,
  SharedConfiguration,
  type BaseContext,
} from '@mynah/kernel'
import { SerialQueue } from '@mynah/kernel/util'
import { method, rpcMethods, type BoundMethod } from '@mynah/plugin-console-rpc/api'
import { declare, event, publish, streamEvents } from '@mynah/plugin-events/api'
import { AdminToken, route, routes, type Route } from '@mynah/plugin-http-core/api'
import type { Section } from './config/changes.js'
import { ConfigFile, type Caller } from './config/config-file.js'
import { fileWatch } from './config/file-watch.js'
import { PluginList } from './config/plugin-list.js'
import { ConfigService, type ChangeResult } from './config/service.js'
import { ConfigVersions } from './config/versions.js'
import { WholeText } from './config/whole-text.js'
import { EnvironmentFiles } from './files/environment.js'
import { etagOf } from './files/etag.js'
import { PathGuard } from './files/path-guard.js'
import { WorkspaceFiles } from './files/workspace-files.js'

const { rest, rpc, events } = contract
const LOOK_EVERY_MS = 2_000

interface SetResult {
  readonly success: boolean
  readonly reloaded: boolean
  readonly message: string
}

/** Sets a section and describes the result to the caller. */
type SetSection = (name: string, data: unknown, call: Caller) => Promise<SetResult>
type ResultOf = (change: ChangeResult) => SetResult
type NotifySection = (path: string, section: unknown) => void

function stillStarting(path: string, names: readonly string[]): string {
  if (names.length === 0) return `${path} is saved; the change is not complete yet`
  return `${path} is saved; ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} still starting`
}

/** Returns what publishes a change and describes it to the caller. */
function resultReporter(host: HostControl, notify: NotifySection): ResultOf {
  return ({ path, config: section, applied }) => {
    notify(path, section)
    if (applied) return { success: true, reloaded: true, message: `${path} is saved and in effect` }
    // A restart of the server ends this connection, so the answer cannot wait for it.
    if (path === 'http') return { success: true, reloaded: true, message: `${path} is saved and takes effect now` }
    const changing = host.inspect().filter(({ state }) => state === 'starting' || state === 'stopping')
    const message = stillStarting(
      path,
      changing.map(({ name: plugin }) => plugin),
    )
    return { success: true, reloaded: false, message }
  }
}

function configRoutes(config: ConfigService, file: ConfigFile, set: SetSection): Route[] {
  return [
    route(rest, 'GET /config', () => config.all()),
    route(rest, 'GET /config/:name', async ({ params: { name } }) =>
      name === 'app' ? config.all() : { name, filePath: file.name, config: await config.sectionsOf(name) },
    ),
    route(rest, 'POST /config/:name', ({ params, body }, call) => set(params.name, body, call)),
    route(rest, 'GET /schemas', () => config.schemas()),
    route(rest, 'GET /schemas/:name', ({ params }) => config.schema(params.name)),
  ]
}

function configMethods(config: ConfigService, set: SetSection): BoundMethod[] {
  return [
    method(rpc, 'config:get', async ({ pluginName }) =>
      pluginName === undefined ? config.all() : ((await config.section(pluginName)) ?? null),
    ),
    method(rpc, 'config:get-all', async () => ({ config: await config.all(), aliases: config.aliases() })),
    method(rpc, 'config:set', ({ pluginName, data }, call) => set(pluginName, data, call)),
    method(rpc, 'schema:get', ({ pluginName }) =>
      pluginName === undefined ? config.schemas() : config.schema(pluginName),
    ),
    method(rpc, 'schema:get-all', () => config.schemas()),
  ]
}

function textMethods(
  text: WholeText,
  pluginKeys: () => string[],
  isShared: boolean,
  notify: NotifySection,
): BoundMethod[] {
  const saved = (sections: readonly Section[]): { success: boolean; reloaded?: boolean; message: string } => {
    for (const { path, section } of sections) notify(path, section)
    return isShared
      ? { success: true, reloaded: true, message: 'Saved; takes effect on all hosts' }
      : { success: true, message: 'Saved; takes effect at the next start' }
  }
  return [
    method(rpc, 'config:get-yaml', async () => ({ ...(await text.read()), pluginKeys: pluginKeys() })),
    method(rpc, 'config:save-yaml', async ({ yaml, etag }, call) => saved(await text.save(yaml, etag, call))),
    method(rpc, 'config:versions', async () => ({ versions: await text.versions() })),
    method(rpc, 'config:version', async ({ id }) => ({ yaml: await text.version(id) })),
    method(rpc, 'config:restore', async ({ id }, call) => saved(await text.restore(id, call))),
  ]
}

function listMethods(list: PluginList, report: ResultOf): BoundMethod[] {
  return [
    method(rpc, 'config:enable', async ({ plugins, sections = {} }, call) =>
      report(await list.enable(plugins, sections, call)),
    ),
    method(rpc, 'config:disable', async ({ plugins }, call) => report(await list.disable(plugins, 'disable', call))),
    method(rpc, 'config:remove', async ({ plugins }, call) => report(await list.disable(plugins, 'remove', call))),
    method(rpc, 'config:installed', () => ({ plugins: [...list.unlisted()] })),
    method(rpc, 'config:describe', async ({ plugin }) => ({ sections: [...(await list.describe(plugin))] })),
  ]
}

function fileMethods(files: WorkspaceFiles, environment: EnvironmentFiles): BoundMethod[] {
  return [
    method(rpc, 'files:tree', async () => ({ tree: await files.tree() })),
    method(rpc, 'files:read', ({ filePath }) => files.read(filePath)),
    method(rpc, 'files:save', async ({ filePath, content, etag }) => {
      await files.save(filePath, content, etag)
      return { success: true, message: 'Saved' }
    }),
    method(rpc, 'files:download', ({ filePath }) => files.download(filePath)),
    method(rpc, 'files:upload', async ({ filePath, base64, replace }) => {
      await files.upload(filePath, base64, replace === true)
      return { success: true, message: 'Saved' }
    }),
    method(rpc, 'files:make-folder', async ({ folderPath }) => {
      await files.makeFolder(folderPath)
      return { success: true, message: 'Made' }
    }),
    method(rpc, 'files:move', async ({ from, to }) => {
      await files.move(from, to)
      return { success: true, message: 'Moved' }
    }),
    method(rpc, 'env:list', async () => ({ files: await environment.list() })),
    method(rpc, 'env:get', async ({ filename }) => {
      const content = await environment.get(filename)
      return { content, etag: etagOf(content) }
    }),
    method(rpc, 'env:save', async ({ filename, content, etag }) => {
      await environment.save(filename, content, etag)
      return { success: true }
    }),
  ]
}

function contribute(
  ctx: Pick<BaseContext<unknown>, 'contribute'>,
  bound: readonly Route[],
  methods: BoundMethod[],
): void {
  for (const one of bound) ctx.contribute(routes, one)
  for (const one of methods) ctx.contribute(rpcMethods, one)
}

export default definePlugin({
  name: 'workspace',
  description: 'Configuration with write-back, schemas, files and environment files',
  descriptions: { 'zh-CN': '可写回的配置、模式、文件与环境文件' },
  needs: {
    configuration: Configuration,
    paths: HostPaths,
    host: HostControl,
    shared: ifEnabled(SharedConfiguration),
    token: ifEnabled(AdminToken),
  },
  provides: [ConfigurationWriter],
  setup(ctx) {
    const root = realpathSync(ctx.configuration.root)
    const notify: NotifySection = (pluginName, section) =>
      ctx.emit(publish, event(events, 'config:updated', { pluginName, config: section ?? null }))
    const { configuration, shared, host, log } = ctx
    const versions = new ConfigVersions(join(ctx.paths.data, 'config-versions'), ctx.clock, log)
    const file = new ConfigFile(configuration, versions, shared)
    const queue = new SerialQueue()
    const config = new ConfigService({ configuration, file, log, queue, onReverted: notify, shared })
    const text = new WholeText({ configuration, file, versions, shared, host, queue })
    ctx.onDispose('versions of the configuration', () => versions.idle())
    void file.keep(configuration.text(), { from: 'start' })
    // The plugin has no section. A console that shows the file loads it again.
    const look = fileWatch(ctx, { configuration, file, text, onTurn: () => notify('workspace', null) })
    // Folders that other machines write report no changes, so the file is looked at.
    ctx.clock.setInterval(look, LOOK_EVERY_MS)
    const files = new WorkspaceFiles(new PathGuard(root, [ctx.paths.data, ctx.configuration.file]))
    const environment = new EnvironmentFiles(root, (file, content) => ctx.configuration.wrote(file, content))
    ctx.contribute(streamEvents, declare(events, 'config:updated'))
    // Changes made here are published when they have taken effect, others when the host has accepted them.
    ctx.on(exchanged, ({ text: exchangedText, before, now }) => {
      if (config.isOwn(exchangedText)) return
      void file.keep(exchangedText, { from: 'disk' })
      for (const { path, section } of config.changes(before, now)) notify(path, section)
    })
    const report = resultReporter(ctx.host, notify)
    const set: SetSection = async (name, data, call) => report(await config.set(name, data, call))
    ctx.provide(ConfigurationWriter, {
      async change(name, change) {
        const { path, config: section, applied } = await config.change(name, change)
        notify(path, section)
        return { applied }
      },
      async changePlugins(change) {
        const {
          path,
          config: section,
          applied,
        } = await config.changePath('plugins', (list) => change(Array.isArray(list) ? list : []))
        notify(path, section)
        return { applied }
      },
    })
    contribute(ctx, configRoutes(config, file, set), [
      ...configMethods(config, set),
      ...textMethods(text, () => [...new Set(Object.values(config.aliases()))].sort(), shared !== undefined, notify),
      ...listMethods(new PluginList(ctx.configuration, config), report),
      method(rpc, 'config:apply', () => config.reload(ctx.host, () => ctx.token?.reload())),
      ...fileMethods(files, environment),
    ])
  },
})
