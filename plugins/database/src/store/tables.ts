// Tables of the store itself.
import { entity } from '../api.js'

const PACKAGE = '@mynah/plugin-database'

export interface DocumentRow {
  readonly store: string
  readonly id: string
  readonly body: string
}
export const Documents = entity<DocumentRow>({
  package: PACKAGE,
  name: 'mynah_document',
  columns: { store: { type: 'text', primary: true }, id: { type: 'text', primary: true }, body: { type: 'text' } },
})

export interface KeyValueRow {
  readonly store: string
  readonly key: string
  readonly value: string
  readonly expires: number | null
}
export const KeyValues = entity<KeyValueRow>({
  package: PACKAGE,
  name: 'mynah_key_value',
  columns: {
    store: { type: 'text', primary: true },
    key: { type: 'text', primary: true },
    value: { type: 'text' },
    expires: { type: 'bigint', nullable: true },
  },
  indices: [{ name: 'mynah_key_value_expires', columns: ['expires'] }],
})

export interface ProbeRow {
  readonly id: string
  readonly filler: string
}
export const Probes = entity<ProbeRow>({
  package: PACKAGE,
  name: 'mynah_probe',
  columns: { id: { type: 'text', primary: true }, filler: { type: 'text' } },
})

interface EventRow {
  readonly id: number
  readonly type: string
  readonly data: string
  readonly timestamp: number
}
/** Recent events, which clients may request again. */
export const StreamEvents = entity<EventRow>({
  package: PACKAGE,
  name: 'stream_event',
  columns: {
    id: { type: 'bigint', primary: true },
    type: { type: 'text' },
    data: { type: 'text' },
    timestamp: { type: 'bigint' },
  },
})

interface HeadRow {
  readonly id: string
  readonly epoch: string
  readonly head: number
  /** Timeline of the PostgreSQL server that wrote it: a server that was promoted has a higher one. */
  readonly timeline: number | null
}
/** One row with the epoch of the event log and its newest id. Its lock makes ids follow the order of commits. */
export const StreamHead = entity<HeadRow>({
  package: PACKAGE,
  name: 'stream_head',
  columns: {
    id: { type: 'text', primary: true },
    epoch: { type: 'text' },
    head: { type: 'bigint' },
    timeline: { type: 'bigint', nullable: true },
  },
})
/** Id of that row. */
export const STREAM_ROW = 'stream'
