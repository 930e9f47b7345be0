import { ago } from '../../lib/format.js'
import { currentLocale } from '../../lib/i18n.js'
import { EmptyState } from '../../ui/index.js'
import { Section, State } from '../../ui/parts/index.js'
import { t } from './texts.js'
import type { MemoryRow } from './wire.js'
import { useCronDescription } from './use-cron-description.js'

export function OfPlugins({ rows, now }: { readonly rows: readonly MemoryRow[]; readonly now: number }) {
  const words = useCronDescription()
  return (
    <Section title={t('plugins')} fact={t('pluginsFact')}>
      {rows.length === 0 ? (
        <EmptyState title={t('noPlugins')} />
      ) : (
        <ul class="plugin-tasks">
          {rows.map((row) => (
            <li key={row.id}>
              <p class="line">
                <a href={`/plugins/${encodeURIComponent(row.plugin)}`}>{row.plugin}</a>
                <span class="muted">
                  {row.running ? <State tone="wait">{t('running')}</State> : null}
                  {row.running || row.nextRun === null ? '' : ago(row.nextRun, now, currentLocale())}
                </span>
              </p>
              <p class="muted">
                <code>{row.id}</code> {row.description ?? words(row.expression) ?? row.expression}
              </p>
            </li>
          ))}
        </ul>
      )}
      <p class="muted foot-note">
        {t('pluginsNote')} <a href="/config">{t('config')}</a>
      </p>
    </Section>
  )
}
