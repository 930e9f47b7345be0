import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { checkFile } from '@mynah/kernel/loader'
import { ModelServer } from './model-server.js'
import { say, type Where } from './sandbox-talk.js'
import { WholeHost } from './whole-host.js'

describe('Agents with chats of their own', () => {
  let host: WholeHost
  let server: ModelServer
  before(async function () {
    this.timeout(60_000)
    server = await ModelServer.start(({ model }) => `${model} here`)
    host = await WholeHost.start(`ai:
  providers: { play: { sdk: openai-compatible, baseUrl: "${server.url}", apiKey: none, models: [plain, adas, bobs] } }
  agents:
    main: { provider: play, model: plain }
    ada: { provider: play, model: adas, match: { channel: [lobby] } }
    bob: { provider: play, model: bobs, match: { channel: [lobby] } }
`)
  })
  after(async () => {
    await host.close()
    await server.stop()
  })

  const lobby: Where = { channel: { type: 'group', id: 'lobby' }, user: 'carol' }
  const lastWords = (): string => JSON.stringify(server.asked.at(-1)?.messages)

  it('answer when they are named, and know after a restart what each has heard', async function () {
    this.timeout(120_000)
    expect(await say(host, 'Ada, my number is 41', lobby)).to.deep.equal(['adas here'])
    expect(await say(host, 'bob: my number is 52', lobby)).to.deep.equal(['bobs here'])
    await host.restart()
    expect(await say(host, '@ADA which number?', lobby)).to.deep.equal(['adas here'])
    expect(lastWords()).to.include('number is 41').and.not.include('number is 52')
    expect(await say(host, 'hello', { user: 'carol' })).to.deep.equal(['plain here'])
    expect(await say(host, '/model bobs ada', { ...lobby, user: 'alice' })).to.match(/play:bobs/)
    expect(await say(host, 'ada, hello', lobby)).to.deep.equal(['bobs here'])
  })

  it('have sessions of their own in the console', async () => {
    const { json } = await host.rpc('agent:sessions', { filter: 'lobby' })
    const { sessions } = json['data'] as { sessions: { sessionKey: string; title: string }[] }
    expect(sessions.map(({ sessionKey }) => sessionKey)).to.have.members([
      'sandbox|sandbox|group|lobby|ada',
      'sandbox|sandbox|group|lobby|bob',
    ])
    expect(sessions.map(({ title }) => title).join()).to.include('(ada)')
  })

  it('are reported with file, line and key where it is open which one answers', async () => {
    const text = await readFile(host.file, 'utf8')
    const lines = text.split('\n')
    const problems = await checkFile(host.file)
    const found = problems.filter(({ code }) => code === 'config/doubtful')
    expect(found.map(({ severity, place }) => [severity, place?.line])).to.deep.equal([
      ['warning', lines.findIndex((line) => line.includes('bob: {')) + 1],
    ])
    expect(found[0]?.place?.file).to.include('mynah.config.yml')
    expect(found[0]?.message).to.match(/^ai\.agents\.bob\.match fits the same messages as ada/)
  })

  it('with a hostile name are refused', async () => {
    const file = join(host.folder, 'hostile.config.yml')
    const text = await readFile(host.file, 'utf8')
    await writeFile(file, text.replace('    bob: {', '    "../../bob": {'))
    const found = (await checkFile(file)).filter(({ code }) => code === 'config/invalid')
    expect(found.map(({ message }) => message).join()).to.include('is no name for an agent with `match`')
  })
})
