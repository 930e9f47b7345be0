import { expandCurlLists } from './programs/curl-lists.js'
import { HOLE, displayShape, type Arg } from './words.js'
import { anyOf } from './any-of.js'

/** The port on which this host answers by default. */
export const USUAL_PORTS: readonly number[] = [8086]

const REFUSED_SCHEME =
  /^(?:file|scp|sftp|smbs?|dict|gopher|telnet|tftp|ldaps?|imaps?|pop3s?|smtps?|rtmp|rtsp|mqtt|ext|fd)$/i
const ALLOWED_SCHEME =
  /^(?:https?|ftps?|wss?|git|ssh|git\+https?|git\+ssh|npm|github|gitlab|bitbucket|jsr|workspace|catalog)$/i
const METADATA = anyOf(
  /^(?:169\.254\.169\.254|\[?fd00:ec2::254\]?|metadata\.google\.internal|metadata\.goog|metadata)$/i,
  /^(?:100\.100\.100\.200|192\.0\.0\.192|168\.63\.129\.16|instance-data)$|(?:^|[.-])169[.-]254[.-]\d/i,
)

/** Why an address is not one that a listed command may reach, or undefined. */
export function denyAddress(address: Arg, name: string): string | undefined {
  const shape = address.shape.trim().replace(/^[\w.[\],-]+\s*@\s+/, '')
  if (shape.startsWith('@')) return `${name} would take addresses from ${displayShape(address)}`
  if (address.sources.some((source) => source === 'input' || source === 'process'))
    return `${name} would reach addresses that are only known when it runs`
  const parts = partsOf(shape)
  const { scheme, host } = parts
  if (mayBecomeHost(address, parts))
    return `${name} would reach ${displayShape(address)}, which may be this host itself`
  if (address.sources.includes('glob') && host.includes(HOLE))
    return `${name} would reach ${displayShape(address)}, which is a pattern`
  if (isRefusedScheme(scheme, shape)) return `${name} would use the scheme ${scheme.replaceAll(HOLE, '…')}`
  if (/(?:^|\+)(?:ext|fd)::/i.test(shape)) return `${name} would use a transport that runs a program`
  if (host.startsWith('-')) return `${name} would take ${displayShape(address)} for an option`
  if (METADATA.test(normalHost(host)))
    return `${name} would reach the metadata service of the machine, which gives out credentials`
  return undefined
}

/** Returns whether a computed port or host may turn out to be that of this host. */
function mayBecomeHost(address: Arg, { host, port }: Address): boolean {
  if (address.sources.every((source) => source === 'variable')) return false
  if (port.includes(HOLE) || (host.includes(HOLE) && address.sources.includes('brace'))) return true
  return host.includes(HOLE) && address.outputs.some(({ kind }) => kind === 'unknown')
}

function isRefusedScheme(scheme: string, shape: string): boolean {
  if (scheme === '') return false
  // curl expands lists and ranges in schemes as well.
  if (REFUSED_SCHEME.test(scheme) || /[{[]/.test(scheme)) return true
  return shape.includes('://') && !ALLOWED_SCHEME.test(scheme)
}

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

interface Address {
  readonly scheme: string
  readonly host: string
  readonly port: string
}

function partsOf(shape: string): Address {
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
function normalHost(host: string): string {
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
