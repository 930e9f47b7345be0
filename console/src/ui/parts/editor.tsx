import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { yaml, yamlFrontmatter } from '@codemirror/lang-yaml'
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
  type LanguageSupport,
} from '@codemirror/language'
import { diagnosticCount, lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { Annotation, Compartment, EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'preact/hooks'
import { nextTask } from '../../lib/use-deferred-mount.js'
import { changeBetween, Echoes, lineEndingOf, withLineFeeds } from './editor-document.js'

export interface EditorProblem {
  readonly line: number
  readonly column?: number
  readonly message: string
}

export interface EditorProps {
  readonly value: string
  readonly onChange: (value: string) => void
  /** Ending of a file's name, or `yaml`. */
  readonly language: string
  readonly label: string
  readonly problems?: readonly EditorProblem[]
  readonly readOnly?: boolean
  readonly onCaret?: (line: number, column: number) => void
  /** Scrolls there when it changes. */
  readonly line?: number | undefined
}

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName), tags.attributeName], color: 'var(--info)' },
  { tag: [tags.string, tags.special(tags.string), tags.monospace], color: 'var(--accent)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--warn)' },
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--info)' },
  { tag: [tags.comment, tags.meta], color: 'var(--ink2)', fontStyle: 'italic' },
  { tag: [tags.heading, tags.strong], fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.link, color: 'var(--accent)', textDecoration: 'underline' },
  { tag: tags.invalid, color: 'var(--err)' },
])

const look = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--panel)', color: 'var(--ink)' },
  '.cm-scroller': { font: '12.5px/20px var(--mono)', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '8px 0' },
  '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--ink2)', border: '0' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--bg)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft)',
  },
  '.cm-lintRange-error': { backgroundImage: 'none', borderBottom: '2px solid var(--err)' },
  '.cm-tooltip': { backgroundColor: 'var(--panel)', border: '1px solid var(--line-strong)', color: 'var(--ink)' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--err)' },
})

/** Marks a change that the page made. It is not typing, so it is not reported. */
const byPage = Annotation.define<true>()

/** Languages that come on their own, since few files need them. */
async function languageOf(name: string): Promise<LanguageSupport | undefined> {
  if (name === 'yml' || name === 'yaml') return yaml()
  if (name === 'json') return json()
  if (name === 'md' || name === 'markdown')
    return yamlFrontmatter({ content: (await import('@codemirror/lang-markdown')).markdown() })
  if (['js', 'mjs', 'cjs', 'ts', 'mts', 'cts', 'jsx', 'tsx'].includes(name))
    return (await import('@codemirror/lang-javascript')).javascript({
      typescript: /ts/.test(name),
      jsx: name.endsWith('x'),
    })
  return undefined
}

const NO_PROBLEMS: readonly EditorProblem[] = []

function diagnosticsOf(state: EditorState, problems: readonly EditorProblem[]): Diagnostic[] {
  return problems.map(({ line, column, message }) => {
    const at = state.doc.line(Math.max(1, Math.min(line, state.doc.lines)))
    const from = Math.min(at.from + Math.max(0, (column ?? 1) - 1), at.to)
    return { from, to: Math.max(from, at.to), severity: 'error', message }
  })
}

interface EditorRef {
  readonly current: EditorView | undefined
}

/** Shows another version of the text, unless it is one that the editor has reported itself. */
function useVersions(view: EditorRef, value: string, echoes: Echoes): void {
  const former = useRef(value)
  useEffect(() => {
    const editor = view.current
    if (!editor) return
    const isNew = former.current !== value
    former.current = value
    const changes = changeBetween(editor.state.sliceDoc(), withLineFeeds(value))
    if (!changes) echoes.clear()
    else if (isNew && !echoes.take(value)) editor.dispatch({ changes, annotations: byPage.of(true) })
  })
}

/** Marks problems after each change of `inputs`, in a task of its own. */
function useMarks(view: EditorRef, problems: readonly EditorProblem[], inputs: readonly unknown[]): void {
  useEffect(
    () =>
      nextTask(() => {
        const editor = view.current
        if (!editor || (problems.length === 0 && diagnosticCount(editor.state) === 0)) return
        editor.dispatch(setDiagnostics(editor.state, diagnosticsOf(editor.state, problems)))
      }),
    inputs,
  )
}

/** Shows a line in the middle, and moves the caret there. */
function useLine(view: EditorRef, line: number | undefined): void {
  useEffect(() => {
    const editor = view.current
    if (!editor || line === undefined) return
    const at = editor.state.doc.line(Math.max(1, Math.min(line, editor.state.doc.lines)))
    editor.dispatch({ selection: { anchor: at.from }, effects: EditorView.scrollIntoView(at.from, { y: 'center' }) })
  }, [line])
}

export function CodeEditor({
  value,
  onChange,
  language,
  label,
  problems = NO_PROBLEMS,
  readOnly = false,
  onCaret,
  line,
}: EditorProps) {
  const box = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const latest = useRef({ onChange, onCaret, value })
  latest.current = { onChange, onCaret, value }
  const echoes = useRef(new Echoes()).current
  useEffect(() => {
    const slot = new Compartment()
    const extensions: Extension[] = [
      lineNumbers(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      lintGutter(),
      syntaxHighlighting(colours),
      look,
      slot.of([]),
      EditorState.readOnly.of(readOnly),
      EditorView.editable.of(!readOnly),
      // Tab moves the focus on, as everywhere else on the page.
      keymap.of([...defaultKeymap, ...historyKeymap]),
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      EditorView.updateListener.of((update) => {
        if (update.transactions.some((made) => made.docChanged && made.annotation(byPage) === undefined)) {
          const text = update.state.sliceDoc().replaceAll('\n', lineEndingOf(latest.current.value))
          echoes.report(text)
          latest.current.onChange(text)
        }
        if (update.selectionSet || update.docChanged) {
          const { head } = update.state.selection.main
          const at = update.state.doc.lineAt(head)
          latest.current.onCaret?.(at.number, head - at.from + 1)
        }
      }),
    ]
    const editor = new EditorView({
      parent: box.current as HTMLElement,
      state: EditorState.create({ doc: withLineFeeds(latest.current.value), extensions }),
    })
    view.current = editor
    echoes.clear()
    let gone = false
    let drop: (() => void) | undefined
    // Without its colours a file is still text. On a slow machine an editor takes long, and so do its colours and its
    // marks: each has a task of its own.
    void languageOf(language).then(
      (support) => {
        if (support && !gone) drop = nextTask(() => editor.dispatch({ effects: slot.reconfigure(support) }))
      },
      () => undefined,
    )
    return () => {
      gone = true
      drop?.()
      view.current = undefined
      editor.destroy()
    }
  }, [language, readOnly, label])
  useVersions(view, value, echoes)
  useMarks(view, problems, [problems, language, readOnly, label])
  useLine(view, line)
  return <div class="editor" ref={box} />
}
