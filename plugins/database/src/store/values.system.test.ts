import { expect } from 'chai'
import fc from 'fast-check'
import { item, Items, onEverySystem, type Item } from '../testing/fixture.js'

/** Generates texts with quotes, placeholders, lone surrogates, and signs of every plane; PostgreSQL knows no zero. */
const texts = (zero: boolean): fc.Arbitrary<string> =>
  fc
    .oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.constantFrom(
        '',
        '$1',
        '?1',
        "'",
        '"',
        '\\',
        '\\u0000',
        '\ud800',
        'a\udc00b',
        '\u2028',
        '[null]',
        '1',
        '1.0',
        'true',
        '\u{10ffff}',
        ...(zero ? ['\0', 'a\0b'] : []),
      ),
    )
    .map((text) => (zero ? text : text.replaceAll('\0', '')))

const details = (zero: boolean): fc.Arbitrary<unknown> =>
  fc.oneof(
    texts(zero),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(texts(zero), { maxLength: 3 }),
    fc.record({ deep: texts(zero) }),
  )

onEverySystem('valuesClause', (open) => {
  it('stores the same values for single rows and for groups', async function () {
    this.timeout(60_000)
    const { store } = await open()
    const zero = store.dialect === 'sqlite'
    const values = fc.record({
      value: fc.option(texts(zero)),
      size: fc.maxSafeInteger(),
      flag: fc.boolean(),
      detail: details(zero),
    })
    const kept = async (prefix: string): Promise<object[]> =>
      (await store.read((db) => db.find(Items, { where: { id: { $like: `${prefix}%` } } }))).map(
        ({ id: _, value, ...rest }) => ({ ...rest, value: value?.slice(1) }),
      )
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(values, { minLength: 2, maxLength: 8 }), async (rows) => {
        const at = `${++run}-`.padStart(8, '0')
        // The first sign keeps apart what must be unique.
        const rowsOf = (name: string): Item[] =>
          rows.map((row, index) =>
            item(`${name}${at}${index}`, {
              ...row,
              value: row.value === null ? null : `${String.fromCodePoint(0x4e00 + index)}${row.value}`,
            }),
          )
        for (const row of rowsOf('a')) await store.append(Items, [row])
        const alone = await kept(`a${at}`)
        await store.tx((db) => db.delete(Items, { id: { $like: `a${at}%` } }))
        await store.append(Items, rowsOf('b'))
        expect(await kept(`b${at}`)).to.deep.equal(alone)
        await store.tx((db) => db.delete(Items, { id: { $like: `b${at}%` } }))
        await store.append(
          Items,
          rows.map((_, index) => item(`c${at}${index}`)),
        )
        await store.change(Items, rowsOf('c'))
        expect(await kept(`c${at}`)).to.deep.equal(alone)
        await store.tx((db) => db.delete(Items, { id: { $like: `c${at}%` } }))
      }),
      { numRuns: 60 },
    )
  })
})
