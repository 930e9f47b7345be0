// The browser asks before it reloads or closes a page that alone keeps something.

const owners = new Set<unknown>()
const ask = (event: BeforeUnloadEvent): void => event.preventDefault()

/** Says whether `owner` has something that only this page keeps. */
export function setUnsaved(owner: unknown, unsaved: boolean): void {
  if (unsaved) owners.add(owner)
  else owners.delete(owner)
  if (owners.size > 0) addEventListener('beforeunload', ask)
  else removeEventListener('beforeunload', ask)
}
