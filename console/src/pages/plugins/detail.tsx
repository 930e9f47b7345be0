import type { PluginDetail, PluginItem } from '@mynah/contract/types'
import { host } from '../../app/host.js'
import { entries } from '../../entries/state.js'
import { search } from '../../lib/search.js'
import type { PageProps } from '../../lib/pages.js'
import { useQuery } from '../../lib/router.js'
import { useResource, type Resource } from '../../lib/use-resource.js'
import { useStore } from '../../lib/use-store.js'
import { Badge, Button, EmptyState, FailureNotice, PageHead, Skeleton, Tabs, Updated } from '../../ui/index.js'
import { State } from '../../ui/parts/state.js'
import { useReviewStep, type ReviewStep } from '../config/review-step.js'
import { ConsolePages } from './console-pages.js'
import { Features } from './features.js'
import { entriesOf, featureCount, originOf, toneOf } from './model.js'
import { Overview } from './overview.js'
import { PluginMenu } from './plugin-menu.js'
import { Settings } from './settings.js'
import { t } from './texts.js'
import { PluginProblem } from './plugin-problem.js'
import '../../ui/parts/parts.css'
import './page.css'

// Demo tokens may not read the configuration.
const tabs = (['overview', 'features', 'settings', 'console'] as const).filter((id) => !__DEMO__ || id !== 'settings')
const words = {
  active: 'stateActive',
  pending: 'statePending',
  starting: 'stateStarting',
  degraded: 'stateDegraded',
  stopping: 'stateStopping',
  failed: 'stateFailed',
  disabled: 'stateDisabled',
} as const

const useReview: () => ReviewStep = __DEMO__ ? () => ({ page: undefined, onReview: () => {} }) : useReviewStep

export function PluginPage({ params }: PageProps) {
  const name = params['name'] ?? ''
  const { page: review, onReview } = useReview()
  const plugin = useResource<PluginDetail>(`GET /plugins/${name}`, (signal) =>
    host().rest('GET /plugins/:name', { params: { name }, signal }),
  )
  const schema = useResource<unknown>(`schema:get ${name}`, (signal) =>
    __DEMO__ ? Promise.resolve(null) : host().rpc('schema:get', { pluginName: name }, { signal }),
  )
  const all = useResource<PluginItem[]>('GET /plugins', (signal) => host().rest('GET /plugins', { signal }))
  const { data } = plugin
  const reload = (): void => {
    for (const resource of [plugin, schema, all]) resource.reload()
  }
  const origin = data && originOf(data)
  const body = () => {
    if (plugin.failure?.kind === 'missing') return <Missing name={name} all={all.data ?? []} />
    if (data) return <Content plugin={data} all={all.data ?? []} schema={schema} onReview={onReview} />
    if (plugin.failure) return <FailureNotice failure={plugin.failure} onRetry={reload} />
    return <Skeleton label={t('loading')} />
  }
  if (review) return review
  return (
    <>
      <PageHead
        title={name}
        fact={
          <>
            {data ? <State tone={toneOf(data)}>{t(words[data.state])}</State> : null}
            {data?.version ? (
              <span>
                {data.version}
                {origin === 'third' ? ` · ${t('third')}` : ''}
              </span>
            ) : null}{' '}
            <Updated at={plugin.updatedAt} />
            {plugin.failure && data ? (
              <>
                {' '}
                <Badge tone="warn">{t('list.stale')}</Badge>
              </>
            ) : null}
          </>
        }
        actions={
          <>
            <Button href="/plugins">{t('back')}</Button>
            <Button onClick={reload} hotkey="r">
              {t('refresh')}
            </Button>
            {data ? <PluginMenu plugin={data} label={t('actionsOf', { name })} items={[]} /> : null}
          </>
        }
      />
      {body()}
    </>
  )
}

/** Returns the closest known name: one contains the other, or both start alike. */
function Missing({ name, all }: { readonly name: string; readonly all: readonly PluginItem[] }) {
  const near =
    search(all, name, (plugin) => plugin.name)[0]?.name ??
    all.find((plugin) => name.includes(plugin.name) || plugin.name.startsWith(name.slice(0, 3)))?.name
  return (
    <EmptyState
      title={t('missing', { name })}
      action={
        <span class="row">
          {near ? <Button href={`/plugins/${encodeURIComponent(near)}`}>{t('near', { name: near })}</Button> : null}
          <Button href="/plugins">{t('back')}</Button>
        </span>
      }
    >
      {t('missingText')}
    </EmptyState>
  )
}

interface ContentProps {
  readonly plugin: PluginDetail
  readonly all: readonly PluginItem[]
  readonly schema: Resource<unknown>
  readonly onReview: () => void
}

function Content({ plugin, all, schema, onReview }: ContentProps) {
  const query = useQuery({ tab: 'overview' })
  const own = entriesOf(plugin.name, useStore(entries))
  const tab = tabs.find((id) => id === query.values.tab) ?? 'overview'
  return (
    <>
      <PluginProblem plugin={plugin} />
      <Tabs
        label={t('parts')}
        current={tab}
        onSelect={(id) => query.set({ tab: id }, { replace: true })}
        tabs={[
          { id: 'overview', label: t('overview') },
          { id: 'features', label: t('features'), count: featureCount(plugin) },
          ...(__DEMO__ ? [] : ([{ id: 'settings', label: t('settings') }] as const)),
          { id: 'console', label: t('console'), count: own.length },
        ]}
      >
        {{
          overview: () => <Overview plugin={plugin} all={all} />,
          features: () => <Features plugin={plugin} />,
          settings: () => <Settings plugin={plugin} schema={schema} onReview={onReview} />,
          console: () => <ConsolePages states={own} />,
        }[tab]()}
      </Tabs>
    </>
  )
}
