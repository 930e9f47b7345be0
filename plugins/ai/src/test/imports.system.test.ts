import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect } from 'chai'

const inside = (code: string): string =>
  execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: import.meta.dirname, encoding: 'utf8' })
const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

describe('imports of the plugin', () => {
  it('load a provider and the validator only when they are used', () => {
    const loaded = inside(`
      await import('@mynah/plugin-ai'); await import('@mynah/plugin-ai/api')
      const { createRequire } = await import('node:module')
      const cached = Object.keys(createRequire(import.meta.url).cache)
      process.stdout.write(JSON.stringify([...cached, ...process.moduleLoadList]))`)
    for (const name of ['@ai-sdk', 'ollama-ai-provider', '/zod/', '/re2js/']) expect(loaded, name).not.to.contain(name)
  })

  it('load few modules', () => {
    // The kernel and the plugins that it needs are there in every host; what the plugin adds to them is counted.
    const added = JSON.parse(
      inside(`
      import { Session } from 'node:inspector'
      await Promise.all(['@mynah/kernel', '@mynah/contract', '@mynah/contract/type', '@mynah/plugin-management/api',
        '@mynah/plugin-http-core/api', '@mynah/plugin-console-rpc/api'].map((name) => import(name)))
      const session = new Session()
      session.connect()
      const modules = new Map()
      session.on('Debugger.scriptParsed', ({ params }) => modules.set(params.url, params.length))
      session.post('Debugger.enable')
      const before = new Set(modules.keys())
      await import('@mynah/plugin-ai')
      const added = [...modules].filter(([url]) => url.startsWith('file:') && !before.has(url))
      process.stdout.write(JSON.stringify(added))`),
    ) as [url: string, characters: number][]
    expect(added.length).to.be.within(10, 160)
    expect(added.reduce((sum, [, characters]) => sum + characters, 0)).to.be.lessThan(600_000)
  })

  it('name a missing package', async () => {
    const { loadPackage } = await import('../providers/load.js')
    const error = await loadPackage('@ai-sdk/openai', () => import('@ai-sdk/not-there' as string)).catch(
      (thrown: Error) => thrown,
    )
    expect(error).to.deep.include({ class: 'not-installed' })
    const missing = await loadPackage('not-there-at-all', () => import('not-there-at-all' as string)).catch(
      (thrown: Error) => thrown,
    )
    expect((missing as Error).message).to.equal(
      'The package not-there-at-all is not installed; add it with: npm install not-there-at-all',
    )
  })

  it('are optional for packages of one family', () => {
    const { peerDependencies, peerDependenciesMeta, dependencies } = manifest
    for (const name of [
      '@ai-sdk/openai',
      '@ai-sdk/anthropic',
      '@ai-sdk/google',
      '@ai-sdk/deepseek',
      '@ai-sdk/openai-compatible',
      'ollama-ai-provider-v2',
    ]) {
      expect(peerDependencies).to.have.property(name)
      expect(peerDependenciesMeta[name]).to.deep.equal({ optional: true })
      expect(dependencies).not.to.have.property(name)
    }
  })
})
