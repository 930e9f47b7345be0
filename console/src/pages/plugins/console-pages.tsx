// The console entries of a plugin, and why one did not load.
import type { EntryState } from '@mynah/sdk'
import { nameOf, pageFailures } from '../../entries/state.js'
import { useStore } from '../../lib/use-store.js'
import { EmptyState, Facts, Notice } from '../../ui/index.js'
import { Section } from '../../ui/parts/section.js'
import { State, type StateTone } from '../../ui/parts/state.js'
import { t } from './texts.js'

const tones: Readonly<Record<EntryState['status'], StateTone>> = {
  loaded: 'well',
  deferred: 'plain',
  loading: 'wait',
  failed: 'wrong',
  disabled: 'plain',
}

export function ConsolePages({ states }: { readonly states: readonly EntryState[] }) {
  const failures = useStore(pageFailures)
  if (states.length === 0) return <EmptyState title={t('noPages')}>{t('noPagesText')}</EmptyState>
  return (
    <div class="stack">
      {states.map((state) => {
        const said = state.error?.message ?? failures[state.id]
        const status = said === undefined ? state.status : 'failed'
        return (
          <Section
            key={state.id}
            title={state.entry.meta.name}
            fact={<State tone={tones[status]}>{t(`entry.${status}`)}</State>}
          >
            {said === undefined ? null : (
              <Notice tone="err" title={t('entry.failed')}>
                {said}
              </Notice>
            )}
            <Facts
              facts={[
                { label: t('entry'), value: <code>{state.id}</code> },
                { label: t('file'), value: <code>{state.entry.resolvedModule}</code> },
                {
                  label: t('pages'),
                  value:
                    state.routes.length > 0 ? (
                      <span class="row">
                        {state.routes.map((route) => (
                          <a key={route.path} href={route.path}>
                            {nameOf(route)}
                          </a>
                        ))}
                      </span>
                    ) : undefined,
                },
              ]}
            />
          </Section>
        )
      })}
    </div>
  )
}
