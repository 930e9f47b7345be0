import { isIP } from 'node:net'

/** A host that commands may reach. */
export interface HostRule {
  /** A name in canonical form. One that starts with `*.` stands for all names below it. */
  readonly name: string
  /** The port. The default is 80 and 443. */
  readonly port?: number | undefined
  /** Whether it may be in a private network. */
  readonly private: boolean
}

/** The ports of a host without one. */
export const WEB_PORTS = [80, 443] as const
const MAX_NAME = 253
const LABELS = /^(?!-)[a-z0-9-]+(?:\.[a-z0-9-]+)*$/

/**
 * Returns a name as DNS knows it: small letters, international ones encoded, no dot at the end. Returns undefined for
 * what is no name, such as an address in any spelling.
 */
export function canonicalHost(text: string): string | undefined {
  if (!/^[^\s/?#@\\:[\]%]+$/.test(text)) return undefined
  let name: string
  try {
    // The parser of addresses also finds the spellings of an IP address: 2130706433, 0x7f.1, 127.1.
    name = new URL(`http://${text}`).hostname.replace(/\.$/, '')
  } catch {
    return undefined
  }
  return isIP(name) === 0 && name.length <= MAX_NAME && LABELS.test(name) ? name : undefined
}

/** Reads an entry of `ai.agent.execHosts`: a name, `*.name` or `name:port`. Returns undefined for anything else. */
export function hostRule(text: string, isPrivate = false): HostRule | undefined {
  const [, wild = '', host = '', port] = /^(\*\.)?([^:]+)(?::(\d{1,5}))?$/.exec(text) ?? []
  const name = canonicalHost(host)
  if (name === undefined || (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))) return undefined
  return { name: wild + name, port: port === undefined ? undefined : Number(port), private: isPrivate }
}

const isWebPort = (port: number): boolean => WEB_PORTS.some((one) => one === port)

/** Returns the first rule that covers a name and a port. */
export function coveringRule(rules: readonly HostRule[], name: string, port: number): HostRule | undefined {
  return rules.find(
    (rule) =>
      (rule.name === name || (rule.name.startsWith('*.') && name.endsWith(rule.name.slice(1)))) &&
      (rule.port === undefined ? isWebPort(port) : rule.port === port),
  )
}

/** Returns a destination as the owner reads it and lists it. */
export const hostText = (name: string, port: number): string => (isWebPort(port) ? name : `${name}:${port}`)
