import { expect } from 'chai'
import { onEverySystem } from '@mynah/plugin-database/testing'
import { DatabaseProfiles, MAX_ENTRIES, MemoryProfiles, ProfileRecords, type Profiles } from './profiles.js'

/** Tests the behaviour of every profile store. */
function profilesContract(open: () => Promise<Profiles>): void {
  it('returns the entries of a user ordered by name', async () => {
    const profiles = await open()
    await profiles.set('ada', 'name', 'Ada', 1)
    await profiles.set('ada', 'likes', 'tea', 2)
    await profiles.set('bob', 'name', 'Bob', 3)
    expect([...(await profiles.get('ada'))]).to.deep.equal([
      ['likes', 'tea'],
      ['name', 'Ada'],
    ])
    expect([...(await profiles.get('eve'))]).to.deep.equal([])
  })

  it('replaces an entry', async () => {
    const profiles = await open()
    await profiles.set('ada', 'name', 'Ada', 1)
    expect(await profiles.set('ada', 'name', 'Ada L.', 2)).to.equal(true)
    expect((await profiles.get('ada')).get('name')).to.equal('Ada L.')
  })

  it('deletes an entry and reports whether it existed', async () => {
    const profiles = await open()
    await profiles.set('ada', 'name', 'Ada', 1)
    expect(await profiles.delete('ada', 'name')).to.equal(true)
    expect(await profiles.delete('ada', 'name')).to.equal(false)
    expect(await profiles.delete('bob', 'name')).to.equal(false)
  })

  it('refuses a new entry of a full profile, and still replaces existing ones', async () => {
    const profiles = await open()
    for (let n = 0; n < MAX_ENTRIES; n++) await profiles.set('ada', `entry ${n}`, 'x', n)
    expect(await profiles.set('ada', 'one more', 'x', 1)).to.equal(false)
    expect(await profiles.set('ada', 'entry 0', 'y', 1)).to.equal(true)
  })
}

describe('MemoryProfiles', () => {
  profilesContract(() => Promise.resolve(new MemoryProfiles()))
})

onEverySystem('DatabaseProfiles', (open) => {
  profilesContract(async () => {
    const { store: database } = await open()
    await database.contribute([ProfileRecords])
    return new DatabaseProfiles(database)
  })
})
