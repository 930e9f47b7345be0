/** Returns the row whose table row has the focus. */
export function focusedRow<T>(rows: readonly T[], table = 'main'): T | undefined {
  const index = [...document.querySelectorAll(`${table} tbody > tr[tabindex]`)].indexOf(
    document.activeElement?.closest('tr[tabindex]') as Element,
  )
  return rows[index]
}
