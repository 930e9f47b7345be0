import { useWriteBlock } from '../../app/event-stream.js'
import { DraftBar } from '../../ui/parts/index.js'
import { changesOf, getIn, keyPath } from './model.js'
import { describeProblem, pathText } from './problems.js'
import { t } from './texts.js'
import type { Editing } from './use-editing.js'

/** An invalid value of a draft, and its place. */
export interface Mistake {
  readonly section: string
  readonly setting: string
  readonly text: string
  /** In the file, where it cannot be parsed. */
  readonly line?: number
}

/** Returns what is not valid in the sections that were edited, or in the text. */
export function mistakesOf({ draft, problems, yamlProblems }: Editing): readonly Mistake[] {
  const found = Object.entries(problems)
    .filter(([key]) => draft && Object.hasOwn(draft.sections, key))
    .flatMap(([key, list]) =>
      list.map((problem) => ({
        section: key,
        setting: pathText(key, problem.path),
        text: `${pathText(key, problem.path)} ${describeProblem(problem)}`,
      })),
    )
  if (found.length > 0 || draft?.text === undefined) return found
  return yamlProblems.map(({ line, message }) => ({
    section: '',
    setting: '',
    line,
    text: `${t('fileLine', { line })}: ${message}`,
  }))
}

interface ConfigDraftBarProps {
  readonly editing: Editing
  readonly mistakes: readonly Mistake[]
  readonly onJump: (mistake: Mistake) => void
  readonly onReview: () => void
}

/** Mistakes that the bar names. */
const NAMED = 3

export function ConfigDraftBar({ editing, mistakes, onJump, onReview }: ConfigDraftBarProps) {
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
      onReview={onReview}
      reviewLabel={t('review')}
      {...(block === undefined ? {} : { blocked: { disabled: true as const, title: block } })}
    >
      {mistakes.length > 0 ? (
        <>
          {t('invalid', { count: mistakes.length })}{' '}
          {mistakes.slice(0, NAMED).map((mistake) => (
            <button key={mistake.text} type="button" class="linkish bad" onClick={() => onJump(mistake)}>
              {mistake.text}
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
