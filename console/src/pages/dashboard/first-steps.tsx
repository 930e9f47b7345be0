import { useEffect, useState } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { host } from '../../app/host.js'
import { call } from '../../kit/call.js'
import { useResource, type Resource } from '../../lib/use-resource.js'
import { Button, Icon } from '../../ui/index.js'
import { areStepsOver, endSteps, firstSteps, keepHeard, wasHeard, type Step } from './steps.js'
import { t } from './lazy-texts.js'
import type { Sources } from './use-sources.js'
import type { Models } from './wire.js'

/** The steps from a new host to a bot that answers on a platform. Goes when all are done, or when it is closed. */
export function FirstSteps(sources: Pick<Sources, 'endpoints' | 'activity'>) {
  const { base } = host()
  const [closed, setClosed] = useState(areStepsOver(base))
  const close = (): void => {
    endSteps(base)
    setClosed(true)
  }
  // The demo has no page that saves.
  return __DEMO__ || closed ? null : <Steps {...sources} onClose={close} />
}

interface StepsProps extends Pick<Sources, 'endpoints' | 'activity'> {
  readonly onClose: () => void
}

function Steps({ endpoints, activity, onClose }: StepsProps) {
  const { has } = useCatalogue()
  const { base } = host()
  const served = has('models:list')
  const models = useResource<Models>(
    served ? 'models:list' : 'absent models',
    (signal) => (served ? call('models:list', {}, signal) : Promise.resolve({ providers: [] })),
    'models:list',
  )
  useWhileDiscovering(models)
  const known = firstSteps({
    has,
    endpoints: endpoints?.data,
    activity: activity?.data,
    providers: models.data?.providers,
  })
  const steps = known.map((step) => (step.id === 'hello' && wasHeard(base) ? { ...step, done: true } : step))
  if (steps.some(({ id, done }) => id === 'hello' && done)) keepHeard(base)
  const next = steps.find(({ done }) => !done)
  if (steps.length > 0 && !next) endSteps(base)
  if (!next) return null
  return (
    <section class="first-steps" aria-labelledby="first-steps">
      <header>
        <h2 id="first-steps">{t('steps')}</h2>
        <button
          type="button"
          class="icon-button"
          aria-label={t('closeSteps')}
          title={t('closeSteps')}
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
      </header>
      <ol>
        {steps.map((step) => (
          <StepItem key={step.id} step={step} isNext={step === next} />
        ))}
      </ol>
    </section>
  )
}

const DISCOVERY_MS = 1500

/** Asks again while a provider is asked for its models: nothing tells of the end of that. */
function useWhileDiscovering(models: Resource<Models>): void {
  const discovering = models.data?.providers.some(({ status }) => status === 'discovering') === true
  useEffect(() => {
    if (!discovering) return
    const timer = setTimeout(models.reload, DISCOVERY_MS)
    return () => clearTimeout(timer)
  }, [discovering, models.updatedAt])
}

function StepItem({ step: { id, href, done }, isNext }: { readonly step: Step; readonly isNext: boolean }) {
  return (
    <li class={done ? 'done' : undefined}>
      <span class="mark" aria-hidden="true">
        {done ? <Icon name="check" /> : null}
      </span>
      {done ? (
        <strong>{t(`step.${id}`)}</strong>
      ) : (
        <Button href={href} kind={isNext ? 'primary' : 'plain'}>
          {t(`step.${id}`)}
        </Button>
      )}
      <span class="muted">{done ? t('stepDone') : t(`stepText.${id}`)}</span>
    </li>
  )
}
