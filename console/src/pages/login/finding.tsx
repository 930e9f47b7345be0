// What was found at the address: who answers, or which step on the way to a host failed and what to do about it.
import { DEFAULT_HTTP_PORT } from '@mynah/contract/wire'
import { t } from '../../lib/i18n.js'
import { Badge, Button, Code, Copy, Shape } from '../../ui/index.js'
import { steps, usualPort, type Verdict } from './model.js'
import { p } from './texts.js'

/** How long until an address is asked again at which no host was. */
export const AGAIN_MS = 6000

interface FindingProps {
  readonly verdict: Verdict | 'checking' | undefined
  readonly base: string
  readonly onTry: (base: string) => void
}

export function Finding({ verdict, base, onTry }: FindingProps) {
  if (typeof verdict === 'object' && verdict.step) return <Failed verdict={verdict} base={base} onTry={onTry} />
  const content =
    verdict === undefined ? (
      p('base.hint')
    ) : verdict === 'checking' ? (
      p('checking')
    ) : (
      <>
        <Badge tone={verdict.tone} shape={verdict.tone === 'ok' ? 'full' : 'half'}>
          {p(verdict.title)}
        </Badge>{' '}
        {verdict.text ? p(verdict.text, verdict.values) : null}
      </>
    )
  return (
    <div class="finding">
      <span role="status">{content}</span>
    </div>
  )
}

function Failed({
  verdict,
  base,
  onTry,
}: {
  readonly verdict: Verdict
  readonly base: string
  readonly onTry: (base: string) => void
}) {
  const at = steps.indexOf(verdict.step ?? 'address')
  const nobody = verdict.step === 'answer'
  const usual = nobody ? usualPort(base, DEFAULT_HTTP_PORT) : undefined
  return (
    <div class="finding wrong">
      <div role="status">
        <strong class="bad">{nobody ? p('nowhere', { place: new URL(base).host }) : p(verdict.title)}</strong>
        <p>{verdict.text ? p(verdict.text, verdict.values) : null}</p>
      </div>
      <ol aria-label={p('steps')}>
        {steps.map((step, index) => (
          <li key={step} class={index === at ? 'at' : undefined}>
            <Shape shape={index < at ? 'full' : index === at ? 'ring' : 'half'} />
            <span class="grow">{p(`step.${step}`)}</span>
            <small>{p(index < at ? 'done' : index === at ? 'wrong' : 'later')}</small>
          </li>
        ))}
      </ol>
      <div class="mend">
        {usual ? (
          <p>
            {p('usual')}{' '}
            <Button kind="quiet" onClick={() => onTry(usual)}>
              {p('tryPort', { base: usual })}
            </Button>
          </p>
        ) : null}
        {nobody ? (
          <p class="row">
            {p('startIt')} <code>mynah start</code>
            <Copy text="mynah start" label={t('copy')} />
          </p>
        ) : null}
        {verdict.title === 'no.cors' ? (
          <>
            <p>{p('allow')}</p>
            <Code text={`http:\n  corsOrigins: [${JSON.stringify(location.origin)}]`} label={p('allow')} />
          </>
        ) : null}
        <p>{p('again', { seconds: AGAIN_MS / 1000 })}</p>
      </div>
    </div>
  )
}
