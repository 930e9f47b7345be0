// A unified diff: colour, sign and words say what a line is.
import { lineDiff } from '../../kit/diff.js'
import { t } from './texts.js'

export interface DiffViewProps {
  readonly before: string
  readonly after: string
  readonly label?: string
}

export function DiffView({ before, after, label }: DiffViewProps) {
  return (
    <div class="diff" role="group" tabIndex={0} aria-label={label ?? t('diff')}>
      {lineDiff(before, after).map((line, index) =>
        line.kind === 'fold' ? (
          <p key={index} class="fold">
            {t('unchanged', { count: line.count })}
          </p>
        ) : (
          <div key={index} class={line.kind}>
            <i aria-hidden="true">{line.after ?? line.before}</i>
            <b aria-hidden="true">{{ add: '+', del: '−', same: ' ' }[line.kind]}</b>
            <code>
              {line.kind === 'same' ? null : <span class="sr">{t(line.kind === 'add' ? 'added' : 'removed')}</span>}
              {line.text || ' '}
            </code>
          </div>
        ),
      )}
    </div>
  )
}
