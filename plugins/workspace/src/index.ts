// The workspace: configuration with write-back, schemas, files and environment files.
import { Configuration, definePlugin, exchanged, HostControl, HostPaths } from '@mynah/kernel'
import { configuration as contract } from '@mynah/contract'
import { method, rpcMethods } from '@mynah/plugin-console-rpc/api'
import { declare, event, publish, streamEvents } from '@mynah/plugin-events/api'
import { route, routes, type Call } from '@mynah/plugin-http-core/api'
import { ConfigService } from './config/service.js'
import { EnvironmentFiles } from './files/environment.js'
import { Guard } from './files/guard.js'
import { Files } from './files/store.js'
import { realpathSync } from 'node:fs'

export default definePlugin({
  name: 'workspace',
  description: 'Configuration with write-back, schemas, files and environment files',
  descriptions: { 'zh-CN': '可写回的配置、模式、文件与环境文件' },
  needs: { configuration: Configuration, paths: HostPaths, host: HostControl },
  setup(ctx) {
    const root = realpathSync(ctx.configuration.root)
    const config = new ConfigService(ctx.configuration, ctx.log, (path, section) => updated(path, section))
    const files = new Files(
      new Guard(root, [ctx.paths.data, ctx.configuration.file, realpathSync(ctx.configuration.file)]),
    )
    const environment = new EnvironmentFiles(root, (file, content) => ctx.configuration.wrote(file, content))
    const { rest, rpc, events } = contract
    const updated = (pluginName: string, section: unknown): void =>
      ctx.emit(publish, event(events, 'config:updated', { pluginName, config: section ?? null }))
    /** Those whose change has not come to rest. */
    const moving = (): string[] =>
      ctx.host
        .inspect()
        .filter(({ state }) => state === 'starting' || state === 'stopping')
        .map(({ name }) => name)
    ctx.contribute(streamEvents, declare(events, 'config:updated'))
    // What is written here is told when it has come to rest; anything else when the host has taken it.
    ctx.on(exchanged, ({ text, before, now }) => {
      if (!config.isOwn(text)) for (const { path, section } of config.changes(before, now)) updated(path, section)
    })

    const set = async (
      name: string,
      data: unknown,
      { origin }: Pick<Call, 'origin'>,
    ): Promise<{ success: boolean; reloaded: boolean; message: string }> => {
      const { path, config: section, applied } = await config.set(name, data, origin)
      updated(name, section)
      if (applied) return { success: true, reloaded: true, message: `${path} is saved and in effect` }
      // The server cannot be waited for by those whom it answers.
      if (path === 'http') return { success: true, reloaded: true, message: `${path} is saved and takes effect now` }
      const names = moving()
      return {
        success: true,
        reloaded: false,
        message: `${path} is saved; ${names.length ? `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} still starting` : 'it has not come to rest yet'}`,
      }
    }
    const view = async (name: string): Promise<unknown> =>
      name === 'app' ? config.all() : { name, filePath: config.fileName, config: await config.written(name) }

    ctx.contribute(
      routes,
      route(rest, 'GET /config', () => config.all()),
    )
    ctx.contribute(
      routes,
      route(rest, 'GET /config/:name', ({ params }) => view(params.name)),
    )
    ctx.contribute(
      routes,
      route(rest, 'POST /config/:name', ({ params, body }, call) => set(params.name, body, call)),
    )
    ctx.contribute(
      routes,
      route(rest, 'GET /schemas', () => config.schemas()),
    )
    ctx.contribute(
      routes,
      route(rest, 'GET /schemas/:name', ({ params }) => config.schema(params.name)),
    )

    ctx.contribute(
      rpcMethods,
      method(rpc, 'config:get', async ({ pluginName }) =>
        pluginName === undefined ? config.all() : ((await config.section(pluginName)) ?? null),
      ),
    )
    ctx.contribute(
      rpcMethods,
      method(rpc, 'config:get-all', async () => ({ config: await config.all(), aliases: config.aliases() })),
    )
    ctx.contribute(
      rpcMethods,
      method(rpc, 'config:set', ({ pluginName, data }, call) => set(pluginName, data, call)),
    )
    ctx.contribute(
      rpcMethods,
      method(rpc, 'config:get-yaml', async () => ({
        yaml: await config.yaml(),
        pluginKeys: [...new Set(Object.values(config.aliases()))].sort(),
      })),
    )
    ctx.contribute(
      rpcMethods,
      method(rpc, 'config:save-yaml', async ({ yaml }, { origin }) => {
        for (const { path, section } of await config.save(yaml, origin)) updated(path, section)
        return { success: true, message: 'Saved; takes effect at the next start' }
      }),
    )
    ctx.contribute(
      rpcMethods,
      method(rpc, 'schema:get', ({ pluginName }) =>
        pluginName === undefined ? config.schemas() : config.schema(pluginName),
      ),
    )
    ctx.contribute(
      rpcMethods,
      method(rpc, 'schema:get-all', () => config.schemas()),
    )

    ctx.contribute(
      rpcMethods,
      method(rpc, 'files:tree', async () => ({ tree: await files.tree() })),
    )
    ctx.contribute(
      rpcMethods,
      method(rpc, 'files:read', ({ filePath }) => files.read(filePath)),
    )
    ctx.contribute(
      rpcMethods,
      method(rpc, 'files:save', async ({ filePath, content, etag }) => {
        await files.save(filePath, content, etag)
        return { success: true, message: 'Saved' }
      }),
    )
    ctx.contribute(
      rpcMethods,
      method(rpc, 'env:list', async () => ({ files: await environment.list() })),
    )
    ctx.contribute(
      rpcMethods,
      method(rpc, 'env:get', async ({ filename }) => ({ content: await environment.get(filename) })),
    )
    ctx.contribute(
      rpcMethods,
      method(rpc, 'env:save', async ({ filename, content }) => {
        await environment.save(filename, content)
        return { success: true }
      }),
    )
  },
})
