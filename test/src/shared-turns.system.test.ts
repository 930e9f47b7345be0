import { createServer, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect } from 'chai'
import type { Channel } from '@mynah/contract/types'
import { until } from '@mynah/kernel/testing'
import { startPostgres, needPostgres, type TestServer } from '../../plugins/database/dist/testing/postgres-server.js'
import { ClusterHost, TOKEN } from './cluster-host.js'

/** A model server whose answers wait until the test gives them. */
class PatientModel {
  readonly #server: Server
  #open: ServerResponse[] = []
  asked = 0

  private constructor() {
    this.#server = createServer((request, response) => {
      void buffer(request).then((body) => {
        if (request.method !== 'POST') return response.end(JSON.stringify({ data: [{ id: 'player' }] }))
        this.asked++
        this.#open.push(response)
        return body
      })
    })
  }

  static async start(): Promise<PatientModel> {
    const model = new PatientModel()
    model.#server.listen(0, '127.0.0.1')
    await once(model.#server, 'listening')
    return model
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }

  /** Answers all that wait. */
  answer(text: string): void {
    for (const response of this.#open.splice(0)) {
      const frame = (fields: object): string =>
        `data: ${JSON.stringify({ id: 'a', object: 'chat.completion.chunk', model: 'player', ...fields })}\n\n`
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(frame({ choices: [{ index: 0, delta: { content: text }, finish_reason: null }] }))
      response.write(frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }))
      response.end('data: [DONE]\n\n')
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

const ANN: Channel = { type: 'private', id: 'ann' }

describe('the turns of hosts that share a database', function () {
  this.timeout(300_000)
  let server: TestServer
  let url: string
  let model: PatientModel
  const hosts: ClusterHost[] = []
  const at = (index: number): ClusterHost => hosts[index] as ClusterHost

  before(async function () {
    await needPostgres(this)
    // Two hosts start, one after the other.
    this.timeout(300_000)
    server = await startPostgres()
    url = await server.create()
    model = await PatientModel.start()
    const options = {
      lease: '10s',
      plugins: ['ai', 'agent', 'tasks'],
      more: [`ai: { providers: { practice: { sdk: openai-compatible, baseUrl: "${model.url}", apiKey: none } } }`],
      endpoints: ['{ adapter: sandbox, id: a, hosts: [one, two] }', '{ adapter: sandbox, id: b, hosts: [two, one] }'],
    }
    for (const name of ['one', 'two']) hosts.push(await ClusterHost.start(name, url, options))
    await until(async () => (await ownersOf(at(1))) === 'a:one b:two')
    for (const host of hosts) await until(async () => (await onlineOf(host)) === 'a b')
  })
  after(async () => {
    for (const host of hosts) await host.remove()
    await model?.close()
    if (server) await server.drop(url)
  })

  const say = (host: ClusterHost, endpointId: string, content: string): Promise<unknown> =>
    host.client.rpc('sandbox:send', { endpointId, channel: ANN, sender: { id: 'ann' }, content })
  const repliesOf = async ({ client }: ClusterHost, endpointId: string): Promise<readonly string[]> => {
    const place = { adapter: 'sandbox', endpointId, channel: ANN }
    const { messages } = await client.rpc('endpoint:inboxMessages', place)
    return messages.flatMap(({ direction, text }) => (direction === 'out' ? [text] : []))
  }
  const openTurns = async (host: ClusterHost): Promise<readonly { readonly id: string }[]> =>
    ((await call(host, 'agent:turns', { active: true })).data as { turns: { id: string }[] }).turns

  it('run where the endpoint is, and are stopped from any host', async () => {
    await say(at(1), 'a', 'how are you?')
    await until(() => model.asked === 1)
    const [turn] = await openTurns(at(1))
    await call(at(1), 'agent:stop', { turnId: turn?.id ?? '' })
    await until(async () => (await openTurns(at(1))).length === 0)
    await until(async () => (await repliesOf(at(1), 'a')).length === 1)
    expect((await call(at(1), 'agent:stop', { turnId: 'no-such-turn' })).code).to.equal('not_found')
  })

  it('go on with the host that takes over, which leaves those of others alone', async () => {
    const asked = model.asked
    await say(at(0), 'a', 'what is the time?')
    await say(at(0), 'b', 'and the weather?')
    await until(() => model.asked === asked + 2)
    await at(0).kill()
    // The turn of the dead host asks again; the other one waits on.
    await until(() => model.asked === asked + 3)
    expect(await openTurns(at(1))).to.have.length(2)
    model.answer('it is late')
    await until(async () => (await openTurns(at(1))).length === 0)
    await until(async () => (await repliesOf(at(1), 'a')).includes('it is late'))
    for (const endpoint of ['a', 'b'])
      expect((await repliesOf(at(1), endpoint)).filter((text) => text === 'it is late')).to.have.length(1)
    expect(model.asked).to.equal(asked + 3)
  })
})

/** Calls a method of a plugin. */
async function call(
  { base }: ClusterHost,
  type: string,
  params: Readonly<Record<string, unknown>>,
): Promise<{ readonly data?: unknown; readonly code?: string }> {
  const response = await fetch(`${base}/api/console/request`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ type, ...params }),
  })
  return (await response.json()) as { data?: unknown; code?: string }
}

async function ownersOf({ client }: ClusterHost): Promise<string> {
  const { places } = await client.rpc('cluster:places', {}).catch(() => ({ places: [] }))
  const endpoints = places.filter(({ id }) => id.startsWith('endpoint|'))
  return endpoints.map(({ id, owner }) => `${id.split('|')[2]}:${owner?.name}`).join(' ')
}

async function onlineOf({ client }: ClusterHost): Promise<string> {
  const { endpoints } = await client.rpc('endpoint:list', {}).catch(() => ({ endpoints: [] }))
  const online = endpoints.filter(({ status }) => status === 'online').map(({ name }) => name)
  return online.sort().join(' ')
}
