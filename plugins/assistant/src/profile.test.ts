import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { PromptContext } from '@mynah/plugin-agent/api'
import { mergeProfiles, profileSection, readProfile } from './profile.js'

describe('profileSection', () => {
  const context = (role: string) => ({ roles: new Set([role]) }) as unknown as PromptContext

  it('puts the profile of the configuration before the file, without repeating headings', () => {
    expect(mergeProfiles('# Name\nAda', 'Hello\n# name\nBob\n# Likes\ntea')).to.equal(
      '# Name\nAda\n\nHello\n\n# Likes\ntea',
    )
  })

  it('is shown to masters and trusted users, from a file in the folder of the configuration only', async () => {
    const root = await mkdtemp(join(tmpdir(), 'mynah-profile-'))
    try {
      await mkdir(join(root, 'in'))
      await writeFile(join(root, 'in', 'me.md'), '# Likes\ntea')
      await symlink('/etc/hostname', join(root, 'link'))
      const lines: string[] = []
      const log = { debug() {}, info() {}, warn: (line: string) => void lines.push(line), error() {} }
      const section = profileSection({ profile: '# Name\nAda', file: 'in/me.md', root, log })
      expect(await section.render(context('master'))).to.deep.equal({
        text: '# Name\nAda\n\n# Likes\ntea',
        files: [{ name: 'in/me.md', raw: 11, injected: 11, cut: false }],
      })
      expect(await section.render(context('user'))).to.equal(undefined)
      for (const name of ['../x', '/etc/hostname', 'link', '.', 'none'])
        expect(
          await readProfile(root, name).then(
            () => 'read',
            () => 'refused',
          ),
          name,
        ).to.equal('refused')
      expect(await profileSection({ profile: 'Ada', file: 'none', root, log }).render(context('trusted'))).to.equal(
        'Ada',
      )
      expect(lines).to.deep.equal(['failed to read assistant.profileFile: ENOENT'])
    } finally {
      await rm(root, { recursive: true })
    }
  })
})
