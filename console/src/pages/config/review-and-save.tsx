import { useEffect, useState } from 'preact/hooks'
import { useLeaveGuard } from '../../kit/use-leave-guard.js'
import { lazyPart } from '../../lib/lazy-part.js'
import { isDisputed } from './draft.js'
import type { Outcome } from './save.js'
import { Saved } from './saved.js'
import { useEditing } from './use-editing.js'

const Review = lazyPart(() => import('./review.js').then((module) => module.Review))

export interface ReviewAndSaveProps {
  /** Called when the person goes back, saved or not, or when something was changed elsewhere. */
  readonly onClose: () => void
}

/** Shows what a draft would change, saves it, and shows the result of each section. */
export function ReviewAndSave({ onClose }: ReviewAndSaveProps) {
  const editing = useEditing()
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>()
  const { draft, dirty, tools } = editing
  useLeaveGuard(dirty)
  const isOver = outcomes === undefined && draft !== undefined && (!dirty || isDisputed(draft))
  useEffect(() => {
    if (isOver) onClose()
  }, [isOver])
  if (outcomes) return <Saved outcomes={outcomes} onClose={onClose} />
  if (!draft || !tools || isOver) return null
  const saved = (found: readonly Outcome[]): void => {
    const refused = found.filter((outcome) => outcome.state === 'refused')
    setOutcomes(found)
    if (draft.text === undefined || refused.length === 0) editing.settle(refused.map((outcome) => outcome.key))
    editing.resource.reload()
  }
  return <Review draft={draft} tools={tools} onBack={onClose} onSaved={saved} />
}
