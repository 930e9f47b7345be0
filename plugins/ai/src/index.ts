// The plugin `ai`: models of all configured providers behind one service, and the one door to the web.
import { Configuration, definePlugin, HostPaths, ref } from '@mynah/kernel'
import { method, rpcMethods } from '@mynah/plugin-console-rpc/api'
import { readinessChecks } from '@mynah/plugin-http-core/api'
import { metrics } from '@mynah/plugin-management/api'
import { budgetExceeded, Models, modelStateChanged, usageReported } from './api/models.js'
import { modelServers } from './api/model-servers.js'
import { Web } from './api/web.js'
import { AiConfig, mistakesIn, unreadKeys } from './config.js'
import { models as contract } from './contract.js'
import { modelMetrics } from './metrics.js'
import { ProviderTests } from './provider-tests.js'
import { AiModels } from './service.js'
import { lazyWeb } from './web/lazy-web.js'
import type { ProviderView } from './api/models.js'
import { optionDescriptions } from './option-descriptions.zh.js'

export default definePlugin({
  name: 'ai',
  description: 'Models of six provider families with fallback, the agent loop, tools',
  descriptions: { 'zh-CN': '模型、提供方与智能体循环' },
  optionDescriptions: { 'zh-CN': optionDescriptions },
  config: { key: 'ai', schema: AiConfig, check: mistakesIn },
  needs: { paths: ref(HostPaths), configuration: ref(Configuration) },
  provides: [Models, Web],
  async setup(ctx) {
    let { config } = ctx
    const web = lazyWeb({ allowHosts: () => config.web?.allowHosts ?? [], clock: ctx.clock, signal: ctx.signal })
    const servers = ctx.read(modelServers)
    const service = new AiModels({
      config,
      servers: () => servers.all().map(({ value }) => value),
      clock: ctx.clock,
      log: ctx.log,
      web,
      data: ctx.paths.current?.data,
      used: (report) => ctx.emit(usageReported, report),
      stateChanged: (change) => ctx.emit(modelStateChanged, change),
      budgetExceeded: (what) => ctx.emit(budgetExceeded, what),
    })
    ctx.onDispose('discoveries and the budget', () => service.close())
    servers.watch(() => service.configure(config))
    await service.start()

    const warn = (): void => {
      for (const key of unreadKeys(config))
        ctx.log.warn(
          key === 'defaultProvider'
            ? 'ai.defaultProvider was removed and has no effect: the order of ai.providers decides'
            : `ai.${key} is read by no plugin that is enabled`,
        )
    }
    warn()

    ctx.contribute(readinessChecks, {
      name: 'ai',
      check() {
        const reasons = service
          .list()
          .flatMap(({ alias, status, error }) => (status === 'failed' ? [error ?? alias] : []))
        return reasons.length ? { status: 'degraded', reason: reasons.join('; ') } : { status: 'ok' }
      },
    })
    for (const metric of modelMetrics(service)) ctx.contribute(metrics, metric)
    ctx.contribute(
      rpcMethods,
      method(contract.rpc, 'models:list', () => {
        service.refreshStale()
        return { providers: wire(service.list()) }
      }),
    )
    ctx.contribute(
      rpcMethods,
      method(contract.rpc, 'models:refresh', async () => ({ providers: wire(await service.refresh()) })),
    )
    const tests = new ProviderTests({
      clock: ctx.clock,
      log: ctx.log,
      web,
      signal: ctx.signal,
      configuration: ctx.configuration,
      used: (report) => ctx.emit(usageReported, report),
    })
    ctx.contribute(
      rpcMethods,
      method(contract.rpc, 'models:test', (params) => tests.run(params)),
    )
    ctx.provide(Web, web)
    ctx.provide(Models, service)
    return {
      update(next) {
        config = next
        service.configure(next)
        warn()
        return true
      },
    }
  },
})

const wire = (views: readonly ProviderView[]) =>
  views.map((view) => ({
    ...view,
    models: view.models.map(({ billions: _, omits, ...model }) => ({
      ...model,
      capabilities: { ...model.capabilities },
      ...(omits ? { omits: [...omits] } : {}),
    })),
  }))
