import { expect } from 'chai'
import type { Channel } from '@mynah/contract/types'
import { until } from '@mynah/kernel/testing'
import { startPostgres, needPostgres, type TestServer } from '../../plugins/database/dist/testing/postgres-server.js'
import { ClusterHost, startBoth } from './cluster-host.js'

const ANN: Channel = { type: 'private', id: 'ann' }
const OWNER: Channel = { type: 'private', id: 'boss' }

/** Returns the address of a built file of the workspace, from which the command line runs as well. */
const built = (file: string): string => new URL(`../../${file}`, import.meta.url).href

/** A command that opens a door once the owner has approved it, and says which host did. */
const DOOR = `import { definePlugin } from '${built('kernel/dist/index.js')}'
import { commands, defineCommand } from '${built('plugins/chat/dist/api.js')}'
import { approvalKinds, Approvals } from '${built('plugins/exec-security/dist/api.js')}'
export default definePlugin({
  name: 'door',
  needs: { approvals: Approvals },
  setup(ctx) {
    ctx.contribute(approvalKinds, { name: 'door', title: { en: 'A door' } })
    ctx.contribute(commands, defineCommand({ name: 'open', description: 'Opens the door', async run({ message }) {
      const { adapter, endpoint, channel, sender } = message
      const origin = { adapter, endpoint, channel, user: sender.id }
      const { id } = await ctx.approvals.request({ kind: 'door', title: 'Open it', text: 'open', origin, reason: 'it is shut' })
      const end = await ctx.approvals.wait(id)
      if (end === 'approved') await ctx.approvals.use('door', 'open', origin)
      return end + ', by process ' + process.pid
    } }))
  },
})
`

describe('approvals on hosts that share a database', function () {
  this.timeout(300_000)
  let server: TestServer
  let url: string
  const hosts: ClusterHost[] = []
  const at = (index: number): ClusterHost => hosts[index] as ClusterHost

  before(async function () {
    await needPostgres(this)
    // Two hosts start, one after the other.
    this.timeout(300_000)
    server = await startPostgres()
    url = await server.create()
    await startBoth(url, hosts, {
      lease: '10s',
      plugins: ['exec-security', './door.mjs'],
      files: { 'door.mjs': DOOR },
      endpoints: ['{ adapter: sandbox, id: a, master: boss, hosts: [one, two] }'],
    })
    for (const host of hosts) await until(async () => (await onlineOf(host)) === 'a')
  })
  after(async () => {
    for (const host of hosts) await host.remove()
    if (server) await server.drop(url)
  })

  const say = (host: ClusterHost, channel: Channel, content: string): Promise<unknown> =>
    host.client.rpc('sandbox:send', { endpointId: 'a', channel, sender: { id: channel.id }, content })
  const heard = async ({ client }: ClusterHost, channel: Channel): Promise<readonly string[]> => {
    const { messages } = await client.rpc('endpoint:inboxMessages', { adapter: 'sandbox', endpointId: 'a', channel })
    return messages.flatMap(({ direction, text }) => (direction === 'out' ? [text] : []))
  }
  /** Lets a user ask for the door on the first host. Returns the request as the second host shows it. */
  const asked = async (): Promise<string> => {
    let id = ''
    await say(at(0), ANN, '/open')
    await until(async () => {
      const { pending } = await at(1).client.rpc('exec:pending', {})
      id = pending[0]?.id ?? ''
      return id !== ''
    })
    return id
  }
  const answers = async (): Promise<readonly string[]> => heard(at(1), ANN)

  it('are shown and given by a host that has not asked for them, to the one that has', async () => {
    const id = await asked()
    await at(1).client.rpc('exec:answer', { id, approve: true })
    await until(async () => (await answers()).length === 1)
    expect((await answers())[0]).to.equal(`approved, by process ${await at(0).processId()}`)
    const again = await at(1)
      .client.rpc('exec:answer', { id, approve: false })
      .catch((error: { code?: string }) => error.code)
    expect(again).to.equal('conflict')
  })

  it('are refused by the owner in a chat that is reached through any host', async () => {
    const id = await asked()
    await until(async () => (await heard(at(1), OWNER)).some((text) => text.includes(id)))
    await say(at(1), OWNER, `/approve deny ${id}`)
    await until(async () => (await answers()).some((text) => text.startsWith('denied')))
    expect((await at(1).client.rpc('exec:pending', {})).pending).to.deep.equal([])
  })

  it('wait on when the host that asked dies, and can be given then', async () => {
    const id = await asked()
    await at(0).kill()
    await until(async () => (await onlineOf(at(1))) === 'a')
    expect((await at(1).client.rpc('exec:pending', {})).pending.map((one) => one.id)).to.deep.equal([id])
    await at(1).client.rpc('exec:answer', { id, approve: true })
    expect((await at(1).client.rpc('exec:pending', {})).pending).to.deep.equal([])
  })
})

async function onlineOf({ client }: ClusterHost): Promise<string> {
  const { endpoints } = await client.rpc('endpoint:list', {}).catch(() => ({ endpoints: [] }))
  return endpoints.flatMap(({ status, name }) => (status === 'online' ? [name] : [])).join(' ')
}
