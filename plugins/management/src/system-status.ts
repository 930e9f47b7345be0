import { freemem, totalmem } from 'node:os'
import type { SystemStatus } from '@mynah/contract'

const FRESH_MS = 1_000
const US_PER_MS = 1_000

/**
 * Returns a function that reports process and machine, at most a second old. CPU usage is measured between two calls.
 */
export function systemStatus(startedAt: () => number, now: () => number): () => SystemStatus {
  let last: SystemStatus | undefined
  let takenAt = 0
  let usage = process.cpuUsage()
  let measuredAt = performance.now()
  return () => {
    const time = now()
    if (last && time - takenAt < FRESH_MS && time >= takenAt) return last
    const spent = process.cpuUsage(usage)
    const ended = performance.now()
    const elapsed = Math.max(1, ended - measuredAt)
    usage = process.cpuUsage()
    measuredAt = ended
    takenAt = time
    const { rss, heapTotal, heapUsed, external, arrayBuffers } = process.memoryUsage()
    last = {
      uptime: (time - startedAt()) / 1000,
      memory: { rss, heapTotal, heapUsed, external, arrayBuffers },
      osMemory: { freeMem: freemem(), totalMem: totalmem() },
      cpu: {
        user: usage.user,
        system: usage.system,
        percent: Math.round(((spent.user + spent.system) / US_PER_MS / elapsed) * 1000) / 10,
      },
      platform: process.platform,
      nodeVersion: process.version,
      runtime: 'node',
      pid: process.pid,
      timestamp: new Date(time).toISOString(),
    }
    return last
  }
}
