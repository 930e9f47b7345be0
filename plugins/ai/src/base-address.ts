// Reads the address of a provider as people copy it: without a scheme, with a slash too many, or with the path of one
// request.
const OLLAMA_PORT = '11434'

const OPENAI =
  /\/(?:chat\/completions|completions|responses|embeddings|images\/generations|audio\/(?:speech|transcriptions))$/
/** Ends of paths that belong to a request. */
const REQUESTS = {
  openai: OPENAI,
  'openai-compatible': OPENAI,
  deepseek: OPENAI,
  anthropic: /\/messages(?:\/count_tokens)?$/,
  google: /\/(?:openai(?:\/chat\/completions)?|models\/[^/]+)$/,
  // Either of its two interfaces is added where it is needed.
  ollama: new RegExp(
    '/(?:api(?:/(?:chat|generate|tags|show|ps|version|embed|embeddings))?' +
      '|v1(?:/(?:chat/completions|completions|models|embeddings|responses))?)$',
  ),
}

type Family = keyof typeof REQUESTS

/**
 * Returns the base address that is meant, with a scheme and without a slash at its end, or `undefined` when it is no
 * address of http.
 */
export function baseAddress(written: string, family: Family): string | undefined {
  const text = written
    .trim()
    .replace(/^["'<]|["'>]$/g, '')
    .replaceAll('\\', '/')
  const { scheme, rest } = schemeOf(text)
  if (scheme === undefined && /^[a-z][a-z0-9+.-]*:\/\//i.test(rest)) return undefined
  const host = `http://${rest}`
  if (!URL.canParse(host)) return undefined
  const isNear = isLocal(new URL(host).hostname)
  const address = `${scheme ?? (isNear || family === 'ollama' ? 'http' : 'https')}://${rest}`
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  if (!url.hostname) return undefined
  // As ollama itself reads its variable of the address.
  if (family === 'ollama' && scheme === undefined && isNear && !url.port) url.port = OLLAMA_PORT
  url.pathname = basePath(url.pathname, family)
  url.hash = ''
  return url.href.replace(/\/(?=\?|$)/, '')
}

/** Splits off the scheme, also one that is written twice or with too few or too many slashes. */
function schemeOf(text: string): { readonly scheme?: string; readonly rest: string } {
  let rest = text
  let scheme: string | undefined
  for (;;) {
    const found = /^(https?)(?::\/+|\/\/+)/i.exec(rest)
    if (!found) break
    scheme = found[1]?.toLowerCase()
    rest = rest.slice(found[0].length)
  }
  return scheme === undefined ? { rest: rest.replace(/^\/+/, '') } : { scheme, rest }
}

/** Returns whether a host is on this machine or in a private network, where servers have no certificate. */
function isLocal(hostname: string): boolean {
  const isNumber = /^[\d.]+$/.test(hostname) || hostname.startsWith('[')
  return isNumber || !hostname.includes('.') || /\.(?:local|localhost|lan|internal|home\.arpa)$/.test(hostname)
}

function basePath(pathname: string, family: Family): string {
  const parts = pathname.split('/').filter(Boolean)
  const path = `/${parts.join('/')}`.replace(REQUESTS[family], '')
  // A list of models, and a version that is added to an address with one.
  return path.replace(/(\/v\d[a-z0-9]{0,10})(?:\/models|\1)$/, '$1')
}
