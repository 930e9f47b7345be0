import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { execFileSync } from 'node:child_process'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { TestClock, until } from '@mynah/kernel/testing'
import { isModelError } from '../api/errors.js'
import { partsOf, PlayedServer, serviceOf } from '../test/support.js'

const json = (response: ServerResponse, value: unknown) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))

describe('discover: lists of models', () => {
  let server: PlayedServer
  let clock: TestClock
  beforeEach(async () => {
    clock = new TestClock()
    server = await PlayedServer.start()
  })
  afterEach(() => server.stop())
  const listed = async (service: ReturnType<typeof serviceOf>) =>
    (await service.models.refresh())[0]?.models.map(({ id }) => id)
  const relay = (more = {}) => serviceOf({ it: { sdk: 'openai-compatible', baseUrl: server.url } }, { clock, ...more })

  it('holds each model once, and none whose name moves a screen or cannot be seen', async () => {
    const names = [
      'good',
      'my model.gguf',
      'vendor/model:7b@q4',
      '\u001b[31mred',
      'two\nlines',
      'bell\u0007',
      '\u202ertl',
      '\ud800',
      ' ',
      'trailing ',
      'zero\u200bwidth',
      'good',
      '__proto__',
      'x'.repeat(201),
    ]
    server.play((response) => json(response, { data: names.map((id) => ({ id })) }))
    expect(await listed(relay())).to.have.members(['good', 'my model.gguf', 'vendor/model:7b@q4', '__proto__'])
    server.play((response, { path }) =>
      json(response, path === '/api/tags' ? { models: names.map((name) => ({ name })) } : {}),
    )
    expect(await listed(serviceOf({ it: { sdk: 'ollama', host: server.origin } }, { clock }))).to.have.members([
      'good',
      'my model.gguf',
      'vendor/model:7b@q4',
      '__proto__',
    ])
  })

  it('of a hundred thousand models is cut', async () => {
    server.play((response) =>
      json(response, { data: Array.from({ length: 100_000 }, (_, index) => ({ id: `model-${index}` })) }),
    )
    const service = relay()
    expect(await listed(service)).to.have.length(5_000)
    const candidates = await service.models.candidatesFor({})
    expect(new Set(candidates.map(({ model }) => model)).size).to.equal(5_000)
    server.play((response) => void response.writeHead(429).end())
    const asking = partsOf(service.models, 'hi', { candidates: [...candidates, ...candidates] })
    const error = await asking.catch((thrown: unknown) => thrown)
    expect(isModelError(error) && error.class).to.equal('rate-limit')
    const asked = Array.from(new Set(server.asked.map(({ body }) => body.model)))
    expect(asked).to.deep.equal(candidates.slice(0, 8).map(({ model }) => model))
  })

  describe('of ollama', () => {
    const tags = (count: number) => ({ models: Array.from({ length: count }, (_, index) => ({ name: `m${index}` })) })

    it('does not wait for details that hang, and requests them the next time', async () => {
      let waiting = 0
      server.play((response, { path }) => (path === '/api/tags' ? json(response, tags(40)) : void waiting++))
      const service = serviceOf({ it: { sdk: 'ollama', host: server.origin } }, { clock })
      const names = listed(service)
      for (let batch = 1; batch <= 2; batch++) {
        await until(() => waiting >= batch * 6)
        await clock.advance(15_000)
      }
      expect(await names).to.have.length(40)
      expect(waiting).to.equal(12)
      server.play((response, { path }) => json(response, path === '/api/tags' ? tags(40) : { capabilities: ['tools'] }))
      await service.models.refresh()
      expect(service.models.model({ provider: 'it', model: 'm0' })?.capabilities.toolCalling).to.equal(true)
      expect(server.asked).to.have.length(41)
    })

    it('accepts details of ten megabytes', async () => {
      server.play((response, { path }) =>
        json(
          response,
          path === '/api/tags'
            ? tags(3)
            : { license: 'x'.repeat(10_000_000), model_info: { 'llama.context_length': 4_096 } },
        ),
      )
      const service = serviceOf({ it: { sdk: 'ollama', host: server.origin } }, { clock })
      await service.models.refresh()
      expect(service.models.model({ provider: 'it', model: 'm2' })?.contextWindow).to.equal(4_096)
    })

    it('does not keep callers that have given up waiting', async () => {
      let reached = (): void => {}
      const there = new Promise<void>((resolve) => (reached = resolve))
      server.play(() => reached())
      const service = serviceOf({ it: { sdk: 'ollama', host: server.origin } }, { clock })
      const abort = new AbortController()
      const chosen = service.models
        .candidatesFor({}, { signal: abort.signal })
        .catch((error: unknown) => isModelError(error) && error.class)
      await there
      abort.abort()
      expect(await chosen).to.equal('aborted')
      await service.models.close()
    })
  })

  describe('kept from before', () => {
    let folder: string
    beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'mynah-ai-'))))
    afterEach(() => rm(folder, { recursive: true }))

    for (const file of ['model-registry-cache.json', 'ai-budget.json']) {
      const limits = { config: { budget: { tokensPerDay: 1_000 } } }
      for (const [what, make] of [
        ['a folder', (path: string) => mkdir(path)],
        ['a pipe', (path: string) => Promise.resolve(execFileSync('mkfifo', [path]))],
        ['larger than any', (path: string) => writeFile(path, '').then(() => truncate(path, 700_000_000))],
        ['null', (path: string) => writeFile(path, 'null')],
        ['half of one', (path: string) => writeFile(path, '{"vers')],
      ] as const) {
        it(`${file} does not block a start when it is ${what}`, async () => {
          await make(join(folder, file))
          server.play((response) => json(response, { data: [{ id: 'm' }] }))
          const service = relay({ data: folder, ...limits })
          await service.models.start()
          expect(await listed(service)).to.deep.equal(['m'])
          if (what === 'larger than any' || what === 'a pipe')
            expect(service.log.lines.map(({ message }) => message).join()).to.match(/failed to read [a-z ]+: it is /)
          await service.models.close()
        })
      }
    }

    it('is requested again when its time is in the future', async () => {
      server.play((response) => json(response, { data: [{ id: 'new' }] }))
      const written = relay({ data: folder })
      await listed(written)
      await written.models.close()
      const ahead = new TestClock(clock.now() - 30 * 24 * 3_600_000)
      const service = relay({ data: folder, clock: ahead })
      await service.models.start()
      expect(service.models.list()[0]?.models.map(({ id }) => id)).to.deep.equal(['new'])
      await ahead.advance(25 * 3_600_000)
      server.play((response) => json(response, { data: [{ id: 'newer' }] }))
      service.models.refreshStale()
      await until(() => service.models.list()[0]?.models[0]?.id === 'newer')
      await service.models.close()
    })
  })
})
