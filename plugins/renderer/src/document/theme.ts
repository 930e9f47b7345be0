import type { Style } from './node.js'

export interface Theme {
  readonly ground: string
  readonly words: string
  readonly faint: string
  readonly line: string
  readonly panel: string
  readonly link: string
}

export const THEMES: Readonly<Record<'light' | 'dark', Theme>> = {
  light: { ground: '#ffffff', words: '#1f2328', faint: '#59636e', line: '#d1d9e0', panel: '#f2f4f7', link: '#0b57d0' },
  dark: { ground: '#16181d', words: '#e6e8eb', faint: '#9aa4b2', line: '#3a404a', panel: '#22262e', link: '#8ab4f8' },
}

export const MONO = 'Mono'
const heading = (size: number): Style => ({ fontSize: size, fontWeight: 700, marginTop: 8, marginBottom: 8 })

/** Styles of block elements. */
export const blocks = ({ faint, line, panel }: Theme): Readonly<Record<string, Style>> => ({
  p: { marginBottom: 10 },
  h1: heading(28),
  h2: heading(23),
  h3: heading(19),
  h4: heading(17),
  h5: heading(16),
  h6: { ...heading(16), color: faint },
  ul: { marginBottom: 10 },
  ol: { marginBottom: 10 },
  dd: { marginLeft: 24 },
  dt: { fontWeight: 700 },
  center: { textAlign: 'center' },
  figure: { marginBottom: 10 },
  figcaption: { color: faint },
  blockquote: {
    borderLeftWidth: 4,
    borderLeftStyle: 'solid',
    borderLeftColor: line,
    paddingLeft: 12,
    marginBottom: 10,
    color: faint,
  },
  pre: { backgroundColor: panel, borderRadius: 6, padding: 12, marginBottom: 10, fontFamily: MONO, fontSize: 14 },
})

/** Styles of inline elements. */
export const inlines = ({ link, panel }: Theme): Readonly<Record<string, Style>> => {
  const code = { fontFamily: MONO, fontSize: 14, backgroundColor: panel }
  const bold = { fontWeight: 700 }
  const italic = { fontStyle: 'italic' }
  const through = { textDecoration: 'line-through' }
  const under = { textDecoration: 'underline' }
  return {
    b: bold,
    strong: bold,
    th: bold,
    i: italic,
    em: italic,
    s: through,
    del: through,
    strike: through,
    u: under,
    ins: under,
    a: { color: link, textDecoration: 'underline' },
    code,
    kbd: code,
    samp: code,
    mark: { backgroundColor: '#fff2a8', color: '#1f2328' },
    small: { fontSize: 13 },
    sub: { fontSize: 12 },
    sup: { fontSize: 12 },
  }
}
