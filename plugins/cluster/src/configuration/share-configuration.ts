import { messageOf, type Clock, type Configuration, type HostControl, type Logger } from '@mynah/kernel'
import { connect, type Session } from '../database/connect.js'
import type { Member } from '../member/member.js'
import { BaseFile } from './base-file.js'
import { Revisions } from './revisions.js'

/** Delay before revisions are read again after a failure. */
const RETRY_MS = 2_000

interface Parts {
  readonly configuration: Configuration
  readonly data: string
  readonly url: string
  readonly member: Member
  readonly host: HostControl
  readonly clock: Clock
  readonly log: Logger
}

/** Makes a host run the configuration that all hosts share. Returns that, and how to stop to follow it. */
export function shareConfiguration(parts: Parts): {
  readonly revisions: Revisions
  readonly stop: () => Promise<void>
} {
  const { configuration, data, url, member, host, clock, log } = parts
  let isStopped = false
  let cancel = (): void => {}
  const catchUpLater = (): void => {
    cancel()
    cancel = clock.setTimeout(() => void follow(() => revisions.catchUp()), RETRY_MS)
  }
  const revisions = new Revisions({
    configuration,
    file: new BaseFile(configuration, data),
    name: member.self.name,
    clock,
    log,
    report: async (state) => {
      try {
        await member.runsRevision(state)
      } catch (error) {
        // A revision that restarts this plugin has closed its connection, and the one that follows it reports.
        if (!isStopped) catchUpLater()
        throw error
      }
    },
    redact: (text) => host.redact(text),
    // The beats do not wait for a large text.
    async use<T>(work: (session: Session) => Promise<T>): Promise<T> {
      const session = await connect(url, member.session.name, () => {})
      try {
        return await work(session)
      } finally {
        await session.end()
      }
    },
  })
  const follow = async (work: () => Promise<readonly string[] | void>): Promise<void> => {
    try {
      for (const line of (await work()) ?? []) log.warn(line)
    } catch (error) {
      if (isStopped) return
      log.warn(`failed to follow the shared configuration: ${messageOf(error)}`)
      catchUpLater()
    }
  }
  const stops = [
    member.onRevision(() => void follow(() => revisions.catchUp())),
    member.onGap(() => void follow(() => revisions.catchUp())),
    () => cancel(),
  ]
  // Not awaited: a revision may restart this plugin.
  void follow(() => revisions.follow())
  return {
    revisions,
    async stop() {
      isStopped = true
      stops.forEach((stop) => stop())
      await revisions.close()
    },
  }
}
