import type { PluginDetail, PluginItem } from '@mynah/contract/types'
import { useState } from 'preact/hooks'
import { joinList } from '../../kit/join-list.js'
import { Section } from '../../ui/parts/section.js'
import { State } from '../../ui/parts/state.js'
import { statusOf, toneOf } from './model.js'
import { curves, neighboursOf, withoutPlugin, type Neighbour } from './neighbours.js'
import { t } from './texts.js'

const ROW_HEIGHT = 40
const CURVE_WIDTH = 56
/** Plugins of a side that are shown at first. */
const MOST = 10

interface NeighbourGraphProps {
  readonly plugin: PluginDetail
  readonly all: readonly PluginItem[]
}

/** Shows which plugins one needs and which need it: two lists, with lines to it on wide screens. */
export function NeighbourGraph({ plugin, all }: NeighbourGraphProps) {
  const [whole, setWhole] = useState(false)
  const sides = { needs: neighboursOf(plugin.needs ?? [], all), neededBy: neighboursOf(plugin.neededBy ?? [], all) }
  const alone = withoutPlugin(plugin)
  const shown = (side: readonly Neighbour[]): readonly Neighbour[] => (whole ? side : side.slice(0, MOST))
  const rows = Math.max(1, shown(sides.needs).length, shown(sides.neededBy).length)
  const hidden = [sides.needs, sides.neededBy].reduce((sum, side) => sum + side.length - shown(side).length, 0)
  return (
    <Section title={t('neighbours')}>
      {sides.needs.length + sides.neededBy.length === 0 ? (
        <p class="muted foot-note">{t('alone')}</p>
      ) : (
        <div class="neighbours">
          <Side title={t('needs')} none={t('needsNone')} side={shown(sides.needs)} />
          <Lines side={shown(sides.needs)} rows={rows} />
          <p class="self" aria-hidden="true">
            <b>{plugin.name}</b>
          </p>
          <Lines side={shown(sides.neededBy)} rows={rows} mirrored />
          <Side title={t('neededBy')} none={t('neededByNone')} side={shown(sides.neededBy)} />
        </div>
      )}
      {hidden > 0 ? (
        <button type="button" class="linkish" onClick={() => setWhole(true)}>
          {t('showHidden', { count: hidden })}
        </button>
      ) : null}
      {alone.length > 0 ? <p class="muted foot-note">{t('noPlugin', { services: joinList(alone) })}</p> : null}
    </Section>
  )
}

interface SideProps {
  readonly title: string
  readonly none: string
  readonly side: readonly Neighbour[]
}

function Side({ title, none, side }: SideProps) {
  return (
    <div class="side">
      <h3>{title}</h3>
      {side.length === 0 ? (
        <p class="muted">{none}</p>
      ) : (
        <ul>
          {side.map((item) => (
            <li key={item.name} title={joinList(item.services)}>
              <a href={`/plugins/${encodeURIComponent(item.name)}`}>{item.name}</a>{' '}
              {item.plugin && statusOf(item.plugin) !== 'running' ? (
                <State tone={toneOf(item.plugin)}>{t(statusOf(item.plugin))}</State>
              ) : null}
              <small class="muted">
                {joinList(item.services)}
                {item.optional ? ` · ${t('optionalNeed')}` : ''}
              </small>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

interface LinesProps {
  readonly side: readonly Neighbour[]
  /** Rows of the longer side. */
  readonly rows: number
  readonly mirrored?: boolean
}

function Lines({ side, rows, mirrored = false }: LinesProps) {
  const height = rows * ROW_HEIGHT
  const paths = curves(side.length, ROW_HEIGHT, CURVE_WIDTH, height)
  return (
    <svg
      class={mirrored ? 'lines mirrored' : 'lines'}
      width={CURVE_WIDTH}
      height={height}
      viewBox={`0 0 ${CURVE_WIDTH} ${height}`}
      aria-hidden="true"
    >
      {side.map((item, index) => (
        <path
          key={item.name}
          d={paths[index] ?? ''}
          class={item.plugin && statusOf(item.plugin) === 'failed' ? 'bad' : undefined}
          {...(item.optional ? { 'stroke-dasharray': '3 4' } : {})}
        />
      ))}
    </svg>
  )
}
