// The façade: complete, light, and honest about what is not installed.
import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import * as mynah from '../index.js'

describe('the package "mynah"', () => {
  it('exports the authoring API and every point', () => {
    for (const name of ['definePlugin', 'defineCommand', 'defineAdapter', 'service', 'point', 'hook', 'late', 'ifEnabled', 'NotReady', 'contract', 'WireError', 'route', 'method', 'event', 'declare', 'Type']) {
      expect(mynah, name).to.have.property(name)
    }
    for (const name of ['routes', 'rpcMethods', 'streamEvents', 'streamSnapshots', 'consoleEntries', 'commands', 'adapters', 'middlewares', 'components'] as const) {
      expect(mynah[name], name).to.include({ kind: 'point' })
    }
  })

  it('loads no server and no database', async () => {
    const program = `await import(${JSON.stringify(new URL('../index.js', import.meta.url).href)}); const { createRequire } = await import('node:module'); console.log(JSON.stringify(Object.keys(createRequire(${JSON.stringify(import.meta.url)}).cache)))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
    for (const heavy of ['koa', 'typeorm', 'sqlite3', 'ajv', 'tsyringe']) expect(stdout).not.to.contain(`node_modules/${heavy}/`)
  })

  it('names the package to install for what is optional', async () => {
    const { optional } = await import('../optional.js')
    let message = ''
    await optional('@mynah/plugin-nonesuch').catch((error: Error) => { message = error.message })
    expect(message).to.equal('The package @mynah/plugin-nonesuch is not installed; add it with: npm install @mynah/plugin-nonesuch')
  })
})
