import { Button } from '../../ui/index.js'
import { State } from '../../ui/parts/index.js'
import { t } from './texts.js'
import type { Turn } from './wire.js'

/** Brings what the turn waits for into view, and focuses its first control. */
function showQuestion(): void {
  const question = document.querySelector<HTMLElement>('.question')
  question?.scrollIntoView({ block: 'center' })
  const control = question?.querySelector<HTMLElement>('a,button,input') ?? question
  control?.focus({ preventScroll: true })
}

/** Says what the turn of a session does, and stops it. Its question is shown in the conversation. */
export function TurnLine({ turn, onStop }: { readonly turn: Turn; readonly onStop: () => void }) {
  const { waitingFor, state, step } = turn
  return (
    <div class="strip-line warn turn-line" role="status">
      <p class="grow">
        <State tone="wait">
          {waitingFor
            ? t(waitingFor.kind === 'tasks' ? 'waitsTasks' : 'waits')
            : t('running', { state: t(`turn.${state}`) })}
        </State>{' '}
        {step === undefined ? null : <span class="muted">{t('step', { count: step })}</span>}
      </p>
      {waitingFor ? <Button onClick={showQuestion}>{t('toQuestion')}</Button> : null}
      <Button kind="quiet" hotkey="s" onClick={onStop}>
        {t('stop')}
      </Button>
    </div>
  )
}
