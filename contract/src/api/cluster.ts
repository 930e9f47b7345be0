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
    places: Type.Array(Type.String(), {
      description: 'Places that it owns; `house` is all that belongs to no endpoint',
    }),
    drains: Type.Boolean({
      description: 'Whether it gives its places away and takes none, until it starts again or is asked to take some',
    }),
    revision: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Revision of the shared configuration that it runs; absent where it runs a file of its own',
      }),
    ),
    revisionProblem: Type.Optional(
      Type.String({ description: 'Why it cannot run the newest revision, and takes no places' }),
    ),
    waitsFor: Type.Optional(Type.String({ description: 'Why it takes no places yet, as a host of another version' })),
    packages: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description:
          'Versions of the packages of its plugins without those of its own version of Mynah; absent until known',
      }),
    ),
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
        places: ['house'],
        drains: false,
        revision: 7,
        packages: { 'mynah-plugin-dice': '1.2.0' },
        self: true,
      },
    ],
  },
)
export type ClusterHost = Static<typeof ClusterHost>

/** A place of a cluster: work that one host does at a time. */
export const ClusterPlace = Type.Object(
  {
    id: Type.String({ description: '`house` is all that belongs to no endpoint' }),
    owner: Type.Union([Type.Object({ id: Type.String(), name: Type.String() }), Type.Null()], {
      description: 'The host that has it',
    }),
    since: Type.Integer({
      description: 'When it got its owner or lost its last one, by the clock of the database, in milliseconds',
    }),
    wanted: Type.Union([Type.String(), Type.Null()], {
      description: 'Id of the host that it was moved to, until another one takes it',
    }),
    falls: Type.Integer({
      minimum: 0,
      description: 'Hosts that died with it, each within ten minutes of the one before; 0 ten minutes after the last',
    }),
    restsUntil: Type.Union([Type.Integer(), Type.Null()], {
      description: 'When hosts may take it again, since too many died with it, by the clock of the database',
    }),
  },
  {
    examples: [
      {
        id: 'house',
        owner: { id: '5b0c2f6e', name: 'berlin-1' },
        since: 1_790_000_000_000,
        wanted: null,
        falls: 0,
        restsUntil: null,
      },
    ],
  },
)
export type ClusterPlace = Static<typeof ClusterPlace>

/** Methods of hosts that share a database. */
export const cluster = contract({
  rpc: {
    'cluster:hosts': {
      summary: 'The hosts of the database, by name',
      reads: true,
      params: Type.Object({}),
      data: Type.Object({ hosts: Type.Array(ClusterHost) }),
      errors: ['upstream_unavailable'],
    },
    'cluster:places': {
      summary: 'The places of the hosts, by id',
      reads: true,
      params: Type.Object({}),
      data: Type.Object({ places: Type.Array(ClusterPlace) }),
      errors: ['upstream_unavailable'],
    },
    'cluster:move': {
      summary: 'Moves a place to a host, which keeps it while it lives, or takes that back',
      params: Type.Object({
        place: Type.String({ minLength: 1, maxLength: 256, examples: ['house'] }),
        host: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 64,
            description: 'Id of the host; without it, the place may go anywhere',
          }),
        ),
      }),
      data: Type.Null(),
      errors: ['not_found', 'upstream_unavailable'],
    },
    'cluster:drain': {
      summary: 'Lets a host give its places away until it starts again, or take places again',
      params: Type.Object({
        host: Type.String({ minLength: 1, maxLength: 64, description: 'Id of the host' }),
        drains: Type.Boolean({ default: true }),
      }),
      data: Type.Null(),
      errors: ['not_found', 'conflict', 'upstream_unavailable'],
    },
  },
})
