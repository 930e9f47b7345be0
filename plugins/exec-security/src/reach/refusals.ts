import type { ExecAddition, ExecRefusal } from '@mynah/contract'
import { firstLine } from '../approvals/approval.js'
import { marked } from '../approvals/marks.js'
import type { AuditEntry } from '../api.js'
import type { Audit } from '../audit.js'
import type { ExecConfig } from '../config.js'
import { IN_PRIVATE_NETWORK } from '../proxy/addresses.js'
import { hostText } from '../proxy/host-rules.js'
import { NOT_LISTED } from '../proxy/run-proxy.js'
import { isAllowed, isHostText } from './addition.js'
import type { PermanentAdditions } from './permanent-additions.js'

/** Lines of the audit that are looked at. */
const LINES = 500
const MAX_REFUSALS = 50

/** Lists what commands were kept from lately, each host and path once, the last one first. */
export class Refusals {
  readonly #audit: Audit
  readonly #additions: PermanentAdditions
  readonly #commands: { readonly config: ExecConfig }

  constructor(audit: Audit, additions: PermanentAdditions, commands: { readonly config: ExecConfig }) {
    this.#audit = audit
    this.#additions = additions
    this.#commands = commands
  }

  async list(): Promise<ExecRefusal[]> {
    const found = new Map<string, { entry: AuditEntry; count: number }>()
    for (const entry of await this.#audit.refusals(LINES)) {
      const key = JSON.stringify([entry.host, entry.port, entry.path, entry.writes])
      const known = found.get(key)
      if (known) known.count += 1
      else found.set(key, { entry, count: 1 })
    }
    return Promise.all([...found.values()].slice(0, MAX_REFUSALS).map((one) => this.#refusal(one.entry, one.count)))
  }

  async #refusal(entry: AuditEntry, count: number): Promise<ExecRefusal> {
    const { kind, host, port, path, rule, at, text } = entry
    const addition = additionFor(entry)
    return {
      kind: kind === 'net' ? 'host' : 'path',
      target: marked(kind === 'net' ? hostText(host ?? '', port ?? 0) : (path ?? '')),
      reason: rule,
      // The audit has shortened paths by the ellipsis.
      command: firstLine((text ?? '').split('…').map(marked).join('…')),
      count,
      lastAt: at,
      allowed: addition !== undefined && isAllowed(this.#commands.config, addition),
      ...(addition === undefined ? {} : { offer: await this.#additions.offer(addition) }),
    }
  }
}

/** Returns what would allow it. Nothing allows a local address. */
function additionFor({ kind, host, port, path, writes, rule }: AuditEntry): ExecAddition | undefined {
  if (kind === 'path') return path ? { kind: 'path', path, write: writes === true } : undefined
  const name = hostText(host ?? '', port ?? 0)
  if (!isHostText(name)) return undefined
  if (rule === NOT_LISTED) return { kind: 'host', host: name }
  return rule === IN_PRIVATE_NETWORK ? { kind: 'host', host: name, private: true } : undefined
}
