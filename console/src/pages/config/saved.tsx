// What became of what was saved; it stays until it is left.
import { useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { useAction } from '../../kit/use-action.js'
import { took } from '../../kit/when.js'
import { Button, PageHead } from '../../ui/index.js'
import { Confirm, Quote, State, Workbench } from '../../ui/parts/index.js'
import type { Outcome } from './save.js'
import { p } from './review-texts.js'

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
          title={p('savedTitle')}
          actions={
            <>
              {needed ? (
                <Button {...restart.blocked} onClick={() => setAsking(true)}>
                  {p('restartHost')}
                </Button>
              ) : null}
              <Button kind="primary" onClick={onClose}>
                {p('toForm')}
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
              <State tone={outcome.state === 'reloaded' ? 'well' : outcome.state === 'restart' ? 'wait' : 'wrong'}>
                {p(
                  outcome.state === 'reloaded' ? 'reloaded' : outcome.state === 'restart' ? 'restartNeeded' : 'refused',
                )}
              </State>
              {outcome.state === 'reloaded' ? (
                <span class="muted">{p('tookTime', { time: took(outcome.ms) })}</span>
              ) : null}
              {outcome.state === 'refused' ? <span class="muted">{p('stays')}</span> : null}
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
          title={p('restartAsk')}
          action={p('restartDo')}
          busy={restart.busy}
          onClose={() => setAsking(false)}
          onConfirm={() => restart.run()}
        >
          <p>{p('restartText')}</p>
        </Confirm>
      ) : null}
    </Workbench>
  )
}
