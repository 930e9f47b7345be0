// What became of what was saved; it stays until it is left.
import { useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { useAction } from '../../kit/use-action.js'
import { elapsed } from '../../kit/time-format.js'
import { Button, PageHead } from '../../ui/index.js'
import { Confirm, Quote, State, Workbench } from '../../ui/parts/index.js'
import type { Outcome } from './save.js'
import { t } from './review-texts.js'

const OUTCOMES = {
  reloaded: { tone: 'well', text: 'reloaded' },
  restart: { tone: 'wait', text: 'restartNeeded' },
  refused: { tone: 'wrong', text: 'refused' },
} as const

export function Saved({ outcomes, onClose }: { readonly outcomes: readonly Outcome[]; readonly onClose: () => void }) {
  const [asking, setAsking] = useState(false)
  const restart = useAction(async () => {
    await host().rpc('system:restart')
    setAsking(false)
    onClose()
  })
  const needed = outcomes.some((outcome) => outcome.state === 'restart')
  return (
    <Workbench
      open
      head={
        <PageHead
          title={t('savedTitle')}
          actions={
            <>
              {needed ? (
                <Button {...restart.blocked} onClick={() => setAsking(true)}>
                  {t('restartHost')}
                </Button>
              ) : null}
              <Button kind="primary" onClick={onClose}>
                {t('toForm')}
              </Button>
            </>
          }
        />
      }
    >
      <ul class="inner saved" role="status">
        {outcomes.map((outcome) => (
          <li key={outcome.key}>
            <p class="row">
              <code>
                <b>{outcome.key}</b>
              </code>{' '}
              <State tone={OUTCOMES[outcome.state].tone}>{t(OUTCOMES[outcome.state].text)}</State>
              {outcome.state === 'reloaded' ? (
                <span class="muted">{t('tookTime', { time: elapsed(outcome.ms) })}</span>
              ) : null}
              {outcome.state === 'refused' ? <span class="muted">{t('stays')}</span> : null}
            </p>
            {outcome.message ? (
              <Quote tone={outcome.state === 'refused' ? 'err' : 'plain'}>{outcome.message}</Quote>
            ) : null}
          </li>
        ))}
      </ul>
      {asking ? (
        <Confirm
          danger
          title={t('restartAsk')}
          action={t('restartDo')}
          busy={restart.busy}
          onClose={() => setAsking(false)}
          onConfirm={() => restart.run()}
        >
          <p>{t('restartText')}</p>
        </Confirm>
      ) : null}
    </Workbench>
  )
}
