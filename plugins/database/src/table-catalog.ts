import type { TableInfo } from '@mynah/contract'
import { WireError } from '@mynah/contract'
import type { Reader } from '@mynah/kernel'
import type { Entity } from './api.js'
import type { NamedStore, Store } from './store/store.js'
import { StreamEvents, StreamHead } from './store/tables.js'

/** A table as the console shows it. */
export type BrowsedTable =
  | { readonly name: string; readonly kind: 'related'; readonly writable: boolean; readonly entity: Entity }
  | { readonly name: string; readonly kind: 'document'; readonly writable: boolean; readonly store: NamedStore }
  | { readonly name: string; readonly kind: 'keyvalue'; readonly writable: boolean; readonly store: NamedStore }

/** Tables that the console may write to: those of third-party plugins, or all. */
export type ConsoleWrites = 'plugins' | 'all'

const OWN = '@mynah/'
/** Tables of the event stream. The console must not change them, because commits with events depend on them. */
const STREAM_TABLES: ReadonlySet<Entity> = new Set<Entity>([StreamEvents, StreamHead] as unknown as Entity[])

/** The tables that the console may access: contributed tables and opened stores. */
export class TableCatalog {
  readonly #store: Store
  readonly #entities: Reader<Entity>
  /** Changes with the configuration, without a restart. */
  writes: ConsoleWrites

  constructor(store: Store, entities: Reader<Entity>, writes: ConsoleWrites) {
    this.#store = store
    this.#entities = entities
    this.writes = writes
  }

  async all(): Promise<BrowsedTable[]> {
    await this.#store.settled()
    const related = this.#entities
      .all()
      .filter(({ value }) => this.#store.isReady(value.table))
      .map(({ value }): BrowsedTable => ({
        name: value.table,
        kind: 'related',
        writable: !STREAM_TABLES.has(value) && this.#writable(value.package),
        entity: value,
      }))
    const taken = new Set(related.map(({ name }) => name))
    const stores = this.#store.stores
      .filter(({ name }) => !taken.has(name))
      .map((store): BrowsedTable => ({
        name: store.name,
        kind: store.kind,
        writable: this.#writable(store.package),
        store,
      }))
    return [...related, ...stores].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  #writable(owner: string | undefined): boolean {
    return this.writes === 'all' || !owner?.startsWith(OWN)
  }

  describe(table: BrowsedTable): TableInfo {
    const { name, kind, writable } = table
    if (table.kind !== 'related') return { name, kind, writable }
    const columns = this.#store.columns(table.entity).map((column) => ({
      name: column.propertyName,
      type: typeof column.type === 'string' ? column.type : String(column.type.name).toLowerCase(),
      ...(column.isPrimary ? { primary: true } : {}),
      ...(column.isNullable ? { nullable: true } : {}),
    }))
    return { name, kind, writable, columns }
  }

  /**
   * Returns the table of that name.
   *
   * @throws WireError `not_found`; `unsupported` if its kind is not among `kinds`; `forbidden` if it is read-only
   */
  async get<K extends BrowsedTable['kind']>(
    name: string,
    kinds: readonly K[],
    access: 'read' | 'write',
  ): Promise<Extract<BrowsedTable, { kind: K }>> {
    const table = (await this.all()).find((candidate) => candidate.name === name)
    if (!table) throw new WireError('not_found', `There is no table "${name}"`)
    if (!(kinds as readonly string[]).includes(table.kind))
      throw new WireError('unsupported', `"${name}" is a table of kind ${table.kind}, which has no such operation`)
    if (access === 'write' && table.kind === 'related' && STREAM_TABLES.has(table.entity))
      throw new WireError('forbidden', `"${name}" belongs to the event stream and is read-only here`)
    if (access === 'write' && !table.writable)
      throw new WireError(
        'forbidden',
        `"${name}" belongs to the host and is read-only here; set database.consoleWrites: all to change it`,
      )
    return table as Extract<BrowsedTable, { kind: K }>
  }
}
