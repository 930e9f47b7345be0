import { expect } from 'chai'
import { HOUSE } from '@mynah/kernel'
import { until } from '@mynah/kernel/testing'
import { needPostgres, postgres } from '@mynah/plugin-database/testing'
import { connect, type Session } from './connect.js'
import { beat, createTables, declareDead, IdentityInUse, join, takeControl, type Identity } from './host-tables.js'
import { addPlaces, look, take } from './place-tables.js'

const OBSERVED_MS = 100
const LATER = 2 ** 32

describe('the rows of hosts', function () {
  this.timeout(60_000)
  let url: string
  const sessions: Session[] = []

  before(async function () {
    await needPostgres(this)
  })
  beforeEach(async () => {
    url = await (await postgres()).create()
    await createTables(await open('first'))
  })
  afterEach(async () => {
    for (const session of sessions.splice(0)) await session.end()
    await (await postgres()).drop(url)
  })
  const open = async (name: string): Promise<Session> => {
    const session = await connect(url, name, () => {})
    sessions.push(session)
    return session
  }
  const enter = (session: Session, id: string): Promise<Identity> =>
    join(session, { id, name: id, version: '1', now: 1 }, OBSERVED_MS)

  it('show a copy that joins at the same moment, right before the other begins its epoch', async () => {
    const copy = await open('mynah joining')
    const session = await open('mynah joining')
    let beating: Promise<void> | undefined
    let isOver = false
    const liveAsCopy = async (): Promise<void> => {
      const identity = await enter(copy, 'a')
      beating = (async () => {
        while (!isOver) await beat(copy, identity)
      })()
    }
    const query = async (sql: string, parameters?: readonly unknown[]) => {
      if (sql.includes('INSERT INTO cluster_host') && !beating) await liveAsCopy()
      return session.query(sql, parameters)
    }
    const failure = await enter({ query } as Session, 'a').catch((error: unknown) => error)
    isOver = true
    await beating
    expect(failure).to.be.instanceOf(IdentityInUse)
  })

  it('stay live until the connection that beats has ended, so that nothing is taken after its death', async () => {
    const session = await open('mynah joining')
    const identity = await enter(session, 'a')
    // Another name: it is not ended, as if it were busy for a while.
    await session.query(`SET application_name = 'busy'`)
    const other = await open('mynah b 1')
    await addPlaces(other, [HOUSE])
    const [row] = (await look(other, { ...identity, id: 'b' })).others
    if (!row) throw new Error('the host is not seen')
    const declared = declareDead(await open('mynah b 1'), row)
    await until(async () => {
      const { rows } = await other.query(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`)
      return rows.length > 0
    })
    await session.query('BEGIN')
    await take(session, identity, [HOUSE])
    await session.query('COMMIT')
    await session.end()
    expect(await declared).to.equal(true)
    expect((await look(other, { ...identity, id: 'b' })).places.map(({ owner }) => owner)).to.deep.equal([null])
  })

  it('are beaten by one connection: the former one is ended first', async () => {
    const former = await open('mynah joining')
    const identity = await enter(former, 'a')
    const ended = until(async () => {
      const gone = await former.query('SELECT 1').then(
        () => false,
        () => true,
      )
      return gone
    })
    expect(await takeControl(await open('mynah a'), identity)).to.equal(false)
    await ended
  })

  it('belong to one history of the server', async () => {
    const session = await open('mynah joining')
    const identity = await enter(session, 'a')
    expect(await takeControl(session, { ...identity, epoch: identity.epoch - LATER })).to.equal(true)
    const failure = await takeControl(session, { ...identity, epoch: identity.epoch + LATER }).catch(String)
    expect(failure).to.include('this database server is the former one')
  })
})
