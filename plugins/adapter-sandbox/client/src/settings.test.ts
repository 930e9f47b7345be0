// What a person chose comes back; what somebody else wrote there does no harm.
import { expect } from 'chai'
import { keyOf, residents } from './model.js'
import { makeChannel, makeGroup, PRIVATE, readSettings, settle, writeSettings } from './settings.js'

describe('settings', () => {
  const fresh = readSettings(null)

  it('begin with the residents, in private', () => {
    expect(fresh).to.deep.include({ users: residents, user: 'alice', scene: PRIVATE, raw: false })
    expect(fresh.scenes.map(({ channel }) => keyOf(channel))).to.deep.equal([
      'group:lobby',
      'channel:town/general',
      'channel:town/music',
    ])
  })

  it('come back as they were', () => {
    const cave = makeChannel('hills', 'cave', 'Cave')
    const chosen = {
      ...fresh,
      users: [...fresh.users, { id: 'dave', name: 'Dave', own: true as const }],
      scenes: [...fresh.scenes, makeGroup('club', 'Club'), cave, makeChannel('town', 'square', 'Square')],
      user: 'dave',
      scene: keyOf(cave.channel),
      raw: true,
    }
    expect(readSettings(writeSettings(chosen))).to.deep.equal(chosen)
  })

  it('are those of the beginning where they cannot be read', () => {
    for (const text of [
      '',
      'not json',
      'null',
      '[]',
      '7',
      '{"users":{"a":1},"scenes":[null,{"type":"group"},{"type":"channel","id":"x","name":"x"}],"user":5}',
    ]) {
      expect(readSettings(text), text).to.deep.equal(fresh)
    }
  })

  it('choose somebody who is there', () => {
    expect(settle({ ...fresh, user: 'gone', scene: 'group:gone' })).to.deep.include({ user: 'alice', scene: PRIVATE })
  })
})
