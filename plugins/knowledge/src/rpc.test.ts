import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { definePlugin, HostPaths, type AnyPlugin } from '@mynah/kernel'
import { startHost, until } from '@mynah/kernel/testing'
import consoleRpc from '@mynah/plugin-console-rpc'
import database from '@mynah/plugin-database'
import { publish } from '@mynah/plugin-events/api'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import knowledge from './index.js'
import { newFolder, writeFiles } from './test/support.js'

const TOKEN = 'a-token-for-the-tests-of-knowledge'

interface Reply {
  readonly success: boolean
  readonly data: Record<string, unknown>
  readonly code?: string
}

async function run(root: string, bases: object) {
  const events: string[] = []
  const observer = definePlugin({
    name: 'observer',
    setup: (ctx) =>
      void ctx.on(
        publish,
        ({ type, data }) => void (type === 'knowledge:changed' && events.push(JSON.stringify(data))),
      ),
  })
  const plain = (plugin: unknown): AnyPlugin => plugin as AnyPlugin
  const { host } = await startHost(
    [
      { plugin: plain(observer) },
      { plugin: plain(httpCore), config: { port: 0, token: TOKEN } },
      { plugin: plain(consoleRpc) },
      { plugin: plain(database) },
      { plugin: plain(knowledge), config: { 'ai.knowledge': bases } },
    ],
    { services: [[HostPaths, { root, data: join(root, 'data') }]] as never },
  )
  const rpc = async (type: string, params: object = {}): Promise<Reply> => {
    const response = await fetch(`${host.get(Http)?.origin}/api/console/request`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...params, type }),
    })
    return { data: {}, ...((await response.json()) as object) } as Reply
  }
  return { host, rpc, events }
}

describe('the knowledge of a host, as the console uses it', () => {
  const cleanups: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const clean of cleanups.splice(0).reverse()) await clean()
  })
  async function start(files: Readonly<Record<string, string>>, bases: object) {
    const { path, remove } = await newFolder()
    cleanups.push(remove)
    await writeFiles(path, files)
    const running = await run(path, bases)
    cleanups.push(() => running.host.stop())
    return { ...running, path }
  }
  const files = async ({ rpc }: { rpc: (type: string, params?: object) => Promise<Reply> }, base: string) =>
    ((await rpc('knowledge:files', { base })).data['files'] ?? []) as { readonly path: string }[]

  const bases = async ({ rpc }: { rpc: (type: string, params?: object) => Promise<Reply> }) =>
    (await rpc('knowledge:list')).data['bases'] as { readonly pending: number }[]

  it('lists bases with their figures, and says what is missing', async () => {
    const host = await start(
      { 'docs/a.md': '# A\nplum' },
      { house: { paths: ['docs', 'gone'], roles: ['user'] }, box: {} },
    )
    await until(async () => (await files(host, 'house')).length === 1)
    // A document is listed a moment before it no longer waits.
    await until(async () => (await bases(host)).every(({ pending }) => pending === 0))
    expect({ bases: await bases(host) }).to.deep.equal({
      bases: [
        {
          name: 'house',
          paths: ['docs', 'gone'],
          roles: ['user'],
          files: 1,
          chunks: 1,
          pending: 0,
          missing: ['gone'],
          problems: [],
        },
        {
          name: 'box',
          paths: [],
          roles: ['trusted', 'master'],
          files: 0,
          chunks: 0,
          pending: 0,
          missing: [],
          problems: [],
        },
      ],
    })
    expect(host.events).to.include('{"base":"house"}')
  })

  it('shows what is found for a question, in one base or in all', async () => {
    const host = await start(
      { 'a/x.md': 'plum', 'b/y.md': 'plum' },
      { first: { paths: ['a'] }, second: { paths: ['b'] } },
    )
    await until(async () => (await files(host, 'first')).length + (await files(host, 'second')).length === 2)
    const found = async (params: object) => (await host.rpc('knowledge:search', params)).data['found'] as object[]
    expect(await found({ query: 'plum', base: 'second' })).to.deep.equal([
      { base: 'second', path: 'b/y.md', heading: '', text: 'plum' },
    ])
    expect((await found({ query: 'plum' })).length).to.equal(2)
    expect((await host.rpc('knowledge:search', { query: 'plum', base: 'third' })).code).to.equal('not_found')
  })

  it('takes an upload, pages through documents and removes it again', async () => {
    const host = await start({}, { box: {} })
    const send = (name: string, text: string) =>
      host.rpc('knowledge:upload', { base: 'box', name, base64: Buffer.from(text).toString('base64') })
    await until(async () => (await send('a.md', 'plum')).success)
    expect((await send('b.txt', 'pear')).data).to.deep.equal({ chunks: 1 })
    const first = (await host.rpc('knowledge:files', { base: 'box', limit: 1 })).data
    expect(first).to.include({ total: 2, nextAfter: 'a.md' })
    const second = (await host.rpc('knowledge:files', { base: 'box', limit: 1, after: 'a.md' })).data
    expect(second).to.not.have.property('nextAfter')
    expect((second['files'] as object[])[0]).to.include({ path: 'b.txt', origin: 'upload', size: 4, chunks: 1 })
    expect((await host.rpc('knowledge:remove', { base: 'box', path: 'a.md' })).data).to.deep.equal({ success: true })
    expect((await files(host, 'box')).map(({ path }) => path)).to.deep.equal(['b.txt'])
    expect((await host.rpc('knowledge:remove', { base: 'box', path: 'a.md' })).code).to.equal('not_found')
  })

  it('refuses uploads with a path, of no kind that is read, too large, or with the name of a file of a folder', async () => {
    const host = await start({ 'a.md': 'plum' }, { house: { paths: ['a.md'] } })
    await until(async () => (await files(host, 'house')).length === 1)
    const codeOf = async (name: string, text = 'x', base = 'house') =>
      (await host.rpc('knowledge:upload', { base, name, base64: Buffer.from(text).toString('base64') })).code
    expect(await codeOf('../x.md')).to.equal('unsupported')
    expect(await codeOf('x.exe')).to.equal('unsupported')
    expect(await codeOf('x.md', 'x'.repeat(4 * 1024 * 1024 + 1))).to.equal('too_large')
    expect(await codeOf('a.md')).to.equal('conflict')
    expect(await codeOf('x.md', 'x', 'other')).to.equal('not_found')
    expect((await host.rpc('knowledge:remove', { base: 'house', path: 'a.md' })).code).to.equal('unsupported')
  })

  it('names a document that could not be read', async () => {
    const host = await start({ 'docs/x.md': 'plum' }, { house: { paths: ['docs'] } })
    await writeFile(join(host.path, 'docs/x.pdf'), '%PDF-')
    await until(async () => (await files(host, 'house')).length === 2)
    const [base] = (await host.rpc('knowledge:list')).data['bases'] as { readonly problems: object[] }[]
    expect(base?.problems).to.deep.equal([{ path: 'docs/x.pdf', problem: 'the plugin agent does not run' }])
  })
})
