// Draws documents with satori (layout) and resvg (pixels). Neither gets an address, so nothing is fetched.
import { readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { messageOf } from '@mynah/kernel'
import { WireError } from '@mynah/contract'
import type { RenderedImage, RichText } from '@mynah/plugin-chat/api'
import { Boxes } from './document/boxes.js'
import { markdownToHtml } from './document/markdown.js'
import { isElement, type DocumentNode } from './document/node.js'
import { parseHtml } from './document/parse.js'
import { MONO, THEMES } from './document/theme.js'
import type { Look } from './job.js'
import { loadPackage } from './load.js'

/** Largest height in points. Platforms do not show longer pictures. */
const MAX_HEIGHT = 4_000
const MAX_FONT = 32 * 1024 * 1024
/** Right-to-left scripts, whose words the layout engine would put in the wrong order. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

interface Font {
  readonly name: string
  readonly data: Buffer
  readonly weight: 400 | 700
  readonly style: 'normal' | 'italic'
}

const OWN = [
  ['Sans', 'DejaVuSans', 400, 'normal'],
  ['Sans', 'DejaVuSans-Bold', 700, 'normal'],
  ['Sans', 'DejaVuSans-Oblique', 400, 'italic'],
  [MONO, 'DejaVuSansMono', 400, 'normal'],
] as const

/** Fonts by their configured files. The array stays the same, because satori caches fonts by it. */
const known = new Map<string, Promise<Font[]>>()

async function configured(path: string, index: number): Promise<Font> {
  try {
    if ((await stat(path)).size > MAX_FONT) throw new Error(`it is larger than ${MAX_FONT} bytes`)
    return { name: `Further${index}`, data: await readFile(path), weight: 400, style: 'normal' }
  } catch (error) {
    const message = `cannot be read (${(error as NodeJS.ErrnoException).code ?? messageOf(error)})`
    throw new WireError('invalid_request:config', `renderer.fonts[${index}] ${message}`, {
      details: [{ path: `renderer.fonts[${index}]`, message }],
    })
  }
}

function fontsOf(files: readonly string[]): Promise<Font[]> {
  const key = files.join('\n')
  let fonts = known.get(key)
  if (!fonts) {
    const { resolve } = createRequire(import.meta.url)
    fonts = Promise.all([
      ...OWN.map(async ([name, file, weight, style]): Promise<Font> => ({
        name,
        data: await readFile(resolve(`dejavu-fonts-ttf/ttf/${file}.ttf`)),
        weight,
        style,
      })),
      ...files.map(configured),
    ])
    known.clear()
    known.set(key, fonts)
    fonts.catch(() => known.delete(key))
  }
  return fonts
}

const hasText = (node: DocumentNode, pattern: RegExp): boolean =>
  isElement(node) ? node.children.some((child) => hasText(child, pattern)) : pattern.test(node)

/** Draws a text. @throws WireError with the reason when it cannot be drawn */
export async function draw(
  { format, source }: RichText,
  { width, scale, theme, fonts: files }: Look,
): Promise<RenderedImage> {
  const { default: satori } = await loadPackage('satori', () => import('satori'))
  const { Resvg } = await loadPackage('@resvg/resvg-js', () => import('@resvg/resvg-js'))
  // Authors of HTML choose colours for a white page.
  const colours = THEMES[format === 'html' ? 'light' : theme]
  const root = parseHtml(format === 'markdown' ? markdownToHtml(source) : source)
  if (!hasText(root, /\S/)) throw new WireError('invalid_request', 'It has no text')
  if (hasText(root, RIGHT_TO_LEFT)) throw new WireError('unsupported', 'It has a script that is written from the right')
  const fonts = await fontsOf(files)
  const missing = new Set<string>()
  const svg = await satori(new Boxes(colours).of(root, width) as never, {
    width,
    fonts,
    // Satori asks here for glyphs that no font has.
    loadAdditionalAsset: async (_script: string, text: string) => {
      missing.add(text)
      return []
    },
  })
  if (missing.size > 0)
    throw new WireError(
      'unsupported',
      `No font has a glyph for ${JSON.stringify(
        Array.from([...missing].join(''))
          .slice(0, 8)
          .join(''),
      )}; name one that has in renderer.fonts`,
    )
  const height = Number(/^<svg[^>]{0,200}? height="(\d{1,9})/.exec(svg)?.[1])
  if (!(height <= MAX_HEIGHT)) throw new WireError('too_large', `It is more than ${MAX_HEIGHT} points high`)
  const image = new Resvg(svg, {
    background: colours.ground,
    font: { loadSystemFonts: false },
    fitTo: { mode: 'zoom', value: scale },
  }).render()
  return { data: image.asPng(), width: image.width, height: image.height }
}
