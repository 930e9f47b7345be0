import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import type { ConsoleEntry } from '@mynah/contract'
import { folder, list, pages, startEntries, TOKEN, type Running } from './test/support.js'

const MODULE = 'export function register() {}\n'
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

describe('EntryList', () => {
  let running: Running | undefined
  let temporary: Awaited<ReturnType<typeof folder>>
  let module: URL
  const environment = process.env.NODE_ENV
  beforeEach(async () => {
    temporary = await folder()
    await mkdir(join(temporary.path, 'dist'))
    const file = join(temporary.path, 'dist', 'index.js')
    await writeFile(file, MODULE)
    module = pathToFileURL(file)
  })
  afterEach(async () => {
    if (environment === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = environment
    await running?.host.stop()
    running = undefined
    await temporary.remove()
  })

  it('lists modules by content hash and order', async () => {
    running = await startEntries(
      pages(
        { id: 'late', module, order: 200, name: 'Late', version: '9.0.0' },
        { id: '@scope/plain', module },
        { id: 'off', module, order: 1, enabled: false },
      ),
    )
    const v = hashOf(MODULE)
    expect(await list(running.origin)).to.deep.equal([
      {
        id: 'off',
        resolvedModule: `/@dev/off/client/index.js?v=${v}`,
        order: 1,
        enabled: false,
        meta: { name: 'off', version: '4.5.6', plugin: 'pages' },
      },
      {
        id: '@scope/plain',
        resolvedModule: `/@dev/%40scope%2Fplain/client/index.js?v=${v}`,
        order: 100,
        enabled: true,
        meta: { name: '@scope/plain', version: '4.5.6', plugin: 'pages' },
      },
      {
        id: 'late',
        resolvedModule: `/@dev/late/client/index.js?v=${v}`,
        order: 200,
        enabled: true,
        meta: { name: 'Late', version: '9.0.0', plugin: 'pages' },
      },
    ])
    for (const { resolvedModule, enabled } of await list(running.origin)) {
      const answer = await fetch(running.origin + resolvedModule)
      expect(answer.status, resolvedModule).to.equal(enabled ? 200 : 404)
      if (enabled) expect(await answer.text()).to.equal(MODULE)
    }
  })

  it('reports the environment of the host', async () => {
    running = await startEntries()
    const hint = async (): Promise<unknown> =>
      ((await (await fetch(`${running?.origin}/entries`)).json()) as { runtimeEnvHint: unknown }).runtimeEnvHint
    for (const [value, expected] of [
      ['production', 'production'],
      ['test', 'development'],
      ['', 'development'],
    ] as const) {
      process.env.NODE_ENV = value
      expect(await hint()).to.equal(expected)
    }
  })

  it('is the same by RPC', async () => {
    running = await startEntries(pages({ id: 'page', module }))
    const answer = await fetch(`${running.origin}/api/console/request`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'entries:get', requestId: 7 }),
    })
    expect(await answer.json()).to.deep.equal({ success: true, requestId: 7, data: await list(running.origin) })
  })

  it('disables an entry without module and logs it once', async () => {
    running = await startEntries(
      pages(
        { id: 'unbuilt', module: pathToFileURL(join(temporary.path, 'nowhere.js')) },
        { id: 'remote', module: new URL('https://example.org/index.js') },
      ),
    )
    const [unbuilt, remote] = (await list(running.origin)) as [ConsoleEntry, ConsoleEntry]
    await list(running.origin)
    expect(unbuilt).to.include({ enabled: false, resolvedModule: '/@dev/unbuilt/client/index.js' })
    expect(remote).to.include({ enabled: false, resolvedModule: '/@dev/remote/client/index.js' })
    const warnings = running.log
      .filter(({ level, message }) => level === 'warn' && message.includes('console entry'))
      .map(({ message }) => message)
      .sort()
      .reverse()
    expect(warnings).to.have.length(2)
    expect(warnings[0]).to.contain('"unbuilt"').and.to.contain('does not exist')
    expect(warnings[1]).to.contain('"remote"').and.to.contain('is not a file')
  })

  it('changes the address of a changed module', async () => {
    running = await startEntries(pages({ id: 'page', module }))
    const [before] = (await list(running.origin)) as [ConsoleEntry]
    await writeFile(module, `${MODULE}// changed\n`)
    const [after] = (await list(running.origin)) as [ConsoleEntry]
    expect(after.resolvedModule)
      .to.equal(`/@dev/page/client/index.js?v=${hashOf(`${MODULE}// changed\n`)}`)
      .and.not.to.equal(before.resolvedModule)
  })

  it('is sent to every new stream and after each change', async () => {
    running = await startEntries()
    const answer = await fetch(`${running.origin}/api/events`, { headers: { authorization: `Bearer ${TOKEN}` } })
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
    let text = ''
    const synced = async (count: number): Promise<string[][]> => {
      for (;;) {
        const told = Array.from(text.matchAll(/^data: (\{"type":"sync".*)$/gm), ([, json]) =>
          (JSON.parse(json as string) as { data: { value: ConsoleEntry[] } }).data.value.map(({ id }) => id),
        )
        if (told.length >= count) return told
        text += new TextDecoder().decode((await reader.read()).value)
      }
    }
    expect(await synced(1)).to.deep.equal([[]])
    await running.host.add({ plugin: pages({ id: 'page', module }) as never })
    expect(await synced(2)).to.deep.equal([[], ['page']])
    await running.host.remove('pages')
    expect(await synced(3)).to.deep.equal([[], ['page'], []])
    await reader.cancel()
  })

  it('includes the manifest of a module and logs why one is invalid', async () => {
    running = await startEntries(pages({ id: 'page', module }))
    const write = (text: string) => writeFile(join(temporary.path, 'dist', 'manifest.json'), text)
    const manifest = {
      routes: [{ path: '/charts', name: { en: 'Charts', 'zh-CN': '图表' }, meta: { group: 'operate' } }],
      tools: [],
    }
    await write(JSON.stringify(manifest))
    expect((await list(running.origin))[0]?.meta.manifest).to.deep.equal(manifest)
    for (const [text, said] of [
      ['{', 'manifest.json: '],
      ['{"routes":[]}', 'tools is required'],
      ['x'.repeat(70_000), 'longer than'],
    ] as const) {
      await write(text)
      expect((await list(running.origin))[0]?.meta).to.not.have.property('manifest')
      expect(running.log.at(-1)?.message).to.contain(said)
    }
    const { length } = running.log
    await list(running.origin)
    expect(running.log).to.have.length(length)
    await write(JSON.stringify(manifest))
    expect((await list(running.origin))[0]?.meta.manifest).to.deep.equal(manifest)
  })
})
