import { Button } from '../../ui/index.js'
import { t } from './texts.js'
import { FILE, type Editing } from './use-editing.js'

interface FileProblemProps {
  readonly editing: Editing
  readonly onLine: (line: number) => void
}

/** Says that the file on disk is one that the host would refuse. */
export function FileProblem({ editing, onLine }: FileProblemProps) {
  const problem = editing.resource.data?.problem
  if (!problem) return null
  const { line, message, readable } = problem
  return (
    <div class="strip-line err" role="alert">
      <span class="grow">
        {line === undefined ? t('fileBroken', { file: FILE, message }) : t('lineBroken', { file: FILE, line, message })}{' '}
        {t('runsBefore')} {readable ? null : t('noForm')}
      </span>
      {line === undefined ? null : <Button onClick={() => onLine(line)}>{t('toLine')}</Button>}
    </div>
  )
}
