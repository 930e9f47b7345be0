import { useState } from 'preact/hooks'
import { useCatalogue } from '../../app/catalogue.js'
import { call } from '../../kit/call.js'
import { joinFacts } from '../../kit/join-list.js'
import { elapsed } from '../../kit/time-format.js'
import { useAction } from '../../kit/use-action.js'
import { formatNumber } from '../../lib/i18n.js'
import { Button } from '../../ui/index.js'
import { Quote, State } from '../../ui/parts/index.js'
import { t } from './texts.js'
import type { Tried } from './wire.js'

/** A button that asks a provider for an answer of a few tokens, and tells what came of it and what it cost. */
export function ProviderTest({ alias }: { readonly alias: string }) {
  const { has } = useCatalogue()
  const [tried, setTried] = useState<Tried>()
  const test = useAction(async () => {
    setTried(undefined)
    setTried(await call<Tried>('models:test', { alias }))
  }, 'here')
  if (!has('models:test')) return null
  const failure = test.failure ?? (tried?.ok === false ? tried.message : undefined)
  return (
    <div class="provider-test" role="status">
      <Button busy={test.busy} label={t('testOf', { name: alias })} onClick={() => test.run()} {...test.blocked}>
        {t('test')}
      </Button>{' '}
      {tried?.ok ? (
        <>
          <State tone="well">{t('answers', { model: tried.model ?? alias })}</State>{' '}
          <span class="muted">{costOf(tried)}</span>
        </>
      ) : null}
      {failure === undefined ? null : <Quote>{failure}</Quote>}
    </div>
  )
}

/** Returns how long a test took, and what it used. */
const costOf = ({ ms, tokens }: Tried): string =>
  joinFacts(
    elapsed(ms),
    tokens ? t('testTokens', { input: formatNumber(tokens.input), output: formatNumber(tokens.output) }) : '',
    tokens?.cost === undefined ? '' : t('testCost', { cost: tokens.cost.toPrecision(2) }),
  )
