import type { AccessRules, Message } from '@mynah/plugin-chat/api'

/** Whether a message is answered. `pair`: if an owner has let its sender in. */
export type AccessVerdict = 'allow' | 'refuse' | 'pair'

/** Returns whether a sender has a role of the configuration, not only one of the group. */
export const isKnown = (roles: ReadonlySet<string>): boolean => roles.has('master') || roles.has('trusted')

/** Decides who may talk to the agent. A pure function. Rules of an endpoint override those of all, key by key. */
export function accessVerdict(
  { adapter, endpoint, channel, roles }: Pick<Message, 'adapter' | 'endpoint' | 'channel' | 'roles'>,
  common: AccessRules,
  own: AccessRules = {},
): AccessVerdict {
  if (isKnown(roles)) return 'allow'
  const rules = { ...common, ...own }
  if (channel.type === 'private') {
    if (rules.private === 'paired') return 'pair'
    return rules.private === 'trusted' ? 'refuse' : 'allow'
  }
  if (rules.groups === 'list') return rules.list?.includes(`${adapter}|${endpoint}|${channel.id}`) ? 'allow' : 'refuse'
  return rules.groups === 'trusted' ? 'refuse' : 'allow'
}
