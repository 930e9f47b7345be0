import { expandCurlLists } from './programs/curl-lists.js'
import { HOLE, type Arg } from './words.js'

/** The port on which this host answers by default. */
export const USUAL_PORTS: readonly number[] = [8086]

/** Whether an address may be this host: by its port, since a name or a redirection may lead anywhere. */
export function reachesHost(text: Arg, ports: readonly number[]): boolean {
  const shape = text.shape.trim()
  // curl expands lists and ranges by itself.
  for (const candidate of expandCurlLists(shape)) {
    if ([...candidate.matchAll(/:0*(\d{1,5})(?=[/?#\s]|$)/g)].some(([, number]) => ports.includes(Number(number))))
      return true
    const { host, port, scheme } = partsOf(candidate)
    if (port !== '') {
      // A range, or more lists than are expanded, may become any port.
      if (/[[{]/.test(port) || (port.includes(HOLE) && isLocal(host))) return true
      if (ports.includes(Number(port))) return true
    } else if (
      isLocal(host) &&
      host !== '' &&
      !host.includes(HOLE) &&
      ports.includes(/^https|^wss/i.test(scheme) ? 443 : 80) &&
      /:\/\//.test(candidate)
    ) {
      return true
    }
  }
  return false
}

/** Whether the words or the code of a program that is not described speak of this host's own address. */
export function mentionsHost(text: string, ports: readonly number[]): boolean {
  return ports.some((port) => new RegExp(LOCAL_PORT.replaceAll('PORT', String(port))).test(text))
}

/** A port of this host in an address, next to a name of this host, or in a call that connects. */
const LOCAL_PORT = [
  String.raw`(?:localhost|127\.|0\.0\.0\.0|\[?::1?\]?|/dev/(?:tcp|udp)/[^/\s]*)[^\n]{0,40}?[\s:/'",]PORT(?!\d)`,
  String.raw`:PORT(?:/|$)`,
  String.raw`\bPORT\b[^\n]{0,20}(?:localhost|127\.|::1)`,
  String.raw`(?:connect\(|port["']?\s{0,4}:)\s{0,4}PORT(?!\d)`,
].join('|')

/** The parts of an address. */
export interface Address {
  readonly scheme: string
  readonly host: string
  readonly port: string
}

/** Takes an address apart. What it does not have is empty. */
export function partsOf(shape: string): Address {
  const scheme = /^([^/:?#\s]*):(?=\/\/|(?!\d+(?:[/?#]|$)))/.exec(shape)?.[1] ?? ''
  const isUser = hasUser(shape) && !shape.includes('://')
  const rest = shape.replace(/^(?:https?|ftps?|wss?):[/\\]+/i, '').replace(/^(?:[^/:?#\s]*:)?\/\//, '')
  const authority = (rest.split(/[/?#\\]/)[0] ?? '').replace(/^.*@/, '')
  const bracket = /^(\[[^\]]*\])(?::(.*))?$/.exec(authority)
  const [host = '', port = ''] = bracket === null ? authority.split(':') : bracket.slice(1)
  return { scheme: !isUser && isScheme(scheme, shape) ? scheme : '', host, port }
}

/** Returns whether the text before the first colon is a scheme rather than the name of a host. */
function isScheme(text: string, shape: string): boolean {
  if (text === '' || (/^[\w.-]+$/.test(text) && text.slice(1, -1).includes('.'))) return false
  return shape.includes('://') || !/^localhost$/i.test(text)
}

const isLocal = (host: string): boolean => {
  const plain = normalHost(host)
  return (
    plain.includes(HOLE) ||
    /^(?:localhost|.*\.localhost|ip6-localhost|ip6-loopback|127\..*|0\.0\.0\.0|::1?|::ffff:127\..*|0+:.*:0*1|)$/i.test(
      plain,
    )
  )
}

/** A host as a resolver reads it: numbers in any base become an address. */
export function normalHost(host: string): string {
  const plain = host
    .replace(/^\[|\]$/g, '')
    .split('%', 1)
    .join('')
    .replace(/\.$/, '')
    .toLowerCase()
  const pieces = plain.split('.')
  if (pieces.length > 4 || !pieces.every((piece) => /^(?:0x[\da-f]+|\d+)$/.test(piece))) return plain
  const numbers = pieces.map((piece) => {
    if (piece.startsWith('0x')) return Number.parseInt(piece, 16)
    return /^0\d/.test(piece) ? Number.parseInt(piece, 8) : Number(piece)
  })
  let value = numbers.pop() ?? 0
  numbers.forEach((number, i) => {
    value += number * 256 ** (3 - i)
  })
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.')
}

/** Returns whether `name:…@` precedes the first slash. */
function hasUser(shape: string): boolean {
  const authority = shape.split('/', 1).join('')
  const colon = authority.indexOf(':')
  return colon >= 0 && authority.includes('@', colon)
}
