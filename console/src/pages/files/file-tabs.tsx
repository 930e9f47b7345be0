import { Icon } from '../../ui/index.js'
import { nameOf, type FileDraft } from './model.js'
import { t } from './texts.js'

interface FileTabsProps {
  readonly tabs: readonly string[]
  readonly path: string
  readonly onShow: (next: string) => void
  readonly drafts: Readonly<Record<string, FileDraft>>
  readonly onClose: (tab: string) => void
}

export function FileTabs({ tabs, path, onShow, drafts, onClose }: FileTabsProps) {
  return tabs.length > 0 ? (
    <ul class="file-tabs" aria-label={t('open')}>
      {tabs.map((tab) => (
        <li key={tab} class={tab === path ? 'current' : undefined}>
          <button
            type="button"
            title={tab}
            aria-current={tab === path ? 'true' : undefined}
            onClick={() => onShow(tab)}
          >
            {nameOf(tab)}
            {Object.hasOwn(drafts, tab) ? <i class="dot" /> : null}
          </button>
          <button type="button" class="icon-button" aria-label={t('close', { name: tab })} onClick={() => onClose(tab)}>
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  ) : null
}
