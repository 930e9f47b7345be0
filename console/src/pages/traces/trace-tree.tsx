import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { elapsed } from '../../kit/time-format.js'
import { scaleMarks, timeOf, treeRows, type StepGroup, type TimedStep, type TreeRow } from './model.js'
import { outcomeName, stageName, waitName } from './step-names.js'
import { ShowMore } from '../../ui/parts/show-more.js'
import { t } from './texts.js'

/** Rows that are drawn at once. */
const STEP = 40

interface TraceTreeProps {
  readonly tree: readonly StepGroup[]
  /** Milliseconds that the width of the bars stands for. */
  readonly total: number
}

/** The steps of a trace as a tree with their times. It is one tab stop, in which arrow keys move, open and close. */
export function TraceTree({ tree, total }: TraceTreeProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [active, setActive] = useState<string>()
  const grid = useRef<HTMLDivElement>(null)
  const [most, setMost] = useState(STEP)
  const all = useMemo(() => treeRows(tree, closed), [tree, closed])
  const rows = all.slice(0, most)
  const scale = scaleMarks(total)
  useEffect(() => {
    grid.current?.style.setProperty('--step', `${((scale[1] ?? total) / total) * 100}%`)
  }, [total])
  // The row that Tab reaches.
  const stop = rows.some(({ key }) => key === active) ? active : rows[0]?.key
  const fold = (key: string, open: boolean): void => {
    const next = new Set(closed)
    if (open) next.delete(key)
    else next.add(key)
    setClosed(next)
  }
  const focus = (index: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))]
    if (!row) return
    setActive(row.key)
    grid.current?.querySelectorAll<HTMLElement>('[role=row][aria-level]')[rows.indexOf(row)]?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const at = rows.findIndex(({ key }) => key === stop)
    const row = rows[at]
    if (!row || !moveInTree(event.key, { rows, row, at, focus, fold })) return
    event.preventDefault()
  }
  return (
    <>
      <div class="trace-table" role="treegrid" aria-label={t('steps')} ref={grid} onKeyDown={onKeyDown}>
        <div class="trace-row head" role="row">
          <span role="columnheader">{t('at')}</span>
          <span role="columnheader">{t('what')}</span>
          <span role="columnheader">{t('outcome')}</span>
          <span role="columnheader" class="scale">
            <span class="sr">{t('course')}</span>
            {scale.map((mark) => (
              <i key={mark} aria-hidden="true" style={{ left: `${(mark / total) * 100}%` }}>
                {mark === 0 ? '0' : elapsed(mark)}
              </i>
            ))}
          </span>
          <span role="columnheader">{t('took')}</span>
        </div>
        {rows.map((row) => (
          <Row key={row.key} row={row} total={total} isStop={row.key === stop} onActive={setActive} onFold={fold} />
        ))}
      </div>
      <ShowMore left={all.length - most} step={STEP} onMore={() => setMost(most + STEP)} />
    </>
  )
}

interface Move {
  readonly rows: readonly TreeRow[]
  readonly row: TreeRow
  readonly at: number
  readonly focus: (index: number) => void
  readonly fold: (key: string, open: boolean) => void
}

/** Handles a key in the tree, as the pattern for tree grids describes. Returns whether the key has a meaning there. */
function moveInTree(key: string, { rows, row, at, focus, fold }: Move): boolean {
  const step = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[key]
  if (step !== undefined) focus(step)
  else if (key === 'ArrowRight') {
    if (row.open === false) fold(row.key, true)
    else if (row.open) focus(at + 1)
  } else if (key === 'ArrowLeft') {
    if (row.open) fold(row.key, false)
    else if (row.level > 1) focus(rows.slice(0, at).findLastIndex(({ level }) => level < row.level))
  } else if (key === 'Enter' || key === ' ') {
    if (row.open !== undefined) fold(row.key, !row.open)
  } else return false
  return true
}

interface RowProps {
  readonly row: TreeRow
  readonly total: number
  /** Whether Tab reaches it. */
  readonly isStop: boolean
  readonly onActive: (key: string) => void
  readonly onFold: (key: string, open: boolean) => void
}

function Row({ row, total, isStop, onActive, onFold }: RowProps) {
  const { key, level, open, group, item } = row
  return (
    <div
      class={group ? 'trace-row group' : `trace-row ${item?.tone ?? ''}`}
      role="row"
      tabIndex={isStop ? 0 : -1}
      aria-level={level}
      aria-expanded={open}
      onFocusIn={() => onActive(key)}
      onClick={open === undefined ? undefined : () => onFold(key, !open)}
    >
      {group ? <GroupCells group={group} open={open === true} /> : null}
      {item ? <StepCells item={item} level={level} open={open} total={total} /> : null}
    </div>
  )
}

function GroupCells({ group: { group, steps }, open }: { readonly group: StepGroup; readonly open: boolean }) {
  return (
    <>
      <span role="gridcell" />
      <span role="gridcell">
        <i class={open ? 'fold open' : 'fold'} aria-hidden="true" />
        {t(`group.${group}`)}
      </span>
      <span role="gridcell" />
      <span role="gridcell" class="gantt" />
      <span role="gridcell">{elapsed(timeOf(steps))}</span>
    </>
  )
}

interface StepCellsProps {
  readonly item: TimedStep
  readonly level: number
  readonly open: boolean | undefined
  readonly total: number
}

function StepCells({ item, level, open, total }: StepCellsProps) {
  const { step } = item
  return (
    <>
      <span role="gridcell">{elapsed(item.from)}</span>
      <span role="gridcell" class="what" style={level > 2 ? { paddingLeft: `${(level - 2) * 16}px` } : undefined}>
        <span>
          {open === undefined ? null : <i class={open ? 'fold open' : 'fold'} aria-hidden="true" />}
          <StepName item={item} />
        </span>
        {step.reason ? <small>{step.reason}</small> : null}
      </span>
      <span role="gridcell" class="outcome">
        {outcomeName(step.outcome)}
      </span>
      <StepBar item={item} total={total} />
      <span role="gridcell">{elapsed(item.duration)}</span>
    </>
  )
}

const CODE_STAGES: ReadonlySet<string> = new Set(['model', 'tool', 'command', 'ai'])

function StepName({ item: { step } }: { readonly item: TimedStep }) {
  const { stage, name } = step
  if (stage === 'middleware' && /^\d+$/.test(name)) return <>{t('middlewares', { count: name })}</>
  if (stage === 'wait') return <>{waitName(name)}</>
  const isPlain = name === '' || name === stage || (stage === 'store' && name === 'accept')
  if (isPlain) return <>{stageName(stage)}</>
  return (
    <>
      {stageName(stage)} {CODE_STAGES.has(stage) ? <code>{name}</code> : name}
    </>
  )
}

function StepBar({
  item: { step, from, duration, tone },
  total,
}: {
  readonly item: TimedStep
  readonly total: number
}) {
  const waited = Math.min(step.waitedMs ?? 0, duration)
  const percent = (ms: number): string => `${(ms / total) * 100}%`
  return (
    <span role="gridcell" class="gantt" title={waited > 0 ? t('waited', { time: elapsed(waited) }) : undefined}>
      <i class={tone} style={{ left: percent(from), width: `max(2px, ${percent(duration - waited)})` }} />
      {waited > 0 ? (
        <i class="waited" style={{ left: percent(from + duration - waited), width: percent(waited) }} />
      ) : null}
    </span>
  )
}
