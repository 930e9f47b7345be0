import type { SourcePlace } from '@mynah/contract/types'
import { host } from '../../app/host.js'
import { pages } from '../../lib/pages.js'
import { useResource } from '../../lib/use-resource.js'
import { SourceLines } from './source-lines.js'
import { t } from './texts.js'

/** Shows where in its source a plugin has failed, if the host knows and shows it. */
export function FailurePlace({ name, error }: { readonly name: string; readonly error: string }) {
  const { data } = useResource<{ readonly place?: SourcePlace }>(
    // Another failure has another place.
    `GET /plugins/${name}/failure ${error}`,
    (signal) => host().rest('GET /plugins/:name/failure', { params: { name }, signal }),
  )
  const place = data?.place
  if (!place) return null
  const { file, line, column, lines } = place
  const at = [file, line, column].filter((part) => part !== undefined).join(':')
  return (
    <figure class="failure-place">
      <figcaption class="row">
        <code class="break grow">{at}</code>
        {pages().some(({ path }) => path === '/files') ? (
          <a href={`/files?path=${encodeURIComponent(file)}`}>{t('openFile')}</a>
        ) : null}
      </figcaption>
      <SourceLines
        lines={lines.map((item) => ({ ...item, isError: item.number === line }))}
        column={column}
        label={t('sourceOf', { file })}
      />
    </figure>
  )
}
