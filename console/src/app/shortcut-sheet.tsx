// The list of shortcuts, and the switch that turns the single keys off: those of the page first, then those of all pages.
import { pageKeys, type KeyRow } from '../kit/page-keys.js'
import { modifier } from '../lib/modifier.js'
import { shortcutsOn } from '../lib/preferences.js'
import { useStore } from '../lib/use-store.js'
import { pages, type BuiltInPage } from '../lib/pages.js'
import { Dialog } from '../ui/dialog.js'
import { Switch } from '../ui/field.js'
import { useCatalogue } from './catalogue.js'
import type { OverlayProps } from './overlays.js'
import { t } from './shortcut-texts.js'
import { builtInGroups } from './use-navigation.js'

interface Group {
  readonly title: string
  readonly rows: readonly KeyRow[]
}

function groups(has: (address: string) => boolean): readonly (readonly Group[])[] {
  const control = modifier()
  const lists: readonly KeyRow[] = [
    ['↑ ↓', t('rows')],
    ['Enter', t('open')],
    ['/', t('filter')],
    ['[ ]', t('pages')],
    ['R', t('refresh')],
  ]
  // What a page does with the keys of all lists is what all pages do; Enter it may use in its own way.
  const own = pageKeys().filter(([keys]) => !['↑ ↓', '/', '[', ']', 'R'].includes(keys))
  const inRail = ({ menu }: BuiltInPage): number =>
    builtInGroups.findIndex((group) => group === menu?.group) * 1000 + (menu?.order ?? 0)
  const places = [...pages()]
    .sort((a, b) => inRail(a) - inRail(b))
    .flatMap((page): KeyRow[] =>
      page.menu && (page.menu.needs === undefined || has(page.menu.needs))
        ? [[page.menu.key.toUpperCase(), t(page.name)]]
        : [],
    )
  return [
    [
      { title: t('page'), rows: own },
      { title: t('lists'), rows: lists.filter(([keys]) => !own.some(([other]) => other === keys)) },
      {
        title: t('editing'),
        rows: [
          [`${control} S`, t('save')],
          [`${control} Enter`, t('send')],
        ],
      },
      {
        title: t('everywhere'),
        rows: [
          [`${control} K`, t('palette')],
          ['?', t('sheet')],
          ['Esc', t('close')],
        ],
      },
    ],
    [{ title: t('goto'), rows: places }],
  ]
}

export function ShortcutSheet({ onClose }: OverlayProps) {
  const on = useStore(shortcutsOn)
  const { has } = useCatalogue()
  return (
    <Dialog
      wide
      title={t('shortcuts')}
      onClose={onClose}
      actions={
        <div class="row grow">
          <Switch label={t('on')} on={on} onChange={(value) => shortcutsOn.set(value)} />
          <span class="grow" />
          <span class="muted">{t('note', { modifier: modifier() })}</span>
        </div>
      }
    >
      <div class="keys">
        {groups(has).map((column, index) => (
          <div key={index}>
            {column
              .filter(({ rows }) => rows.length > 0)
              .map(({ title, rows }) => (
                <section key={title}>
                  <h3>{title}</h3>
                  <dl>
                    {rows.map(([keys, meaning]) => (
                      <div key={keys}>
                        <dt>{meaning}</dt>
                        <dd>
                          {keys.split(' ').map((key) => (
                            <kbd key={key}>{key}</kbd>
                          ))}
                        </dd>
                      </div>
                    ))}
                  </dl>
                </section>
              ))}
          </div>
        ))}
      </div>
    </Dialog>
  )
}
