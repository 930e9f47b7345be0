import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { LazyPage } from '../../app/lazy-page.js'

const load = () => import('./review-and-save.js').then((module) => module.ReviewAndSave)

/** Focuses what keeps a draft from being reviewed: a section that was changed elsewhere. */
export const focusDispute = (): void => document.querySelector<HTMLElement>('.disputed button')?.focus()

export interface ReviewStep {
  /** The review, which takes the place of the page that edits. */
  readonly page: VNode | undefined
  readonly onReview: () => void
}

/** Lets a page that edits the configuration be replaced by the review of the draft. */
export function useReviewStep(): ReviewStep {
  const [reviewing, setReviewing] = useState(false)
  const before = useRef(false)
  useEffect(() => {
    // The review and its focus are gone.
    if (before.current && !reviewing) focusDispute()
    before.current = reviewing
  }, [reviewing])
  return {
    page: reviewing ? <LazyPage load={load} props={{ onClose: () => setReviewing(false) }} /> : undefined,
    onReview: () => setReviewing(true),
  }
}
