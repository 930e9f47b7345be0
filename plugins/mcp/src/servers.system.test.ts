import { expect } from 'chai'
import { eachTest, failure, odd, until } from './test/support.js'

describe('Servers', function () {
  this.timeout(20_000)
  const rigs = eachTest()

  it('applies filters at once, without a new connection', async () => {
    const rig = await rigs.start({ odd: odd({}, { include: ['echo', 'lists', 'fail'], exclude: ['fail'] }) })
    await rig.connected('odd')
    expect(rig.tools).to.deep.equal(['odd__echo', 'odd__lists'])
    const { since } = rig.server('odd')
    await rig.configure({ odd: odd({}, { exclude: ['die'], timeout: 5_000 }) })
    await rig.passes(() => rig.tools.includes('odd__fail'))
    expect(rig.tools).to.not.include('odd__die')
    expect(rig.tool('odd__echo').timeout).to.equal(5_000)
    expect(rig.server('odd').since).to.equal(since)
    expect(await rig.text('odd', 'lists')).to.equal('2')
    await rig.configure({ odd: odd({}, { include: ['echo'] }) })
    expect(rig.tools).to.deep.equal(['odd__echo'])
  })

  it('disables and enables a server', async () => {
    const rig = await rigs.start({ odd: odd({}, { disabled: true }) })
    expect(rig.server('odd')).to.include({ connected: false, disabled: true, toolCount: 0 })
    expect((await failure(rig.servers.call('odd', 'echo', {}))).message).to.equal('odd is not connected')
    await rig.configure({ odd: odd() })
    await rig.connected('odd')
    await rig.configure({ odd: odd({}, { disabled: true }) })
    await until(() => !rig.server('odd').connected && rig.tools.length === 0)
    expect(rig.server('odd').nextTryAt).to.equal(undefined)
  })

  it('adds and removes servers without restarting another', async () => {
    const rig = await rigs.start({ stays: odd(), goes: odd() })
    await Promise.all([rig.connected('stays'), rig.connected('goes')])
    const hanging = failure(rig.servers.call('goes', 'hang', {}))
    await rig.text('goes', 'echo')
    const kept = rig.tool('stays__echo')
    await rig.configure({ stays: odd(), comes: odd() })
    expect(await hanging).to.have.property('code', 'not_ready')
    await rig.connected('comes')
    expect(rig.servers.list().map(({ name }) => name)).to.deep.equal(['stays', 'comes'])
    expect(rig.tool('stays__echo')).to.equal(kept)
    expect(await rig.text('stays', 'lists')).to.equal('1')
    expect(await failure(rig.servers.call('goes', 'echo', {}))).to.have.property('code', 'not_found')
  })

  it('stops servers that are starting', async () => {
    const rig = await rigs.start({ odd: odd({ silent: true }) })
    await until(() => rig.clock.pending > 0)
    await rig.configure({})
    await rig.configure({ odd: odd() })
    await rig.connected('odd')
    expect(await rig.text('odd', 'echo')).to.equal('{}')
  })

  it('distinguishes tools whose plain names would be equal', async () => {
    const rig = await rigs.start({
      a: odd({ tools: [{ name: 'b__c', description: 'One' }] }),
      a__b: odd({ tools: [{ name: 'c', description: 'Two' }] }),
    })
    await Promise.all([rig.connected('a'), rig.connected('a__b')])
    expect(rig.tool('a__b__c').description).to.equal('One')
    expect(rig.tools.filter((name) => /^a__b__c(_[0-9a-f]{8})?$/.test(name))).to.have.length(2)
    expect(rig.log.filter(({ level }) => level === 'warn')).to.deep.equal([])
  })
})
