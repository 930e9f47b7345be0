// A host whose rows are announced on the event stream, to be stopped or killed at any moment.
// Arguments: data folder, `busy` or `quiet`. Prints `ready <origin>`. At the first line of its input a busy host starts
// to write rows, and a quiet one publishes `end` and prints the number of rows.
import { createInterface } from 'node:readline'
import { createHost, definePlugin, HostPaths } from '@mynah/kernel'
import events from '@mynah/plugin-events'
import { publish, streamEvents } from '@mynah/plugin-events/api'
import httpCore from '@mynah/plugin-http-core'
import { Http } from '@mynah/plugin-http-core/api'
import { Database, entities, newId, step } from '../api.js'
import database from '../index.js'
import { STREAM_TOKEN, Told } from './stream-rounds.js'

const [data = '', mode = ''] = process.argv.slice(2)
const said = (type: string, value: unknown) => ({ type, data: value })

const teller = definePlugin({
  name: 'teller',
  needs: { database: Database },
  setup(ctx) {
    ctx.contribute(entities, Told)
    for (const type of ['row', 'noise', 'end'])
      ctx.contribute(streamEvents, { type, declaration: { summary: type } as never })
  },
})

const host = createHost(
  [
    { plugin: httpCore, config: { port: 0, token: STREAM_TOKEN } },
    { plugin: events },
    { plugin: database },
    { plugin: teller },
  ],
  { services: [[HostPaths, { root: data, data }]] },
)
await host.start()
const store = host.get(Database) as Database
let stopping = false
process.once('SIGTERM', () => {
  stopping = true
  void host.stop().then(() => process.exit(0))
})
process.stdout.write(`ready ${host.get(Http)?.origin}\n`)
for await (const _line of createInterface({ input: process.stdin })) break

/** Every way in which a row can be announced. */
const ways = [
  async (id: string) => void (await store.append(Told, [{ id, state: 1 }], [said('row', id)])),
  async (id: string) =>
    void (await store.appendNew(
      Told,
      [
        { id, state: 1 },
        { id, state: 2 },
      ],
      [said('row', id), said('row', `${id} again`)],
    )),
  (id: string) =>
    store.tx(async (db) => {
      await db.insert(Told, { id, state: 0 })
      db.announce(said('row', id))
      await store
        .tx(async (inner) => {
          inner.announce(said('row', `${id} undone`))
          throw new Error('undone')
        })
        .catch(() => undefined)
    }),
  async (id: string) => {
    await store.append(Told, [{ id: `${id}-silent`, state: 0 }])
    await store.write([
      step.append(Told, [{ id, state: 1 }], [said('row', id)]),
      step.change(Told, [{ id: `${id}-silent`, state: 2 }], [said('row', `${id}-silent`)]),
    ])
  },
]

if (mode === 'busy') {
  await Promise.all(
    ways.map(async (way) => {
      while (!stopping) {
        await way(newId()).catch((error: unknown) => {
          if (!stopping) throw error
        })
        host.emit(publish, said('noise', null))
      }
    }),
  )
} else {
  host.emit(publish, said('end', null))
  // A row that still waits for its change has not been announced.
  const rows = (await store.read((db) => db.find(Told))).filter(
    ({ id, state }) => state !== 0 || !id.endsWith('-silent'),
  )
  process.stdout.write(`${JSON.stringify(rows.map(({ id }) => id))}\n`)
}
