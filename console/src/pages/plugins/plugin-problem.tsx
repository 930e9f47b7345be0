// What keeps a plugin from running, with the very lines of the configuration where it names them.
import type { PluginDetail } from '@mynah/contract/types'
import { host } from '../../app/host.js'
import { pages } from '../../lib/pages.js'
import { useResource } from '../../lib/use-resource.js'
import { Button } from '../../ui/index.js'
import { lineOf, linesAround } from './model.js'
import { t } from './texts.js'

const has = (path: string): boolean => pages().some((page) => page.path === path)

export function PluginProblem({ plugin }: { readonly plugin: PluginDetail }) {
  const { state, error, waitingFor, name, configKey } = plugin
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
          {line !== undefined && has('/config') ? (
            <Button kind="primary" href={`/config?section=${encodeURIComponent(configKey ?? name)}&line=${line}`}>
              {t('editLines')}
            </Button>
          ) : null}
        </span>
      </header>
      {line === undefined ? null : <Source line={line} />}
      {failed ? <p class="muted">{t('goesOn')}</p> : null}
    </section>
  )
}

/** The lines around the mistake; absent where the file may not be read. */
function Source({ line }: { readonly line: number }) {
  const yaml = useResource<{ yaml: string }>('config:get-yaml', (signal) =>
    host().rpc('config:get-yaml', {}, { signal }),
  )
  if (yaml.data === undefined) return null
  return (
    <div class="source" role="group" tabIndex={0} aria-label={t('source')}>
      {linesAround(yaml.data.yaml, line).map(({ number, text, isError: wrong }) => (
        <div key={number} class={wrong ? 'wrong' : undefined}>
          <i>{number}</i>
          <code>{text}</code>
        </div>
      ))}
    </div>
  )
}
