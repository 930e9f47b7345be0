import { currentLocale, setLocale, t } from '../lib/i18n.js'
import { theme, type Theme } from '../lib/preferences.js'
import { useStore } from '../lib/use-store.js'
import { Icon } from '../ui/icon.js'
import { Menu, type MenuItem } from '../ui/menu.js'

const themes: readonly Theme[] = ['system', 'light', 'dark']

export function DisplayMenu({ more = [] }: { readonly more?: readonly MenuItem[] }) {
  const current = useStore(theme)
  const locale = currentLocale()
  return (
    <Menu
      label={t('display')}
      items={[
        ...themes.map((choice) => ({
          label: t(`theme.${choice}`),
          checked: choice === current,
          onSelect: () => theme.set(choice),
        })),
        { label: 'English', checked: locale === 'en', onSelect: () => void setLocale('en') },
        { label: '简体中文', checked: locale === 'zh-CN', onSelect: () => void setLocale('zh-CN') },
        ...more,
      ]}
    >
      <Icon name="display" />
    </Menu>
  )
}
