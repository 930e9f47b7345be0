import { resolve } from 'node:path'
import { Cluster, definePlugin, HOUSE, HostPaths, ifEnabled, ref } from '@mynah/kernel'
import { Database, databaseChanged, entities } from '@mynah/database-api'
import { Documents } from '@mynah/plugin-agent/api'
import { toolPolicies, tools } from '@mynah/plugin-ai/api'
import { rpcMethods } from '@mynah/plugin-console-rpc/api'
import { declare, event, publish, streamEvents } from '@mynah/plugin-events/api'
import { claims, type Config } from './config.js'
import { knowledge as contract } from './contract.js'
import { rootsOf } from './folders.js'
import { Knowledge } from './knowledge.js'
import { optionDescriptions } from './option-descriptions.zh.js'
import { knowledgeMethods } from './rpc.js'
import { Chunks, Files } from './tables.js'
import { searchPolicy, searchTool } from './tool.js'

/** Returns what of the configuration decides which documents are read. */
const pathsIn = (config: Config): string =>
  JSON.stringify(Object.entries(config['ai.knowledge']).map(([name, { paths = [] }]) => [name, paths]))

export default definePlugin({
  name: 'knowledge',
  description: 'Documents of folders and uploads, which the agent searches',
  descriptions: { 'zh-CN': '文件夹与上传的文档，供智能体搜索' },
  optionDescriptions: { 'zh-CN': optionDescriptions },
  config: claims,
  needs: { paths: ref(HostPaths), database: Database, documents: ref(Documents), cluster: ifEnabled(Cluster) },
  setup(ctx) {
    const { database, documents, log, clock, cluster } = ctx
    let { config } = ctx
    const current = (): Config => config
    const root = ctx.paths.current?.root ?? resolve('.')
    for (const table of [Files, Chunks]) ctx.contribute(entities, table)
    ctx.contribute(streamEvents, declare(contract.events, 'knowledge:changed'))
    const bases = Object.entries(config['ai.knowledge'])
    const knowledge = new Knowledge(
      bases.flatMap(([name, { paths = [] }]) => rootsOf(name, paths, root)),
      {
        database,
        documents,
        log,
        now: () => clock.now(),
        changed: (base) => ctx.emit(publish, event(contract.events, 'knowledge:changed', { base })),
      },
    )
    for (const bound of knowledgeMethods(knowledge, database, current)) ctx.contribute(rpcMethods, bound)
    if (bases.length > 0) {
      ctx.contribute(tools, searchTool(database, current))
      ctx.contribute(toolPolicies, searchPolicy(current))
    }
    ctx.onDispose('documents', () => knowledge.stop())
    if (cluster) {
      const work = { start: () => knowledge.start(), stop: () => knowledge.stop() }
      ctx.onDispose('work', cluster.run(HOUSE, work))
    } else knowledge.start()
    ctx.on(databaseChanged, ({ available }) => {
      if (available) knowledge.resume()
    })
    return {
      update(next) {
        if (pathsIn(next) !== pathsIn(config)) return false
        config = next
        return true
      },
    }
  },
})
