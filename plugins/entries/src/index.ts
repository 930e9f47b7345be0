import { consoleApi, WireError } from '@mynah/contract'
import { definePlugin, HostControl, messageOf } from '@mynah/kernel'
import { method, rpcMethods } from '@mynah/plugin-console-rpc/api'
import { dataChanged, snapshotChanged, streamSnapshots } from '@mynah/plugin-events/api'
import { route, routes } from '@mynah/plugin-http-core/api'
import { consoleEntries } from './api.js'
import { CompressionCache } from './compression-cache.js'
import { FileHashes } from './file-hashes.js'
import { filesOf, EntryList } from './entry-list.js'
import { locate } from './locate.js'
import { serveFile } from './serve-file.js'

const SNAPSHOT = 'entries'

export default definePlugin({
  name: 'entries',
  description: 'Console entries: listing and client modules of plugins',
  descriptions: { 'zh-CN': '控制台页面入口：列表与插件的前端模块' },
  version: '0.1.0',
  needs: { host: HostControl },
  async setup(ctx) {
    const sources = ctx.read(consoleEntries)
    const listing = new EntryList(sources, new FileHashes(), ctx.host, ctx.log, () =>
      ctx.emit(snapshotChanged, { key: SNAPSHOT }),
    )
    const refresh = (): void =>
      void listing
        .refresh()
        .catch((error: unknown) => ctx.log.error(`failed to refresh the list of console entries: ${messageOf(error)}`))
    sources.watch(refresh)
    // A page was built, which gives its module another hash.
    ctx.on(dataChanged, ({ what }) => {
      if (what === 'pages') refresh()
    })
    await listing.refresh()
    const compressed = new CompressionCache()

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
        if (!path) throw new WireError('not_found', 'No console entry has this file')
        await serveFile(path, call, compressed)
      }),
    )
  },
})
