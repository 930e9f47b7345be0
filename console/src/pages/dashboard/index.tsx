// The dashboard: how the host is, what needs attention, its endpoints.
import type { EndpointItem, PluginItem, Ready, SystemStatus } from '@mynah/contract/types'
import { useEffect, useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { useStats } from '../../app/use-navigation.js'
import { entries, pageFailures } from '../../entries/load.js'
import { bytes, duration } from '../../lib/format.js'
import { t } from '../../lib/i18n.js'
import { minutes, sampleEndpoints, sampleMemory } from '../../lib/minutes.js'
import { useResource } from '../../lib/use-resource.js'
import { useStore } from '../../lib/use-store.js'
import { Badge, Button, EmptyState, FailureNotice, Facts, Ledger, PageHead, Panel, Select, Skeleton, Table, Ticks, Updated } from '../../ui/index.js'
import { attention, endpointKey, eventTicks, memoryTicks, readyOf, upTicks, type Attention } from './model.js'
import { RestartButton } from './restart.js'
import { useTimer } from './timer.js'

const periods = ['0', '10', '30', '60'] as const

export function DashboardPage() {
  const stats = useStats()
  const system = useResource<SystemStatus>('GET /system/status', (signal) => host().rest('GET /system/status', { signal }))
  const endpoints = useResource<EndpointItem[]>('GET /endpoints', (signal) => host().rest('GET /endpoints', { signal }))
  const plugins = useResource<PluginItem[]>('GET /plugins', (signal) => host().rest('GET /plugins', { signal }))
  const ready = useResource<Ready>('GET /ready', (signal) => host().rest('GET /ready', { signal }).catch(readyOf))
  const { base } = host()
  const ring = useStore(minutes(base))
  const states = useStore(entries)
  const failures = useStore(pageFailures)
  const [period, setPeriod] = useState<(typeof periods)[number]>('0')
  const refresh = (): void => { for (const resource of [stats, system, endpoints, plugins, ready]) resource.reload() }
  useTimer(Number(period) * 1000, refresh)
  useEffect(() => { if (stats.data) sampleMemory(base, stats.data.memory) }, [base, stats.updatedAt])
  useEffect(() => {
    if (endpoints.data) sampleEndpoints(base, Object.fromEntries(endpoints.data.map((endpoint) => [endpointKey(endpoint), endpoint.connected])))
  }, [base, endpoints.updatedAt])

  const now = Date.now()
  const events = eventTicks(ring, now)
  const needs = attention({ endpoints: endpoints.data, plugins: plugins.data, ready: ready.data, entries: states, pageFailures: failures })
  const { data } = stats
  return (
    <>
      <PageHead title={t('page.dashboard')}
        fact={<>{data ? <code>{t('dashboard.up', { uptime: duration(data.uptime) })}</code> : null} <Updated at={stats.updatedAt} />{stats.failure && data ? <> <Badge tone="warn">{t('list.stale')}</Badge></> : null}</>}
        actions={<>
          <Select compact label={t('dashboard.timer')} value={period} onChange={setPeriod} options={periods.map((value) => ({ value, label: value === '0' ? t('dashboard.timer.off') : t('dashboard.timer.seconds', { seconds: value }) }))} />
          <Button onClick={refresh} title="r">{t('refresh')}</Button>
          <RestartButton />
        </>} />
      {stats.failure && !data ? <FailureNotice failure={stats.failure} onRetry={stats.reload} /> : null}
      <Ledger label={t('dashboard.figures')} figures={[
        { label: t('page.plugins'), href: '/plugins', value: data?.plugins.active, rest: data && t('dashboard.plugins.rest', { total: data.plugins.total }) },
        { label: t('dashboard.endpoints'), value: data?.endpoints.online, rest: data && t('dashboard.endpoints.rest', { total: data.endpoints.total }) },
        { label: t('dashboard.commands'), value: data?.commands, rest: data && t('dashboard.components', { count: data.components }) },
        { label: t('dashboard.memory'), value: data && Math.round(data.memory), rest: data && 'MB' },
        { label: t('dashboard.events'), body: <Ticks ticks={events.ticks} label={t('dashboard.events.ticks', { count: events.count })} /> },
      ]} />
      <NeedsAttention items={needs} />
      <Panel title={t('dashboard.endpoints')} flush><Endpoints endpoints={endpoints} ring={ring} now={now} /></Panel>
      <Panel title={t('dashboard.system')}>
        {system.data
          ? <Facts columns facts={[
              { label: t('dashboard.uptime'), value: duration(system.data.uptime) },
              { label: t('dashboard.system.cpu'), value: `${system.data.cpu.percent.toFixed(1)} %` },
              { label: t('dashboard.memory'), value: data ? <Ticks ticks={memoryTicks(ring, now)} label={t('dashboard.memory.ticks', { value: Math.round(data.memory) })} /> : undefined },
              { label: t('dashboard.system.heap'), value: `${bytes(system.data.memory.heapUsed)} / ${bytes(system.data.memory.heapTotal)}` },
              { label: t('dashboard.system.machine'), value: t('dashboard.system.free', { free: bytes(system.data.osMemory.freeMem), total: bytes(system.data.osMemory.totalMem) }) },
              { label: t('dashboard.system.platform'), value: system.data.platform },
              { label: t('dashboard.system.runtime'), value: `${system.data.runtime} ${system.data.nodeVersion}` },
              { label: t('dashboard.system.pid'), value: <code>{system.data.pid}</code> },
            ]} />
          : system.failure ? <FailureNotice failure={system.failure} onRetry={system.reload} /> : <Skeleton rows={4} label={t('loading')} />}
      </Panel>
    </>
  )
}

function NeedsAttention({ items }: { readonly items: readonly Attention[] }) {
  if (items.length === 0) return null
  return (
    <Panel title={t('dashboard.attention')} flush>
      <ul class="attention">
        {items.map((item) => (
          <li key={item.id}>
            <Badge tone={item.tone} shape={item.tone === 'err' ? 'ring' : 'half'}>{t(item.tone === 'err' ? 'attention.err' : 'attention.warn')}</Badge>
            <span class="break">{item.href ? <a href={item.href}>{t(item.text, item.values)}</a> : t(item.text, item.values)}{item.said ? <span class="muted"> {item.said}</span> : null}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

interface EndpointsProps { readonly endpoints: ReturnType<typeof useResource<EndpointItem[]>>; readonly ring: Parameters<typeof upTicks>[0]; readonly now: number }

function Endpoints({ endpoints, ring, now }: EndpointsProps) {
  if (!endpoints.data) return endpoints.failure ? <div class="list"><FailureNotice failure={endpoints.failure} onRetry={endpoints.reload} /></div> : <Skeleton rows={3} label={t('loading')} />
  if (endpoints.data.length === 0) return <EmptyState title={t('dashboard.noEndpoints')}>{t('dashboard.noEndpoints.text')}</EmptyState>
  return (
    <Table caption={t('dashboard.endpoints')} rows={endpoints.data.slice(0, 50)} rowKey={endpointKey} columns={[
      { id: 'name', head: t('endpoint.name'), rowHeader: true, cell: (row) => row.name },
      { id: 'adapter', head: t('endpoint.adapter'), cell: (row) => <code>{row.adapter}</code> },
      { id: 'status', head: t('endpoint.status'), cell: (row) => <Badge tone={row.connected ? 'ok' : 'err'} shape={row.connected ? 'full' : 'ring'}>{t(`status.${row.status}`)}</Badge> },
      { id: 'hour', head: t('endpoint.hour'), wide: true, cell: (row) => {
        const { ticks, up, seen } = upTicks(ring, endpointKey(row), now)
        return <Ticks ticks={ticks} label={t('endpoint.hour.ticks', { up, seen })} />
      } },
    ]} />
  )
}
