// The workspace: configuration with write-back, schemas, files and environment files.
import { Configuration, definePlugin, HostPaths } from '@mynah/kernel'
import { configuration as contract } from '@mynah/contract'
import { method, rpcMethods } from '@mynah/plugin-console-rpc/api'
import { declare, event, publish, streamEvents } from '@mynah/plugin-events/api'
import { route, routes } from '@mynah/plugin-http-core/api'
import { ConfigService } from './config/service.js'
import { EnvironmentFiles } from './files/environment.js'
import { Guard } from './files/guard.js'
import { Files } from './files/store.js'
import { realpathSync } from 'node:fs'

export default definePlugin({
  name: 'workspace',
  description: 'Configuration with write-back, schemas, files and environment files',
  needs: { configuration: Configuration, paths: HostPaths },
  setup(ctx) {
    const root = realpathSync(ctx.configuration.root)
    const config = new ConfigService(ctx.configuration, ctx.log)
    const files = new Files(new Guard(root, [ctx.paths.data, ctx.configuration.file, realpathSync(ctx.configuration.file)]))
    const environment = new EnvironmentFiles(root, (file, content) => ctx.configuration.wrote(file, content))
    const { rest, rpc, events } = contract
    ctx.contribute(streamEvents, declare(events, 'config:updated'))

    const set = async (name: string, data: unknown): Promise<{ success: boolean; reloaded: boolean; message: string }> => {
      const { path, config: section, applied } = await config.set(name, data)
      ctx.emit(publish, event(events, 'config:updated', { pluginName: name, config: section ?? null }))
      return { success: true, reloaded: true, message: applied ? `${path} is saved and in effect` : `${path} is saved and takes effect now` }
    }
    const view = async (name: string): Promise<unknown> => (name === 'app' ? config.all() : { name, filePath: config.fileName, config: await config.written(name) })

    ctx.contribute(routes, route(rest, 'GET /config', () => config.all()))
    ctx.contribute(routes, route(rest, 'GET /config/:name', ({ params }) => view(params.name)))
    ctx.contribute(routes, route(rest, 'POST /config/:name', ({ params, body }) => set(params.name, body)))
    ctx.contribute(routes, route(rest, 'GET /schemas', () => config.schemas()))
    ctx.contribute(routes, route(rest, 'GET /schemas/:name', ({ params }) => config.schema(params.name)))

    ctx.contribute(rpcMethods, method(rpc, 'config:get', async ({ pluginName }) => (pluginName === undefined ? config.all() : (await config.section(pluginName)) ?? null)))
    ctx.contribute(rpcMethods, method(rpc, 'config:get-all', async () => ({ config: await config.all(), aliases: config.aliases() })))
    ctx.contribute(rpcMethods, method(rpc, 'config:set', ({ pluginName, data }) => set(pluginName, data)))
    ctx.contribute(rpcMethods, method(rpc, 'config:get-yaml', async () => ({ yaml: await config.yaml(), pluginKeys: [...new Set(Object.values(config.aliases()))].sort() })))
    ctx.contribute(rpcMethods, method(rpc, 'config:save-yaml', async ({ yaml }) => {
      await config.save(yaml)
      return { success: true, message: 'Saved; takes effect at the next start' }
    }))
    ctx.contribute(rpcMethods, method(rpc, 'schema:get', ({ pluginName }) => (pluginName === undefined ? config.schemas() : config.schema(pluginName))))
    ctx.contribute(rpcMethods, method(rpc, 'schema:get-all', () => config.schemas()))

    ctx.contribute(rpcMethods, method(rpc, 'files:tree', async () => ({ tree: await files.tree() })))
    ctx.contribute(rpcMethods, method(rpc, 'files:read', ({ filePath }) => files.read(filePath)))
    ctx.contribute(rpcMethods, method(rpc, 'files:save', async ({ filePath, content, etag }) => {
      await files.save(filePath, content, etag)
      return { success: true, message: 'Saved' }
    }))
    ctx.contribute(rpcMethods, method(rpc, 'env:list', async () => ({ files: await environment.list() })))
    ctx.contribute(rpcMethods, method(rpc, 'env:get', async ({ filename }) => ({ content: await environment.get(filename) })))
    ctx.contribute(rpcMethods, method(rpc, 'env:save', async ({ filename, content }) => {
      await environment.save(filename, content)
      return { success: true }
    }))
  },
})
