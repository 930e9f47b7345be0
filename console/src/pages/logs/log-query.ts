import type { LogLevel } from '@mynah/contract/types'
import { usePageKeys } from '../../kit/page-keys.js'
import { useShortcuts } from '../../kit/use-shortcuts.js'
import { type Query } from '../../lib/router.js'
import { levels } from './log-buffer.js'
import { t } from './texts.js'

export type LogQuery = Query<{ filter: string; plugin: string; host: string; levels: string; at: string }>

export function toggleLevel(query: LogQuery, shown: ReadonlySet<LogLevel>, level: LogLevel): void {
  const next = new Set(shown)
  if (!next.delete(level)) next.add(level)
  query.set({ levels: next.size === 0 ? '' : levels.filter((item) => next.has(item)).join(',') }, { replace: true })
}

interface LogKeys {
  readonly onPause: () => void
  readonly onClose: () => void
  readonly onCopy: () => void
  readonly onToggle: (level: LogLevel) => void
}

export function useLogKeys({ onPause, onClose, onCopy, onToggle }: LogKeys): void {
  usePageKeys([
    ['Space', t('kFollow')],
    ['1 2 3 4', t('kLevels')],
    ['C', t('kCopy')],
  ])
  useShortcuts({
    ' ': onPause,
    Escape: onClose,
    c: onCopy,
    '1': () => onToggle('error'),
    '2': () => onToggle('warn'),
    '3': () => onToggle('info'),
    '4': () => onToggle('debug'),
  })
}
