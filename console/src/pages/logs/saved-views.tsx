import { useState } from 'preact/hooks'
import { host } from '../../app/host.js'
import { parseJson } from '../../lib/parse-json.js'
import { currentLocation, navigate } from '../../lib/router.js'
import { readStored, writeStored } from '../../lib/storage.js'
import { useStore } from '../../lib/use-store.js'
import { Menu } from '../../ui/index.js'
import { t } from './saved-texts.js'
import { parseViews, viewAddress, withView, withoutView, type SavedView } from './saved-views-model.js'

export interface SavedViewsProps {
  /** Name of the page; its views are kept in the browser, for each host. */
  readonly page: string
  /** The present filters in words, or an empty text without any. */
  readonly name: string
}

/** A menu of filters that a person has saved, which also saves and removes the present ones. */
export function SavedViews({ page, name }: SavedViewsProps) {
  const key = `mynah_views:${page}:${host().base}`
  const [views, setViews] = useState<readonly SavedView[]>(() => parseViews(parseJson(readStored(key))))
  const { path, search } = useStore(currentLocation)
  const target = viewAddress(path, search)
  const isSaved = views.some((view) => view.target === target)
  const keep = (next: readonly SavedView[]): void => {
    setViews(next)
    writeStored(key, JSON.stringify(next))
  }
  const items = views.map((view) => ({
    label: view.name,
    checked: view.target === target,
    onSelect: () => navigate(view.target),
  }))
  if (isSaved) items.push({ label: t('forget'), checked: false, onSelect: () => keep(withoutView(views, target)) })
  else if (name !== '')
    items.push({ label: t('save', { name }), checked: false, onSelect: () => keep(withView(views, { name, target })) })
  if (items.length === 0) return null
  return (
    <Menu label={t('views')} items={items.map(({ checked, ...item }) => (checked ? { ...item, checked } : item))}>
      {t('views')}
    </Menu>
  )
}
