import { diffLines } from 'diff'

export type DiffLine =
  | { readonly kind: 'same' | 'add' | 'del'; readonly text: string; readonly before?: number; readonly after?: number }
  | { readonly kind: 'fold'; readonly count: number }

const CONTEXT = 3

/** Compares two texts by line. `context` unchanged lines are kept around each change. */
export function lineDiff(before: string, after: string, context = CONTEXT): DiffLine[] {
  const all: Exclude<DiffLine, { kind: 'fold' }>[] = []
  let left = 1
  let right = 1
  for (const part of diffLines(before, after)) {
    const lines = part.value.split('\n')
    if (lines.at(-1) === '') lines.pop()
    for (const text of lines) {
      if (part.added) all.push({ kind: 'add', text, after: right++ })
      else if (part.removed) all.push({ kind: 'del', text, before: left++ })
      else all.push({ kind: 'same', text, before: left++, after: right++ })
    }
  }
  const near = new Set<number>()
  all.forEach((line, index) => {
    if (line.kind === 'same') return
    for (let at = index - context; at <= index + context; at++) near.add(at)
  })
  const shown: DiffLine[] = []
  let folded = 0
  const fold = (): void => {
    if (folded > 0) shown.push({ kind: 'fold', count: folded })
    folded = 0
  }
  all.forEach((line, index) => {
    if (near.has(index)) {
      fold()
      shown.push(line)
    } else folded++
  })
  fold()
  return shown
}

/** Returns how many lines were added and removed. */
export function diffSize(lines: readonly DiffLine[]): { readonly added: number; readonly removed: number } {
  return {
    added: lines.filter((line) => line.kind === 'add').length,
    removed: lines.filter((line) => line.kind === 'del').length,
  }
}
