// Groups the rows of many steps into few statements: rows of one table, kind and set of columns go together. The order
// of
// statements on one row is kept. Statements on different rows may be reordered, like concurrent transactions. A change
// of a
// unique column is never reordered, because it decides which rows may be inserted.
import { isDeepStrictEqual } from 'node:util'
import type { EntityMetadata } from 'typeorm'
import type { Entity, Step, Where, Writes } from '../api.js'
import { changedColumns } from './change.js'
import { fitsOneStatement } from './insert.js'

/** Returns the metadata of a table. */
export type MetadataOf = (entity: Entity) => EntityMetadata

/** Receives whether a row was written. */
type OnWritten = (written: boolean) => void

/** Rows that one statement writes. */
class Group {
  readonly kind: Step['kind']
  readonly entity: Entity
  readonly shape: string
  readonly when: Where | undefined
  readonly rows: object[] = []
  readonly sinks: OnWritten[] = []

  constructor({ kind, entity }: Step, shape: string, when: Where | undefined) {
    this.kind = kind
    this.entity = entity
    this.shape = shape
    this.when = when
  }

  /** @param when the condition of the step, the same object for equal ones */
  accepts({ kind }: Step, shape: string, when: Where | undefined): boolean {
    return this.kind === kind && this.shape === shape && this.when === when
  }

  async write(db: Writes): Promise<void> {
    const { entity, rows, sinks } = this
    let written: readonly boolean[] | undefined
    if (this.kind === 'append') await db.insert(entity, rows)
    else
      written = this.kind === 'appendNew' ? await db.insertNew(entity, rows) : await db.change(entity, rows, this.when)
    for (const [index, sink] of sinks.entries()) sink(written === undefined || written[index] === true)
  }
}

/** The statements on one table. */
class TablePlan {
  readonly #metadata: EntityMetadata
  readonly #groups: Group[] = []
  /** Index of the last statement on a row. */
  readonly #last = new Map<string, number>()
  readonly #unique: ReadonlySet<string>
  /** The first condition that each one is equal to. */
  readonly #conditions = new Map<Where, Where>()
  /** Statements before this index accept no more rows. */
  #barrier = 0

  constructor(metadata: EntityMetadata) {
    this.#metadata = metadata
    const unique = [
      ...metadata.uniques.flatMap(({ columns }) => columns),
      ...metadata.indices.filter(({ isUnique }) => isUnique).flatMap(({ columns }) => columns),
    ]
    this.#unique = new Set(unique.map(({ propertyName }) => propertyName))
  }

  /** Adds a row to a statement. Returns the statement if it is new. */
  add(step: Step, row: object, sink: OnWritten): Group | undefined {
    const columns =
      step.kind === 'change' ? changedColumns(this.#metadata, row).map(({ propertyName }) => propertyName) : []
    const shape = columns.join(' ')
    const when = step.when && this.#conditionOf(step.when)
    const key = this.#keyOf(row)
    const last = this.#last.get(key)
    // One statement cannot change a row twice.
    const earliest = last !== undefined && step.kind === 'change' ? last + 1 : (last ?? 0)
    let index = Math.max(this.#barrier, earliest)
    while (index < this.#groups.length && !this.#groups[index]?.accepts(step, shape, when)) index++
    const alone = columns.some((column) => this.#unique.has(column))
    if (alone) index = this.#groups.length
    const known = this.#groups[index]
    const group = known ?? new Group(step, shape, when)
    if (!known) this.#groups.push(group)
    if (alone) this.#barrier = this.#groups.length
    group.rows.push(row)
    group.sinks.push(sink)
    this.#last.set(key, index)
    return known ? undefined : group
  }

  /** Compares a condition once, however many rows have it. */
  #conditionOf(when: Where): Where {
    const known = this.#conditions.get(when)
    if (known) return known
    const equal = [...this.#conditions.values()].find((other) => isDeepStrictEqual(other, when)) ?? when
    this.#conditions.set(when, equal)
    return equal
  }

  #keyOf(row: object): string {
    const { primaryColumns } = this.#metadata
    const values = row as Record<string, unknown>
    return primaryColumns.length === 1
      ? String(values[primaryColumns[0]?.propertyName as string])
      : JSON.stringify(primaryColumns.map(({ propertyName }) => String(values[propertyName])))
  }
}

/** Statements that run a list of steps. */
export interface Plan {
  /** True if one statement is enough, which needs no transaction. */
  readonly single: boolean
  /** Runs the statements. Returns for each step and row whether it was written. */
  run(db: Writes): Promise<boolean[][]>
}

/** Plans steps in as few statements as their order allows. */
export function planSteps(steps: readonly Step[], metadataOf: MetadataOf): Plan {
  const tables = new Map<Entity, TablePlan>()
  const groups: Group[] = []
  const written = steps.map((step) => {
    let table = tables.get(step.entity)
    if (!table) tables.set(step.entity, (table = new TablePlan(metadataOf(step.entity))))
    const flags = Array.from(step.rows, () => false)
    for (const [index, row] of step.rows.entries()) {
      const group = table.add(step, row, (flag) => {
        flags[index] = flag
      })
      if (group) groups.push(group)
    }
    return flags
  })
  const [only] = groups
  return {
    single: groups.length === 1 && only !== undefined && fitsOneStatement(metadataOf(only.entity), only.rows.length),
    async run(db) {
      for (const group of groups) await group.write(db)
      return written
    },
  }
}
