import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { sharedModules } from '../preset/shared.js'

const source = (name: string): string => fileURLToPath(new URL(`../src/shared/${name}.ts`, import.meta.url))

/** Build inputs, one for each shared module. */
export const sharedInputs: Record<string, string> = Object.fromEntries(
  [...new Set(Object.values(sharedModules))].map((name) => [`shared/${name}`, source(name)]),
)

/**
 * The policy of the page; scripts and styles of any http(s) origin, since the person who signs in types the host.
 * Scripts in the page run by their hash alone.
 */
function policy(html: string, origin: string | undefined): string {
  const hosts = origin ?? 'https: http:'
  const hashes = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    (match) =>
      `'sha256-${createHash('sha256')
        .update(match[1] ?? '')
        .digest('base64')}'`,
  )
  return [
    `default-src 'self'`,
    `script-src 'self' ${hashes.join(' ')} ${hosts}`,
    // Libraries of entries, and the editor, write style elements. Styles do not run, and attributes stay refused.
    `style-src 'self' 'unsafe-inline' ${hosts}`,
    `style-src-attr 'none'`,
    `img-src 'self' data: blob: https: http:`,
    `media-src 'self' data:`,
    `connect-src 'self' ${hosts}`,
    // The viewer of PDF files.
    `frame-src 'self' blob:`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ')
}

/** `origin` is the one host of a build that knows it; any host otherwise. */
export function sharedRuntime(origin?: string): Plugin {
  let dev = false
  return {
    name: 'mynah:shared-runtime',
    enforce: 'post',
    config(_config, env) {
      dev = env.command === 'serve'
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, context) {
        const chunks = Object.values(context.bundle ?? {})
        const imports = Object.fromEntries(
          Object.entries(sharedModules).map(([specifier, name]) => {
            if (dev) return [specifier, `/src/shared/${name}.ts`]
            const chunk = chunks.find((item) => item.type === 'chunk' && item.facadeModuleId === source(name))
            if (!chunk) throw new Error(`No chunk was built for the shared module ${specifier}`)
            return [specifier, `/${chunk.fileName}`]
          }),
        )
        const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`
        const withMap = html.replace('<meta charset="utf-8">', (charset) => `${charset}\n    ${map}`)
        if (dev) return withMap
        const meta = `<meta http-equiv="Content-Security-Policy" content="${policy(withMap, origin)}">`
        return withMap.replace(map, () => `${meta}\n    ${map}`)
      },
    },
  }
}
