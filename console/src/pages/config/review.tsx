import { useLayoutEffect, useState } from 'preact/hooks'
import { useWriteBlock } from '../../app/event-stream.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { modifier } from '../../lib/modifier.js'
import { Button, Dialog, PageHead } from '../../ui/index.js'
import { DiffView } from '../../ui/parts/diff-view.js'
import { Workbench } from '../../ui/parts/index.js'
import type { Draft } from './draft.js'
import { getIn, keyPath } from './model.js'
import { save, type Outcome } from './save.js'
import { draftText } from './draft-text.js'
import { t as sectionTexts } from './texts.js'
import { t } from './review-texts.js'
import type * as Tools from './yaml-tools.js'

export interface ReviewProps {
  readonly draft: Draft
  readonly tools: typeof Tools
  readonly onBack: () => void
  readonly onSaved: (outcomes: readonly Outcome[]) => void
}

export function Review({ draft, tools, onBack, onSaved }: ReviewProps) {
  const block = useWriteBlock()
  const [busy, setBusy] = useState(false)
  const after = draftText(tools, draft)
  // Normalize the file first, so that the diff shows no changed whitespace.
  const before = draft.text === undefined ? tools.normalized(draft.base.yaml) : draft.base.yaml
  const keys = Object.keys(draft.sections)
  const run = async (): Promise<void> => {
    if (busy || block !== undefined) return
    setBusy(true)
    onSaved(await save(draft))
  }
  // The button that opened it is gone.
  useLayoutEffect(() => document.querySelector<HTMLElement>('main h1')?.focus(), [])
  useShortcuts({ Escape: onBack, 'Ctrl+s': () => void run() })
  return (
    <Workbench
      open
      head={
        <PageHead
          title={t('reviewTitle')}
          fact={t('reviewFact')}
          actions={
            <>
              <Button onClick={onBack}>{t('back2')}</Button>
              <Button
                kind="primary"
                busy={busy}
                {...(block === undefined ? {} : { disabled: true, title: block })}
                onClick={() => void run()}
              >
                {draft.text === undefined ? t('saveSections', { count: keys.length }) : t('saveText')}{' '}
                <kbd class="on-accent">{modifier()} S</kbd>
              </Button>
            </>
          }
        />
      }
    >
      <div class="inner">
        <p class="muted">
          {t('keyLine')}
          {draft.text === undefined ? '' : ` · ${sectionTexts('nextStart')}`}
        </p>
        <DiffView before={before} after={after} />
      </div>
    </Workbench>
  )
}

export interface CompareProps {
  readonly name: string
  readonly draft: Draft
  readonly theirs: string
  readonly tools: typeof Tools
  readonly onClose: () => void
}

/** Compares the version on the host with the draft. */
export function Compare({ name, draft, theirs, tools, onClose }: CompareProps) {
  return (
    <Dialog title={t('compareTitle', { name })} onClose={onClose}>
      {name === sectionTexts('file') ? (
        <DiffView before={theirs} after={draft.text ?? ''} />
      ) : (
        <DiffView
          before={tools.toYaml(getIn(draft.base.config, keyPath(name)))}
          after={tools.toYaml(draft.sections[name])}
        />
      )}
    </Dialog>
  )
}
