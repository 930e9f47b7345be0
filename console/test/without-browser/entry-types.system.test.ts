import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { HostApi } from '@mynah/console/entry'
import { entryPreset } from '@mynah/console/entry-preset'
import { expect } from 'chai'
import { build } from 'vite'
import type { ConsoleHostApi } from '../../src/entries/load.js'
import { consoleRoot } from '../site.js'

/** Compiles only while what entries are promised is what the console gives. */
export const promised = (given: ConsoleHostApi): Omit<HostApi, 'addRoute' | 'addPage' | 'addTool'> => given

const fixture = join(consoleRoot, 'test/fixtures/typed')
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

/** Returns what the compiler says of a folder. */
const compile = (folder: string): Promise<string> =>
  promisify(execFile)(process.execPath, [tsc, '-p', folder]).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  )

describe('a typed entry', function () {
  this.timeout(60_000)

  it('is typed by the host API, the React names and the UI kit', async () => {
    expect(await compile(fixture)).to.equal('')
  })

  it('may use each name of React that the console shares', async () => {
    expect(await compile(join(consoleRoot, 'test/fixtures/react'))).to.equal('')
  })

  it('is built by the preset alone', async () => {
    const outDir = await mkdtemp(join(tmpdir(), 'mynah-typed-'))
    try {
      await build({
        ...entryPreset({ root: fixture, entry: 'index.tsx', outDir }),
        configFile: false,
        logLevel: 'silent',
      })
      expect(await readFile(join(outDir, 'index.js'), 'utf8')).to.contain('@mynah/console/ui')
    } finally {
      await rm(outDir, { recursive: true })
    }
  })
})
