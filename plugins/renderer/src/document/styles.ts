// Keeps lengths within bounds and plain colours of styles, and drops everything that names an address.
import type { Style } from './node.js'

const COLOR = /^(?:#[0-9a-f]{3,8}|[a-z]{3,20}|(?:rgb|hsl)a?\([\d.,% /]{5,40}\))$/
const LENGTH = /^(\d{1,5}(?:\.\d{1,4})?)(px|em|rem|pt|%)?$/
const UNITS: Readonly<Record<string, number>> = { px: 1, em: 16, rem: 16, pt: 4 / 3 }

type Check = (value: string) => string | number | undefined

const color: Check = (value) =>
  COLOR.test(value) && value !== 'inherit' && value !== 'initial' && value !== 'unset' ? value : undefined
const oneOf =
  (...words: string[]): Check =>
  (value) =>
    words.includes(value) ? value : undefined

function length(most: number, percent = false): Check {
  return (value) => {
    const [, digits, unit] = LENGTH.exec(value) ?? []
    if (digits === undefined) return undefined
    if (unit === '%') return percent ? `${Math.min(Number(digits), 100)}%` : undefined
    return Math.min(Number(digits) * (UNITS[unit ?? 'px'] ?? 1), most)
  }
}

const fontSize: Check = (value) => {
  const size = length(96)(value)
  return typeof size === 'number' ? Math.max(size, 6) : undefined
}
const weight: Check = (value) => {
  if (value === 'bold' || value === 'bolder' || Number(value) >= 600) return 700
  return value === 'normal' || Number(value) > 0 ? 400 : undefined
}
const SIDES = ['Top', 'Right', 'Bottom', 'Left'] as const

const CHECKS = new Map<string, { readonly as: string; readonly check: Check }>([
  ['color', { as: 'color', check: color }],
  ['background-color', { as: 'backgroundColor', check: color }],
  ['background', { as: 'backgroundColor', check: color }],
  ['border-color', { as: 'borderColor', check: color }],
  ['border-radius', { as: 'borderRadius', check: length(100) }],
  ['font-size', { as: 'fontSize', check: fontSize }],
  ['font-weight', { as: 'fontWeight', check: weight }],
  ['font-style', { as: 'fontStyle', check: oneOf('italic', 'normal') }],
  ['text-align', { as: 'textAlign', check: oneOf('left', 'center', 'right') }],
  ['text-decoration', { as: 'textDecoration', check: oneOf('underline', 'line-through', 'none') }],
  ['width', { as: 'width', check: length(1_200, true) }],
  ['height', { as: 'height', check: length(2_000) }],
  ['flex-direction', { as: 'flexDirection', check: oneOf('row', 'column') }],
  ['gap', { as: 'gap', check: length(100) }],
  ['flex-grow', { as: 'flexGrow', check: (value) => (/^[0-9]$/.test(value) ? Number(value) : undefined) }],
  [
    'justify-content',
    { as: 'justifyContent', check: oneOf('flex-start', 'flex-end', 'center', 'space-between', 'space-around') },
  ],
  ['align-items', { as: 'alignItems', check: oneOf('flex-start', 'flex-end', 'center', 'stretch') }],
  ...SIDES.flatMap((side) =>
    (['padding', 'margin'] as const).map(
      (name) => [`${name}-${side.toLowerCase()}`, { as: `${name}${side}`, check: length(200) }] as const,
    ),
  ),
])

/** Parses one to four lengths, clockwise from the top. */
function sides(name: 'padding' | 'margin', value: string): Style {
  const given = value.split(/\s+/, 4).map(length(200))
  const [top, right = top, bottom = top, left = right] = given
  return Object.fromEntries(
    SIDES.flatMap((side, index) => {
      const size = [top, right, bottom, left][index]
      return size === undefined ? [] : [[`${name}${side}`, size]]
    }),
  )
}

function border(value: string): Style {
  const [size = '', line = '', tint = ''] = value.split(/\s+/, 3)
  const width = length(20)(size)
  if (width === undefined || line !== 'solid' || color(tint) === undefined) return {}
  return { borderWidth: width, borderStyle: 'solid', borderColor: tint }
}

/** Returns the allowed styles of a `style` attribute, or `undefined` when it hides the element. */
export function stylesOf(css: string): Style | undefined {
  const kept: Record<string, string | number> = {}
  for (const declaration of css.slice(0, 2_000).split(';', 64)) {
    const colon = declaration.indexOf(':')
    const name = declaration.slice(0, colon).trim().toLowerCase()
    const value = declaration
      .slice(colon + 1)
      .trim()
      .toLowerCase()
    if (colon < 0 || value.length > 100) continue
    if (name === 'display' && value === 'none') return undefined
    if (name === 'display' && value === 'flex') kept.flexDirection ??= 'row'
    else if (name === 'padding' || name === 'margin') Object.assign(kept, sides(name, value))
    else if (name === 'border') Object.assign(kept, border(value))
    else {
      const known = CHECKS.get(name)
      const checked = known?.check(value)
      if (known && checked !== undefined) kept[known.as] = checked
    }
  }
  return kept
}
