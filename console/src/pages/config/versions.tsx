import type { ConfigVersion } from '@mynah/contract/types'
import { useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { dateTime } from '../../kit/time-format.js'
import { useAction } from '../../kit/use-action.js'
import { currentLocale } from '../../lib/i18n.js'
import { useResource } from '../../lib/use-resource.js'
import { Button, Dialog, Select } from '../../ui/index.js'
import { DiffView } from '../../ui/parts/diff-view.js'
import { Loaded, Quote } from '../../ui/parts/index.js'
import { ApplyNow } from './apply-now.js'
import { t } from './versions-texts.js'

const CALL = 'config:versions'

interface VersionsProps {
  /** The text of the file now, with masked secrets. */
  readonly yaml: string
  /** Called after the file was written. */
  readonly onRestored: () => void
  readonly onClose: () => void
}

/** Shows the kept versions of the configuration, the difference of each, and goes back to one. */
export function Versions({ yaml, onRestored, onClose }: VersionsProps) {
  const list = useResource<{ versions: readonly ConfigVersion[] }>(CALL, (signal) => host().rpc(CALL, {}, { signal }))
  const [chosen, setChosen] = useState<string>()
  const [isRestored, setRestored] = useState(false)
  const versions = list.data?.versions ?? []
  const version = versions.find(({ id }) => id === chosen) ?? versions.find(({ current }) => !current)
  const restore = useAction(async () => {
    await host().rpc('config:restore', { id: version?.id ?? '' })
    setRestored(true)
    onRestored()
  }, 'here')
  const isOffered = version !== undefined && !version.current && !isRestored
  return (
    <Dialog
      title={t('title')}
      wide
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('close')}</Button>
          {isOffered ? (
            <Button kind="primary" busy={restore.busy} {...restore.blocked} onClick={() => restore.run()}>
              {t('goBack')}
            </Button>
          ) : null}
        </>
      }
    >
      <p class="muted">{t('about')}</p>
      <Loaded resource={list} rows={3}>
        {() => (
          <>
            {version === undefined ? <p>{t('only')}</p> : null}
            {version !== undefined && !isRestored ? (
              <>
                <Select
                  label={t('version')}
                  value={version.id}
                  onChange={setChosen}
                  options={versions.map((one) => ({ value: one.id, label: nameOf(one) }))}
                />
                <Difference key={version.id} id={version.id} yaml={yaml} />
              </>
            ) : null}
          </>
        )}
      </Loaded>
      {restore.failure === undefined ? null : <Quote>{restore.failure}</Quote>}
      {isRestored ? (
        <>
          <p role="status">{t('restored')}</p>
          <ApplyNow />
        </>
      ) : null}
    </Dialog>
  )
}

/** The lines that differ between the file now and a version. */
function Difference({ id, yaml }: { readonly id: string; readonly yaml: string }) {
  const call = 'config:version'
  const version = useResource<{ yaml: string }>(`${call} ${id}`, (signal) => host().rpc(call, { id }, { signal }), call)
  return (
    <Loaded resource={version} rows={3}>
      {({ yaml: text }) =>
        text === yaml ? <p>{t('same')}</p> : <DiffView before={yaml} after={text} label={t('changes')} />
      }
    </Loaded>
  )
}

function nameOf({ at, from, by = '', address = '', current }: ConfigVersion): string {
  const origin = {
    start: t('from.start'),
    disk: t('from.disk'),
    call: t('from.call', { name: by, address }),
    host: t('from.host'),
  }[from]
  return [dateTime(at, currentLocale()), origin, ...(current ? [t('current')] : [])].join(' · ')
}
