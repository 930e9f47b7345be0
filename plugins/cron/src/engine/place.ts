import type { JobNotify } from '@mynah/contract/types'
import type { StoredJob } from '../store/types.js'

/** The kind of work of a job's action: that of the agent, or of one handler. */
export const actionPlace = (job: Pick<StoredJob, 'action'> | undefined): string =>
  job?.action.kind === 'handler' ? handlerPlace(job.action.handler) : kindPlace(job?.action.kind ?? '')

export const kindPlace = (kind: string): string => `action ${kind}`
export const handlerPlace = (handler: string): string => `action handler ${handler}`

/** The kind of work of a delivery: that to one account of a chat, or to another channel. */
export const noticePlace = (notify: JobNotify): string =>
  notify.channel === 'im' ? `notice im ${notify.platform} ${notify.endpointId}` : `notice ${notify.channel}`
