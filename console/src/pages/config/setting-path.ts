import type { Path } from './model.js'
import type { Problem } from './yaml-tools.js'

export const pathText = (key: string, path: Path): string => [key, ...path].join('.')

/** Focuses the control of a setting, or of the nearest one above it that is shown. Returns whether there is one. */
export function focusSetting(setting: string): boolean {
  for (let at = setting; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    const row = document.querySelector<HTMLElement>(`[data-setting="${CSS.escape(at)}"]`)
    if (!row) continue
    const item = row.closest('details')
    if (item) item.open = true
    row.scrollIntoView({ block: 'center' })
    const inside = 'input, select, textarea, button, summary'
    ;(row.querySelector<HTMLElement>(`.wrong :is(${inside})`) ?? row.querySelector<HTMLElement>(inside))?.focus()
    return true
  }
  return false
}

/** Returns the problems at a path or below it. */
export const problemsBelow = (problems: readonly Problem[], path: Path): Problem[] =>
  problems.filter((problem) => path.every((part, index) => String(part) === String(problem.path[index])))
