// The tables of the store itself: documents, key-value pairs and a row to probe with.
import { entity } from '../api.js'

const PACKAGE = '@mynah/plugin-database'

export interface DocumentRow { readonly store: string; readonly id: string; readonly body: string }
export const Documents = entity<DocumentRow>({
  package: PACKAGE,
  name: 'mynah_document',
  columns: { store: { type: 'text', primary: true }, id: { type: 'text', primary: true }, body: { type: 'text' } },
})

export interface KeyValueRow { readonly store: string; readonly key: string; readonly value: string; readonly expires: number | null }
export const KeyValues = entity<KeyValueRow>({
  package: PACKAGE,
  name: 'mynah_key_value',
  columns: { store: { type: 'text', primary: true }, key: { type: 'text', primary: true }, value: { type: 'text' }, expires: { type: 'bigint', nullable: true } },
  indices: [{ name: 'mynah_key_value_expires', columns: ['expires'] }],
})

export interface ProbeRow { readonly id: string; readonly filler: string }
export const Probes = entity<ProbeRow>({
  package: PACKAGE,
  name: 'mynah_probe',
  columns: { id: { type: 'text', primary: true }, filler: { type: 'text' } },
})
