import { useState } from 'preact/hooks'
import { LazyPage } from '../../app/lazy-page.js'
import { Button } from '../../ui/index.js'
import { t } from './texts.js'
import { FILE, type Editing } from './use-editing.js'

const loadCompare = () => import('./review.js').then((module) => module.Compare)

/** Asks about each section of the draft that was changed elsewhere. */
export function Disputes({ editing }: { readonly editing: Editing }) {
  const [comparing, setComparing] = useState<string>()
  const { draft, tools, resource } = editing
  return (
    <>
      {draft?.theirs.map((key) => (
        <div key={key} class="strip-line warn disputed" role="alert">
          <span class="grow">{key === FILE ? t('textElsewhere') : t('elsewhere', { name: key })}</span>
          <Button onClick={() => setComparing(key)}>{t('compare')}</Button>
          <Button kind="quiet" onClick={() => editing.keep(key)}>
            {t('keepMine')}
          </Button>
          <Button kind="quiet" onClick={() => editing.take(key)}>
            {t('takeTheirs')}
          </Button>
        </div>
      ))}
      {comparing && draft && tools ? (
        <LazyPage
          load={loadCompare}
          props={{
            name: comparing,
            draft,
            tools,
            theirs: resource.data?.yaml ?? '',
            onClose: () => setComparing(undefined),
          }}
        />
      ) : null}
    </>
  )
}
