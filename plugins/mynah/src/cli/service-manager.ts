// Telling the service manager how far the host is: the datagrams of systemd's notify protocol.
import { execFile } from 'node:child_process'
import { messageOf } from '@mynah/kernel'
import type { Logger } from './supervisor-log.js'

/** A host that cannot say so still runs; the program has to answer some time. */
const LIMIT_MS = 10_000

/** What a service manager may be told. */
export type ServiceState = 'READY=1' | 'STOPPING=1'

/**
 * Tells a service manager that waits to hear (`Type=notify`); otherwise does nothing. Node opens no sockets of this kind, so that
 * systemd's own program sends it: `NotifyAccess=all`.
 */
export function tellServiceManager(state: ServiceState, log: Logger): void {
  if (!process.env.NOTIFY_SOCKET) return
  execFile('systemd-notify', [state], { timeout: LIMIT_MS }, (error) => {
    if (error)
      log.warn(
        `the service manager could not be told ${state}: ${(error as NodeJS.ErrnoException).code === 'ENOENT' ? 'systemd-notify is not installed' : (messageOf(error).split('\n', 1)[0] ?? '')}`,
      )
  })
}
