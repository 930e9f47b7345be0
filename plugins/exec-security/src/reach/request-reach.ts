import { isAbsolute } from 'node:path'
import type { ExecAddition, ExecOffer, ExecReach } from '@mynah/contract'
import { originOf, shownFolder, type Approval } from '../approvals/approval.js'
import { marked } from '../approvals/marks.js'
import type { ExecContext } from '../api.js'
import type { ExecConfig } from '../config.js'
import type { ExecLevel } from '../levels/level.js'
import type { ExecDecision } from '../policy/types.js'
import { hostsOfRun } from '../proxy/run-hosts.js'
import { additionOf } from './addition.js'
import type { PermanentAdditions } from './permanent-additions.js'

/** The service of commands, as far as their reach depends on it. */
interface Commands {
  readonly config: ExecConfig
  readonly heldBy: ExecLevel
  evaluate(command: string, context: ExecContext): ExecDecision
}

/** The facts about a request that its text does not say. */
export interface RequestReach {
  readonly reach?: ExecReach
  readonly offers?: ExecOffer[]
}

/** Says what requests would reach if they were approved now. */
export class ReachOfRequests {
  readonly #commands: Commands
  readonly #additions: PermanentAdditions
  readonly #root: string | undefined

  /** @param root the folder of the host */
  constructor(commands: Commands, additions: PermanentAdditions, root: string | undefined) {
    this.#commands = commands
    this.#additions = additions
    this.#root = root
  }

  async of(approval: Approval): Promise<RequestReach> {
    const { kind, command, folder } = approval
    const context = { origin: originOf(approval), cwd: folder ?? undefined }
    const decision = kind === 'bash' || kind === 'host' ? this.#commands.evaluate(command, context) : undefined
    const added = (approval.adds ?? []).map(additionOf).filter((addition) => addition !== undefined)
    const additions = kind === 'bash' && decision ? this.#outside(decision) : added
    const offers = await Promise.all(additions.map((addition) => this.#additions.offer(addition)))
    return {
      ...(decision && folder ? { reach: this.#reach(decision, folder, added) } : {}),
      ...(offers.length === 0 ? {} : { offers }),
    }
  }

  /** The paths outside of what commands see. Where nothing holds commands, there are none. */
  #outside({ verdict, outside = [] }: ExecDecision): ExecAddition[] {
    if (verdict !== 'ask' || this.#commands.heldBy === 'none') return []
    const found = new Map(
      outside.map(({ path, write }) => [`${write} ${path}`, { kind: 'path', path, write } as const]),
    )
    return [...found.values()].filter(({ path }) => isAbsolute(path))
  }

  #reach(decision: ExecDecision, folder: string, added: readonly ExecAddition[]): ExecReach {
    const { config, heldBy: level } = this.#commands
    if (level === 'none') return { level, roots: [], network: 'any', hosts: [] }
    const approved = added.flatMap((addition) => (addition.kind === 'host' ? [addition.host] : []))
    const rules = hostsOfRun(config, decision, approved)
    const { read, write } = config['ai.agent.execView']
    const roots = new Map([
      ...read.map((path) => [path, false] as const),
      ...write.map((path) => [path, true] as const),
      ...(decision.outside ?? []).map((one) => [one.path, one.write] as const),
      // An approved command may do its work where it runs.
      [folder, true] as const,
    ])
    const isByName = level === 'wall' && rules !== undefined
    const hosts = rules?.map(({ name, port }) => (port === undefined ? name : `${name}:${port}`)) ?? []
    return {
      level,
      roots: [...roots]
        .reverse()
        .map(([path, mayWrite]) => ({ path: marked(shownFolder(path, this.#root)), write: mayWrite })),
      network: networkText(rules !== undefined, isByName),
      hosts: isByName ? [...new Set(hosts)] : [],
    }
  }
}

function networkText(isOnline: boolean, isByName: boolean): ExecReach['network'] {
  if (!isOnline) return 'none'
  return isByName ? 'hosts' : 'any'
}
