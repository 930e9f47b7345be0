import { messageOf, type Logger, type Ref } from '@mynah/kernel'
import type { Awaitable } from '@mynah/kernel/util'
import type { Segment } from '@mynah/contract/types'
import type { Renderer, RichText } from '../api/renderer.js'
import { Image, renderToPlainText, richTextOf, Text, toSegments } from '../api/segments.js'
import type { Endpoint } from '../endpoints/endpoint.js'
import type { TraceBuilder } from '../traces.js'
import { andThen } from '../util/and-then.js'
import { formatTexts } from './format-texts.js'
import { adaptMedia } from './media.js'

/** Characters of a picture's description. */
const ALT_LENGTH = 500

/** Adapts segments to what a platform shows: rich text becomes a picture or plain text, media become reachable. */
export class ContentAdapter {
  readonly #renderer: Ref<Renderer>
  readonly #mediaFolder: string | undefined
  readonly #log: Logger
  #warned = false

  /** @param mediaFolder folder of the media that segments name by their hash */
  constructor(renderer: Ref<Renderer>, mediaFolder: string | undefined, log: Logger) {
    this.#renderer = renderer
    this.#mediaFolder = mediaFolder
    this.#log = log
  }

  adapt(endpoint: Endpoint, segments: readonly Segment[], trace?: TraceBuilder): Awaitable<readonly Segment[]> {
    return andThen(
      hasUnsupportedRichText(endpoint, segments) ? this.#renderRichText(endpoint, segments, trace) : segments,
      (shown) => this.#adaptTextAndMedia(endpoint, shown),
    )
  }

  /** As {@link ContentAdapter.adapt} without pictures: an edit cannot turn a text message into one. */
  adaptAsText(endpoint: Endpoint, segments: readonly Segment[]): Awaitable<readonly Segment[]> {
    return this.#adaptTextAndMedia(
      endpoint,
      hasUnsupportedRichText(endpoint, segments)
        ? joinLines(segments.map((part) => (isUnsupportedRichText(endpoint, part) ? lineOf(part) : part)))
        : segments,
    )
  }

  #adaptTextAndMedia(endpoint: Endpoint, segments: readonly Segment[]): Awaitable<readonly Segment[]> {
    return andThen(formatTexts(segments, endpoint.format), (formatted) =>
      adaptMedia(formatted, endpoint.config.outboundMedia ?? 'file', this.#mediaFolder),
    )
  }

  async #renderRichText(
    endpoint: Endpoint,
    segments: readonly Segment[],
    trace: TraceBuilder | undefined,
  ): Promise<readonly Segment[]> {
    const shown: (Segment | Line)[] = []
    for (const part of segments)
      shown.push(
        isUnsupportedRichText(endpoint, part)
          ? ((await this.#renderPicture(endpoint, part, richTextOf(part) as RichText, trace)) ?? lineOf(part))
          : part,
      )
    return joinLines(shown)
  }

  /** Returns the segment as a picture, or `undefined` where that is not possible. */
  async #renderPicture(
    endpoint: Endpoint,
    part: Segment,
    text: RichText,
    trace: TraceBuilder | undefined,
  ): Promise<Segment | undefined> {
    if (!endpoint.shows('image')) return undefined
    const renderer = this.#renderer.current
    if (!renderer) {
      if (!this.#warned)
        this.#log.warn('HTML and Markdown are sent as text: enable the plugin renderer to send them as pictures')
      this.#warned = true
      trace?.step('render', part.type, 'text', 'the plugin renderer is not enabled')
      return undefined
    }
    try {
      const { data, width, height } = await renderer.render(text)
      trace?.step('render', part.type, 'drawn', `${width} × ${height}`)
      return Image({
        base64: Buffer.from(data).toString('base64'),
        mime: 'image/png',
        name: `${part.type}.png`,
        alt: renderToPlainText([part])
          .slice(0, ALT_LENGTH)
          .replace(/[\ud800-\udbff]$/, ''),
      })
    } catch (error) {
      trace?.step('render', part.type, 'text', messageOf(error))
      this.#log.info(`failed to render a segment of type ${part.type}, sending it as text: ${messageOf(error)}`)
      return undefined
    }
  }
}

/** Text on a line of its own. */
interface Line {
  readonly line: string
}
const lineOf = (part: Segment): Line => ({ line: renderToPlainText([part]) })

const isUnsupportedRichText = (endpoint: Endpoint, part: Segment): boolean =>
  (part.type === 'html' || part.type === 'markdown') && !endpoint.shows(part.type)
const hasUnsupportedRichText = (endpoint: Endpoint, segments: readonly Segment[]): boolean =>
  segments.some((part) => isUnsupportedRichText(endpoint, part))

/** Returns the parts as segments, with line breaks between each line and the words around it. */
function joinLines(parts: readonly (Segment | Line)[]): Segment[] {
  return toSegments(
    parts.map((part, index) => {
      if (!('line' in part)) return part
      const before = parts[index - 1]
      const after = parts[index + 1]
      return Text(
        `${isWords(before) || (before && 'line' in before) ? '\n' : ''}${part.line}${isWords(after) ? '\n' : ''}`,
      )
    }),
  )
}

const isWords = (part: Segment | Line | undefined): boolean =>
  part !== undefined && !('line' in part) && (part.type === 'text' || part.type === 'at')
