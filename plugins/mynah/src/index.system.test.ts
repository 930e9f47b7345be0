// The façade: complete, light, and honest about what is not installed.
import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import * as mynah from './index.js'

describe('package mynah', () => {
  it('exports the authoring API and every point', () => {
    for (const name of [
      'definePlugin',
      'defineCommand',
      'defineAdapter',
      'service',
      'point',
      'hook',
      'ref',
      'ifEnabled',
      'NotReady',
      'contract',
      'WireError',
      'route',
      'method',
      'event',
      'declare',
      'Type',
    ]) {
      expect(mynah, name).to.have.property(name)
    }
    for (const name of [
      'routes',
      'rpcMethods',
      'streamEvents',
      'streamSnapshots',
      'consoleEntries',
      'commands',
      'adapters',
      'middlewares',
      'components',
    ] as const) {
      expect(mynah[name], name).to.include({ kind: 'point' })
    }
  })

  it('loads no server and no database', async () => {
    const program = `
      await import(${JSON.stringify(new URL('./index.js', import.meta.url).href)})
      const { createRequire } = await import('node:module')
      console.log(JSON.stringify(Object.keys(createRequire(${JSON.stringify(import.meta.url)}).cache)))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
    for (const heavy of ['koa', 'typeorm', 'sqlite3', 'ajv', 'tsyringe'])
      expect(stdout).not.to.contain(`node_modules/${heavy}/`)
  })

  it('exports models, the agent loop and tools if their package is installed', async () => {
    const ai = await import('./ai.js')
    for (const name of [
      'ModelRegistry',
      'agentLoop',
      'defineTool',
      'Models',
      'Web',
      'tools',
      'usageReported',
      'ModelError',
      'toolResult',
    ] as const)
      expect(ai[name], name).not.to.equal(undefined)
    const registry: import('./ai.js').ModelRegistry = new ai.ModelRegistry({
      providers: { it: { sdk: 'ollama', models: ['qwen3:8b'] } },
    })
    expect(registry.get('it')?.models[0]?.score).to.be.greaterThan(60)
  })

  it('names the missing package of an optional export', async () => {
    const { optional } = await import('./optional.js')
    let message = ''
    await optional('@mynah/plugin-nonesuch').catch((error: Error) => {
      message = error.message
    })
    expect(message).to.equal(
      'The package @mynah/plugin-nonesuch is not installed; add it with: npm install @mynah/plugin-nonesuch',
    )
  })
})
