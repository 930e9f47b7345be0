// The folders of commands go, whatever commands have made in them.
import { expect } from 'chai'
import { existsSync } from 'node:fs'
import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from '../run/run-command.js'
import { asAnotherUser } from '../test/another-user.js'
import { HOME, testRunFolder } from '../test/run-folder.js'
import { RunFolder } from './run-folder.js'

const SELF = new URL(import.meta.url).pathname
const NESTED = `perl -e 'for (1 .. 3000) { mkdir "nested"; chdir "nested" or die }'`
const CLOSED = 'mkdir -p closed/inner; echo x > closed/inner/x; chmod 0 closed/inner closed'

describe(`the folders of commands, as ${process.getuid?.() === 0 ? 'root' : 'another user'}`, () => {
  const test = testRunFolder()

  for (const [name, command] of Object.entries({ 'too deep for a path': NESTED, closed: CLOSED }))
    it(`are deleted when they were not used for long: ${name}`, async () => {
      const [hostile, other] = [await test.folder.of({ user: 'ann' }), await test.folder.of({ user: 'bob' })]
      await runCommand(command, { cwd: hostile.home, limitMs: 60_000 })
      await writeFile(join(other.home, 'kept'), 'x')
      await utimes(hostile.home.replace('home-', 'used-'), 0, 0)
      await test.folder.prune(1, Date.now())
      expect(existsSync(hostile.home)).to.equal(false)
      expect(existsSync(join(other.home, 'kept'))).to.equal(true)
      await runCommand(command, { cwd: (await test.folder.of({ user: 'ann' })).home, limitMs: 60_000 })
      await test.folder.close(7)
      expect(existsSync(hostile.home), 'it holds something').to.equal(true)
      test.folder = await RunFolder.open(test.host, HOME)
      await test.folder.close(0)
      expect(existsSync(test.folder.path)).to.equal(false)
    })

  it('are the same for a user that is not root', async function () {
    const { code, said } = await asAnotherUser(this, SELF)
    expect(code, said.slice(-3000)).to.equal(0)
    expect(said).to.match(/[1-9]\d* passing/)
  })
})
