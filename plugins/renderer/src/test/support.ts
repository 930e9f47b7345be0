// Decodes pictures and compares them pixel by pixel.
import { PNG } from 'pngjs'
import { isWireError } from '@mynah/contract'
import type { RenderedImage } from '@mynah/plugin-chat/api'
import { draw } from '../draw.js'
import type { Look } from '../job.js'

export const LOOK: Look = { width: 480, scale: 1, theme: 'light', fonts: [] }

export const markdown = (source: string, look: Partial<Look> = {}): Promise<RenderedImage> =>
  draw({ format: 'markdown', source }, { ...LOOK, ...look })
export const html = (source: string, look: Partial<Look> = {}): Promise<RenderedImage> =>
  draw({ format: 'html', source }, { ...LOOK, ...look })

/** Returns why something was not drawn, as `code: message`. */
export async function refusal(drawing: Promise<unknown>): Promise<string> {
  try {
    await drawing
    return ''
  } catch (error) {
    if (!isWireError(error)) throw error
    return `${error.code}: ${error.message}`
  }
}

/** Returns the pixels of a picture by their colour, such as `#ff0000`, and the colour of one place. */
export function pixelsOf({ data, width, height }: RenderedImage): {
  readonly count: (colour: string) => number
  readonly at: (x: number, y: number) => string
  readonly bottomOf: (colour: string) => number
} {
  const png = PNG.sync.read(Buffer.from(data))
  if (png.width !== width || png.height !== height)
    throw new Error(`it says ${width} × ${height} and is ${png.width} × ${png.height}`)
  const at = (x: number, y: number): string =>
    `#${png.data.toString('hex', (y * width + x) * 4, (y * width + x) * 4 + 3)}`
  const places = (colour: string): number[] =>
    Array.from({ length: width * height }, (_, index) => index).filter(
      (index) => at(index % width, Math.floor(index / width)) === colour,
    )
  return {
    at,
    count: (colour) => places(colour).length,
    bottomOf: (colour) => Math.floor((places(colour).at(-1) ?? -1) / width),
  }
}
