import { expect } from 'chai'
import { channelKey, DEFAULT_USERS } from './model.js'
import { channelScene, groupScene, PRIVATE, parseSettings, withValidSelection, serializeSettings } from './settings.js'

describe('Settings', () => {
  const defaults = parseSettings(null)

  it('begin with the default users, in private', () => {
    expect(defaults).to.deep.include({ users: DEFAULT_USERS, user: 'alice', scene: PRIVATE, raw: false })
    expect(defaults.scenes.map(({ channel }) => channelKey(channel))).to.deep.equal([
      'group:lobby',
      'channel:town/general',
      'channel:town/music',
    ])
  })

  it('are read as they were stored', () => {
    const cave = channelScene('hills', 'cave', 'Cave')
    const chosen = {
      ...defaults,
      users: [...defaults.users, { id: 'dave', name: 'Dave', custom: true as const }],
      scenes: [...defaults.scenes, groupScene('club', 'Club'), cave, channelScene('town', 'square', 'Square')],
      user: 'dave',
      scene: channelKey(cave.channel),
      raw: true,
    }
    expect(parseSettings(serializeSettings(chosen))).to.deep.equal(chosen)
  })

  it('are the default ones where the stored value is invalid', () => {
    for (const text of [
      '',
      'not json',
      'null',
      '[]',
      '7',
      '{"users":{"a":1},"scenes":[null,{"type":"group"},{"type":"channel","id":"x","name":"x"}],"user":5}',
    ]) {
      expect(parseSettings(text), text).to.deep.equal(defaults)
    }
  })

  it('keep a user whom only the host knows, and drop one without any role or entry', () => {
    const stored = parseSettings(JSON.stringify({ user: 'me' }))
    expect(stored.user).to.equal('me')
    expect(withValidSelection(stored, [{ id: 'me', name: 'me' }]).user).to.equal('me')
    expect(withValidSelection(stored).user).to.equal('alice')
  })

  it('select a user and a scene that exist', () => {
    expect(withValidSelection({ ...defaults, user: 'gone', scene: 'group:gone' })).to.deep.include({
      user: 'alice',
      scene: PRIVATE,
    })
  })
})
