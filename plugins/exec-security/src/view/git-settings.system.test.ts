// The settings as git itself reads them.
import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { harmlessSettings } from './git-settings.js'
import { parseGitSettings } from './parse-git-settings.js'

const TEXTS = [
  '[user]\n\tname = Ann Example\n\temail = ann@a.example\n',
  '[a]b=c\n[A "B"] C = d # e\n[a.B] c = "d # e" ; f\n[a "b.\\"c\\\\"]d = e\n',
  '[a]\n\tb\n\tc =\n\td = ""\n\te = "x" y  "z "  \n\tf = x\\\n  y\\\n\n\tg = \\"\\\\\\t.\\n\n',
  '\ufeff[a]\r\n b = c\r\n d = "e\r\n',
  '[a] b = c [d] e\n[a]\nb2-c = 1\n',
  '# [x]\n; y\n[a] ; b = c\n\td = e \\\n',
]

describe('settings of git', () => {
  let file: string
  before(async () => {
    file = join(await mkdtemp(join(tmpdir(), 'mynah-settings-')), 'config')
  })
  after(() => rm(join(file, '..'), { recursive: true }))

  /** Returns what git finds in a file, or undefined where it refuses all of it. */
  async function found(text: string): Promise<string[] | undefined> {
    await writeFile(file, text)
    try {
      return execFileSync('git', ['config', '--file', file, '--list', '-z'], { encoding: 'utf8', stdio: 'pipe' })
        .split('\0')
        .slice(0, -1)
    } catch {
      return undefined
    }
  }

  const listed = (text: string): string[] =>
    parseGitSettings(text).map(({ section, subsection, key, value }) =>
      [[section, subsection ?? [], key].flat().join('.'), value ?? []].flat().join('\n'),
    )

  for (const text of TEXTS)
    it(`are read as git reads them: ${JSON.stringify(text)}`, async () => {
      const expected = await found(text)
      if (expected !== undefined) expect(listed(text)).to.deep.equal(expected)
    })

  it('are written so that git reads the same', async () => {
    const text =
      '[user]\nname = "a \\"b\\" \\\\ # c;"\n[core]\nquotePath\n[alias]\nx = log\t--all\n[color "d"]\ne = f\n'
    expect(await found(harmlessSettings(text))).to.deep.equal(listed(text))
  })
})
