import type { Stats, SystemStatus } from '@mynah/contract/types'
import { bytes } from '../../lib/format.js'
import { formatNumber } from '../../lib/i18n.js'
import type { Minute } from '../../lib/activity-history.js'
import type { Resource } from '../../lib/use-resource.js'
import { Ticks } from '../../ui/ticks.js'
import { Loaded } from '../../ui/parts/loaded.js'
import { Section } from '../../ui/parts/section.js'
import { FactList } from './fact-list.js'
import { memoryHour } from './model.js'
import { t } from './texts.js'

function pluginCounts({ active, total }: Stats['plugins']): string {
  const text = t('active', { active })
  return total > active ? `${text}, ${t('off', { count: total - active })}` : text
}

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
    <Section title={t('host')}>
      <Loaded resource={system} rows={5}>
        {({ cpu, osMemory, platform, nodeVersion, pid, memory: { rss } }) => (
          <FactList
            lines={[
              [
                t('memory'),
                <>
                  <Ticks ticks={memory.ticks} label={t('memoryHour', { top: memory.top })} />
                  <b class="nowrap">{stats ? Math.round(stats.memory) : Math.round(rss / 1_048_576)} MB</b>
                </>,
              ],
              [
                t('processor'),
                <b>
                  {cpu.percent.toFixed(1)}
                  {'\u00a0%'}
                </b>,
              ],
              [t('machine'), t('free', { free: bytes(osMemory.freeMem), total: bytes(osMemory.totalMem) })],
              ...(stats
                ? [
                    [t('plugins'), pluginCounts(stats.plugins)] as const,
                    [t('commands'), formatNumber(stats.commands)] as const,
                  ]
                : []),
              [t('runsOn'), `${platform}, node ${nodeVersion}, ${pid}`],
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}
