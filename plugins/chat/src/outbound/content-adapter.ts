// Segments as the platform of an endpoint shows them: formatted text becomes a picture or plain text, media come within its reach.
import { messageOf, type Logger } from '@mynah/kernel'
import type { Segment } from '@mynah/contract/types'
import type { Renderer, RichText } from '../api/renderer.js'
import { Image, renderToPlainText, richTextOf, Text, toSegments } from '../api/segments.js'
import { andThen, type Awaitable } from '../util/and-then.js'
import type { Endpoint } from '../endpoints/endpoint.js'
import { adaptMedia } from './media.js'
import type { TraceBuilder } from '../traces.js'

/** Characters of a picture's description. */
const ALT_LENGTH = 500

export interface PresentingDeps {
  readonly renderer: () => Renderer | undefined
  /** The folder of media that are named by their hash. */
  readonly media: string | undefined
  readonly log: Logger
}

export class ContentAdapter {
  readonly #deps: PresentingDeps
  #warned = false

  constructor(deps: PresentingDeps) {
    this.#deps = deps
  }

  present(endpoint: Endpoint, segments: readonly Segment[], trace?: TraceBuilder): Awaitable<readonly Segment[]> {
    return andThen(hasRich(endpoint, segments) ? this.#drawn(endpoint, segments, trace) : segments, (shown) =>
      this.#reachable(endpoint, shown),
    )
  }

  /** The same with words only: a message that is edited cannot become a picture. */
  presentText(endpoint: Endpoint, segments: readonly Segment[]): Awaitable<readonly Segment[]> {
    return this.#reachable(
      endpoint,
      hasRich(endpoint, segments)
        ? asLines(segments.map((part) => (isHidden(endpoint, part) ? textOf(part) : part)))
        : segments,
    )
  }

  #reachable(endpoint: Endpoint, segments: readonly Segment[]): Awaitable<readonly Segment[]> {
    return adaptMedia(segments, endpoint.config.outboundMedia ?? 'file', this.#deps.media)
  }

  async #drawn(
    endpoint: Endpoint,
    segments: readonly Segment[],
    trace: TraceBuilder | undefined,
  ): Promise<readonly Segment[]> {
    const shown: (Segment | Line)[] = []
    for (const part of segments)
      shown.push(
        isHidden(endpoint, part)
          ? ((await this.#picture(endpoint, part, richTextOf(part) as RichText, trace)) ?? textOf(part))
          : part,
      )
    return asLines(shown)
  }

  /** The segment as a picture; `undefined` where there can be none. */
  async #picture(
    endpoint: Endpoint,
    part: Segment,
    text: RichText,
    trace: TraceBuilder | undefined,
  ): Promise<Segment | undefined> {
    if (!endpoint.shows('image')) return undefined
    const renderer = this.#deps.renderer()
    if (!renderer) {
      if (!this.#warned)
        this.#deps.log.warn('HTML and Markdown are sent as text: enable the plugin renderer to have them drawn')
      this.#warned = true
      trace?.step('render', part.type, 'text', 'the plugin renderer is not there')
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
      this.#deps.log.info(`a segment of type ${part.type} is sent as text: ${messageOf(error)}`)
      return undefined
    }
  }
}

/** Text on lines of its own. */
interface Line {
  readonly line: string
}
const textOf = (part: Segment): Line => ({ line: renderToPlainText([part]) })

const isHidden = (endpoint: Endpoint, part: Segment): boolean =>
  (part.type === 'html' || part.type === 'markdown') && !endpoint.shows(part.type)
const hasRich = (endpoint: Endpoint, segments: readonly Segment[]): boolean =>
  segments.some((part) => isHidden(endpoint, part))

/** Segments in which every line that stands between words is divided from them. */
function asLines(parts: readonly (Segment | Line)[]): Segment[] {
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
