// Schemas that several areas share.
import { Type, type Static, type TSchema } from '@mynah/contract/type'

/** A time in milliseconds since the epoch. */
export const Time = Type.Integer({ description: 'Milliseconds since the epoch', examples: [1767225600000] })
/** A time as ISO 8601. */
export const IsoTime = Type.String({
  description: 'ISO 8601',
  format: 'date-time',
  examples: ['2026-01-01T00:00:00.000Z'],
})
/** An id of at most 512 characters. */
export const Id = Type.String({ minLength: 1, maxLength: 512 })
/** The name of a host. Absent in answers of a host that shares its database with none. */
export const HostName = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Name of the host, where several share a database',
})
/** Any JSON value. */
export const Json = Type.Unknown({ description: 'Any JSON value' })
/** A JSON object. */
export const JsonObject = Type.Record(Type.String(), Json)
export type JsonObject = Static<typeof JsonObject>

/**
 * One piece of a message. Known types: `text`, `at`, `image`, `video`, `audio`, `record`, `voice`, `face`, `sticker`,
 * `emoji`, `file`, `reply`, `card`, `html`, `markdown`.
 */
export const Segment = Type.Object(
  { type: Type.String({ minLength: 1, maxLength: 64 }), data: JsonObject },
  { examples: [{ type: 'text', data: { text: 'hello' } }] },
)
export type Segment = Static<typeof Segment>

/** The content of a message: plain text, or segments. */
export const Content = Type.Union([Type.String({ maxLength: 262_144 }), Type.Array(Segment, { maxItems: 1024 })], {
  examples: ['hello'],
})
export type Content = Static<typeof Content>

/** Whether a channel is a private chat, a group or a channel of a guild. */
export const ChannelType = Type.Enum(['private', 'group', 'channel'])
export type ChannelType = Static<typeof ChannelType>

/** The group or guild that a channel belongs to. */
export const Parent = Type.Object({ type: Type.Enum(['group', 'guild']), id: Id, name: Type.Optional(Type.String()) })
export type Parent = Static<typeof Parent>

/** A place on a platform where messages are exchanged. */
export const Channel = Type.Object({
  type: ChannelType,
  id: Id,
  name: Type.Optional(Type.String()),
  parent: Type.Optional(Parent),
})
export type Channel = Static<typeof Channel>

/** A person on a platform. */
export const Person = Type.Object({ id: Id, name: Type.Optional(Type.String({ maxLength: 512 })) })
export type Person = Static<typeof Person>

/** Whether an action succeeded. */
export const Success = Type.Object({ success: Type.Boolean() })
/** Whether an action succeeded, in words. */
export const Outcome = Type.Object({ success: Type.Boolean(), message: Type.String() })

/** Returns the schema of a page of items. */
export function pageOf<T extends TSchema>(item: T) {
  return Type.Object({
    items: Type.Array(item),
    page: Type.Integer(),
    pageSize: Type.Integer(),
    total: Type.Integer(),
    totalPages: Type.Integer(),
    filter: Type.Optional(Type.String()),
    note: Type.Optional(Type.String()),
  })
}
