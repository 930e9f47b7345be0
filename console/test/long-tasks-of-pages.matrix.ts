// No task of the other pages takes longer than 50 ms on a machine that is four times slower: as they are, and with as
// much as large hosts have.
import { expect } from 'chai'
import { useBench } from './bench.js'
import { exampleAnswers, pageAddresses } from './example-data.js'
import { tooLong, visit } from './long-tasks.js'
import { healthy } from './stand-in.js'

describe('pages of large hosts, on a slow machine', function () {
  this.timeout(240_000)
  const bench = useBench({ host: 'shared' })
  beforeEach(() => {
    bench.host.answers = { ...healthy(), ...exampleAnswers() }
  })

  for (const { name, path, ready } of [
    { name: 'dashboard', path: '/dashboard', ready: '.dash .lines' },
    ...pageAddresses,
  ])
    it(`${name} opens`, async () => {
      expect(await tooLong(bench, path, `main ${ready}`, { open: visit(path, ready) })).to.deep.equal({})
    })

  it('Files opens with 10,000 files, and filters them', async () => {
    const file = (index: number) => {
      const name = `note-${String(index).padStart(5, '0')}.md`
      return { name, path: `notes/${name}`, type: 'file', size: 100 + index }
    }
    bench.host.answers['files:tree'] = {
      data: {
        tree: [
          {
            name: 'notes',
            path: 'notes',
            type: 'directory',
            children: Array.from({ length: 10_000 }, (_, index) => file(index)),
          },
        ],
      },
    }
    const slow = await tooLong(bench, '/files?path=notes/note-00001.md', '[role=treeitem]', {
      open: visit('/files', '[role=treeitem]'),
      unfold: async (page) => {
        for (const isOpen of [true, false]) {
          await page.getByRole('treeitem').first().click()
          await page.locator(`[role=treeitem][aria-expanded=${isOpen}]`).waitFor()
        }
      },
      filter: async (page, attempt) => {
        await page.getByRole('searchbox').fill(`0${attempt}0`)
        await page
          .locator('[role=treeitem]', { hasText: `0${attempt}0` })
          .first()
          .waitFor()
      },
    })
    expect(slow).to.deep.equal({})
  })

  it('Plugins opens with 300 plugins, and filters them', async () => {
    bench.host.answers['GET /plugins'] = {
      data: Array.from({ length: 300 }, (_, index) => ({
        name: `plugin-${index}`,
        status: index % 7 ? 'active' : 'inactive',
        description: `Words of plugin ${index}`,
        features: [{ name: 'commands', count: 2, items: [{ name: `a${index}` }, { name: `b${index}` }] }],
      })),
    }
    const slow = await tooLong(bench, '/plugins', 'tbody tr', {
      open: visit('/plugins', 'tbody tr'),
      filter: async (page, attempt) => {
        await page.getByRole('searchbox').fill(`plugin-${attempt}`)
        await page.waitForURL(new RegExp(`filter=plugin-${attempt}`))
      },
    })
    expect(slow).to.deep.equal({})
  })

  it('Env opens with 500 variables, searches them, shows more, and takes what is typed', async () => {
    bench.host.answers['env:get'] = {
      data: { content: Array.from({ length: 500 }, (_, index) => `NAME_${index}=value ${index}\n`).join('') },
    }
    const row = '.env-table tbody tr'
    const slow = await tooLong(bench, '/env', row, {
      open: visit('/env', row),
      search: async (page, attempt) => {
        await page.getByRole('searchbox').fill(`NAME_4${attempt}`)
        await page.getByLabel(`NAME_4${attempt}`, { exact: true }).waitFor()
        await page.locator('th', { hasText: 'NAME_0' }).waitFor({ state: 'detached' })
      },
      clear: async (page) => {
        await page.getByRole('searchbox').fill('')
        await page.getByLabel('NAME_0', { exact: true }).waitFor()
      },
      type: async (page, attempt) => {
        await page.getByLabel('NAME_1', { exact: true }).fill(`typed ${attempt}`)
        await page.getByText('1 variable changed').waitFor()
      },
      more: async (page) => {
        const count = await page.locator(row).count()
        await page.getByRole('button', { name: /^Show 20 of/ }).click()
        await page
          .locator(row)
          .nth(count + 19)
          .waitFor()
      },
    })
    expect(slow).to.deep.equal({})
  })

  it('Endpoints opens with 100 endpoints, and turns a page', async () => {
    const { data } = bench.host.answers['endpoint:list'] as { data: { endpoints: { name: string }[] } }
    const [first] = data.endpoints
    bench.host.answers['endpoint:list'] = {
      data: { endpoints: Array.from({ length: 100 }, (_, index) => ({ ...first, name: `libera${index}` })) },
    }
    const slow = await tooLong(bench, '/endpoints', 'tbody tr', {
      open: visit('/endpoints', 'tbody tr'),
      turn: async (page, attempt) => {
        await page.getByRole('button', { name: attempt % 2 ? 'Last page' : 'First page' }).click()
        await page.waitForURL(attempt % 2 ? /page=5/ : /endpoints$/)
      },
    })
    expect(slow).to.deep.equal({})
  })
})
