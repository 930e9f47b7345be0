import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { AnyPlugin } from '@mynah/kernel'
import execSecurity from '@mynah/plugin-exec-security'
import { Approvals } from '@mynah/plugin-exec-security/api'
import mcp from '@mynah/plugin-mcp'
import { McpServers } from '@mynah/plugin-mcp/api'
import { eachTest, until, type Rig } from '../test/support.js'

interface Shape {
  readonly state: string
  readonly call: string
  readonly fields: readonly string[]
  readonly broken?: boolean
}
const aliases = { lamp: 'light.living', door: 'lock.front' }

describe('McpHome', () => {
  const tests = eachTest()
  const start = async (shape: Shape): Promise<Rig> => {
    const rig = await tests.start({
      config: { enabled: true, home: { enabled: true, mcpServer: 'house', aliases } },
      entries: (data) => [
        {
          plugin: mcp as unknown as AnyPlugin,
          config: {
            'ai.mcpServers': {
              house: {
                command: process.execPath,
                args: [
                  fileURLToPath(new URL('../test/home-server.js', import.meta.url)),
                  join(data, 'calls'),
                  JSON.stringify(shape),
                ],
              },
            },
          },
        },
        { plugin: execSecurity as unknown as AnyPlugin, config: { 'ai.agent.execApprovalMode': 'ask' } },
      ],
    })
    await until(
      () =>
        rig.host
          .get(McpServers)
          ?.list()
          .some(({ connected }) => connected) ?? false,
    )
    return rig
  }
  const calls = async (rig: Rig): Promise<{ name: string; arguments: unknown }[]> =>
    (await readFile(join(rig.data, 'calls'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => {
        const { name, arguments: given } = JSON.parse(line) as { name: string; arguments: unknown }
        return { name, arguments: given }
      })

  const shapes: readonly (Shape & { readonly given: unknown })[] = [
    {
      state: 'get_state',
      call: 'call_service',
      fields: ['domain', 'service', 'entity_id', 'data'],
      given: { domain: 'light', service: 'turn_on', entity_id: 'light.living', data: { brightness: 3 } },
    },
    {
      state: 'ha_get_state',
      call: 'ha_call_service',
      fields: ['domain', 'service', 'data', 'target'],
      given: { domain: 'light', service: 'turn_on', data: { brightness: 3 }, target: { entity_id: 'light.living' } },
    },
    {
      state: 'get_entity_state',
      call: 'call_service',
      fields: ['domain', 'service', 'service_data'],
      given: { domain: 'light', service: 'turn_on', service_data: { brightness: 3, entity_id: 'light.living' } },
    },
    {
      state: 'get_entity',
      call: 'call_service_tool',
      fields: ['domain', 'service', 'data'],
      given: { domain: 'light', service: 'turn_on', data: { brightness: 3, entity_id: 'light.living' } },
    },
  ]
  for (const { given, ...shape } of shapes) {
    it(`reads and calls with ${shape.state} and ${shape.call}`, async () => {
      const rig = await start(shape)
      expect(JSON.parse(await rig.use('home_state', { alias: 'lamp' }))).to.deep.include({
        alias: 'lamp',
        state: 'on',
        attributes: '{"of":"light.living"}',
      })
      expect(await rig.use('home_call', { alias: 'lamp', service: 'turn_on', data: { brightness: 3 } })).to.include(
        'was called',
      )
      expect(await calls(rig)).to.deep.equal([
        { name: shape.state, arguments: { entity_id: 'light.living' } },
        { name: shape.call, arguments: given },
      ])
    })
  }

  it('does not call a service without its entity', async () => {
    const rig = await start({ state: 'get_state', call: 'call_service', fields: ['domain', 'service'] })
    expect(await rig.use('home_call', { alias: 'lamp', service: 'turn_off' })).to.match(
      /^! The tool ".*call_service" has no field for an entity$/,
    )
  })

  it('reports a failing server', async () => {
    const rig = await start({
      state: 'get_state',
      call: 'call_service',
      fields: ['domain', 'service', 'entity_id'],
      broken: true,
    })
    expect(await rig.use('home_state', { alias: 'lamp' })).to.match(/^! The home failed: /)
  })

  it('opens a lock once after the owner’s confirmation', async () => {
    const rig = await start({ state: 'get_state', call: 'call_service', fields: ['domain', 'service', 'entity_id'] })
    const approvals = rig.host.get(Approvals) as Approvals
    for (const [approve, told] of [
      [true, /was called/],
      [false, /^! The owner did not confirm it \(denied\)$/],
    ] as const) {
      const opening = rig.use('home_call', { alias: 'door', service: 'unlock' })
      await until(async () => (await approvals.pending()).length === 1)
      const [request] = await approvals.pending()
      expect(request).to.include({ kind: 'home', title: 'lock.unlock for "door"' })
      await approvals.decide(request?.id as string, approve, 'owner')
      expect(await opening).to.match(told)
    }
    expect(await calls(rig)).to.deep.equal([
      { name: 'call_service', arguments: { domain: 'lock', service: 'unlock', entity_id: 'lock.front' } },
    ])
  })
})
