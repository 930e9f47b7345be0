import { omitUndefined } from '@mynah/kernel/util'
import type { Friend, Group, Member } from '@mynah/plugin-chat/api'
import { idOf, nameOf, timeOf, type Frame } from './wire.js'

export function friendOf({ user_id: user, nickname, remark }: Frame): Friend[] {
  const id = idOf(user)
  return id === undefined ? [] : [omitUndefined({ id, name: nameOf(nickname) ?? id, remark: nameOf(remark) })]
}

export function groupOf({ group_id: group, group_name: name, member_count: count }: Frame): Group[] {
  const id = idOf(group)
  const memberCount = typeof count === 'number' && Number.isSafeInteger(count) ? count : undefined
  return id === undefined ? [] : [omitUndefined({ id, name: nameOf(name) ?? id, memberCount })]
}

export function memberOf({ user_id: user, nickname, card, role, title, shut_up_timestamp: muted }: Frame): Member[] {
  const id = idOf(user)
  if (id === undefined) return []
  return [
    omitUndefined({
      id,
      name: nameOf(nickname) ?? id,
      card: nameOf(card),
      role: (role === 'owner' || role === 'admin' ? role : 'member') as Member['role'],
      title: nameOf(title),
      mutedUntil: timeOf(muted) || undefined,
    }),
  ]
}
