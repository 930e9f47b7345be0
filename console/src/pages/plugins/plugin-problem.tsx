import type { PluginDetail } from '@mynah/contract/types'
import type { ComponentType } from 'preact'
import { useCatalogue } from '../../app/catalogue.js'
import { host } from '../../app/host.js'
import { lazyPart } from '../../lib/lazy-part.js'
import { pages } from '../../lib/pages.js'
import { useResource } from '../../lib/use-resource.js'
import { Button } from '../../ui/index.js'
import { lineOf, linesAround } from './model.js'
import { SourceLines } from './source-lines.js'
import { t } from './texts.js'
import type { WrongSettingsProps } from './wrong-settings.js'

const FailurePlace = lazyPart(() => import('./failure-place.js').then((module) => module.FailurePlace))
// A demo installs nothing.
const RollBack: ComponentType<{ readonly plugin: PluginDetail }> = __DEMO__
  ? () => null
  : lazyPart(() => import('./roll-back.js').then((module) => module.RollBack))
// A demo shows no configuration.
const WrongSettings: ComponentType<WrongSettingsProps> = __DEMO__
  ? () => null
  : lazyPart(() => import('./wrong-settings.js').then((module) => module.WrongSettings))

const has = (path: string): boolean => pages().some((page) => page.path === path)

export function PluginProblem({ plugin }: { readonly plugin: PluginDetail }) {
  const { state, error, waitingFor, name } = plugin
  const line = error === undefined ? undefined : lineOf(error)
  if (error === undefined && waitingFor.length === 0) return null
  const failed = state === 'failed'
  const failure = line === undefined ? 'hasFailed' : 'badSettings'
  const other = state === 'degraded' ? 'worksInPart' : 'hasWaits'
  const title = t(failed ? failure : other)
  return (
    <section class={failed ? 'trouble' : 'trouble mild'} aria-labelledby="trouble">
      <header>
        <div>
          <h2 id="trouble">{title}</h2>
          <code class="break">{error ?? waitingFor.join('; ')}</code>
        </div>
        <span class="row">
          {has('/logs') ? <Button href={`/logs?plugin=${encodeURIComponent(name)}`}>{t('log')}</Button> : null}
        </span>
      </header>
      {error === undefined || __DEMO__ ? null : <Place plugin={plugin} error={error} line={line} />}
      {failed ? <RollBack plugin={plugin} /> : null}
      {failed ? <p class="muted">{t('goesOn')}</p> : null}
    </section>
  )
}

interface PlaceProps {
  readonly plugin: PluginDetail
  readonly error: string
  /** In the configuration. */
  readonly line: number | undefined
}

/** Shows the place of an error: in the settings, or in the source of the plugin. */
function Place({ plugin, error, line }: PlaceProps) {
  const { has: serves } = useCatalogue()
  if (line === undefined)
    return serves('GET /plugins/:name/failure') ? <FailurePlace name={plugin.name} error={error} /> : null
  if (!serves('config:get-yaml')) return null
  return (
    <>
      <WrongSettings plugin={plugin} />
      <ConfigPlace section={plugin.configKey ?? plugin.name} line={line} />
    </>
  )
}

/** Shows the lines around the error, if the file may be read. */
function ConfigPlace({ section, line }: { readonly section: string; readonly line: number }) {
  const yaml = useResource<{ yaml: string }>('config:get-yaml', (signal) =>
    host().rpc('config:get-yaml', {}, { signal }),
  )
  if (yaml.data === undefined) return null
  return (
    <figure class="failure-place">
      <figcaption class="row">
        <span class="muted grow">{t('source')}</span>
        {has('/config') ? (
          <a href={`/config?section=${encodeURIComponent(section)}&line=${line}`}>{t('editLines')}</a>
        ) : null}
      </figcaption>
      <SourceLines lines={linesAround(yaml.data.yaml, line)} label={t('source')} />
    </figure>
  )
}
