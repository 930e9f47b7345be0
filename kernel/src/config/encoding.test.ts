import { expect } from 'chai'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkFile, loadHost, readValues } from '../loader.js'
import { decodeText } from './encoding.js'
import { readEnvironment } from './environment.js'
import { ConfigurationError, describeProblem, type Problem } from './problem.js'
import { folder, removeFolders } from '../test/folder.js'

const utf16le = (text: string): Buffer => Buffer.from(text, 'utf16le')
const utf16be = (text: string): Buffer => utf16le(text).swap16()
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const ENV = '# größe 名\r\nPEER_SECRET=0123456789abcdef0123\r\nPORT=31011\r\n'
const VARIABLES = { PEER_SECRET: '0123456789abcdef0123', PORT: '31011' }

/** Files whose encoding is certain. */
const READ: Readonly<Record<string, (text: string) => Uint8Array>> = {
  'UTF-8': (text) => Buffer.from(text),
  'UTF-8 with a byte order mark': (text) => Buffer.from(`\uFEFF${text}`),
  'UTF-16 LE with a byte order mark': (text) => utf16le(`\uFEFF${text}`),
  'UTF-16 BE with a byte order mark': (text) => utf16be(`\uFEFF${text}`),
}

/** Files whose encoding is not certain, each with the line and the reason. */
const REFUSED: readonly (readonly [string, Uint8Array, number, string])[] = [
  ['UTF-16 LE without a byte order mark', utf16le('A=1\nB=2\n'), 1, 'it has NUL bytes'],
  ['UTF-16 BE without a byte order mark', utf16be('A=1\nB=2\n'), 1, 'it has NUL bytes'],
  ['UTF-32 with a byte order mark', Buffer.from('fffe000041000000', 'hex'), 1, 'it has NUL bytes'],
  ['Latin-1', latin1('# c\nA=1\nNAME=größe\nB=2\n'), 3, 'it is not UTF-8 text'],
  ['Latin-1 behind a byte order mark', Buffer.concat([Buffer.from('\uFEFFA=1\n'), latin1('B=ü\n')]), 2, 'not UTF-8'],
  ['a NUL byte', Buffer.from('A=1\nSECRET=ab\0cd\n'), 2, 'it has NUL bytes'],
  ['a character that is cut off', Buffer.from('A=1\nB=名').subarray(0, -1), 2, 'it is not UTF-8 text'],
  ['a surrogate in UTF-8', Buffer.from('413d310a423deda080', 'hex'), 2, 'it is not UTF-8 text'],
  ['UTF-16 with an odd byte', utf16le('\uFEFFA=1\nB=2').subarray(0, -1), 2, 'it is not UTF-16 text'],
  ['UTF-16 with half a character', utf16le('\uFEFFA=1\nB=\ud83d\n'), 2, 'it is not UTF-16 text'],
  ['two encodings', Buffer.concat([Buffer.from('A=1\n'), utf16le('\uFEFFB=2\r\n')]), 2, 'it has NUL bytes'],
]

describe('decodeText', () => {
  afterEach(removeFolders)

  for (const [name, encode] of Object.entries(READ)) {
    it(`reads ${name}, also of an empty text`, () => {
      expect(decodeText(encode('a: 名 😀\n'), 'f').replace(/^\uFEFF/, '')).to.equal('a: 名 😀\n')
      expect(decodeText(encode(''), 'f').replace(/^\uFEFF/, '')).to.equal('')
    })

    it(`gives a host the variables and the configuration in ${name}`, async () => {
      const root = await folder({ '.env': encode(ENV), 'c.yml': encode('# größe\r\nv: ${PEER_SECRET:-weak}\r\n') })
      expect(await readEnvironment(root, undefined)).to.deep.equal(VARIABLES)
      expect((await readValues(join(root, 'c.yml'), { env: {} })).values).to.deep.equal({ v: VARIABLES.PEER_SECRET })
    })
  }

  it('keeps the byte order mark of UTF-8, so that a saved file has it as before', () => {
    expect(decodeText(Buffer.from('\uFEFFa: 1'), 'f')).to.equal('\uFEFFa: 1')
  })

  for (const [name, bytes, line, reason] of REFUSED) {
    it(`refuses a .env in ${name}, with the line, in place of a default for its variables`, async () => {
      const root = await folder({ '.env': bytes, 'c.yml': 'plugins: []\nv: ${SECRET:-weak}\n' })
      const problems = await checkFile(join(root, 'c.yml'), { env: {} })
      const [found] = problems.filter(({ severity }) => severity === 'fatal')
      expect(found).to.deep.include({ code: 'config/unreadable', place: { file: '.env', line } })
      expect(describeProblem(found as Problem))
        .to.contain(`.env:${line}: .env cannot be read: `)
        .and.to.contain(reason)
        .and.to.contain('saved as UTF-8')
      const started = await loadHost(join(root, 'c.yml'), { env: {} }).catch((error: unknown) => error)
      expect(started).to.be.instanceOf(ConfigurationError)
    })

    it(`refuses a configuration in ${name}, with the line`, async () => {
      const root = await folder({ 'c.yml': bytes })
      const error = await loadHost(join(root, 'c.yml'), { env: {} }).catch((thrown: unknown) => thrown)
      expect(error).to.be.instanceOf(ConfigurationError)
      expect((error as ConfigurationError).problems[0]).to.deep.include({
        code: 'config/unreadable',
        place: { file: 'c.yml', line },
      })
    })
  }

  it('reads lines that end with a carriage return alone', async () => {
    const root = await folder({ '.env': 'A=1\rB="2"\r' })
    expect(await readEnvironment(root, undefined)).to.deep.equal({ A: '1', B: '2' })
  })

  it('leaves a host with its configuration where the file is saved in another encoding', async () => {
    const root = await folder({ 'c.yml': 'plugins: []\n' })
    const { host, configuration } = await loadHost(join(root, 'c.yml'), { env: {} })
    await writeFile(configuration.file, utf16le('plugins: []\n'))
    const { accepted, problems } = await configuration.apply()
    expect({ accepted, places: problems.map(({ place }) => place) }).to.deep.equal({
      accepted: false,
      places: [{ file: 'c.yml', line: 1 }],
    })
    await host.stop()
  })
})
