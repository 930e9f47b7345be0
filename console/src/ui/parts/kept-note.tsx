import type { Draft } from '../../kit/use-draft.js'
import { t } from './texts.js'

/** Says that a form begins with what was typed at an earlier visit. */
export function KeptNote({ draft }: { readonly draft: Pick<Draft<unknown>, 'isKept' | 'clear'> }) {
  return draft.isKept ? (
    <p class="muted" role="status">
      {t('kept')}{' '}
      <button type="button" class="linkish" onClick={draft.clear}>
        {t('startOver')}
      </button>
    </p>
  ) : null
}
