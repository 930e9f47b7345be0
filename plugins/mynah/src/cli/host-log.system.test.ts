import { expect } from 'chai'
import { Bench, plugin } from '../test/cli.js'

const TOKEN = 'owner-token-of-these-tests'

describe('log of a host', () => {
  let bench: Bench
  before(async () => {
    bench = await Bench.of({
      'mynah.config.yml': [
        'plugins: [./broken.mjs, http-core, events, logs, ./strict.mjs]',
        `http: { port: 0, token: ${TOKEN} }`,
        'leftover: { x: 1 }',
        'strict: { wrong: true }\n',
      ].join('\n'),
      'broken.mjs': plugin('broken', "throw new Error('cannot\\u001b[2J start\\nE host forged')"),
      'strict.mjs': plugin(
        'strict',
        '',
        "config: { key: 'strict', schema: { type: 'object', additionalProperties: false, properties: { right: { type: 'boolean' } } } },",
      ),
    })
  })
  after(() => bench.remove())

  it('contains the lines of the host process, escaped', async () => {
    const running = bench.start('start')
    const [, origin] = await running.shows(/listening on (http:\/\/[^\s;"]+)"[^]*plugins are up/)
    const response = await fetch(`${origin}/api/logs?limit=1000`, { headers: { authorization: `Bearer ${TOKEN}` } })
    const { data } = (await response.json()) as { data: { name: string; level: string; message: string }[] }
    const own = data.filter(({ name }) => name === 'host').map(({ message }) => message)
    expect(
      own.some((message) => message.includes('leftover')),
      'a leftover key',
    ).to.equal(true)
    expect(
      own.some((message) => message.includes('broken')),
      'a plugin that failed',
    ).to.equal(true)
    expect(
      own.some((message) => message.includes('strict.wrong')),
      'a refused section',
    ).to.equal(true)
    expect(
      own.some((message) => message.includes('plugins are up')),
      'what is up',
    ).to.equal(true)
    for (const { message } of data) {
      expect(message).not.to.match(/[\u0000-\u001f\u007f-\u009f]/)
      expect(message).not.to.contain(TOKEN)
    }
    for (const line of running.out.trim().split('\n')) expect(() => JSON.parse(line) as unknown, line).not.to.throw()
  })
})
