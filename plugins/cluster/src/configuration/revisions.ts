import { isWireError, WireError, type Detail } from '@mynah/contract'
import {
  messageOf,
  type Applied,
  type Clock,
  type Configuration,
  type FileComparison,
  type Logger,
  type SharedConfiguration,
} from '@mynah/kernel'
import { SerialQueue } from '@mynah/kernel/util'
import { configText } from '@mynah/plugin-workspace/api'
import type { Session } from '../database/connect.js'
import type { BaseFile } from './base-file.js'
import { fileDiff } from './file-diff.js'
import { withOwnName } from './own-part.js'
import { addRevision, newestRevision, shaOf, type Revision, type RevisionState } from './revision-tables.js'

const MAX_DETAILS = 20
/** The longest reason that other hosts show. */
const MAX_REASON = 300

interface Parts {
  readonly configuration: Configuration
  readonly file: BaseFile
  /** Name of this host, for people. */
  readonly name: string
  readonly clock: Clock
  readonly log: Logger
  /** Runs statements on a connection that is closed afterwards. */
  use<T>(work: (session: Session) => Promise<T>): Promise<T>
  /** Says which revision this host runs. */
  report(state: RevisionState): Promise<void>
  /** Removes secrets and paths from a text that other hosts show. */
  redact(text: string): string
}

/** The revisions of the configuration in the database, and the file of this host, which follows them. */
export class Revisions implements SharedConfiguration {
  readonly #parts: Parts
  readonly #queue = new SerialQueue()
  /** Why this host cannot run the newest revision. */
  #problem: { readonly revision: number; readonly reason: string } | undefined
  #setAside: string | undefined
  #isApplying = false
  #isClosed = false
  /** The state that the others know, as text. */
  #reported: string | undefined

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Begins nothing more, and ends what is going on. A revision that restarts this plugin does not wait for that. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (!this.#isApplying) await this.#queue.run(() => Promise.resolve())
  }

  follow(): Promise<readonly string[]> {
    return this.#queue.run(() => this.#follow(true))
  }

  /** The same where another host may have added a revision. A change that this host makes now is left alone. */
  async catchUp(): Promise<void> {
    await this.#queue.run(() => this.#follow(false))
  }

  publish(
    { before, after }: { readonly before: string; readonly after: string },
    write: () => Promise<void>,
  ): Promise<void> {
    return this.#queue.run(async () => {
      const { file } = this.#parts
      const base = await file.base()
      if ((await file.read()) !== before)
        throw new WireError('conflict', 'The configuration has changed meanwhile; look at it and try again')
      if (base?.sha !== shaOf(before))
        throw new WireError(
          'conflict',
          'The configuration file of this host was changed by hand; run mynah config push first, or undo the change',
        )
      const revision = await this.#add(base.revision, after)
      try {
        await write()
      } catch (error) {
        // The other hosts run it already.
        await this.#add(revision, before)
        throw error
      }
      await this.#runs(revision, after)
    })
  }

  compare(): Promise<FileComparison> {
    return this.#queue.run(async () => {
      const { newest, text } = await this.#newest()
      const own = await this.#parts.file.read()
      const comparison = { revision: newest.rev, sha: shaOf(own), setAside: this.#setAside }
      if (own === text) return { ...comparison, lines: [] }
      await this.#assertMadeFrom(newest)
      return { ...comparison, lines: await fileDiff(text, await checkedYaml(own), this.#schemas()) }
    })
  }

  push({ revision: seen, sha }: Pick<FileComparison, 'revision' | 'sha'>): Promise<number> {
    return this.#queue.run(async () => {
      const { file, log } = this.#parts
      const { newest, text: before } = await this.#newest()
      if (newest.rev !== seen) throw outdated(newest)
      await this.#assertMadeFrom(newest)
      const after = await file.read()
      if (shaOf(after) !== sha) throw new WireError('conflict', 'The configuration file has changed since it was shown')
      await this.#assertRuns(after)
      const revision = await this.#add(newest.rev, after)
      const refusal = refusalOf(await this.#apply(after))
      if (refusal !== undefined) {
        await this.#runs(await this.#add(revision, before), before)
        await this.#apply(before)
        throw new WireError('invalid_request:config', refusal)
      }
      await this.#runs(revision, after)
      this.#setAside = undefined
      log.info(`the configuration file is revision ${revision}, which all hosts run`)
      return revision
    })
  }

  /** Returns the newest revision, and its text with the name of this host. */
  async #newest(): Promise<{ readonly newest: Revision; readonly text: string }> {
    const { configuration, use } = this.#parts
    const own = configuration.text()
    const found = await known(use(newestRevision))
    if (found) return { newest: found, text: await withOwnName(found.body, own) }
    // The first host of a database. Another one may be faster.
    await this.#store(0, own)
    const first = await known(use(newestRevision))
    if (!first) throw new WireError('conflict', 'The revisions of the configuration were removed from the database')
    return { newest: first, text: await withOwnName(first.body, own) }
  }

  async #follow(isForced: boolean): Promise<readonly string[]> {
    const { configuration, file, log } = this.#parts
    const { newest, text } = await this.#newest()
    const base = await file.base()
    const onDisk = await file.read()
    if (onDisk === text) await file.follows(newest.rev, text)
    const isNew = base?.revision !== newest.rev
    const running = configuration.text()
    if (running !== text && (isNew || isForced)) {
      if (isNew) log.info(`taking revision ${newest.rev} of the configuration, made by ${newest.author}`)
      const refusal = await this.#run(text, running)
      if (refusal !== undefined) return this.#refuse(newest, base?.revision ?? 0, refusal)
    }
    if (isNew && onDisk !== text) await this.#replace(newest, onDisk, text, base?.sha)
    await this.#runs(newest.rev, text)
    return onDisk === text || isNew ? [] : [`the file was changed by hand; all hosts run it after: mynah config push`]
  }

  async #apply(text: string): Promise<Applied> {
    if (this.#isClosed) throw new WireError('not_ready', 'The host stops, and follows the configuration when it starts')
    this.#isApplying = true
    try {
      return await this.#parts.configuration.apply(text)
    } finally {
      this.#isApplying = false
    }
  }

  /** Runs a text. Returns why not, where the host goes on with the one of before. */
  async #run(text: string, before: string): Promise<string | undefined> {
    const applied = await this.#apply(text)
    const refusal = refusalOf(applied)
    if (refusal !== undefined && applied.accepted) await this.#apply(before)
    return refusal
  }

  async #refuse({ rev, author }: Revision, revision: number, refusal: string): Promise<readonly string[]> {
    const { log, redact } = this.#parts
    const reason = `cannot run revision ${rev} of ${author}: ${redact(refusal).slice(0, MAX_REASON)}`
    if (this.#problem?.revision !== rev || this.#problem.reason !== reason)
      log.error(`this host ${reason}; it goes on with the configuration of before and takes no places`)
    this.#problem = { revision: rev, reason }
    await this.#report({ revision, problem: reason })
    return [`this host ${reason}`]
  }

  /** Writes a revision to the file. A file that people have changed is kept. */
  async #replace({ rev, author }: Revision, onDisk: string, text: string, base: string | undefined): Promise<void> {
    const { file, log } = this.#parts
    if (shaOf(onDisk) !== base) {
      this.#setAside = await file.setAside(onDisk)
      log.warn(
        `the configuration file differs from revision ${rev} of ${author}, which replaces it; ` +
          `the file of this host is now ${this.#setAside}`,
      )
    }
    await file.write(text)
  }

  async #runs(revision: number, text: string): Promise<void> {
    await this.#parts.file.follows(revision, text)
    this.#problem = undefined
    await this.#report({ revision })
  }

  async #report(state: RevisionState): Promise<void> {
    const text = JSON.stringify(state)
    if (text === this.#reported) return
    try {
      await this.#parts.report(state)
      this.#reported = text
    } catch (error) {
      // It is reported again by the one that reports.
      this.#parts.log.debug(`failed to report the revision of the configuration: ${messageOf(error)}`)
    }
  }

  /**
   * Adds a revision.
   *
   * @throws WireError `conflict` where another host was first
   */
  async #add(parent: number, body: string): Promise<number> {
    const added = await this.#store(parent, body)
    if (added !== undefined) return added
    const newest = await known(this.#parts.use(newestRevision))
    throw newest ? outdated(newest) : new WireError('conflict', 'The configuration was changed by another host')
  }

  async #store(parent: number, body: string): Promise<number | undefined> {
    const { use, name, clock } = this.#parts
    try {
      return await use((session) => addRevision(session, { parent, body, author: name, at: clock.now() }))
    } catch (error) {
      throw new WireError(
        'upstream_unavailable:unknown',
        'The database does not answer, so it is not known whether the configuration was changed',
        { cause: error },
      )
    }
  }

  async #assertMadeFrom(newest: Revision): Promise<void> {
    if (this.#problem?.revision === newest.rev)
      throw new WireError('conflict', `This host ${this.#problem.reason}; change the configuration on another host`)
    if ((await this.#parts.file.base())?.revision !== newest.rev) throw outdated(newest)
  }

  /** Throws for a text with mistakes that the running one has not. */
  async #assertRuns(text: string): Promise<void> {
    const { configuration } = this.#parts
    const known = new Set((await configuration.check(configuration.text())).map(({ message }) => message))
    const details = (await configuration.check(text))
      .filter(({ severity, message }) => severity === 'fatal' || (severity !== 'warning' && !known.has(message)))
      .map(({ place, message }): Detail => ({
        path: place?.path ?? (place?.line === undefined ? '' : `line ${place.line}`),
        message,
      }))
    const [first] = details
    if (first) throw new WireError('invalid_request:config', first.message, { details: details.slice(0, MAX_DETAILS) })
  }

  #schemas(): ReadonlyMap<string, object> {
    return new Map(
      Object.values(this.#parts.configuration.schemas())
        .flat()
        .map(({ path, schema }) => [path, schema]),
    )
  }
}

const outdated = ({ rev, author, at }: Revision): WireError =>
  new WireError(
    'conflict',
    `${author} has made revision ${rev} of the configuration at ${new Date(at).toISOString()}, which this change ` +
      'does not know; look at it and try again',
  )

/** Returns why a text is not in effect, or `undefined` where it is. */
function refusalOf({ accepted, refusals, problems }: Applied): string | undefined {
  const [first] = refusals.flatMap(({ mistakes }) => mistakes)
  if (first) return first.message
  if (accepted) return undefined
  return (
    problems.find(({ severity }) => severity === 'fatal' || severity === 'item')?.message ?? 'the host has refused it'
  )
}

async function checkedYaml(text: string): Promise<string> {
  const { parseYaml } = await configText()
  try {
    parseYaml(text)
    return text
  } catch (error) {
    throw new WireError('invalid_request:config', `The configuration file is no valid YAML: ${messageOf(error)}`)
  }
}

async function known<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (isWireError(error)) throw error
    throw new WireError('upstream_unavailable', 'The database does not answer, so the configuration is not known', {
      cause: error,
    })
  }
}
