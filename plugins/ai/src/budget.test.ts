import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { TestClock } from '@mynah/kernel/testing'
import { isModelError } from './api/errors.js'
import { answerOf, PlayedServer, serviceOf, streamed } from './test/support.js'

const WHO = { provider: 'it', model: 'm' }

describe('Budget', () => {
  let server: PlayedServer
  let folder: string
  let clock: TestClock
  const start = (budget: object | undefined, data?: string) =>
    serviceOf(
      { it: { sdk: 'openai-compatible', baseUrl: server.url, models: ['m'], prices: { input: 1_000_000, output: 0 } } },
      { clock, ...(data ? { data } : {}), config: budget ? { budget } : {} },
    )
  const asked = async (service: ReturnType<typeof start>) =>
    answerOf(service.models, 'hi', WHO).then(
      () => 'answered',
      (error: unknown) => (isModelError(error) ? error.class : String(error)),
    )

  beforeEach(async () => {
    clock = new TestClock()
    server = await PlayedServer.start((response) =>
      streamed(response, 'ok', { prompt_tokens: 40, completion_tokens: 10 }),
    )
    folder = await mkdtemp(join(tmpdir(), 'mynah-ai-'))
  })
  afterEach(async () => {
    await server.stop()
    await rm(folder, { recursive: true })
  })

  it('limits every call, is reported once, and ends with the day', async () => {
    const service = start({ tokensPerDay: 100 })
    expect([await asked(service), await asked(service), await asked(service), await asked(service)]).to.deep.equal([
      'answered',
      'answered',
      'budget',
      'budget',
    ])
    expect(
      await service.models.image({ provider: 'it', prompt: 'x' }).catch((error: { class: string }) => error.class),
    ).to.equal('budget')
    expect(service.exceeded.map(({ limit, used, allowed }) => [limit, used, allowed])).to.deep.equal([
      ['tokensPerDay', 100, 100],
    ])
    expect(service.log.lines.filter(({ level }) => level === 'warn')).to.have.length(1)
    expect(server.asked).to.have.length(2)
    await clock.advance(24 * 3_600_000)
    expect(await asked(service)).to.equal('answered')
  })

  it('may limit costs', async () => {
    const service = start({ costPerDay: 50 })
    expect([await asked(service), await asked(service), await asked(service)]).to.deep.equal([
      'answered',
      'answered',
      'budget',
    ])
    expect(service.exceeded[0]).to.deep.include({ limit: 'costPerDay', used: 80, allowed: 50 })
  })

  it('allows everything when it is not configured', async () => {
    const service = start(undefined, folder)
    expect(await asked(service)).to.equal('answered')
    await service.models.close()
    expect(await readFile(join(folder, 'ai-budget.json'), 'utf8').catch(() => 'none')).to.equal('none')
  })

  it('keeps its sums over a restart', async () => {
    const first = start({ tokensPerDay: 100 }, folder)
    await first.models.start()
    await asked(first)
    await asked(first)
    await first.models.close()
    const second = start({ tokensPerDay: 100 }, folder)
    await second.models.start()
    expect(await asked(second)).to.equal('budget')
    await second.models.close()
    await writeFile(join(folder, 'ai-budget.json'), 'spoilt')
    const third = start({ tokensPerDay: 100 }, folder)
    await third.models.start()
    expect(await asked(third)).to.equal('answered')
    expect(
      third.log.lines.some(({ level, message }) => level === 'warn' && message.includes('failed to read')),
    ).to.equal(true)
    await third.models.close()
  })
})
