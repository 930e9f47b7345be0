import { Button, EmptyState } from '../../ui/index.js'
import { t } from './texts.js'

interface NoRowsProps {
  readonly narrowed: boolean
  readonly onClear: () => void
  readonly onAdd: (() => void) | undefined
}

export function NoRows({ narrowed, onClear, onAdd }: NoRowsProps) {
  if (narrowed) return <EmptyState title={t('noMatch')} action={<Button onClick={onClear}>{t('clear')}</Button>} />
  return <EmptyState title={t('none')} action={onAdd ? <Button onClick={onAdd}>{t('newRow')}</Button> : undefined} />
}
