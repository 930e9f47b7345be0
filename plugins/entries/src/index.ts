// The plugin: the list of console entries, and the files that the console loads for them.
import { consoleApi, WireError } from '@mynah/contract'
import { definePlugin, HostControl, messageOf } from '@mynah/kernel'
import { method, rpcMethods } from '@mynah/plugin-console-rpc/api'
import { snapshotChanged, streamSnapshots } from '@mynah/plugin-events/api'
import { route, routes } from '@mynah/plugin-http-core/api'
import { consoleEntries } from './api.js'
import { Compressed } from './compressed.js'
import { FileHashes } from './file-hashes.js'
import { filesOf, Listing } from './listing.js'
import { locate } from './locate.js'
import { serveFile } from './serve.js'

const SNAPSHOT = 'entries'

export default definePlugin({
  name: 'entries',
  description: 'Console entries: listing and client modules of plugins',
  descriptions: { 'zh-CN': '控制台页面入口：列表与插件的前端模块' },
  version: '0.1.0',
  needs: { host: HostControl },
  async setup(ctx) {
    const sources = ctx.read(consoleEntries)
    const listing = new Listing(sources, new FileHashes(), ctx.host, ctx.log, () =>
      ctx.emit(snapshotChanged, { key: SNAPSHOT }),
    )
    sources.watch(() => {
      listing
        .refresh()
        .catch((error: unknown) => ctx.log.error(`the list of console entries is out of date: ${messageOf(error)}`))
    })
    await listing.refresh()
    const compressed = new Compressed()

    ctx.contribute(streamSnapshots, { key: SNAPSHOT, value: () => listing.current, demo: true })
    ctx.contribute(
      rpcMethods,
      method(consoleApi.rpc, 'entries:get', async () => [...(await listing.refresh())]),
    )
    ctx.contribute(
      routes,
      route(consoleApi.rest, 'GET /entries', async () => ({
        entries: [...(await listing.refresh())],
        runtimeEnvHint: process.env.NODE_ENV === 'production' ? ('production' as const) : ('development' as const),
      })),
    )
    ctx.contribute(
      routes,
      route(consoleApi.rest, 'GET /@dev/:id/*path', async ({ params }, call) => {
        const source = sources.get(params.id)?.value
        const files = source && source.enabled !== false ? filesOf(source) : undefined
        const path = files && (await locate(files, params.path))
        if (!path) throw new WireError('not_found', 'No console entry has such a file')
        await serveFile(path, call, compressed)
      }),
    )
  },
})
