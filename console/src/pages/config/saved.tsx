import { elapsed } from '../../kit/time-format.js'
import { Button, PageHead } from '../../ui/index.js'
import { Quote, State, Workbench } from '../../ui/parts/index.js'
import { ApplyNow } from './apply-now.js'
import type { Outcome } from './save.js'
import { t } from './review-texts.js'

const OUTCOMES = {
  reloaded: { tone: 'well', text: 'reloaded' },
  going: { tone: 'wait', text: 'going' },
  written: { tone: 'wait', text: 'written' },
  refused: { tone: 'wrong', text: 'refused' },
} as const

export function Saved({ outcomes, onClose }: { readonly outcomes: readonly Outcome[]; readonly onClose: () => void }) {
  const isRefused = outcomes.every(({ state }) => state === 'refused')
  return (
    <Workbench
      open
      head={
        <PageHead
          title={t(isRefused ? 'refused' : 'savedTitle')}
          actions={
            <Button kind="primary" onClick={onClose}>
              {t('toForm')}
            </Button>
          }
        />
      }
    >
      <ul class="inner saved" role="status">
        {outcomes.map(({ key, state, message, ms }) => (
          <li key={key}>
            <p class="row">
              <code>
                <b>{key}</b>
              </code>{' '}
              <State tone={OUTCOMES[state].tone}>{t(OUTCOMES[state].text)}</State>
              {state === 'reloaded' ? <span class="muted">{t('tookTime', { time: elapsed(ms) })}</span> : null}
              {state === 'refused' ? <span class="muted">{t('stays')}</span> : null}
            </p>
            {message ? <Quote tone={state === 'refused' ? 'err' : 'plain'}>{message}</Quote> : null}
            {state === 'written' ? <ApplyNow /> : null}
          </li>
        ))}
      </ul>
    </Workbench>
  )
}
