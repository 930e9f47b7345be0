import { isRecord, WireError } from '@mynah/contract'
import type { Channel, JobNotify, JobNotifyInput } from '@mynah/contract/types'

const bad = (path: string, message: string): never => {
  throw new WireError('invalid_request', `${path} ${message}`, { details: [{ path, message }] })
}

/**
 * Returns the stored form of a notify.
 *
 * @throws WireError `invalid_request` that names the field
 */
export function normalizedNotify(input: JobNotifyInput, path = 'notify'): JobNotify {
  if (input.channel === 'silent' || input.channel === 'log') return { channel: input.channel }
  if (input.channel === 'ha') {
    const { service = bad(`${path}.service`, 'is needed for the channel "ha", such as "notify.phone"'), target } = input
    if (!/^\w{1,100}\.\w{1,100}$/.test(service))
      bad(`${path}.service`, 'must be a service of the home, such as "notify.phone"')
    return { channel: 'ha', service, ...(target === undefined ? {} : { target }) }
  }
  const nested = isRecord(input.target) ? input.target : {}
  const field = (name: 'platform' | 'endpointId' | 'sceneId'): string => {
    const value = input[name] ?? nested[name]
    return typeof value === 'string' && value !== '' && value.length <= 1_024
      ? value
      : bad(`${path}.${name}`, 'is needed for the channel "im"')
  }
  const scope = input.scope ?? nested.scope ?? 'private'
  if (scope !== 'private' && scope !== 'group' && scope !== 'channel')
    return bad(`${path}.scope`, 'must be private, group or channel')
  return {
    channel: 'im',
    platform: field('platform'),
    endpointId: field('endpointId'),
    sceneId: field('sceneId'),
    scope,
  }
}

/** Returns the channel that a notify addresses. */
export function channelOf({ sceneId, scope }: Extract<JobNotify, { channel: 'im' }>): Channel {
  const slash = scope === 'channel' ? sceneId.indexOf('/') : -1
  if (slash <= 0 || slash === sceneId.length - 1) return { type: scope, id: sceneId }
  return { type: scope, id: sceneId.slice(slash + 1), parent: { type: 'guild', id: sceneId.slice(0, slash) } }
}

/** Returns the notify that addresses a channel. */
export function notifyTo(adapter: string, endpoint: string, { type, id, parent }: Channel): JobNotify {
  return {
    channel: 'im',
    platform: adapter,
    endpointId: endpoint,
    sceneId: parent ? `${parent.id}/${id}` : id,
    scope: type,
  }
}
