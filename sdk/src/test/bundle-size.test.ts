import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { rolldown } from 'rolldown'

const KB = 1024
const SDK = new URL('../index.js', import.meta.url).pathname
const CALLS = 'createClient, probe, loadConnection, saveConnection, clearToken, readLink, HostError, NetworkError'

async function bundle(source: string): Promise<{ bytes: number; modules: string[] }> {
  const build = await rolldown({
    input: 'virtual:entry',
    platform: 'browser',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'sdk' ? SDK : id === 'virtual:entry' && id) || null,
        load: (id) => (id === 'virtual:entry' ? source : null),
      },
    ],
  })
  const {
    output: [chunk],
  } = await build.generate({ format: 'esm', minify: true })
  await build.close()
  return { bytes: gzipSync(chunk.code, { level: 9 }).length, modules: chunk.moduleIds }
}

describe('the size of the client', () => {
  it('is at most 6.5 KB for calls, connection, probe and events', async () => {
    expect((await bundle(`export { ${CALLS} } from 'sdk'`)).bytes).to.be.at.most(6.5 * KB)
  })

  it('is at most 10 KB with the loading of entries', async () => {
    expect((await bundle(`export * from 'sdk'`)).bytes).to.be.at.most(10 * KB)
  })

  it('includes no schema and no other package', async () => {
    const { modules } = await bundle(`export * from 'sdk'`)
    expect(modules.filter((id) => !/^virtual:|\/sdk\/dist\/|\/contract\/dist\/wire\.js$/.test(id))).to.deep.equal([])
  })
})
