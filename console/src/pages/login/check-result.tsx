// What was found at the address: who answers, or which step on the way to a host failed and what to do about it.
import { DEFAULT_HTTP_PORT } from '@mynah/contract/wire'
import { Badge, Button, Code, Copy, Shape } from '../../ui/index.js'
import { steps, usualPort, type Verdict } from './model.js'
import { t } from './texts.js'

/** How long until an address is asked again at which no host was. */
export const RETRY_MS = 6000

interface FindingProps {
  readonly verdict: Verdict | 'checking' | undefined
  readonly base: string
  readonly onTry: (base: string) => void
}

export function CheckResult({ verdict, base, onTry }: FindingProps) {
  if (typeof verdict === 'object' && verdict.step) return <Failed verdict={verdict} base={base} onTry={onTry} />
  return (
    <div class="finding">
      <span role="status">
        <VerdictText verdict={verdict} />
      </span>
    </div>
  )
}

function VerdictText({ verdict }: Pick<FindingProps, 'verdict'>) {
  if (verdict === undefined) return <>{t('base.hint')}</>
  if (verdict === 'checking') return <>{t('checking')}</>
  return (
    <>
      <Badge tone={verdict.tone} shape={verdict.tone === 'ok' ? 'full' : 'half'}>
        {t(verdict.title)}
      </Badge>{' '}
      {verdict.text ? t(verdict.text, verdict.values) : null}
    </>
  )
}

/** A step before the one that failed, that one, and one after it. */
const PROGRESS = [
  { shape: 'full', text: 'done' },
  { shape: 'ring', text: 'wrong' },
  { shape: 'half', text: 'later' },
] as const

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
        <strong class="bad">{nobody ? t('nowhere', { place: new URL(base).host }) : t(verdict.title)}</strong>
        <p>{verdict.text ? t(verdict.text, verdict.values) : null}</p>
      </div>
      <ol aria-label={t('steps')}>
        {steps.map((step, index) => {
          const { shape, text } = PROGRESS[Math.sign(index - at) + 1] ?? PROGRESS[2]
          return (
            <li key={step} class={index === at ? 'at' : undefined}>
              <Shape shape={shape} />
              <span class="grow">{t(`step.${step}`)}</span>
              <small>{t(text)}</small>
            </li>
          )
        })}
      </ol>
      <div class="mend">
        {usual ? (
          <p>
            {t('usual')}{' '}
            <Button kind="quiet" onClick={() => onTry(usual)}>
              {t('tryPort', { base: usual })}
            </Button>
          </p>
        ) : null}
        {nobody ? (
          <p class="row">
            {t('startIt')} <code>mynah start</code>
            <Copy text="mynah start" label={t('copy')} />
          </p>
        ) : null}
        {verdict.title === 'no.cors' ? (
          <>
            <p>{t('allow')}</p>
            <Code text={`http:\n  corsOrigins: [${JSON.stringify(location.origin)}]`} label={t('allow')} />
          </>
        ) : null}
        <p>{t('again', { seconds: RETRY_MS / 1000 })}</p>
      </div>
    </div>
  )
}
