import type { PluginDetail, PluginItem } from '@mynah/contract/types'
import { host } from '../../app/host.js'
import { toast } from '../../app/toasts.js'
import { joinList } from '../../kit/join-list.js'
import { useAction } from '../../kit/use-action.js'
import { useResource } from '../../lib/use-resource.js'
import { Confirm, Loaded, Quote } from '../../ui/parts/index.js'
import { userFeatures } from './model.js'
import { neighboursOf } from './neighbours.js'
import { reloadPlugins } from './reload-plugins.js'
import { t as pluginTexts } from './texts.js'
import { t } from './switch-texts.js'

/** Without these the console reaches no host, or cannot enable a plugin. */
const NEEDED = new Set(['http-core', 'console-rpc', 'management', 'workspace'])
const WORDS = {
  disable: { title: 'disableTitle', text: 'disableText', done: 'disabled' },
  remove: { title: 'removeTitle', text: 'removeText', done: 'removed' },
} as const

export interface SwitchOffProps {
  readonly name: string
  readonly how: 'disable' | 'remove'
  readonly onClose: () => void
}

/** Asks before a plugin is disabled, or is taken out of the list, with what stops with it. */
export function SwitchOff({ name, how, onClose }: SwitchOffProps) {
  const plugin = useResource<PluginDetail>(`GET /plugins/${name}`, (signal) =>
    host().rest('GET /plugins/:name', { params: { name }, signal }),
  )
  const { data: all = [] } = useResource<PluginItem[]>('GET /plugins', (signal) =>
    host().rest('GET /plugins', { signal }),
  )
  const words = WORDS[how]
  const work = useAction(async () => {
    const { reloaded } = await host().rpc(`config:${how}`, { plugins: [name] })
    toast(t(reloaded ? words.done : 'going', { name }), reloaded ? 'ok' : 'warn')
    reloadPlugins()
    onClose()
  }, 'here')
  return (
    <Confirm
      danger={how === 'remove'}
      title={t(words.title, { name })}
      action={t(how)}
      busy={work.busy}
      disabled={work.blocked.disabled ?? plugin.data === undefined}
      onClose={onClose}
      onConfirm={() => work.run()}
    >
      <p>{t(words.text)}</p>
      <Loaded resource={plugin} rows={3}>
        {(data) => <Consequences plugin={data} all={all} />}
      </Loaded>
      {work.failure === undefined ? null : <Quote>{work.failure}</Quote>}
    </Confirm>
  )
}

interface ConsequencesProps {
  readonly plugin: PluginDetail
  readonly all: readonly PluginItem[]
}

/** Names the features that go, and the plugins that need it. */
function Consequences({ plugin, all }: ConsequencesProps) {
  const brings = userFeatures(plugin).map(({ kind, count }) => pluginTexts(kind, { count }))
  const neighbours = neighboursOf(plugin.neededBy ?? [], all)
  const namesOf = (isOptional: boolean): string[] =>
    neighbours.filter(({ optional }) => optional === isOptional).map(({ name }) => name)
  const [waits, goOn] = [namesOf(false), namesOf(true)]
  return (
    <>
      {brings.length > 0 ? <p>{t('goes', { what: joinList(brings) })}</p> : null}
      {NEEDED.has(plugin.name) ? <Quote tone="warn">{t('needed')}</Quote> : null}
      {waits.length > 0 ? <Quote tone="warn">{t('waits', { names: joinList(waits) })}</Quote> : null}
      {goOn.length > 0 ? <p>{t('goOn', { names: joinList(goOn) })}</p> : null}
    </>
  )
}
