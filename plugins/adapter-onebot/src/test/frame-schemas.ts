// The requests of OneBot 11. A frame with another shape fails the test.
import { Type, type TObject } from '@mynah/contract/type'
import { mistakesIn } from '@mynah/contract/validate'

const closed = { additionalProperties: false }
const id = Type.Integer({ minimum: 1 })
const text = Type.String({ minLength: 1, maxLength: 4_500 })
const digits = Type.String({ pattern: '^-?\\d{1,20}$' })
const file = Type.String({ pattern: '^(?:https?://|base64://)' })

const SEGMENTS: Readonly<Record<string, TObject>> = {
  text: Type.Object({ text }, closed),
  at: Type.Object({ qq: Type.String({ pattern: '^(?:\\d{1,20}|all)$' }) }, closed),
  face: Type.Object({ id: digits }, closed),
  reply: Type.Object({ id: digits }, closed),
  image: Type.Object({ file, name: Type.Optional(Type.String()) }, closed),
  record: Type.Object({ file, name: Type.Optional(Type.String()) }, closed),
  video: Type.Object({ file, name: Type.Optional(Type.String()) }, closed),
  file: Type.Object({ file, name: Type.Optional(Type.String()) }, closed),
}
const message = Type.Array(Type.Object({ type: Type.String(), data: Type.Object({}) }, closed), { minItems: 1 })
const inGroup = { group_id: id, user_id: id }

const ACTIONS: Readonly<Record<string, TObject>> = {
  get_login_info: Type.Object({}, closed),
  get_status: Type.Object({}, closed),
  can_send_image: Type.Object({}, closed),
  can_send_record: Type.Object({}, closed),
  get_friend_list: Type.Object({}, closed),
  get_group_list: Type.Object({}, closed),
  get_group_member_list: Type.Object({ group_id: id }, closed),
  get_group_msg_history: Type.Object({ group_id: id, count: Type.Integer({ minimum: 1, maximum: 50 }) }, closed),
  send_group_msg: Type.Object({ group_id: id, message }, closed),
  send_private_msg: Type.Object({ user_id: id, group_id: Type.Optional(id), message }, closed),
  delete_msg: Type.Object({ message_id: id }, closed),
  set_group_kick: Type.Object({ ...inGroup, reject_add_request: Type.Boolean() }, closed),
  set_group_ban: Type.Object({ ...inGroup, duration: Type.Integer({ minimum: 0, maximum: 2_592_000 }) }, closed),
  set_group_admin: Type.Object({ ...inGroup, enable: Type.Boolean() }, closed),
  set_friend_add_request: Type.Object(
    { flag: Type.String({ minLength: 1 }), approve: Type.Boolean(), remark: Type.String() },
    closed,
  ),
  set_group_add_request: Type.Object(
    {
      flag: Type.String({ minLength: 1 }),
      sub_type: Type.Enum(['add', 'invite']),
      approve: Type.Boolean(),
      reason: Type.String(),
    },
    closed,
  ),
  set_msg_emoji_like: Type.Object({ message_id: id, emoji_id: digits, set: Type.Boolean() }, closed),
}
const Request = Type.Object(
  {
    action: Type.Enum(Object.keys(ACTIONS)),
    params: Type.Object({}),
    echo: Type.String({ minLength: 1, maxLength: 64 }),
  },
  closed,
)
/** QQ shows these as messages of their own. */
const ALONE = new Set(['record', 'video', 'file'])

interface Part {
  readonly type: string
  readonly data: object
}

function mistakesInMessage(parts: readonly Part[]): string[] {
  const mistakes = parts.flatMap(({ type, data }, index) => {
    const schema = SEGMENTS[type]
    const found = schema ? mistakesIn(schema, data).map(({ path, message: why }) => `${path} ${why}`) : ['no such type']
    return found.map((why) => `message[${index}] (${type}): ${why}`)
  })
  if (parts.length > 1 && parts.some(({ type }) => ALONE.has(type))) mistakes.push('a medium is not alone')
  if (parts.findIndex(({ type }) => type === 'reply') > 0) mistakes.push('a reply is not the first segment')
  return mistakes
}

/** Returns what is wrong with a request. */
export function mistakesInRequest(frame: unknown): string[] {
  const mistakes = mistakesIn(Request, frame).map(({ path, message: why }) => `${path} ${why}`)
  if (mistakes.length > 0) return mistakes
  const { action, params } = frame as { action: string; params: { message?: Part[] } }
  mistakes.push(
    ...mistakesIn(ACTIONS[action] as TObject, params).map(({ path, message: why }) => `${action}: ${path} ${why}`),
  )
  return mistakes.length > 0 || !params.message ? mistakes : mistakesInMessage(params.message)
}
