import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { expect } from 'chai'
import { Agent } from '@mynah/plugin-agent/api'
import { Approvals } from '@mynah/plugin-exec-security/api'
import { calling, eachTest, results, skill, until } from './test/support.js'

describe('install_skill', () => {
  const hosts = eachTest()
  let server: Server
  let text = ''
  let url = ''
  beforeEach(async () => {
    text = skill('tea', 'Brews green tea')
    server = createServer((_request, response) => response.end(text))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/SKILL.md`
  })
  afterEach(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  )
  const installed = (root: string): Promise<string | undefined> =>
    readFile(join(root, 'skills/tea/SKILL.md'), 'utf8').catch(() => undefined)

  it('shows the hash, writes the confirmed bytes, and offers the skill at once', async () => {
    const { host, models } = await hosts.start(
      (_request, index) =>
        [
          { calls: [{ name: 'install_skill', input: { url } }] },
          { calls: [{ name: 'activate_skill', input: { name: 'tea' } }] },
          'done',
        ][index] ?? '',
    )
    const answer = host.say('install it', 'owner')
    await until(() => host.texts.length === 1)
    expect(host.texts[0]).to.include(createHash('sha256').update(text).digest('hex')).and.include('Brews green tea')
    await host.hear('1', 'owner')
    await answer
    expect(await installed(host.root)).to.equal(text)
    expect(results(models.requests[2]).at(-1)).to.equal('How to tea.')
  })

  for (const [words, writes] of [
    ['2', false],
    ['no', false],
    ['不要', false],
    ['maybe', false],
    ['yes', true],
    ['Yes.', true],
    ['好的', true],
  ] as const) {
    it(`writes ${writes ? 'the skill' : 'nothing'} after the answer "${words}"`, async () => {
      const { host, models } = await hosts.start(calling('install_skill', { url }))
      const answer = host.say('install it', 'owner')
      await until(() => host.texts.length === 1)
      await host.hear(words, 'owner')
      await answer
      expect(results(models.requests[1])[0]).to.include(writes ? 'is installed' : 'nothing is installed')
      expect(await installed(host.root)).to.equal(writes ? text : undefined)
    })
  }

  it('is an approval of the kind skill where there are approvals, bound to the bytes', async () => {
    const { host, models } = await hosts.start(calling('install_skill', { url }), { approvals: true })
    const answer = host.say('install it', 'owner')
    await until(async () => (await host.host.get(Approvals)?.pending())?.length === 1)
    const [request] = (await host.host.get(Approvals)?.pending()) ?? []
    expect(request).to.deep.include({ kind: 'skill', status: 'pending' })
    expect(request?.title).to.match(/^Install the skill "tea" from http/)
    expect(await installed(host.root)).to.equal(undefined)
    await host.host.get(Approvals)?.decide(request?.id ?? '', true, 'console')
    await answer
    expect(results(models.requests[1])[0]).to.include('is installed')
    expect(await installed(host.root)).to.equal(text)
  })

  it('installs nothing that the owner refuses', async () => {
    const { host, models } = await hosts.start(calling('install_skill', { url }), { approvals: true })
    const answer = host.say('install it', 'owner')
    await until(async () => (await host.host.get(Approvals)?.pending())?.length === 1)
    const [request] = (await host.host.get(Approvals)?.pending()) ?? []
    await host.host.get(Approvals)?.decide(request?.id ?? '', false, 'owner')
    await answer
    expect(results(models.requests[1])[0]).to.include('nothing is installed')
    expect(await installed(host.root)).to.equal(undefined)
  })

  it('requires the role master', async () => {
    const { host, models } = await hosts.start(calling('install_skill', { url }))
    await host.say('install it', 'tess')
    expect(results(models.requests[1])[0]).to.include('needs one of master')
  })

  it('refuses a document that is no skill, and a name that is a path', async () => {
    for (const wrong of ['<html>', skill('../../evil', 'Escapes')]) {
      text = wrong
      const { host, models } = await hosts.start(calling('install_skill', { url }))
      await host.say('install it', 'owner')
      expect(results(models.requests[1])[0]).to.include('That is no skill')
    }
  })

  it('replaces a skill of the same name in any case of letters', async () => {
    const { host } = await hosts.start(calling('install_skill', { url }), {
      files: { 'skills/Tea/SKILL.md': skill('Tea', 'The old one') },
    })
    const answer = host.say('install it', 'owner')
    await until(() => host.texts.length === 1)
    expect(host.texts[0]).to.match(/^Replace the skill/)
    await host.hear('1', 'owner')
    await answer
    expect(await readFile(join(host.root, 'skills/Tea/SKILL.md'), 'utf8')).to.equal(text)
  })

  for (const answer of ['words of the choice', 'yes'])
    it(`does not apply the ${answer} to bytes that changed during a restart`, async () => {
      const first = await hosts.start(calling('install_skill', { url }), { database: true })
      await first.host.hear('install it', 'owner')
      await until(() => first.host.texts.length === 1)
      const yes = answer === 'yes' ? answer : (/Install [0-9a-f]{16}/.exec(first.host.texts[0] ?? '')?.[0] ?? '')
      const root = await hosts.crash(first)
      text = skill('tea', 'Does harm')
      const second = await hosts.start(['done after all'], { database: true, root })
      await until(() => second.host.host.get(Agent)?.turns()[0]?.state === 'waiting')
      await second.host.hear(yes, 'owner')
      await until(() => second.host.texts.includes('done after all'))
      expect(results(second.models.requests[0])[0]).to.include('nothing is installed')
      expect(await installed(root)).to.equal(undefined)
    })
})
