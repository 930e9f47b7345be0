import { EmptyState } from '../../ui/index.js'
import { PaneList } from '../../ui/parts/index.js'
import type { ShownSection } from './model.js'
import { findSettings, settingsOf } from './settings.js'
import { t } from './texts.js'

export interface SearchProps {
  readonly shown: readonly ShownSection[]
  readonly words: string
  readonly onOpen: (section: string, setting: string) => void
}

/** The settings of all sections whose name or description has the words. */
export function SearchResults({ shown, words, onOpen }: SearchProps) {
  const found = findSettings(settingsOf(shown), words)
  if (found.length === 0) return <EmptyState title={t('noMatch')} />
  return (
    <PaneList
      title={t('results', { count: found.length })}
      label={t('find')}
      current={undefined}
      onOpen={(id) => onOpen(found.find((item) => item.setting === id)?.section ?? '', id)}
      rows={found.map(({ setting, description }) => ({ id: setting, mono: true, label: setting, below: description }))}
    />
  )
}
