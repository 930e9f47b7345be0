import { Channel, Content, Id, WireError } from '@mynah/contract'
import { Type, type Static } from '@mynah/contract/type'
import { assertFits } from '@mynah/contract/validate'
import { hasNul, toSegments, type InboundMessage, type Segment } from '@mynah/plugin-chat/api'

const Inbound = Type.Object(
  {
    id: Id,
    channel: Channel,
    sender: Type.Object(
      {
        id: Id,
        name: Type.Optional(Type.String({ maxLength: 512 })),
        role: Type.Optional(Type.Enum(['owner', 'admin', 'member'])),
        locale: Type.Optional(Type.Enum(['en', 'zh-CN'])),
      },
      { additionalProperties: false },
    ),
    content: Content,
    mentioned: Type.Optional(Type.Boolean()),
    replyTo: Type.Optional(Id),
    timestamp: Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 })),
  },
  { additionalProperties: false },
)

const wrong = (path: string, message: string): WireError =>
  new WireError('invalid_request', `${path} ${message}`, { details: [{ path, message }] })

/** Refuses references that have a meaning within the host only: paths of this machine, and components. */
function assertForeign({ type, data }: Segment, path: string): void {
  if (type === 'component') throw wrong(`${path}.type`, 'may not be "component": only the host expands components')
  for (const field of ['file', 'src', 'url']) {
    const value = data[field]
    if (typeof value === 'string' && !/^https?:\/\//i.test(value))
      throw wrong(`${path}.data.${field}`, 'must be an address that begins with http:// or https://')
  }
}

/** Parses the message in the body of a request. */
export function inboundOf(body: unknown): InboundMessage {
  assertFits(Inbound, body, 'body')
  if (hasNul(body)) throw wrong('body', 'may not have NUL characters, which no database has to store')
  const message = body as Static<typeof Inbound>
  const content = toSegments(message.content)
  if (content.length === 0) throw wrong('body.content', 'must not be empty')
  content.forEach((segment, index) => assertForeign(segment, `body.content[${index}]`))
  return { ...message, content }
}
