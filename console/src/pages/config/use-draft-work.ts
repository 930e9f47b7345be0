import { useEffect, useRef, useState } from 'preact/hooks'
import { usePageKeys } from '../../kit/page-keys.js'
import { useLeaveGuard } from '../../kit/use-leave-guard.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { isDisputed } from './draft.js'
import { mistakesOf, type Mistake } from './mistakes.js'
import { focusDispute } from './review-step.js'
import { t } from './texts.js'
import type { Editing } from './use-editing.js'

export interface DraftWork {
  readonly mistakes: readonly Mistake[]
  readonly jump: (mistake: Mistake) => void
  readonly review: () => void
}

/**
 * What a person does with a draft, on each page that edits one: `Ctrl S` reviews it, `F8` goes to its next mistake.
 *
 * @param show goes to a mistake
 * @param onReview called when the draft may be reviewed
 */
export function useDraftWork(editing: Editing, show: (mistake: Mistake) => void, onReview: () => void): DraftWork {
  const { draft, dirty, tools, resource } = editing
  const mistakes = mistakesOf(editing)
  const disputed = isDisputed(draft)
  useLeaveGuard(dirty)
  const last = useRef(-1)
  const jump = (mistake: Mistake): void => {
    last.current = mistakes.indexOf(mistake)
    show(mistake)
  }
  const nextInvalid = (): void => {
    const next = mistakes[(last.current + 1) % Math.max(1, mistakes.length)]
    if (next) jump(next)
  }
  // Asked for before the tools have come that find mistakes.
  const [isWanted, setWanted] = useState(false)
  const review = (): void => {
    if (dirty && !tools) setWanted(true)
    if (!dirty || mistakes.length > 0 || !tools) return
    // Load changes made elsewhere once more, so that no unseen version is overwritten.
    resource.reload()
    if (disputed) focusDispute()
    else onReview()
  }
  useEffect(() => {
    if (!isWanted || !tools) return
    setWanted(false)
    review()
  }, [isWanted, tools])
  usePageKeys([['F8', t('kWrong')]])
  useShortcuts({ 'Ctrl+s': review, F8: nextInvalid })
  return { mistakes, jump, review }
}
