import { contract } from '@mynah/contract'
import { Type } from '@mynah/contract/type'

const Time = Type.Integer({ description: 'Milliseconds since the epoch' })
const Base = Type.String({ minLength: 1, maxLength: 64 })
const Path = Type.String({ minLength: 1, maxLength: 1_024 })

/** The most bytes of an uploaded document. */
export const MAX_UPLOAD = 10 * 1024 * 1024

const BaseRow = Type.Object({
  name: Type.String(),
  paths: Type.Array(Type.String(), { description: 'As in the configuration' }),
  roles: Type.Array(Type.String(), { description: 'Roles that may search it' }),
  files: Type.Integer(),
  chunks: Type.Integer({ description: 'Passages that are found' }),
  pending: Type.Integer({ description: 'Documents that wait to be read' }),
  missing: Type.Array(Type.String(), {
    description: 'Paths that are not there. Documents that were read of them are kept',
  }),
  problems: Type.Array(Type.Object({ path: Type.String(), problem: Type.String() }), {
    description: 'Documents that could not be read, or not completely; the first 20',
  }),
})
const FileRow = Type.Object({
  path: Type.String(),
  origin: Type.Enum(['folder', 'upload']),
  size: Type.Integer({ description: 'Bytes' }),
  chunks: Type.Integer(),
  indexedAt: Time,
  problem: Type.Optional(Type.String()),
})
const FoundRow = Type.Object({
  base: Type.String(),
  path: Type.String(),
  heading: Type.String({ description: 'Titles of the sections around it; empty without any' }),
  page: Type.Optional(Type.Integer()),
  text: Type.String(),
})

export const knowledge = contract({
  rpc: {
    'knowledge:list': {
      summary: 'Bases of documents, and how far they are indexed',
      reads: true,
      data: Type.Object({ bases: Type.Array(BaseRow) }),
      errors: ['not_ready'],
    },
    'knowledge:files': {
      summary: 'Documents of a base, by path',
      reads: true,
      params: Type.Object({
        base: Base,
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
        after: Type.Optional(Path),
      }),
      data: Type.Object({ files: Type.Array(FileRow), total: Type.Integer(), nextAfter: Type.Optional(Type.String()) }),
      errors: ['not_found', 'not_ready'],
    },
    'knowledge:search': {
      summary: 'Passages that the agent finds for a question, the best first',
      reads: true,
      params: Type.Object({ query: Type.String({ minLength: 1, maxLength: 1_000 }), base: Type.Optional(Base) }),
      data: Type.Object({ found: Type.Array(FoundRow) }),
      errors: ['not_found', 'not_ready'],
    },
    'knowledge:upload': {
      summary: 'Adds a document to a base, or replaces the uploaded one of this name',
      params: Type.Object({
        base: Base,
        name: Type.String({ minLength: 1, maxLength: 200 }),
        base64: Type.String({ maxLength: Math.ceil((MAX_UPLOAD * 4) / 3) + 4 }),
      }),
      data: Type.Object({ chunks: Type.Integer(), problem: Type.Optional(Type.String()) }),
      errors: ['not_found', 'conflict', 'unsupported', 'too_large', 'not_ready'],
    },
    'knowledge:remove': {
      summary: 'Removes an uploaded document',
      params: Type.Object({ base: Base, path: Path }),
      data: Type.Object({ success: Type.Boolean() }),
      errors: ['not_found', 'unsupported', 'not_ready'],
    },
  },
  events: {
    'knowledge:changed': {
      summary: 'Documents of a base were read, changed or removed',
      data: Type.Object({ base: Type.String() }),
    },
  },
})
