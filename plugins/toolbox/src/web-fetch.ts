import { Type } from '@mynah/contract/type'
import { defineTool, toolResult, type Tool, type Web, wrapped } from '@mynah/plugin-ai/api'
import { cut, MAX_BYTES } from './results.js'

const TIMEOUT_MS = 30_000
const MAX_BODY = 2 * 1024 * 1024
const REDIRECTS = 5
const TEXT = /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|yaml|javascript|x-ndjson)$)/
const HTML = /^(?:text\/html|application\/xhtml\+xml)$/

/** Creates the tool that reads a page of the web as text. */
export function webFetch({
  web,
  requiredAnyRole,
}: {
  readonly web: () => Web | undefined
  readonly requiredAnyRole?: readonly string[]
}): Tool {
  return defineTool({
    name: 'web_fetch',
    description: 'Reads a page of the web as text.',
    effect: 'read',
    timeout: TIMEOUT_MS + 5_000,
    ...(requiredAnyRole ? { requiredAnyRole } : {}),
    keywords: ['url', 'page', 'website', 'http', 'link', '网页', '链接', '网站'],
    parameters: Type.Object({ url: Type.String({ minLength: 1, maxLength: 4_096 }) }),
    async run({ url }, { signal }) {
      const service = web()
      if (!service) return toolResult('The web cannot be reached: the plugin ai is not ready.', { isError: true })
      const response = await service.fetch(url, {
        timeout: TIMEOUT_MS,
        maxBytes: MAX_BODY,
        redirects: REDIRECTS,
        signal,
        headers: { accept: 'text/html, application/xhtml+xml, text/plain;q=0.9, */*;q=0.5' },
      })
      const { status, mediaType, body } = response
      const isError = status >= 400
      if (mediaType !== '' && !TEXT.test(mediaType) && !HTML.test(mediaType))
        return toolResult(`${response.url} is ${mediaType} of ${body.byteLength} bytes, no text.`, { isError })
      const raw = response.text()
      const { title, text } =
        HTML.test(mediaType) || (mediaType === '' && /^\s{0,100}<(?:!doctype|html)/i.test(raw.slice(0, 200)))
          ? await readable(raw, response.url)
          : { title: '', text: raw }
      const short = cut(text.replaceAll('\0', ''))
      const lines = [
        ...(isError ? [`Status ${status}`] : []),
        ...(title ? [`# ${title}`] : []),
        short.text,
        ...(short.cut ? [`[cut at ${MAX_BYTES / 1024} KB]`] : []),
      ]
      return toolResult(wrapped(lines.join('\n'), response.url), { isError })
    },
  })
}

/** Loads the parser with the first page. */
const readable = async (html: string, base: string): Promise<{ title: string; text: string }> =>
  (await import('./page-text.js')).pageText(html, base)
