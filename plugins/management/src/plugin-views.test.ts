import { expect } from 'chai'
import { plugins, system, type PluginDetail, type PluginItem, type Stats, type SystemStatus } from '@mynah/contract'
import { mistakesIn } from '@mynah/contract/validate'
import { Type } from '@mynah/contract/type'
import { definePlugin, HostControl, HostPaths, ref, service } from '@mynah/kernel'
import { TestClock } from '@mynah/kernel/testing'
import { chatEntry, DEMO, postbox, startManagement, until, type Api } from './test/support.js'

const Missing = service<object>('telescope')
const failing = definePlugin({
  name: 'failing',
  description: 'Fails',
  config: { key: 'failing', schema: Type.Object({}) },
  setup() {
    throw new Error('cannot read /srv/bot/keys/private.txt, nor file:///home/user/x.js')
  },
})
const waiting = definePlugin({ name: 'waiting', version: '1.2.3', needs: { telescope: Missing } })
const off = { plugin: definePlugin({ name: 'off', provides: [Missing] }) as never, enabled: false }

describe('views of the host', () => {
  let api: Api
  afterEach(() => api.host.stop())

  it('report process and machine, updated after a second', async () => {
    const clock = new TestClock()
    api = await startManagement([], { clock })
    await clock.advance(2_500)
    const status = async (): Promise<SystemStatus> => (await api.call('/system/status', { token: DEMO })).body.data
    const first = await status()
    expect(mistakesIn(system.rest['GET /system/status'].data, first)).to.deep.equal([])
    expect(first).to.include({
      uptime: 2.5,
      pid: process.pid,
      nodeVersion: process.version,
      platform: process.platform,
      runtime: 'node',
      timestamp: '2026-01-01T00:00:02.500Z',
    })
    expect(first.memory.rss).to.be.greaterThan(first.memory.heapUsed)
    expect(first.osMemory.totalMem).to.be.greaterThan(first.osMemory.freeMem)
    await clock.advance(999)
    expect(await status()).to.deep.equal(first)
    await clock.advance(1)
    const later = await status()
    expect(later.uptime).to.equal(3.5)
    expect(later.cpu.user + later.cpu.system).to.be.greaterThan(first.cpu.user + first.cpu.system)
    expect(later.cpu.percent).to.be.greaterThan(0)
  })

  it('count plugins, endpoints, commands and components', async () => {
    api = await startManagement([chatEntry, { plugin: postbox([]) as never }, off])
    const stats = async (): Promise<Stats> => (await api.call('/stats', { token: DEMO })).body.data
    await until(async () => (await stats()).endpoints.online === 1, 'the account is online')
    const found = await stats()
    expect(mistakesIn(system.rest['GET /stats'].data, found)).to.deep.equal([])
    expect(found).to.deep.include({
      plugins: { total: 7, active: 6 },
      endpoints: { total: 2, online: 1 },
      commands: 1,
      components: 0,
      runtime: 'node',
    })
    expect(found.memory).to.be.within(10, 4_000)
  })

  it('list plugins with their contributions, including disabled ones', async () => {
    api = await startManagement([chatEntry, off, { plugin: waiting as never }])
    const items = (await api.call('/plugins', { token: DEMO })).body.data as PluginItem[]
    expect(mistakesIn(plugins.rest['GET /plugins'].data, items)).to.deep.equal([])
    expect(items.map(({ name, status }) => [name, status])).to.deep.equal([
      ['http-core', 'active'],
      ['events', 'active'],
      ['console-rpc', 'active'],
      ['management', 'active'],
      ['chat', 'active'],
      ['off', 'inactive'],
      ['waiting', 'inactive'],
    ])
    const chat = items.find(({ name }) => name === 'chat') as PluginItem
    const commands = chat.features.find(({ name }) => name === 'commands')
    expect(commands).to.deep.include({ count: 1 })
    expect(commands?.items[0]).to.deep.include({ name: 'help' })
    expect(chat.features.map(({ name }) => name)).to.include.members(['commands', 'methods', 'events'])
    const own = items.find(({ name }) => name === 'management')
    expect(own?.features.find(({ name }) => name === 'routes')?.items.map(({ name }) => name)).to.include(
      'GET /plugins/:name',
    )
  })

  it('report why a plugin does not run, without paths of the machine', async () => {
    api = await startManagement([{ plugin: failing as never }, { plugin: waiting as never }, off], {
      services: [[HostPaths, { root: '/srv/bot', data: '/srv/bot/data' }]],
    })
    const detail = async (name: string): Promise<PluginDetail> =>
      (await api.call(`/plugins/${name}`, { token: DEMO })).body.data
    const failed = await detail('failing')
    expect(mistakesIn(plugins.rest['GET /plugins/:name'].data, failed)).to.deep.equal([])
    expect(failed).to.include({
      status: 'inactive',
      state: 'failed',
      configKey: 'failing',
      error: 'cannot read keys/private.txt, nor …/x.js',
    })
    expect(await detail('waiting')).to.deep.include({
      state: 'pending',
      version: '1.2.3',
      requires: ['telescope'],
      waitingFor: ['telescope: off would provide it and is disabled'],
    })
    expect(await detail('off')).to.deep.include({
      state: 'disabled',
      provides: ['telescope'],
      contexts: [{ name: 'telescope' }],
    })
    const unknown = await api.call('/plugins/nobody')
    expect(unknown).to.deep.include({ status: 404 })
    expect(unknown.body).to.include({ code: 'not_found' })
  })

  it('name the plugins on the other side of each need', async () => {
    const observing = definePlugin({ name: 'observing', needs: { telescope: ref(Missing), host: HostControl } })
    api = await startManagement([off, { plugin: waiting as never }, { plugin: observing as never }])
    const detail = async (name: string): Promise<PluginDetail> => (await api.call(`/plugins/${name}`)).body.data
    expect((await detail('waiting')).needs).to.deep.equal([{ service: 'telescope', kind: 'required', plugin: 'off' }])
    // The host itself provides the second one.
    expect((await detail('observing')).needs).to.deep.equal([
      { service: 'telescope', kind: 'optional', plugin: 'off' },
      { service: HostControl.id, kind: 'required' },
    ])
    expect((await detail('off')).neededBy).to.deep.equal([
      { service: 'telescope', kind: 'required', plugin: 'waiting' },
      { service: 'telescope', kind: 'optional', plugin: 'observing' },
    ])
    expect((await detail('http-core')).neededBy?.map(({ plugin }) => plugin)).to.include('management')
  })

  it('show the origin of a plugin', async () => {
    const origin = { url: 'file:///srv/bot/plugins/greeter.js', filename: 'greeter.js', filePath: 'plugins/greeter.js' }
    api = await startManagement([{ plugin: definePlugin({ name: 'greeter' }) as never, origin }])
    expect((await api.call('/plugins/greeter')).body.data).to.include({
      filename: 'greeter.js',
      filePath: 'plugins/greeter.js',
    })
  })
})
