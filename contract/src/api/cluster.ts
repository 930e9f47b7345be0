// The hosts that share a database.
import { Type, type Static } from '@mynah/contract/type'
import { contract } from '../contract.js'
import { Time } from './common.js'

/** A host of a cluster. */
export const ClusterHost = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    state: Type.Enum(['joining', 'live', 'leaving', 'gone', 'dead'], {
      description: 'State in its row. A host that died without a word is live until another declares it dead',
    }),
    version: Type.String({ description: 'Version of Mynah' }),
    startedAt: Time,
    places: Type.Array(Type.String(), { description: 'Places that it owns; `*` is all work' }),
    self: Type.Boolean({ description: 'Whether it is the host that answers' }),
  },
  {
    examples: [
      {
        id: '5b0c2f6e',
        name: 'berlin-1',
        state: 'live',
        version: '0.1.0',
        startedAt: 1_790_000_000_000,
        places: ['*'],
        self: true,
      },
    ],
  },
)
export type ClusterHost = Static<typeof ClusterHost>

/** Methods of hosts that share a database. */
export const cluster = contract({
  rpc: {
    'cluster:hosts': {
      summary: 'The hosts of the database, by name',
      reads: true,
      params: Type.Object({}),
      data: Type.Object({ hosts: Type.Array(ClusterHost) }),
    },
  },
})
