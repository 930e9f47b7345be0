import type { ExecAddition } from '@mynah/contract'
import type { ExecConfig } from '../config.js'
import { isWithin } from '../real-paths.js'
import { canonicalHost, coveringRule, hostRule, WEB_PORTS } from '../proxy/host-rules.js'

/** The claims of the configuration that hold additions. */
export type AdditionSection = 'ai.agent.execHosts' | 'ai.agent.execView'

/** Returns the claim that holds an addition, and the list in it. */
export function placeOfAddition(addition: ExecAddition): {
  readonly section: AdditionSection
  readonly list?: 'read' | 'write'
} {
  if (addition.kind === 'host') return { section: 'ai.agent.execHosts' }
  return { section: 'ai.agent.execView', list: addition.write ? 'write' : 'read' }
}

/** Returns the key of the list that holds an addition. */
export function keyOfAddition(addition: ExecAddition): string {
  const { section, list } = placeOfAddition(addition)
  return list === undefined ? section : `${section}.${list}`
}

/** Returns an addition as approvals write it: `host:example.org`, `path:/srv/a`. */
export const additionText = (addition: ExecAddition): string =>
  addition.kind === 'host' ? `host:${addition.host}` : `path:${addition.path}`

/** Reads what {@link additionText} writes. A path is one that may be read. */
export function additionOf(text: string): ExecAddition | undefined {
  if (text.startsWith('host:')) return { kind: 'host', host: text.slice('host:'.length) }
  return text.startsWith('path:') ? { kind: 'path', path: text.slice('path:'.length), write: false } : undefined
}

/** Returns a list of the configuration with an addition. One that is there already changes nothing. */
export function withAddition(list: readonly unknown[], addition: ExecAddition): readonly unknown[] {
  if (addition.kind === 'path') return list.includes(addition.path) ? list : [...list, addition.path]
  const { host } = addition
  if (addition.private !== true) return list.some((entry) => nameOf(entry) === host) ? list : [...list, host]
  const entry = { host, private: true }
  const at = list.findIndex((one) => nameOf(one) === host)
  return at === -1 ? [...list, entry] : list.with(at, entry)
}

const nameOf = (entry: unknown): unknown =>
  typeof entry === 'object' && entry !== null && 'host' in entry ? entry.host : entry

/** Returns whether the configuration has an addition, or one that holds it. */
export function isAllowed(config: ExecConfig, addition: ExecAddition): boolean {
  if (addition.kind === 'path') {
    const { read, write } = config['ai.agent.execView']
    return [...write, ...(addition.write ? [] : read)].some((folder) => isWithin(addition.path, folder))
  }
  const wanted = hostRule(addition.host)
  const rules = config['ai.agent.execHosts'].flatMap((entry) => {
    const rule = typeof entry === 'string' ? hostRule(entry) : hostRule(entry.host, entry.private)
    return rule === undefined || (addition.private === true && !rule.private) ? [] : [rule]
  })
  return wanted !== undefined && coveringRule(rules, wanted.name, wanted.port ?? WEB_PORTS[0]) !== undefined
}

/** Whether a text is the name of one host, as the proxy judges it. */
export function isHostText(text: string): boolean {
  const rule = hostRule(text)
  return rule !== undefined && !rule.name.startsWith('*.') && canonicalHost(rule.name) === rule.name
}
