import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { entryPreset, noOwnRuntime } from '@mynah/console/entry-preset'
import { expect } from 'chai'
import { build } from 'vite'
import { consoleRoot } from '../site.js'

const fixtures = join(consoleRoot, 'test/fixtures')

describe('the entry preset', function () {
  this.timeout(30_000)
  let out: string
  beforeEach(async () => {
    out = await mkdtemp(join(tmpdir(), 'mynah-preset-'))
  })
  afterEach(() => rm(out, { recursive: true }))

  const failure = (config: object): Promise<string> =>
    build({ configFile: false, logLevel: 'silent', ...config }).then(
      () => 'built',
      (error: unknown) => String(error),
    )

  it('keeps the runtime external, imports the UI kit by version, and names the style sheet by its hash', async () => {
    await build({
      ...entryPreset({ root: join(fixtures, 'react'), entry: 'index.tsx', outDir: out }),
      configFile: false,
      logLevel: 'silent',
    })
    const code = await readFile(join(out, 'index.js'), 'utf8')
    expect(code)
      .to.match(/from\s*["']react["']/)
      .and.to.match(/from\s*["']@mynah\/console\/ui@1["']/)
    expect(code)
      .to.match(/mynahStyles=\["index\.css\?v=[0-9a-f]{16}"\]/)
      .and.to.match(/export\s*\{[^}]*register/)
    expect(await readFile(join(out, 'index.css'), 'utf8')).to.contain('.fixture')
    expect(code.length).to.be.below(6000)
  })

  it('fails a build that bundles Preact, and names the package', async () => {
    const root = join(fixtures, 'own')
    expect(
      await failure({
        root,
        plugins: [noOwnRuntime()],
        build: { outDir: out, lib: { entry: join(root, 'index.tsx'), formats: ['es'] } },
      }),
    ).to.match(/copy of React or Preact: preact\/\S+, imported by .*own\/index\.tsx/)
  })

  it('fails on a copy that another library carries inside its own file', async () => {
    await writeFile(
      join(out, 'vendored.js'),
      'export const React = {}; React.__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE = { H: null }',
    )
    await writeFile(join(out, 'index.js'), 'import { React } from "./vendored.js"\nexport const register = () => React')
    expect(await failure(entryPreset({ root: out, entry: 'index.js', outDir: 'dist' }))).to.match(
      /contains a copy of React or Preact: \S+vendored\.js, imported by \S+index\.js/,
    )
  })

  it('fails on an import that the console does not share', async () => {
    await writeFile(
      join(out, 'index.js'),
      'import { renderToString } from "react-dom/server"\nexport const register = () => renderToString',
    )
    expect(await failure(entryPreset({ root: out, entry: 'index.js', outDir: 'dist' }))).to.match(
      /imports "react-dom\/server", which the console does not share: it is imported by \S+index\.js/,
    )
  })
})
