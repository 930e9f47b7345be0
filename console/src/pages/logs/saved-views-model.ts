/** Filters of a page, by the address that shows them. */
export interface SavedView {
  readonly name: string
  /** Path and query of the console. */
  readonly target: string
}

const MAX_VIEWS = 12
const MAX_NAME = 80
/** Parts of an address that are a place in a list, and no filter. */
const PLACES = ['page', 'at', 'before']

/** Returns the address of the present filters, without the place in the list. */
export function viewAddress(path: string, search: string): string {
  const query = new URLSearchParams(search)
  for (const place of PLACES) query.delete(place)
  query.sort()
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

/** Parses stored views. Those that lead elsewhere than into the console are dropped. */
export function parseViews(value: unknown): SavedView[] {
  if (!Array.isArray(value)) return []
  return value
    .filter(
      (view): view is SavedView =>
        typeof view === 'object' &&
        view !== null &&
        typeof (view as SavedView).name === 'string' &&
        typeof (view as SavedView).target === 'string' &&
        /^\/(?!\/)/.test((view as SavedView).target),
    )
    .map(({ name, target }) => ({ name, target }))
    .slice(0, MAX_VIEWS)
}

/** Adds a view, the newest first. */
export const withView = (views: readonly SavedView[], { name, target }: SavedView): SavedView[] =>
  [{ name: name.slice(0, MAX_NAME), target }, ...withoutView(views, target)].slice(0, MAX_VIEWS)

export const withoutView = (views: readonly SavedView[], target: string): SavedView[] =>
  views.filter((view) => view.target !== target)
