// Git alone writes `.git`: commands at level `wall` in a repository, really run.
import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { closeSync, existsSync, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { skipBecause } from '@mynah/kernel/testing'
import { asAnotherUser } from '../test/another-user.js'
import { TestLevels } from '../test/levels.js'
import { OpenRoots } from '../view/open-roots.js'
import { runCommand, type RunResult } from '../run/run-command.js'

const SELF = new URL(import.meta.url).pathname

describe(`repositories of commands, as ${process.getuid?.() === 0 ? 'root' : 'another user'}`, function () {
  this.timeout(300_000)
  let levels: TestLevels
  let cwd = ''

  before(async function () {
    levels = await TestLevels.open()
    const missing = levels.missing('wall') ?? levels.noGit
    if (missing !== undefined) skipBecause(this, missing)
  })
  after(() => levels.close())
  beforeEach(async () => {
    cwd = await realpath(await mkdtemp(join(tmpdir(), 'mynah-repository-')))
  })
  afterEach(() => rm(cwd, { recursive: true, force: true }))

  /** The owner's git. */
  const own = (...words: string[]): string =>
    execFileSync('git', ['-c', 'user.name=own', '-c', 'user.email=o@x.y', ...words], { cwd, encoding: 'utf8' })
  async function repository(): Promise<void> {
    own('init', '-q', '-b', 'main')
    own('config', 'user.name', 'own')
    own('config', 'user.email', 'o@x.y')
    await writeFile(join(cwd, 'a.txt'), 'a\n')
    own('add', '-A')
    own('commit', '-qm', 'one')
    own('branch', 'side')
  }
  async function run(command: string, folder = cwd): Promise<RunResult> {
    const view = await levels.view({ cwd: folder, origin: { user: cwd } })
    return runCommand(command, { cwd: folder, limitMs: 60_000, launcher: levels.launcher('wall', view) })
  }
  const fired = (): boolean => existsSync(join(cwd, 'fired'))

  describe('what git does', () => {
    for (const [line, shown] of [
      ['echo b >> a.txt && git add a.txt && git commit -m two', 'two'],
      ['echo b >> a.txt; git commit -am "$(date +%Y) two" 2>&1 | tail -3', '1 file changed'],
      ['echo b > b.ts; echo c > c.ts; git add *.ts; git status --short', 'A  b.ts\nA  c.ts'],
      [
        'for f in b c; do echo $f > $f; git add $f; git commit -qm "add $f"; done; git log --format=%s',
        'add c\nadd b\none',
      ],
      ['git checkout -b feature && git branch --show-current', 'feature'],
      ['git switch side && git merge main', 'Already up to date'],
      ['echo b >> a.txt; git stash; git stash pop', 'Dropped'],
      ['git tag v1; git tag -l', 'v1'],
      ['echo b >> a.txt; git commit -qam two; git reset --hard HEAD~1; cat a.txt', 'one\na'],
      ['echo b >> a.txt; git commit -qam two; git revert --no-edit HEAD; git log -1 --format=%s', 'Revert "two"'],
      ['git mv a.txt c.txt; git rm -q --cached c.txt; git status --short', 'D  a.txt\n?? c.txt'],
      ['mkdir s; cd s; echo b > b; git -C .. add s/b; git status --short', 'A  b'],
      ['git worktree add -q wt side; cat wt/a.txt; git worktree remove wt', 'a'],
      [
        'git worktree add -q wt side; cd wt; echo b > b; git add b; git commit -qm "in it"; git log --format=%s',
        'in it\none',
      ],
      ['mkdir x y; git mv a.txt x/b.txt; git mv x/b.txt y; git commit -qam moved; git ls-files', 'y/b.txt'],
      ['seq 20000 | sed s/^/a-rather-long-name-of-a-file-/ | xargs touch; git add a-*; git ls-files | wc -l', '20001'],
      ['GIT_AUTHOR_NAME=Ann git commit --allow-empty -qm x; git log -1 --format=%an', 'Ann'],
      ['printf "from here" | git commit --allow-empty -qF -; git log -1 --format=%s', 'from here'],
      ['git config --global user.name Bea; git commit --allow-empty -qm x; git gc -q; git fsck', ''],
      ['x=$(git commit --allow-empty -m x 2>/dev/null); echo "[$x]"', '[[main'],
      ['sh -c "git commit --allow-empty -qm script"; git log -1 --format=%s', 'script'],
      [
        'git diff HEAD > x.patch; echo b >> a.txt; git diff > y.patch; git checkout a.txt; git apply --index < y.patch; git status -s a.txt',
        'M  a.txt',
      ],
    ] as const)
      it(line, async () => {
        await repository()
        const { output, exitCode } = await run(line)
        expect(output).to.contain(shown)
        expect(exitCode, output).to.equal(0)
        expect(own('fsck', '--no-dangling')).to.equal('')
      })

    it('works in a worktree of the repository', async () => {
      await repository()
      own('worktree', 'add', '-q', 'wt', 'side')
      const { output } = await run(
        'cd wt; echo b > b; git add b; git commit -qm "in it"; git log --format=%s; git -C .. worktree list | wc -l',
      )
      expect(output).to.equal('in it\none\n2\n')
      expect(own('-C', 'wt', 'status', '--short')).to.equal('')
    })

    it('works with links, which it does not follow', async () => {
      await repository()
      const { output } = await run(
        'mkdir d; echo x > d/f; ln -s d l; ln -s a.txt b.txt; git add -A; git commit -qm links; git checkout -q side; ' +
          'git checkout -q main; readlink l b.txt; cat l/f; git status --short; git ls-files -s | cut -c1-6 | sort | uniq -c',
      )
      expect(output).to.match(/^d\na\.txt\nx\n +2 100644\n +2 120000\n$/)
    })

    it('works with a submodule of the owner', async () => {
      await repository()
      const source = await mkdtemp(join(tmpdir(), 'mynah-module-'))
      try {
        for (const words of [
          ['init', '-q'],
          ['commit', '-q', '--allow-empty', '-m', 'x'],
        ])
          own('-C', source, ...words)
        own('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', source, 'module')
        own('commit', '-qm', 'module')
        const { output, exitCode } = await run(
          'echo b >> a.txt; git add -A; git commit -qm two; git status --short; cd module; echo y > y; git add y; ' +
            'git config --global user.email a@b.c; git config --global user.name n; git commit -qm inner; git log -1 --format=%s',
        )
        expect(output).to.equal('inner\n')
        expect(exitCode).to.equal(0)
      } finally {
        await rm(source, { recursive: true })
      }
    })

    it('makes a repository where there is none', async () => {
      const { output } = await run(
        'git init -b main && git config --global user.email a@b.c && git config --global user.name n && echo a > a && git add -A && git commit -qm one && git log --format=%s',
      )
      expect(output).to.contain('one')
      expect(own('log', '--format=%s')).to.equal('one\n')
    })

    it('works in a repository below as in all other files', async () => {
      const { output } = await run(
        'git init -q sub && cd sub && git config user.email a@b.c && git config user.name n && git commit --allow-empty -qm x && git log --format=%s',
      )
      expect(output).to.equal('x\n')
    })

    it('says what it cannot change', async () => {
      await repository()
      const { output, exitCode } = await run('git config core.fsmonitor evil')
      expect(output).to.contain('commands cannot change a repository by these words of git config')
      expect(exitCode).to.not.equal(0)
    })
  })

  describe('what nothing else does', () => {
    for (const line of [
      'echo x > .git/HEAD',
      'mv .git/HEAD .git/HEAD2',
      'mv .git .git2',
      'rm -rf .git',
      'echo ../evil > .git/commondir',
      'printf "[core]\\nfsmonitor = touch fired\\n" >> .git/config',
      'mkdir -p .git/worktrees/x; echo x > .git/worktrees/x/config.worktree',
      'ln -s /tmp .git/hooks2; printf "#!/bin/sh\\ntouch fired\\n" > .git/hooks/pre-commit',
      'mkdir .git/modules && git init -q --bare .git/modules/x',
      'git config core.fsmonitor "touch fired"',
      'git config core.hooksPath .',
      'git submodule add ./sub sub',
      'git update-ref refs/heads/x HEAD',
      'git symbolic-ref HEAD refs/heads/none',
      'git -c core.worktree=/ checkout side',
      'git --git-dir=.git config core.fsmonitor x',
      'GIT_DIR=.git git commit --allow-empty -m x',
      'git -C .git worktree add x/../../y side',
      'git worktree add .git/y side',
      'ln -s .git g; git worktree add g/DIRC side',
      'ln -s .git g; git diff --binary HEAD > x; echo b > a.txt; git diff > x; git apply --build-fake-ancestor=g/commondir x',
      'ln -s .git g; echo b > a.txt; git diff > x; sed -i s,a/a.txt,a/g/config,\\;s,b/a.txt,b/g/config, x; git apply x',
      'ln -s .git g; git archive -o g/commondir HEAD; git format-patch -o g/x -1; git mv a.txt g/commondir',
      'ln -s .git g; printf x > y; git -C g commit --allow-empty -m x; git -C .git commit --allow-empty -m x',
      'git archive -o .git/commondir HEAD',
      'git format-patch -o .git/x -1',
      'git diff --output=.git/commondir',
      'git init --separate-git-dir=x',
      'git branch --edit-description',
      'git rebase -x "touch fired" HEAD~0',
      'git filter-branch -f --msg-filter "touch fired" HEAD',
    ])
      it(line, async () => {
        await repository()
        const files = (): string => execFileSync('find', ['.git', '-type', 'f'], { cwd, encoding: 'utf8' })
        const before = [
          files(),
          readFileSync(join(cwd, '.git/config'), 'utf8'),
          readFileSync(join(cwd, '.git/HEAD'), 'utf8'),
        ]
        await run(line)
        own('status')
        expect([
          files(),
          readFileSync(join(cwd, '.git/config'), 'utf8'),
          readFileSync(join(cwd, '.git/HEAD'), 'utf8'),
        ]).to.deep.equal(before)
        expect(fired()).to.equal(false)
      })

    it('is nothing that git itself does while a command exchanges a folder for a link to .git', async () => {
      await repository()
      await mkdir(join(cwd, 'sub'))
      await writeFile(join(cwd, 'sub/commondir'), '../evil')
      own('add', '-A')
      own('commit', '-qm', 'two')
      const { output } = await run(
        'rm -rf sub; (while :; do ln -s .git sub; rm -rf sub; mkdir sub; rm -rf sub; done) 2>/dev/null & ' +
          'for i in $(seq 30); do git checkout -qf side; git checkout -qf main; git stash -q; done 2>/dev/null; echo end',
      )
      expect(output).to.contain('end')
      expect(existsSync(join(cwd, '.git/commondir'))).to.equal(false)
    })

    it('is no part of a repository below, which git would take in', async () => {
      await repository()
      const before = execFileSync('find', ['.git', '-type', 'd'], { cwd, encoding: 'utf8' })
      await run(
        [
          'git init -q sub; cd sub; git config core.fsmonitor "touch fired"',
          'git -c core.fsmonitor= -c user.name=n -c user.email=e commit -q --allow-empty -m x; cd ..',
          `git add sub; git commit -qm sub; printf '[submodule "sub"]\npath = sub\nurl = http://x/y\n' > .gitmodules`,
          'git add .gitmodules; git commit -qm x; git mv sub sub2; git rm -f sub sub2; git submodule absorbgitdirs; echo end',
        ].join('\n'),
      )
      const after = execFileSync('find', ['.git', '-type', 'd'], { cwd, encoding: 'utf8' })
      expect(after.split('\n').filter((path) => path.includes('modules'))).to.deep.equal(
        before.split('\n').filter((path) => path.includes('modules')),
      )
    })

    it('keeps the settings of its submodules, for which git takes what it finds', async () => {
      await repository()
      const source = await mkdtemp(join(tmpdir(), 'mynah-module-'))
      try {
        own('-C', source, 'init', '-q')
        own('-C', source, 'commit', '-q', '--allow-empty', '-m', 'x')
        for (const name of ['one', 'two'])
          own('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', source, name)
        own('commit', '-qm', 'modules')
        const settings = (): readonly string[] =>
          ['one', 'two'].map((name) => readFileSync(join(cwd, '.git/modules', name, 'config'), 'utf8'))
        const before = settings()
        const { output } = await run(
          'echo "gitdir: nowhere" > named; (while :; do mkdir -p one/.git; rmdir one/.git; cp named one/.git; rm one/.git; done 2> other) & ' +
            'for i in $(seq 20); do git rm -rqf one; git reset -q; git checkout -q -- .; mkdir -p one; done 2> said; ' +
            'kill %1; git -C two rm -q x; git mv two three; echo end',
        )
        expect(output).to.contain('commands cannot change a repository by these words of git rm').and.contain('end')
        expect(settings()).to.deep.equal(before)
      } finally {
        await rm(source, { recursive: true })
      }
    })

    it('keeps the settings of a submodule in which a command makes a worktree', async () => {
      await repository()
      const source = await mkdtemp(join(tmpdir(), 'mynah-module-'))
      try {
        own('-C', source, 'init', '-q', '-b', 'main')
        own('-C', source, 'commit', '-q', '--allow-empty', '-m', 'x')
        own('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', source, 'm')
        own('commit', '-qm', 'module')
        const before = readFileSync(join(cwd, '.git/modules/m/config'), 'utf8')
        const { output } = await run(
          'cd m; git branch side; git worktree add -q ../wt side; cd ../wt; git branch -u main side; ' +
            'git branch -m main renamed; git checkout -q --track -b other main; git log --oneline | wc -l',
        )
        expect(output).to.match(/1\n$/)
        expect(readFileSync(join(cwd, '.git/modules/m/config'), 'utf8')).to.equal(before)
      } finally {
        await rm(source, { recursive: true })
      }
    })

    it('keeps worktrees that commands do not see, and each for its own folder', async () => {
      await repository()
      const other = await realpath(await mkdtemp(join(tmpdir(), 'mynah-worktree-')))
      try {
        own('worktree', 'add', '-q', join(other, 'wt'), 'side')
        const { output } = await run(
          `git worktree remove --force ${other}/wt; git worktree remove wt; git worktree move wt x; mkdir f; ` +
            'echo "gitdir: $PWD/.git/worktrees/wt" > f/.git; git -C f reset -q --hard; git -C f commit -q --allow-empty -m x; echo end',
        )
        expect(output).to.contain('commands cannot change worktrees that they do not see').and.contain('end')
        expect(own('-C', join(other, 'wt'), 'log', '--format=%s')).to.equal('one\n')
      } finally {
        await rm(other, { recursive: true })
      }
    })

    it('is open for settings by no lack of descriptors', async function () {
      await repository()
      const view = await levels.view({ cwd, origin: { user: cwd } })
      const roots = await OpenRoots.of(view.roots)
      const limit = (count: string): unknown =>
        execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${count}:`])
      const [, before = ''] = /open files +(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
      const held: number[] = []
      const root = roots.roots[0] ?? 'all'
      try {
        expect((await roots.in(view, { root, inner: '' })).mounts?.map(({ at }) => at)).to.include(
          join(cwd, '.git/config'),
        )
        // More than there are, so that enough is free again afterwards to start the program that lifts the limit.
        limit(String(Math.max(...readdirSync('/proc/self/fd').map(Number)) + 64))
        for (;;) held.push(openSync('/dev/null', 'r'))
      } catch (error) {
        expect((error as NodeJS.ErrnoException).code).to.equal('EMFILE')
      }
      try {
        const opened = await roots.in(view, { root, inner: '' }).then(
          () => 'opened',
          ({ code }: NodeJS.ErrnoException) => code,
        )
        expect(opened).to.equal('EMFILE')
      } finally {
        for (const descriptor of held) closeSync(descriptor)
        limit(before)
        await roots.close()
      }
    })

    it('costs a command no descriptors of the host that stay', async () => {
      await repository()
      const counts: number[] = []
      const view = await levels.view({ cwd, origin: { user: cwd } })
      const { output } = await runCommand('for i in $(seq 12); do git add -A; echo $i; sleep 0.1; done', {
        cwd,
        limitMs: 60_000,
        launcher: levels.launcher('wall', view),
        onOutput: () => void counts.push(readdirSync('/proc/self/fd').length),
      })
      expect(output).to.match(/12\n$/)
      expect((counts.at(-1) ?? 0) - (counts[2] ?? 0)).to.be.below(10)
    })

    it('gives no words of another repository away', async () => {
      await repository()
      await mkdir(join(cwd, '.git/modules/m'), { recursive: true })
      await writeFile(join(cwd, '.git/modules/m/HEAD'), 'ref: refs/heads/main\n')
      await writeFile(join(cwd, '.git/modules/m/config'), '[filter "canary"]\nclean = cat\n')
      const other = await mkdtemp(join(tmpdir(), 'mynah-other-'))
      try {
        await writeFile(join(other, '.git'), `gitdir: ${cwd}/.git/modules/m\n`)
        const { output } = await run(`ln -s ${other} o; git -C o commit -m x; git -C ${other} commit -m x; echo end`)
        expect(output).to.contain('end').and.not.contain('canary')
      } finally {
        await rm(other, { recursive: true })
      }
    })

    it('makes no .git where there is none, and leaves none', async () => {
      for (const line of [
        'mkdir .git && echo "ref: x" > .git/HEAD',
        'echo "gitdir: /tmp" > .git',
        'ln -s /tmp .git',
        'mkdir x && mv x .git',
      ]) {
        await run(line)
        expect(existsSync(join(cwd, '.git')), line).to.equal(false)
      }
    })

    it('makes none by closing the folder to the host first', async () => {
      await run('chmod 555 .; chmod 000 .')
      const { output } = await run('chmod 755 .; mkdir .git/refs; echo x > .git/HEAD; ls -a .git')
      expect(output).to.match(/\.\n\.\.\n$/)
      expect(existsSync(join(cwd, '.git'))).to.equal(false)
    })

    it('leaves no lock of git when a command ends before it', async () => {
      await repository()
      const { output } = await run(
        'head -c 150M /dev/urandom > big; git add big & until ls .git/index.lock 2> .no; do sleep 0.01; done; echo end',
      )
      expect(output).to.match(/index\.lock\nend\n$/)
      expect(existsSync(join(cwd, '.git/index.lock'))).to.equal(false)
      expect((await run('git add a.txt; echo $?')).output).to.equal('0\n')
    })

    for (const isHeld of [true, false]) {
      const without = isHeld ? '' : ', also where git cannot be held'
      it(`is, approved, the command itself, without settings that another one has made${without}`, async () => {
        await repository()
        await writeFile(join(cwd, '.git/hooks/pre-commit'), '#!/bin/sh\necho hook ran\n')
        await chmod(join(cwd, '.git/hooks/pre-commit'), 0o755)
        await run(
          'mkdir ~/h; printf "#!/bin/sh\necho ../evil > .git/commondir\n" > ~/h/post-commit; chmod +x ~/h/post-commit; ' +
            'git config --global core.hooksPath ~/h',
        )
        const view = await levels.view({ cwd, origin: { user: cwd } })
        const { output } = await runCommand(
          'git commit -q --allow-empty -m two; git log -1 --format=%s; echo x > .git/config; mv .git/config .git/c; mv .git g',
          {
            cwd,
            limitMs: 60_000,
            launcher: levels.wall(view, { isOpen: true, ...(isHeld ? {} : { git: undefined }) }),
          },
        )
        // Errors come through another pipe than the rest.
        expect(output.split('\n')).to.include('two').and.include('hook ran')
        expect(output).to.match(/Read-only.*\n[^]*busy\n[^]*busy\n/)
        expect(existsSync(join(cwd, '.git/commondir'))).to.equal(false)
      })
    }

    it('makes none while another command of the folder ends', async () => {
      const long = run('for i in $(seq 40); do sleep 0.05; mkdir .git; echo x > .git/commondir; done 2>/dev/null')
      for (let i = 0; i < 5; i++) await run('true')
      await long
      expect(existsSync(join(cwd, '.git'))).to.equal(false)
    })

    it('starts no command in a folder whose .git is a link, and follows none', async () => {
      const other = join(cwd, 'other')
      const work = join(cwd, 'work')
      await mkdir(other)
      await mkdir(work)
      await symlink(other, join(work, '.git'))
      const refused = await run('true', work).catch((error: Error) => error.message)
      expect(refused).to.match(/\.git is a link/)
      expect(lstatSync(join(work, '.git')).isSymbolicLink()).to.equal(true)
    })
  })

  describe('programs of a repository', () => {
    const FILES: Readonly<Record<string, () => Promise<void>>> = {
      'a hook': async () => {
        await writeFile(join(cwd, '.git/hooks/pre-commit'), '#!/bin/sh\ntouch fired\n')
        await chmod(join(cwd, '.git/hooks/pre-commit'), 0o755)
      },
      'a folder of hooks': async () => {
        await mkdir(join(cwd, '.husky'))
        await writeFile(join(cwd, '.husky/pre-commit'), '#!/bin/sh\ntouch fired\n')
        await chmod(join(cwd, '.husky/pre-commit'), 0o755)
        own('config', 'core.hooksPath', '.husky')
      },
      'a filter': async () => {
        own('config', 'filter.evil.clean', 'touch fired; cat')
        await writeFile(join(cwd, '.gitattributes'), '* filter=evil\n')
      },
    }
    for (const [name, make] of Object.entries(FILES))
      it(`are not run: ${name}`, async () => {
        await repository()
        await make()
        const { output } = await run('echo b >> a.txt; git commit -am two')
        expect(output).to.match(/git commit would run the (?:hook|filter)/)
        expect(fired()).to.equal(false)
        expect(own('log', '--format=%s')).to.equal('one\n')
      })

    for (const [name, setting] of Object.entries({
      'an editor': ['core.editor', 'touch fired'],
      'a program that signs': ['gpg.program', './evil'],
      'a monitor': ['core.fsmonitor', 'touch fired; false'],
      'a merge tool': ['merge.tool', 'touch fired'],
    } as const))
      it(`are not run where git does not need them: ${name}`, async () => {
        await repository()
        own('config', ...setting)
        const { output, exitCode } = await run('git commit --allow-empty -m two')
        expect(exitCode, output).to.equal(0)
        expect(fired()).to.equal(false)
      })

    it('are not run by settings that a command has made in its home folder', async () => {
      await repository()
      await writeFile(join(cwd, 'evil'), '#!/bin/sh\ntouch fired\n')
      await chmod(join(cwd, 'evil'), 0o755)
      await run(
        'git config --global gpg.program "$PWD/evil"; git config --global commit.gpgSign true; git config --global alias.x "!touch fired"',
      )
      await run(
        'git config --global core.hooksPath "$PWD"; cp evil pre-commit; git config --global filter.e.clean "touch fired"; echo "* filter=e" > .gitattributes',
      )
      const { output } = await run('git add -A && git commit -m two')
      expect(output).to.contain('two')
      expect(fired()).to.equal(false)
    })

    it('are not run by settings of a repository below, not even by the loader of programs', async () => {
      await repository()
      const { output } = await run(
        [
          'git init -q sub; cd sub; git config user.name n; git config user.email e; cp "$(command -v bash)" evil',
          `echo 'touch "$(dirname "$OLDPWD")/fired"; touch ${cwd}/fired; echo ../evil > ${cwd}/.git/commondir' > z`,
          'git add -A; git commit -qm one; git config filter.e.clean "$(git --exec-path)/git-show"',
          'git config diff.t.textconv /lib64/ld-linux-x86-64.so.2; git config core.fsmonitor "touch ../fired"',
          'printf "z filter=e\nevil diff=t\n" > .git/info/attributes; cd ..; git add sub; git commit -qm sub',
          `touch -d 2001-01-01 sub/z; printf '[submodule "sub"]\npath = sub\nurl = x\nignore = none\n' > .gitmodules`,
          'git add .gitmodules; git commit -qm x; git commit --dry-run -m x; git stash; git checkout side; git add -A; echo end',
        ].join('\n'),
      )
      expect(output).to.match(/end\n$/)
      expect(fired(), output).to.equal(false)
      expect(existsSync(join(cwd, '.git/commondir'))).to.equal(false)
    })

    it('are not run by settings of a repository below, not even those of git itself', async () => {
      await repository()
      const stream = [
        `option git quiet\\noption git export-pack-edges=${cwd}/.git/commondir\\nblob\\nmark :1\\ndata 3\\nabc\\n`,
        'commit refs/heads/q\\ncommitter a <a@b> 1 +0000\\ndata 1\\nx\\nM 644 :1 z\\n\\n',
      ].join('')
      await run(
        [
          'mkdir -p c/objects c/refs; git init -q sub; cd sub; git config user.name n; git config user.email e',
          `printf '${stream}' > z; git add -A; git commit -qm one; cp -r .git/objects .git/refs ../c; cd ..`,
          'git add sub 2> .no; git commit -qm sub; cd sub',
          'git config filter.e.clean "$(git --exec-path)/git-fast-import"; git config fastimport.unpackLimit 0',
          `echo 'z filter=e' > .git/info/attributes; cp -r .git/info .git/config ../c/; echo ${cwd}/c > .git/commondir`,
          `cd ..; touch -d 2001-01-01 sub/z`,
          `printf '[submodule "sub"]\\npath = sub\\nurl = x\\nignore = none\\n' > .gitmodules`,
          'git add .gitmodules; git commit --dry-run -m x; sed -i s,/usr/lib/git-core/git-fast-import,/run/git-core/git, c/config',
          'touch -d 2001-01-01 sub/z; git commit --dry-run -m x; echo end',
        ].join('\n'),
      )
      expect(existsSync(join(cwd, '.git/commondir'))).to.equal(false)
      expect(readdirSync(join(cwd, 'c/objects/pack'))).to.deep.equal([])
    })

    it('are not run in a repository below', async () => {
      await repository()
      const evil =
        'git init -q sub; git -C sub config core.fsmonitor "touch ../fired; touch /x"; git -C sub config filter.e.clean "touch ../fired"; echo "* filter=e" > sub/.gitattributes; echo x > sub/x; git -C sub -c core.fsmonitor=false -c user.name=n -c user.email=e commit --allow-empty -qm x'
      await run(evil)
      await rm(join(cwd, 'fired'), { force: true })
      const { output } = await run('git add -A; git status; git commit -m two')
      expect(own('log', '--format=%s'), output).to.equal('two\none\n')
    })
  })

  it('are the same for a user that is not root', async function () {
    const { code, said } = await asAnotherUser(this, SELF)
    expect(code, said.slice(-3000)).to.equal(0)
    expect(said).to.match(/[1-9]\d* passing/)
  })
})
