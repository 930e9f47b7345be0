import { t } from '../../lib/i18n.js'
import { useLazy } from '../../lib/use-lazy.js'
import { Notice, Skeleton } from '../notice.js'
import type { EditorProps } from './editor.js'

const load = () => import('./editor.js').then((module) => module.CodeEditor)

export function LazyEditor(props: EditorProps) {
  const { loaded: Editor, failure } = useLazy(load)
  if (Editor) return <Editor {...props} />
  return failure === undefined ? (
    <Skeleton rows={10} label={t('loading')} />
  ) : (
    <Notice tone="err" title={t('page.chunk')}>
      {failure}
    </Notice>
  )
}
