// The row of a table that the keys of a page are about.

/** That of `rows` in whose row the focus is; the page has one table of them. */
export function focusedRow<T>(rows: readonly T[], table = 'main'): T | undefined {
  const index = [...document.querySelectorAll(`${table} tbody > tr[tabindex]`)].indexOf(
    document.activeElement?.closest('tr[tabindex]') as Element,
  )
  return rows[index]
}
