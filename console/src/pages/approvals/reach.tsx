import type { ExecApproval, ExecReach } from '@mynah/contract/types'
import type { ComponentChildren } from 'preact'
import { t } from './texts.js'

/** Hosts that are shown by name. A preset may have many. */
const NAMED = 6

/** Shows where the action happens, what holds it, and what it reaches. */
export function Reach({ approval: { folder, adds, reach } }: { readonly approval: ExecApproval }) {
  if (folder === undefined && !adds?.length && reach === undefined) return null
  return (
    <dl class="reach">
      {folder === undefined ? null : (
        <Fact name={t('folder')}>
          <code>{folder}</code>
        </Fact>
      )}
      {adds?.length ? <Codes name={t('adds')} values={adds} /> : null}
      {reach ? <ReachFacts reach={reach} /> : null}
    </dl>
  )
}

function ReachFacts({ reach }: { readonly reach: ExecReach }) {
  const { level, roots, network, hosts } = reach
  const written = roots.filter(({ write }) => write).map(({ path }) => path)
  const read = roots.filter(({ write }) => !write).map(({ path }) => path)
  return (
    <>
      <Fact name={t('level')}>
        <span class={level === 'none' ? 'amber' : undefined}>{t(`level.${level}`)}</span>
      </Fact>
      {written.length > 0 ? <Codes name={t('changes')} values={written} /> : null}
      {read.length > 0 ? <Codes name={t('reads')} values={read} /> : null}
      {network === 'hosts' && hosts.length > 0 ? (
        <Codes name={t('hosts')} values={hosts} />
      ) : (
        <Fact name={t('hosts')}>
          <span class={network === 'any' ? 'amber' : 'muted'}>{t(network === 'any' ? 'hosts.any' : 'hosts.none')}</span>
        </Fact>
      )}
    </>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt class="muted">{name}</dt> <dd>{children}</dd>
    </div>
  )
}

function Codes({ name, values }: { readonly name: string; readonly values: readonly string[] }) {
  const left = values.length - NAMED
  return (
    <div>
      <dt class="muted">{name}</dt>{' '}
      {values.slice(0, NAMED).map((value) => (
        <dd key={value}>
          <code>{value}</code>
        </dd>
      ))}
      {left > 0 ? (
        <dd class="muted" title={values.slice(NAMED).join(', ')}>
          {t('more', { count: left })}
        </dd>
      ) : null}
    </div>
  )
}
