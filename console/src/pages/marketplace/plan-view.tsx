import type { PackageChange, PackagePlan } from '@mynah/contract/types'
import { joinList } from '../../kit/join-list.js'
import { formatNumber } from '../../lib/i18n.js'
import { Code, Notice } from '../../ui/index.js'
import { scriptsOf } from './package-runs.js'
import { t } from './texts.js'

/** Packages beyond this number are counted. */
const MAX_SHOWN = 30

interface PlanViewProps {
  readonly plan: PackagePlan
  readonly allowed: readonly string[]
  readonly onAllow: (script: string, isAllowed: boolean) => void
}

/** Shows what a plan would change, and asks for each install script. */
export function PlanView({ plan, allowed, onAllow }: PlanViewProps) {
  const { changes, refusals, contributes, advisories, takesEffect, reasons, command } = plan
  const scripts = scriptsOf(plan)
  const more = changes.length - MAX_SHOWN
  return (
    <div class="stack tight">
      {refusals.length > 0 ? (
        <Notice tone="err" title={t('refused')}>
          {refusals.map((why) => (
            <p key={why}>{why}</p>
          ))}
        </Notice>
      ) : null}
      {command ? <Code label={t('byHand')} text={command} /> : null}
      {changes.length === 0 && refusals.length === 0 ? <p>{t('noChange')}</p> : null}
      {changes.length > 0 ? (
        <>
          <p>
            <b>{t('changes', { count: changes.length })}</b> {t(takesEffect)}{' '}
            <span class="muted">{takesEffect === 'restart' ? reasons[0] : null}</span>
          </p>
          <ul class="plan-changes">
            {changes.slice(0, MAX_SHOWN).map((change) => (
              <Change key={change.path} change={change} />
            ))}
          </ul>
          {more > 0 ? <p class="muted">{t('more', { count: more })}</p> : null}
          <p class="muted">{t('advisories', { state: advisories })}</p>
        </>
      ) : null}
      {Object.entries(contributes).map(([name, own]) => (
        <p key={name}>{t('contributes', { name, text: JSON.stringify(own) })}</p>
      ))}
      {scripts.length > 0 && refusals.length === 0 ? (
        <fieldset class="plan-scripts">
          <legend>{t('scripts')}</legend>
          {scripts.map((script) => (
            <label key={script}>
              <input
                type="checkbox"
                checked={allowed.includes(script)}
                onChange={(event) => onAllow(script, event.currentTarget.checked)}
              />{' '}
              {t('allowScript', { script })}
            </label>
          ))}
        </fieldset>
      ) : null}
    </div>
  )
}

function Change({ change }: { readonly change: PackageChange }) {
  const { deprecated, changelog, advisories = [] } = change
  const facts = factsOf(change)
  return (
    <li>
      {headOf(change)}
      {facts.length > 0 ? <small class="muted"> {joinList(facts)}</small> : null}
      {changelog ? <Changelog changelog={changelog} /> : null}
      {deprecated ? <p class="amber">{t('deprecated', { text: deprecated })}</p> : null}
      {advisories.map(({ severity, title }) => (
        <p key={title} class="bad">
          {t('advisory', { severity, title })}
        </p>
      ))}
    </li>
  )
}

/** Shows text of the authors of a package as it is, without its marks having an effect. */
function Changelog({
  changelog: { text, missing = '' },
}: {
  readonly changelog: NonNullable<PackageChange['changelog']>
}) {
  if (text === undefined) return <p class="muted">{t('noChangelog', { why: missing })}</p>
  return (
    <details>
      <summary>{t('changelog')}</summary>
      <pre class="plan-changelog" tabIndex={0} aria-label={t('changelog')} role="region">
        {text}
      </pre>
    </details>
  )
}

function headOf({ name, from = '', to = '' }: PackageChange): string {
  if (!from) return t('adds', { name, to })
  return to ? t('updatesTo', { name, from, to }) : t('removes', { name, from })
}

function factsOf({ bytes, licence, signature, provenance }: PackageChange): string[] {
  return [
    ...(licence ? [t('licence', { licence })] : []),
    ...(bytes === undefined ? [] : [t('size', { size: formatNumber(Math.ceil(bytes / 1000)) })]),
    ...(signature ? [t('signature', { signature })] : []),
    ...(provenance ? [t('provenance', { provenance })] : []),
  ]
}
