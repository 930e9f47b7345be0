import type { LogEntry, PluginDetail, PluginItem } from '@mynah/contract/types'
import { useCatalogue } from '../../app/catalogue.js'
import { host } from '../../app/host.js'
import { momentSeconds } from '../../kit/time-format.js'
import { currentLocale } from '../../lib/i18n.js'
import { pages } from '../../lib/pages.js'
import { useResource } from '../../lib/use-resource.js'
import { Loaded } from '../../ui/parts/loaded.js'
import { Section } from '../../ui/parts/section.js'
import { lazyPart } from '../../lib/lazy-part.js'
import { userFeatures, describe } from './model.js'
import { t } from './texts.js'

const NeighbourGraph = lazyPart(() => import('./neighbour-graph.js').then((module) => module.NeighbourGraph))

const LINES = 5

const LEVEL_CLASS: Readonly<Record<string, string>> = { error: 'bad', warn: 'amber' }

export function Overview({ plugin, all }: { readonly plugin: PluginDetail; readonly all: readonly PluginItem[] }) {
  const locale = currentLocale()
  const { has } = useCatalogue()
  const description = describe(plugin, locale)
  return (
    <div class="columns-2">
      <div class="stack">
        {description ? <p class="lead">{description}</p> : null}
        <Section title={t('brings')}>
          <ul class="plain-list">
            {userFeatures(plugin).length === 0 ? (
              <li class="muted">{t('nothing')}</li>
            ) : (
              userFeatures(plugin).map(({ kind, count }) => (
                <li key={kind}>
                  <span>{t(kind, { count })}</span>
                  <span class="muted">
                    {(plugin.features.find(({ name }) => name === kind)?.items ?? [])
                      .slice(0, 8)
                      .map(({ name }) => (kind === 'commands' ? `/${name}` : name))
                      .join(', ')}
                    {count > 8 ? ' …' : ''}
                  </span>
                </li>
              ))
            )}
          </ul>
        </Section>
        {plugin.needs ? <NeighbourGraph plugin={plugin} all={all} /> : null}
        {has('GET /logs') ? <LastLines name={plugin.name} /> : null}
      </div>
      <div class="stack">
        {plugin.contexts.length > 0 ? (
          <Section title={t('provides')}>
            <ul class="plain-list">
              {plugin.contexts.map(({ name, description: what }) => (
                <li key={name}>
                  <code>{name}</code>
                  {what ? <span class="muted">{what}</span> : null}
                </li>
              ))}
            </ul>
          </Section>
        ) : null}
        <PackageFacts plugin={plugin} />
      </div>
    </div>
  )
}

interface PackageFactsProps {
  readonly plugin: PluginDetail
}

function PackageFacts({ plugin }: PackageFactsProps) {
  return (
    <Section title={t('package')}>
      <ul class="plain-list">
        {(
          [
            [t('version'), plugin.version],
            [t('section'), plugin.configKey],
            [t('path'), plugin.filePath],
            [t('file'), plugin.filename],
          ] as const
        ).map(([label, value]) =>
          value ? (
            <li key={label}>
              <span class="muted">{label}</span>
              <code>{value}</code>
            </li>
          ) : null,
        )}
      </ul>
    </Section>
  )
}

function LastLines({ name }: { readonly name: string }) {
  const locale = currentLocale()
  const lines = useResource<LogEntry[]>(
    `GET /logs {"name":${JSON.stringify(name)}}`,
    (signal) => host().rest('GET /logs', { query: { name, limit: LINES }, signal }),
    'GET /logs',
  )
  if (lines.failure?.kind === 'missing' || lines.failure?.status === 403) return null
  const now = Date.now()
  return (
    <Section
      title={t('lastLines')}
      actions={
        pages().some(({ path }) => path === '/logs') ? (
          <a href={`/logs?plugin=${encodeURIComponent(name)}`}>{t('allLines')}</a>
        ) : null
      }
    >
      <Loaded resource={lines} rows={3}>
        {(data) =>
          data.length === 0 ? (
            <p class="muted">{t('noLines')}</p>
          ) : (
            <ul class="plain-list lines-of">
              {data.map((line) => {
                const time = Date.parse(line.timestamp)
                return (
                  <li key={line.id}>
                    <time class="muted" dateTime={line.timestamp}>
                      {momentSeconds(time, now, locale)}
                    </time>
                    <b class={LEVEL_CLASS[line.level] ?? 'muted'} title={line.level}>
                      {line.level[0]?.toUpperCase()}
                    </b>
                    <span>{line.message}</span>
                  </li>
                )
              })}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}
