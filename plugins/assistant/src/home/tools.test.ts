import { expect } from 'chai'
import { definePlugin } from '@mynah/kernel'
import { tools, defineTool, toolResult } from '@mynah/plugin-ai/api'
import { Approvals, ExecSecurity } from '@mynah/plugin-exec-security/api'
import { Type } from '@mynah/contract/type'
import { eachTest, startHome, until, type HomeServer } from '../test/support.js'

const aliases = {
  lamp: 'light.living',
  door: 'lock.front',
  garage: 'cover.garage',
  blinds: 'cover.blinds',
  hidden: 'light.secret',
}
const states = {
  'light.living': { state: 'on', attributes: { brightness: 12 } },
  'lock.front': { state: 'locked' },
  'cover.garage': { state: 'closed', attributes: { device_class: 'garage' } },
  'cover.blinds': { state: 'open', attributes: { device_class: 'blind' } },
}

describe('homeTools', () => {
  const tests = eachTest()
  const homes: HomeServer[] = []
  afterEach(async () => {
    for (const home of homes.splice(0)) await home.close()
  })
  const homeOf = async (...script: Parameters<typeof startHome>) => {
    const home = await startHome(...script)
    homes.push(home)
    return home
  }
  const config = (home: { readonly url: string }, more: Record<string, unknown> = {}) => ({
    enabled: true,
    home: {
      enabled: true,
      url: home.url,
      token: 'home-token',
      aliases,
      exposedEntities: ['light.living', 'lock.front', 'cover.garage', 'cover.blinds'],
      ...more,
    },
  })

  /** Returns the owner as the plugin of approvals would ask him. */
  const owner = (mode: 'ask' | 'allow' | 'deny', end: 'approved' | 'denied') => {
    const asked: string[] = []
    const plugin = definePlugin({
      name: 'owner',
      provides: [Approvals, ExecSecurity],
      setup(ctx) {
        ctx.provide(ExecSecurity, { approvalMode: () => mode } as unknown as ExecSecurity)
        ctx.provide(Approvals, {
          idFor: () => Promise.resolve('a'),
          request: ({ title }: { title: string }) => {
            asked.push(title)
            return Promise.resolve({ id: 'a', kind: 'home', title, status: 'pending', expiresAt: 0 })
          },
          wait: () => Promise.resolve(end),
          use: () => Promise.resolve(end === 'approved'),
          withdraw: () => Promise.resolve(),
        } as unknown as Approvals)
      },
    })
    return { asked, plugin }
  }

  it('lists, reads and changes entities by alias', async () => {
    const home = await homeOf(states)
    const rig = await tests.start({ config: config(home) })
    expect(await rig.use('home_list', {})).to.equal('lamp (light)\ndoor (lock)\ngarage (cover)\nblinds (cover)')
    expect(JSON.parse(await rig.use('home_state', { alias: 'lamp' }))).to.deep.include({
      alias: 'lamp',
      state: 'on',
      attributes: '{"brightness":12}',
    })
    expect(await rig.use('home_call', { alias: 'lamp', service: 'turn_off', data: { transition: 2 } })).to.equal(
      'light.turn_off was called for "lamp".',
    )
    expect(home.asked.at(-1)).to.deep.equal({
      method: 'POST',
      path: '/api/services/light/turn_off',
      token: 'Bearer home-token',
      body: { transition: 2, entity_id: 'light.living' },
    })
    for (const name of ['home_list', 'home_state', 'home_call'])
      expect(rig.tool(name)?.requiredAnyRole).to.deep.equal(['master'])
  })

  it('hides entities that are not exposed, and refuses other targets', async () => {
    const home = await homeOf(states)
    const rig = await tests.start({ config: config(home) })
    for (const alias of ['hidden', 'light.living', 'lock.front', 'constructor', '__proto__', '../lamp'])
      expect(await rig.use('home_state', { alias }), alias).to.match(/^! There is no/)
    for (const service of ['lock.unlock', 'turn_on/../../states', 'light.turn_on.x', '', 'homeassistant.turn_off'])
      expect(await rig.use('home_call', { alias: 'lamp', service }), service).to.match(/^! .*no service/)
    for (const field of ['entity_id', 'area_id', 'device_id', 'target'])
      expect(
        await rig.use('home_call', { alias: 'lamp', service: 'turn_on', data: { [field]: 'lock.front' } }),
      ).to.include(`data.${field}`)
    expect(home.asked).to.deep.equal([])
  })

  it('calls a lock only after the owner’s confirmation', async () => {
    const home = await homeOf(states)
    const services = (): string[] => home.asked.filter(({ method }) => method === 'POST').map(({ path }) => path)
    const nobody = await tests.start({ config: config(home) })
    expect(await nobody.use('home_call', { alias: 'door', service: 'unlock' })).to.match(/^! .*needs the owner/)
    const denying = owner('ask', 'denied')
    const refused = await tests.start({ config: config(home), plugins: [denying.plugin] })
    for (const [alias, service] of [
      ['door', 'unlock'],
      ['door', 'lock'],
      ['garage', 'open_cover'],
    ])
      expect(await refused.use('home_call', { alias, service })).to.match(/^! The owner did not confirm/)
    expect(denying.asked).to.have.length(3)
    expect(await refused.use('home_call', { alias: 'blinds', service: 'close_cover' })).to.include('was called')
    expect(services()).to.deep.equal(['/api/services/cover/close_cover'])
    const approving = owner('ask', 'approved')
    const allowed = await tests.start({ config: config(home), plugins: [approving.plugin] })
    expect(await allowed.use('home_call', { alias: 'door', service: 'unlock' })).to.include('was called')
    expect(approving.asked).to.deep.equal(['lock.unlock for "door"'])
    expect(
      await (
        await tests.start({ config: config(home), plugins: [owner('deny', 'approved').plugin] })
      ).use('home_call', { alias: 'door', service: 'unlock' }),
    ).to.match(/^! .*refused/)
  })

  it('asks for the configured services instead of the default ones', async () => {
    const home = await homeOf(states)
    const { asked, plugin } = owner('ask', 'approved')
    const rig = await tests.start({
      config: config(home, { policy: { confirmServices: ['light.turn_off', 'cover.*'], requireMaster: false } }),
      plugins: [plugin],
    })
    for (const [alias, service] of [
      ['lamp', 'turn_on'],
      ['lamp', 'turn_off'],
      ['door', 'lock'],
      ['blinds', 'open_cover'],
    ])
      await rig.use('home_call', { alias, service })
    expect(asked).to.deep.equal(['light.turn_off for "lamp"', 'cover.open_cover for "blinds"'])
    expect(rig.tool('home_call')?.requiredAnyRole).to.include('user')
  })

  const nonsense: [string, (path: string, response: import('node:http').ServerResponse) => boolean, RegExp][] = [
    [
      'fails',
      (_, response) => {
        response.writeHead(500).end('oops')
        return true
      },
      /status 500/,
    ],
    [
      'answers with a page',
      (_, response) => {
        response.setHeader('content-type', 'text/html')
        response.end('<!doctype html><title>Welcome</title>')
        return true
      },
      /no JSON/,
    ],
    [
      'hangs up',
      (_, response) => {
        response.socket?.destroy()
        return true
      },
      /not reached/,
    ],
    [
      'answers without end',
      (_, response) => {
        response.end(`"${'x'.repeat(1_100_000)}"`)
        return true
      },
      /more than 1 MB/,
    ],
    [
      'sends away',
      (_, response) => {
        response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
        return true
      },
      /sends elsewhere \(status 302\)/,
    ],
    [
      'answers with another thing',
      (_, response) => {
        response.end('[]')
        return true
      },
      /no state/,
    ],
  ]
  for (const [what, script, message] of nonsense) {
    it(`reports a home that ${what}`, async () => {
      const home = await homeOf(states, script)
      const rig = await tests.start({ config: config(home) })
      expect(await rig.use('home_state', { alias: 'lamp' }))
        .to.match(message)
        .and.match(/^!/)
    })
  }

  it('reports a refused token and an unreachable home', async () => {
    const home = await homeOf(states)
    const rig = await tests.start({ config: config(home, { token: 'another' }) })
    expect(await rig.use('home_state', { alias: 'lamp' }))
      .to.include('assistant.home.token')
      .and.not.include('another')
    const closed = await startHome({})
    await closed.close()
    const gone = await tests.start({ config: config({ url: closed.url }) })
    expect(await gone.use('home_state', { alias: 'lamp' })).to.match(/^! The home is not reached/)
  })

  it('delivers results of jobs to a service of the home', async () => {
    const home = await homeOf(states)
    const rig = await tests.start({ config: config(home) })
    const { id } = await rig.jobs.add({
      label: 'Morning',
      trigger: { kind: 'im' },
      action: { kind: 'agent', prompt: 'hi' },
      notify: { channel: 'ha', service: 'notify.phone', target: { data: { tag: 'm' } } },
      creator: { kind: 'console' },
    })
    await rig.jobs.run(id)
    await until(() => rig.jobs.get(id)?.state.lastStatus !== undefined)
    expect(home.asked).to.deep.equal([
      {
        method: 'POST',
        path: '/api/services/notify/phone',
        token: 'Bearer home-token',
        body: { data: { tag: 'm' }, message: 'done: hi', title: 'Morning' },
      },
    ])
  })

  it('works with a home behind an MCP server', async () => {
    const called: unknown[] = []
    const rig = await tests.start({
      config: { enabled: true, home: { enabled: true, mcpServer: 'house', aliases } },
      setup(ctx) {
        ctx.contribute(
          tools,
          defineTool({
            name: 'house_get_state',
            source: 'house',
            description: 'x',
            parameters: Type.Object({ entity_id: Type.String() }),
            run: ({ entity_id }) => JSON.stringify({ state: `of ${entity_id}` }),
          }),
        )
        ctx.contribute(
          tools,
          defineTool({
            name: 'house_call_service',
            source: 'house',
            description: 'x',
            parameters: Type.Object({ domain: Type.String(), service: Type.String(), service_data: Type.Unknown() }),
            run: (input) => {
              called.push(input)
              return called.length > 1 ? toolResult('broken', { isError: true }) : 'ok'
            },
          }),
        )
      },
    })
    expect(await rig.use('home_state', { alias: 'lamp' })).to.include('of light.living')
    await rig.use('home_call', { alias: 'lamp', service: 'turn_on', data: { brightness: 3 } })
    expect(called).to.deep.equal([
      { domain: 'light', service: 'turn_on', service_data: { brightness: 3, entity_id: 'light.living' } },
    ])
    expect(await rig.use('home_call', { alias: 'lamp', service: 'turn_on' })).to.equal('! The home failed: broken')
    const away = await tests.start({ config: { enabled: true, home: { enabled: true, mcpServer: 'gone', aliases } } })
    expect(await away.use('home_state', { alias: 'lamp' })).to.include('is not available')
  })
})
