import { execFile } from 'node:child_process'
import { messageOf } from '@mynah/kernel'
import type { Logger } from './supervisor-log.js'

const NOTIFY_TIMEOUT_MS = 10_000

/** A state of systemd's notify protocol. */
export type ServiceState = 'READY=1' | 'STOPPING=1'

/**
 * Notifies a service manager with `Type=notify`; otherwise does nothing. Node cannot open datagram sockets of this
 * kind, so
 * systemd-notify sends the message, which requires `NotifyAccess=all`.
 */
export function notifyServiceManager(state: ServiceState, log: Logger): void {
  if (!process.env.NOTIFY_SOCKET) return
  execFile('systemd-notify', [state], { timeout: NOTIFY_TIMEOUT_MS }, (error) => {
    if (!error) return
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const reason = isMissing ? 'systemd-notify is not installed' : messageOf(error).split('\n', 1)[0]
    log.warn(`failed to notify the service manager of ${state}: ${reason}`)
  })
}
