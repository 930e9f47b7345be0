// Events of a bot apart from new messages.
import { useSyncExternalStore } from 'react'
import type { Scene } from './model.js'
import type { Translate } from './texts.js'
import { lastToBot, type TranscriptStore } from './transcript-store.js'

export interface HappeningsProps {
  readonly t: Translate
  readonly transcripts: TranscriptStore
  readonly scene: Scene
  readonly onRequest: () => void
  readonly onNotice: () => void
  /** Delivers the last message of the scene again. */
  readonly onRedeliver: () => void
}

export function Happenings({ t, transcripts, scene, onRequest, onNotice, onRedeliver }: HappeningsProps) {
  const state = useSyncExternalStore(transcripts.subscribe, () => transcripts.scene(scene.channel))
  return (
    <section aria-label={t('letHappen')}>
      <header>
        <h2>{t('letHappen')}</h2>
      </header>
      <ul>
        <li>
          <button type="button" className="sb-choice" title={t('requestTitle')} onClick={onRequest}>
            {t('sendRequest')}
          </button>
        </li>
        <li>
          <button type="button" className="sb-choice" title={t('noticeTitle')} onClick={onNotice}>
            {t('sendNotice')}
          </button>
        </li>
        <li>
          <button
            type="button"
            className="sb-choice"
            title={t('lastAgainTitle')}
            disabled={lastToBot(state) === undefined}
            onClick={onRedeliver}
          >
            {t('lastAgain')}
          </button>
        </li>
      </ul>
    </section>
  )
}
