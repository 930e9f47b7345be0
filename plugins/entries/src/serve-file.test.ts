import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import fc from 'fast-check'
import type { ConsoleEntry } from '@mynah/contract'
import { ask, folder, list, ORIGIN, pages, startEntries, type Running } from './test/support.js'

const SECRET = 'this must stay secret'

describe('serveFile', () => {
  let running: Running
  let temporary: Awaited<ReturnType<typeof folder>>
  before(async () => {
    temporary = await folder()
    const at = (...parts: string[]): string => join(temporary.path, ...parts)
    await mkdir(at('dist', 'assets', '.hidden'), { recursive: true })
    await mkdir(at('dist-other'))
    await writeFile(at('secret.js'), SECRET)
    await writeFile(at('dist-other', 'secret.js'), SECRET)
    await writeFile(at('dist', '.env'), SECRET)
    await writeFile(at('dist', 'assets', '.hidden', 'secret.js'), SECRET)
    await writeFile(at('dist', 'main.js'), 'main')
    await writeFile(at('dist', 'assets', 'style.css'), 'a{}')
    await writeFile(at('dist', 'page.html'), '<script>1</script>')
    await symlink(at('secret.js'), at('dist', 'link.js'))
    await symlink(at('dist', '.env'), at('dist', 'env.js'))
    await symlink(at('dist', 'main.js'), at('dist', 'alias.js'))
    await symlink(temporary.path, at('dist', 'up'))
    running = await startEntries(pages({ id: 'page', module: pathToFileURL(at('dist', 'main.js')) }))
  })
  after(async () => {
    await running.host.stop()
    await temporary.remove()
  })

  it('serves files with their type, and the module under a fixed name', async () => {
    const module = await ask(running.origin, '/@dev/page/client/index.js')
    expect(module).to.include({ status: 200, text: 'main' })
    expect(module.headers['content-type']).to.equal('text/javascript; charset=utf-8')
    expect(module.headers['x-content-type-options']).to.equal('nosniff')
    expect(await ask(running.origin, '/@dev/page/client/main.js')).to.include({ status: 200, text: 'main' })
    expect(await ask(running.origin, '/@dev/page/client/alias.js')).to.include({ status: 200, text: 'main' })
    const style = await ask(running.origin, '/@dev/page/client/assets/style.css')
    expect(style).to.include({ status: 200, text: 'a{}' })
    expect(style.headers['content-type']).to.equal('text/css; charset=utf-8')
    expect((await ask(running.origin, '/@dev/page/client/page.html')).headers['content-type']).to.equal(
      'application/octet-stream',
    )
  })

  it('allows permanent caching under the version and revalidation otherwise', async () => {
    const [{ resolvedModule }] = (await list(running.origin)) as [ConsoleEntry]
    const named = await ask(running.origin, resolvedModule)
    expect(named.headers['cache-control']).to.equal('public, max-age=31536000, immutable')
    for (const path of ['/@dev/page/client/index.js', '/@dev/page/client/index.js?v=other']) {
      const other = await ask(running.origin, path)
      expect(other).to.include({ status: 200, text: 'main' })
      expect(other.headers['cache-control']).to.equal('no-cache')
    }
    const etag = named.headers.etag as string
    expect(await ask(running.origin, resolvedModule, { 'if-none-match': etag })).to.include({ status: 304, text: '' })
    expect(await ask(running.origin, resolvedModule, { 'if-none-match': '"other"' })).to.include({
      status: 200,
      text: 'main',
    })
  })

  it('allows pages of configured origins', async () => {
    const allowed = await ask(running.origin, '/@dev/page/client/index.js', { origin: ORIGIN })
    expect(allowed.headers['access-control-allow-origin']).to.equal(ORIGIN)
    const other = await ask(running.origin, '/@dev/page/client/index.js', { origin: 'http://elsewhere.example' })
    expect(other.headers).to.not.have.property('access-control-allow-origin')
  })

  for (const path of [
    '/@dev/page/client/../secret.js',
    '/@dev/page/client/%2e%2e/secret.js',
    '/@dev/page/client/..%2fsecret.js',
    '/@dev/page/client/%252e%252e/secret.js',
    '/@dev/page/client/..%5csecret.js',
    '/@dev/page/client/..\\secret.js',
    '/@dev/page/../page/client/../../secret.js',
    '/@dev/page/client/../dist-other/secret.js',
    '/@dev/page/client/link.js',
    '/@dev/page/client/env.js',
    '/@dev/page/client/up/secret.js',
    '/@dev/page/client/.env',
    '/@dev/page/client/assets/.hidden/secret.js',
    '/@dev/page/client/assets',
    '/@dev/page/client/',
    '/@dev/page/client',
    '/@dev/page/main.js',
    '/@dev/page/client/main.js%00.css',
    '/@dev/page/client//main.js',
    '/@dev/other/client/index.js',
    '/@dev/__proto__/client/index.js',
    '/@dev/page/client/%E0%A4%A',
    `/@dev/page/client/${'a'.repeat(3_000)}.js`,
  ]) {
    it(`rejects ${path.slice(0, 60)}`, async () => {
      const answer = await ask(running.origin, path)
      expect(answer.status).to.be.oneOf([400, 404])
      expect(answer.text).to.not.contain(SECRET).and.not.contain(temporary.path)
    })
  }

  it('serves nothing else for any path', async () => {
    const part = fc.constantFrom(
      '..',
      '.',
      '%2e',
      '%2e%2e',
      '%2f',
      '/',
      '\\',
      '%5c',
      'secret.js',
      'dist',
      'dist-other',
      'client',
      'up',
      'assets',
      '.env',
      '%00',
      '~',
      'main.js',
      '.hidden',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (parts) => {
        const answer = await ask(running.origin, `/@dev/page/client/${parts.join('/')}`)
        expect(answer.status).to.be.oneOf([200, 400, 404])
        expect(answer.text).to.not.contain(SECRET)
      }),
      { numRuns: 300 },
    )
  })
})
