import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'chai'
import {
  createClient,
  HostError,
  loadConsoleEntries,
  probe,
  type Client,
  type Frame,
  type StreamState,
} from '../index.js'
import { Collector, rejection } from './collector.js'
import { deadBase } from './test-host.js'

const COMMAND = new URL('../../../plugins/mynah/dist/cli/main.js', import.meta.url).pathname
const TOKEN = 'a-token-of-the-real-host-0123456789'

describe('a real host', function () {
  this.timeout(60_000)
  let folder: string
  let base: string
  let host: ChildProcess
  let client: Client

  const start = async (): Promise<void> => {
    host = spawn(process.execPath, [COMMAND, 'start', '-c', join(folder, 'mynah.config.yml')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const heard: string[] = []
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: host.stdout as NodeJS.ReadableStream }).on('line', (line) => {
        heard.push(line)
        if (line.includes('plugins are up')) resolve()
      })
      host.once('exit', () => reject(new Error(`The host did not start:\n${heard.join('\n')}`)))
    })
  }
  const stop = async (): Promise<void> => {
    if (host.exitCode !== null || host.signalCode !== null) return
    const exit = once(host, 'exit')
    host.kill('SIGTERM')
    await exit
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mynah-sdk-'))
    base = await deadBase()
    await writeFile(
      join(folder, 'mynah.config.yml'),
      `http: { port: ${new URL(base).port}, token: ${TOKEN}, base: /manage/v1 }\nplugins: [http-core, ` +
        'console-rpc, events, entries, management]\n',
    )
    await start()
  })
  after(async () => {
    await stop()
    await rm(folder, { recursive: true })
  })
  beforeEach(() => {
    client = createClient({ base, token: TOKEN })
  })
  afterEach(() => client.close())

  it('is found by the probe, with its prefix', async () => {
    expect(await probe(base)).to.include({ reachable: true, apiPrefix: '/manage/v1', status: 'ok', contract: '1.0' })
  })

  it('answers operations and methods', async () => {
    const plugins = await client.rest('GET /plugins')
    expect(plugins.map(({ name }) => name)).to.include.members(['http-core', 'events', 'management'])
    expect(await client.rest('GET /plugins/:name', { params: { name: 'events' } })).to.include({
      name: 'events',
      status: 'active',
      state: 'active',
    })
    expect((await client.rest('GET /system/status')).memory.rss).to.be.greaterThan(1_000_000)
    expect(await client.rest('GET /pub/openapi.json')).to.have.property('openapi')
    expect(await client.rest('GET /metrics')).to.match(/^# HELP /m)
    expect(await client.rpc('ping')).to.deep.equal({ type: 'pong' })
    expect(await client.rpc('entries:get')).to.deep.equal([])
    expect(
      await (await fetch(await client.url('GET /stats'), { headers: { authorization: `Bearer ${TOKEN}` } })).json(),
    ).to.have.property('success', true)
  })

  it('refuses with codes that the client passes on', async () => {
    expect(await rejection(client.rest('GET /plugins/:name', { params: { name: 'nobody' } })))
      .to.be.instanceOf(HostError)
      .and.include({ code: 'not_found', status: 404 })
    expect(await rejection(client.rpc('cron:list')))
      .to.be.instanceOf(HostError)
      .and.include({ code: 'unknown_method', status: 400 })
    expect(await rejection(client.rest('POST /message/send', { body: {} as never })))
      .to.have.property('details')
      .that.has.lengthOf.above(0)
    const stranger = createClient({ base, token: 'wrong' })
    expect(await rejection(stranger.rest('GET /stats'))).to.include({ code: 'unauthorized', status: 401 })
    expect(stranger.token).to.equal(undefined)
  })

  it('streams its events, and reports lost ones after a restart', async () => {
    const frames = new Collector<Frame>()
    const states = new Collector<StreamState>()
    client.events.onState(states.push)
    client.events.on('*', frames.push)
    expect((await frames.count(2)).slice(0, 2).map(({ type }) => type)).to.deep.equal(['sync', 'init-data'])
    expect(frames.items[0]?.data).to.deep.equal({ key: 'entries', value: [] })
    await stop()
    await states.until(({ status }) => status === 'waiting')
    await start()
    client.events.start()
    await frames.until(({ type }) => type === 'reset')
    expect(client.events.state.status).to.equal('live')
  })

  it('refuses the stream without a token', async () => {
    const stranger = createClient({ base, token: 'wrong' })
    const states = new Collector<StreamState>()
    stranger.events.onState(states.push)
    stranger.events.on('*', () => undefined)
    expect(await states.until(({ status }) => status === 'stopped')).to.include({ reason: 'auth-required' })
    stranger.close()
  })

  it('serves console entries that load', async () => {
    const loaded = await loadConsoleEntries({ hostApi: { client }, assetOrigin: base })
    expect(loaded.error).to.equal(undefined)
    expect(loaded.entries).to.deep.equal([])
    loaded.dispose()
  })
})
