import { useWriteBlock } from '../../app/event-stream.js'
import { DraftBar } from '../../ui/parts/index.js'
import { changesOf, getIn, keyPath } from './model.js'
import { describeMistake } from './problems.js'
import { t } from './texts.js'
import type { DraftWork } from './use-draft-work.js'
import type { Editing } from './use-editing.js'

export interface ConfigDraftBarProps {
  readonly editing: Editing
  readonly work: DraftWork
}

/** Mistakes that the bar names. */
const NAMED = 3

export function ConfigDraftBar({ editing, work: { mistakes, jump, review } }: ConfigDraftBarProps) {
  const block = useWriteBlock()
  const { draft } = editing
  const changed = draft ? Object.entries(draft.sections) : []
  const count = changed.reduce(
    (sum, [key, value]) => sum + changesOf(getIn(draft?.base.config, keyPath(key)), value).length,
    0,
  )
  const rest = mistakes.length - NAMED
  const later = draft?.text === undefined ? undefined : t('nextStart')
  return (
    <DraftBar
      changes={changed.length === 0 ? t('changesText') : t('changes', { changes: count, sections: changed.length })}
      invalid={mistakes.length > 0}
      onDiscard={editing.discard}
      onReview={review}
      reviewLabel={t('review')}
      {...(block === undefined ? {} : { blocked: { disabled: true as const, title: block } })}
    >
      {mistakes.length > 0 ? (
        <>
          {t('invalid', { count: mistakes.length })}{' '}
          {mistakes.slice(0, NAMED).map((mistake) => (
            <button key={describeMistake(mistake)} type="button" class="linkish bad" onClick={() => jump(mistake)}>
              {describeMistake(mistake)}
            </button>
          ))}
          {rest > 0 ? t('andMore', { count: rest }) : null}
        </>
      ) : (
        later
      )}
    </DraftBar>
  )
}
