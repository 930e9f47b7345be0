// The hosts under examples/, started by the real command line and asked over the wire.
import { expect } from 'chai'
import { rm } from 'node:fs/promises'
import { chat, startExample, type Example } from './example.js'

describe('examples', () => {
  let example: Example | undefined
  afterEach(async () => {
    await example?.bench.remove()
    if (example) await rm(example.bench.folder, { recursive: true, force: true })
    example = undefined
  })

  for (const name of ['starter', 'lean'])
    it(`start a host whose sandbox answers: ${name}`, async function () {
      this.timeout(120_000)
      example = await startExample(name)
      const { status } = (await (await fetch(`${example.origin}/pub/health`)).json()) as { status: string }
      expect(status, example.running.out).to.equal('ok')
      expect(example.running.out).to.match(/"name":"host","message":"(\d+) of \1 plugins are up/)
      await chat(example, '/help', /help/)
      expect(await example.running.signal('SIGINT')).to.equal(0)
      expect(example.running.err).to.not.match(/^(?:error|mynah):/m)
    })

  it('start a bot in one file that answers', async function () {
    this.timeout(120_000)
    example = await startExample('single-file')
    await chat(example, '/hello there', /Hello, there!/)
    expect(await example.running.signal('SIGINT')).to.equal(0)
  })
})
