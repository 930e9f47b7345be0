import { call } from '../../kit/call.js'
import { useDraft } from '../../kit/use-draft.js'
import { useAction } from '../../kit/use-action.js'
import { clock } from '../../kit/time-format.js'
import { currentLocale } from '../../lib/i18n.js'
import { Button, Field } from '../../ui/index.js'
import { State } from '../../ui/parts/index.js'
import { t } from './texts.js'
import type { Turn } from './wire.js'

const draftOf = ({ waitingFor }: Turn): string => `turn ${waitingFor?.id ?? ''}`

export function TurnLine({
  turn,
  onStop,
  onAnswered,
}: {
  readonly turn: Turn
  readonly onStop: () => void
  readonly onAnswered: () => void
}) {
  const { waitingFor } = turn
  const { value: text, set: setText, clear } = useDraft(draftOf(turn), '')
  const answer = useAction(async (said: string) => {
    await call('agent:answer', { id: waitingFor?.id, text: said })
    clear()
    onAnswered()
  }, 'here')
  const until =
    waitingFor?.expiresAt === undefined ? '' : `, ${t('until', { time: clock(waitingFor.expiresAt, currentLocale()) })}`
  return (
    <div class="strip-line warn turn-line" role="status">
      <p class="grow">
        <State tone="wait">
          {waitingFor
            ? t(waitingFor.kind === 'tasks' ? 'waitsTasks' : 'waits')
            : t('running', { state: t(`turn.${turn.state}`) })}
        </State>{' '}
        {waitingFor?.text ? <code class="breaks">{waitingFor.text}</code> : null}
        {waitingFor?.text || turn.step === undefined ? null : (
          <span class="muted">{t('step', { count: turn.step })}</span>
        )}
        {until}
      </p>
      {waitingFor?.kind === 'approval' ? <Button href="/agent/approvals">{t('openApproval')}</Button> : null}
      {waitingFor?.kind === 'question' ? (
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault()
            if (text.trim()) answer.run(text)
          }}
        >
          {waitingFor.choices?.map((choice) => (
            <Button key={choice} onClick={() => answer.run(choice)} {...answer.blocked}>
              {choice}
            </Button>
          ))}
          <Field
            compact
            label={t('answerLabel')}
            placeholder={t('answerLabel')}
            value={text}
            onInput={setText}
            error={answer.failure}
          />
          <Button kind="primary" type="submit" busy={answer.busy} {...answer.blocked}>
            {t('answer')}
          </Button>
        </form>
      ) : null}
      <Button kind="quiet" hotkey="s" onClick={onStop}>
        {t('stop')}
      </Button>
    </div>
  )
}
