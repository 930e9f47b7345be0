import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { nextTask } from './use-deferred-mount.js'

/**
 * Returns `rows` with at most `most` new ones in each task, since all at once take too long. Where a row is still to
 * come, the former one stays, so that the page does not get shorter and scroll.
 */
export function useRowsInSteps<T>(rows: readonly T[], keyOf: (row: T) => string, most: number): readonly T[] {
  const former = useRef<readonly T[]>([])
  const [, drawAgain] = useState({})
  const known = new Set(former.current.map(keyOf))
  const wanted = new Set(rows.map(keyOf))
  let left = most
  const drawn = rows.flatMap((row, index) => {
    if (known.has(keyOf(row)) || left-- > 0) return [row]
    const place = former.current[index]
    return place === undefined || wanted.has(keyOf(place)) ? [] : [place]
  })
  useLayoutEffect(() => {
    former.current = drawn
    return left < 0 ? nextTask(() => drawAgain({})) : undefined
  })
  return drawn
}
