import type { PluginItem } from '@mynah/contract/types'
import { joinList } from '../kit/join-list.js'
import { t as common } from '../lib/i18n.js'
import type { BuiltInPage } from '../lib/pages.js'
import { useResource } from '../lib/use-resource.js'
import { EnablePlugins } from '../pages/setup/enable-plugins.js'
import { Button } from '../ui/button.js'
import { EmptyState, Skeleton } from '../ui/notice.js'
import { PageHead } from '../ui/page-head.js'
import { useCatalogue } from './catalogue.js'
import { host } from './host.js'
import { t } from './plugin-off-texts.js'

/** The plugins that provide each page, in the order in which they are enabled. The last one has its operation. */
const PLUGINS = {
  '/endpoints': ['chat'],
  '/inbox': ['inbox'],
  '/logs': ['logs'],
  '/traces': ['chat'],
  '/cron': ['cron'],
  '/hosts': ['cluster'],
  '/config': ['workspace'],
  '/files': ['workspace'],
  '/env': ['workspace'],
  '/database': ['database'],
  '/marketplace': ['marketplace'],
  '/agent/sessions': ['ai', 'agent'],
  '/agent/approvals': ['exec-security'],
  '/agent/models': ['ai'],
  '/agent/knowledge': ['knowledge'],
  '/introspection': ['introspection'],
  '/assistant/jobs': ['assistant'],
} as const
type Path = keyof typeof PLUGINS

const isPath = (path: string): path is Path => Object.hasOwn(PLUGINS, path)

interface PluginOffProps {
  readonly page: BuiltInPage
}

/** Says that the plugin of a page is not enabled, and what the page would show, and enables it. */
export function PluginOff({ page: { name, path } }: PluginOffProps) {
  const { data: plugins } = useResource('GET /plugins', (signal) => host().rest('GET /plugins', { signal }))
  const { has } = useCatalogue()
  const wanted = isPath(path) ? PLUGINS[path] : []
  if (!plugins) return <Skeleton label={common('loading')} />
  const isOn = (plugin: string): boolean => plugins.some((item) => item.name === plugin && item.state !== 'disabled')
  const missing = wanted.filter((plugin) => !isOn(plugin))
  const last = wanted.at(-1) ?? ''
  return (
    <>
      <PageHead title={common(name)} fact={isPath(path) ? t(path) : undefined} />
      <div class="panel">
        {missing.length > 0 ? (
          <Off names={missing} canEnable={has('config:enable')} />
        ) : (
          <Waiting item={plugins.find((item) => item.name === last)} />
        )}
      </div>
    </>
  )
}

function Off({ names, canEnable }: { readonly names: readonly string[]; readonly canEnable: boolean }) {
  const title = t('off', { names: joinList(names), count: names.length })
  if (!canEnable) return <EmptyState title={title}>{t('byHand', { names: joinList(names) })}</EmptyState>
  return <EnablePlugins title={title} plugins={names} now={false} onEnabled={() => undefined} />
}

const STATES = new Map<PluginItem['state'], 'failed' | 'silent'>([
  ['failed', 'failed'],
  ['active', 'silent'],
])

/** A plugin that is enabled and does not serve. */
function Waiting({ item }: { readonly item: PluginItem | undefined }) {
  if (!item) return null
  return (
    <EmptyState
      title={t(STATES.get(item.state) ?? 'waiting', { name: item.name })}
      action={<Button href={`/plugins/${encodeURIComponent(item.name)}`}>{t('open')}</Button>}
    >
      {item.error ?? item.waitingFor?.join(', ')}
    </EmptyState>
  )
}
