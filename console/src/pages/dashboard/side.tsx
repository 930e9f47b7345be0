// Beside the traffic: the process and its machine.
import type { Stats, SystemStatus } from '@mynah/contract/types'
import { bytes } from '../../lib/format.js'
import { figures } from '../../lib/i18n.js'
import type { Minute } from '../../lib/ring.js'
import type { Resource } from '../../lib/use-resource.js'
import { Ticks } from '../../ui/ticks.js'
import { Loaded } from '../../ui/parts/loaded.js'
import { Section } from '../../ui/parts/section.js'
import { Lines } from './lines.js'
import { memoryHour } from './model.js'
import { d } from './texts.js'

export function HostFacts({
  system,
  stats,
  ring,
  now,
}: {
  readonly system: Resource<SystemStatus>
  readonly stats: Stats | undefined
  readonly ring: readonly Minute[]
  readonly now: number
}) {
  const memory = memoryHour(ring, now)
  return (
    <Section title={d('host')}>
      <Loaded resource={system} rows={5}>
        {({ cpu, osMemory, platform, nodeVersion, pid, memory: { rss } }) => (
          <Lines
            lines={[
              [
                d('memory'),
                <>
                  <Ticks ticks={memory.ticks} label={d('memoryHour', { top: memory.top })} />
                  <b class="nowrap">{stats ? Math.round(stats.memory) : Math.round(rss / 1_048_576)} MB</b>
                </>,
              ],
              [d('processor'), <b>{cpu.percent.toFixed(1)} %</b>],
              [d('machine'), d('free', { free: bytes(osMemory.freeMem), total: bytes(osMemory.totalMem) })],
              ...(stats
                ? [
                    [
                      d('plugins'),
                      `${d('active', { active: stats.plugins.active })}${stats.plugins.total > stats.plugins.active ? `, ${d('off', { count: stats.plugins.total - stats.plugins.active })}` : ''}`,
                    ] as const,
                    [d('commands'), figures(stats.commands)] as const,
                  ]
                : []),
              [d('runsOn'), `${platform}, node ${nodeVersion}, ${pid}`],
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}
