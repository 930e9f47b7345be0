import { expect } from 'chai'
import { changingGit, gitChange } from './git-command.js'

const words = (line: string): string[] => line.split(' ')

describe('gitChange', () => {
  for (const line of [
    ...['add -A', 'add -- .gitignore', 'commit -m x', 'commit -am .git/config', 'commit --amend --no-edit', 'stash'],
    ...['checkout -b x', 'checkout -- a.txt', 'switch main', 'merge side', 'rebase --continue', 'rebase -i HEAD~2'],
    ...[
      'fetch --all --prune',
      'pull --rebase',
      'push -u origin main',
      'push https://x.y/z.git main',
      'tag v1',
      'gc -q',
    ],
    ...[
      'branch -d x',
      'cherry-pick abc',
      'revert --no-edit HEAD',
      'reset --hard',
      'restore .',
      'rm --cached a',
      'clean -fd',
    ],
    ...['merge -s ours x', 'rebase --strategy ort x', 'cherry-pick -s x', 'pull -s recursive', 'worktree remove wt'],
    ...['fetch o +refs/heads/*:refs/remotes/o/*', 'fetch o x:y', 'fetch o refs/replace/x'],
    ...['worktree add wt side', 'apply x.patch', 'am x.patch', 'init -q -b main', '--no-pager commit -m x', 'mv a b'],
  ])
    it(`lets in git ${line}`, () => {
      const [, subcommand] = /^(?:--no-pager )?([\w-]+)/.exec(line) ?? []
      expect(gitChange(words(line), '/w')).to.deep.include({ subcommand, isAllowed: true })
    })

  for (const line of [
    ...['config user.name x', 'remote add x https://x.y', 'submodule update', 'bisect start', 'update-ref x y'],
    ...['-c core.editor=x commit', '--git-dir=x add a', '--work-tree=/ add a', '--exec-path=x add a', '--bare add a'],
    ...['rebase -x ls', 'rebase --exec=ls', 'fetch --upload-pack=x', 'push --receive-pack=x', 'tag -s x'],
    ...['merge -S x', 'add --interactive', 'add -e', 'branch --edit-description', 'clean -i', 'apply --unsafe-paths x'],
    ...['merge -s x/../evil y', 'cherry-pick --strategy=x y', 'rebase -s x y', 'revert --strategy x y', 'pull -s x'],
    ...['fetch o +refs/replace/*:refs/replace/*', 'fetch o refs/*:refs/*', 'pull o x:refs/r*', 'worktree repair'],
    ...['worktree prune', 'worktree add .git/x', 'add :(top).git/x', 'apply --build-fake-ancestor=.git/x y'],
    ...['mv a .git', 'checkout -- .git/config', '-C .git add x'],
    ...[
      'init --template=x',
      'init --separate-git-dir=x',
      'fetch --recurse-submodules',
      'checkout --no-such',
      'commit --fil',
    ],
  ])
    it(`does not let in git ${line}`, () => {
      expect(gitChange(words(line), '/w')?.isAllowed).to.equal(false)
    })

  it('is not about commands that only read', () => {
    for (const line of [
      ...['status', 'log', 'diff', 'show HEAD', 'version', '', 'no-such', 'stash list', 'worktree list', 'remote -v'],
      ...[
        'config user.name',
        'config --get user.name',
        'config --list',
        'config --global user.name x',
        'submodule status',
        'remote get-url o',
        'notes',
      ],
    ])
      expect(gitChange(words(line), '/w'), line).to.equal(undefined)
  })

  it('works in the folders that -C names, one in the other', () => {
    expect(gitChange(words('-C a -C ../b add x'), '/w')?.folder).to.equal('/w/b')
    expect(gitChange(words('-C /x/y add z'), '/w')?.folder).to.equal('/x/y')
    expect(gitChange(words('commit -C HEAD'), '/w')?.folder).to.equal('/w')
  })

  it('is not looked for in endless words', () => {
    expect(gitChange([...Array.from({ length: 50_000 }, () => ['-C', '.']).flat(), 'add', 'x'], '/w')).to.equal(
      undefined,
    )
    expect(gitChange([...Array.from({ length: 50_000 }, () => '-Cx'), 'add', 'x'], '/w')).to.equal(undefined)
    expect(gitChange(['add', `--${'x'.repeat(100_000)}`], '/w')).to.equal(undefined)
    expect(gitChange(['add', ...Array.from({ length: 90_000 }, () => '--a')], '/w')).to.equal(undefined)
    expect(gitChange(['-C', 'a/../'.repeat(120_000), 'add', 'x'], '/w')).to.equal(undefined)
    expect(gitChange(['add', 'x'], '/w'.repeat(100_000))).to.equal(undefined)
    expect(gitChange(['add', ...Array.from({ length: 50_000 }, (_, i) => `a${i}`)], '/w')?.isAllowed).to.equal(true)
  })

  for (const [line, reads] of [
    ['commit -F -', true],
    ['commit -m -', true],
    ['commit -m x', false],
    ['apply', true],
    ['apply x.patch', false],
    ['am', true],
    ['add -p', true],
    ['fetch -p', false],
    ['fetch --stdin', true],
    ['add --pathspec-from-file=-', true],
  ] as const)
    it(`${reads ? 'reads' : 'does not read'} its input: git ${line}`, () => {
      expect(gitChange(words(line), '/w')?.readsInput).to.equal(reads)
    })
})

describe('changingGit', () => {
  it('finds the command in a part of a line', () => {
    expect(changingGit('git commit -m x')).to.equal('commit')
    expect(changingGit('git -C a --no-pager commit')).to.equal('commit')
    expect(changingGit('/usr/bin/git push')).to.equal('push')
    expect(changingGit('git log')).to.equal(undefined)
    expect(changingGit('echo git commit')).to.equal(undefined)
  })
})
