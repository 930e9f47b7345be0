import { service, type Service } from '@mynah/kernel'

/** Formatted text from any source, not to be trusted. */
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

/**
 * Renders text as a picture, for platforms that show pictures and no formats. Where it fails, the text is sent as
 * text.
 */
export interface Renderer {
  render(text: RichText): Promise<RenderedImage>
}
export const Renderer: Service<Renderer> = service<Renderer>('renderer', { plugin: 'renderer' })
