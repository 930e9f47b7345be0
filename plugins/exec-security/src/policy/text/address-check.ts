import { normalHost, partsOf, type Address } from '../addresses.js'
import { anyOf } from '../any-of.js'
import { HOLE, displayShape, type Arg } from '../words.js'

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
