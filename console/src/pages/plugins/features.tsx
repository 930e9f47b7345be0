// Everything that a plugin contributes, by kind; what people use first.
import type { PluginDetail } from '@mynah/contract/types'
import { EmptyState, Facts } from '../../ui/index.js'
import { Section } from '../../ui/parts/section.js'
import { userFeatures, featureCount } from './model.js'
import { t } from './texts.js'

export function Features({ plugin }: { readonly plugin: PluginDetail }) {
  if (featureCount(plugin) === 0) return <EmptyState title={t('noFeatures')}>{t('noFeaturesText')}</EmptyState>
  const used = new Set<string>(userFeatures(plugin).map(({ kind }) => kind))
  const sorted = plugin.features
    .filter(({ count }) => count > 0)
    .sort((a, b) => Number(used.has(b.name)) - Number(used.has(a.name)))
  return (
    <div class="stack">
      {sorted.map((feature) => (
        <Section
          key={feature.name}
          title={feature.name}
          fact={
            <>
              {feature.count} · {t(used.has(feature.name) ? 'usedBy' : 'forPrograms')}
            </>
          }
        >
          <Facts mono facts={feature.items.map((item) => ({ label: item.name, value: item.description ?? '–' }))} />
        </Section>
      ))}
    </div>
  )
}
