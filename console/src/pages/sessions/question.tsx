import { call } from '../../kit/call.js'
import { useDraft } from '../../kit/use-draft.js'
import { useAction } from '../../kit/use-action.js'
import { clock } from '../../kit/time-format.js'
import { currentLocale } from '../../lib/i18n.js'
import { Button, Field } from '../../ui/index.js'
import { State } from '../../ui/parts/index.js'
import { t } from './texts.js'
import type { Turn } from './wire.js'

/** Shows what a turn waits for: a question with its answers, an approval, or its sub-agents. */
export function Question({ turn, onAnswered }: { readonly turn: Turn; readonly onAnswered: () => void }) {
  const { waitingFor } = turn
  if (!waitingFor) return null
  const { kind, text, expiresAt } = waitingFor
  return (
    <div class="question" tabIndex={-1} role="group" aria-label={t(kind === 'tasks' ? 'waitsTasks' : 'waits')}>
      <p>
        <State tone="wait">{t(kind === 'tasks' ? 'waitsTasks' : 'waits')}</State>
        {expiresAt === undefined ? null : (
          <span class="muted"> {t('until', { time: clock(expiresAt, currentLocale()) })}</span>
        )}
      </p>
      {text ? <p class="words">{text}</p> : null}
      {kind === 'approval' ? (
        <p>
          <Button href="/agent/approvals">{t('openApproval')}</Button>
        </p>
      ) : null}
      {kind === 'question' ? <AnswerForm waitingFor={waitingFor} onAnswered={onAnswered} /> : null}
    </div>
  )
}

interface AnswerProps {
  readonly waitingFor: NonNullable<Turn['waitingFor']>
  readonly onAnswered: () => void
}

function AnswerForm({ waitingFor, onAnswered }: AnswerProps) {
  const { value: text, set: setText, clear } = useDraft(`turn ${waitingFor.id}`, '')
  const answer = useAction(async (said: string) => {
    await call('agent:answer', { id: waitingFor.id, text: said })
    clear()
    onAnswered()
  }, 'here')
  return (
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
  )
}
