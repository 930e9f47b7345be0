import { expect } from 'chai'
import { eachTest, odd, type Rig } from './test/support.js'

describe('Offered with roles', () => {
  const rigs = eachTest()
  const tools = [
    { name: 'silent' },
    { name: 'reads', annotations: { readOnlyHint: true } },
    { name: 'adds', annotations: { readOnlyHint: false, destructiveHint: false } },
    { name: 'writes', annotations: { readOnlyHint: false } },
    { name: 'destroys', annotations: { readOnlyHint: true, destructiveHint: true } },
  ]
  const rolesIn = (rig: Rig) =>
    Object.fromEntries(tools.map(({ name }) => [name, rig.tool(`odd__${name}`).requiredAnyRole]))
  const trusted = ['trusted', 'master']

  it('asks for trusted or master, whatever a server says of its tools', async () => {
    const rig = await rigs.start({ odd: odd({ tools }) })
    await rig.connected('odd')
    const all = { silent: trusted, reads: trusted, adds: trusted, writes: trusted, destroys: trusted }
    expect(rolesIn(rig)).to.deep.equal(all)
  })

  it('takes the configured roles at once, but opens no tools that say that they change things', async () => {
    const rig = await rigs.start({ odd: odd({ tools }) })
    await rig.connected('odd')
    await rig.configure({ odd: odd({ tools }, { roles: ['user'] }) })
    const open = { silent: undefined, reads: undefined, adds: undefined }
    expect(rolesIn(rig)).to.deep.equal({ ...open, writes: trusted, destroys: trusted })
    await rig.configure({ odd: odd({ tools }, { roles: ['master'] }) })
    expect(new Set(Object.values(rolesIn(rig)).map(String))).to.deep.equal(new Set(['master']))
  })
})
