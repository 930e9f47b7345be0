// The port behind which formatted text becomes a picture, for platforms that show pictures and no formats.
import { service, type Service } from '@mynah/kernel'

/** Formatted text; written by anybody. */
export interface RichText {
  readonly format: 'html' | 'markdown'
  readonly source: string
}

/** A PNG and its size in pixels. */
export interface RenderedImage {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

/** Draws text. Its failures may be shown; whoever asks falls back to text. */
export interface Renderer {
  render(text: RichText): Promise<RenderedImage>
}
export const Renderer: Service<Renderer> = service<Renderer>('renderer')
