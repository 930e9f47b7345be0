// Questions about a command that something holds, and about one that only a proof lets through.
import { asking, development, everyCommand, readonly } from '../test/policies.js'

describe('commands that provably only read', () => {
  const proof = asking({ ...readonly, level: 'none', unwalled: 'ask' })

  describe('run without a question', () => {
    everyCommand('allow', proof, [
      'ls',
      'ls -1 src',
      'ls -ltr',
      'ls --reverse src',
      'ls -l -- -R',
      'date -R',
      'head -20 a.txt',
      'tail -5 a.txt',
      'grep -2 x a.txt',
      'grep x -- -r',
      'wc -l a.txt',
    ])
  })

  // Without a view, it holds files of everybody, and of other places of this host.
  describe('are no longer that in /tmp', () => {
    everyCommand('ask', proof, ['cat /tmp/x', 'ls /tmp', 'head -3 /tmp/a/b', 'wc -l < /tmp/x', 'ls $TMPDIR'])
  })

  describe('are no longer that where they take all that is below a folder', () => {
    everyCommand('ask', proof, [
      'ls -R',
      'ls -1R src',
      'ls -1RS',
      'ls --recursive',
      'ls --recurs',
      'ls --rec src',
      'ls --R',
      'ls -l -R',
      'ls "-R"',
      'ls -$x',
      'ls "$x"',
      'find',
      'find -name x',
      'find -maxdepth 1 -type f',
      'find -L',
      'find ! -name x',
      "find '(' -name x ')'",
      'find src',
      'grep -r x',
      'grep -1r x src',
      'grep -1R x src',
      'grep -nr x src',
      'grep --recurs x src',
      'grep --deref x src',
      'grep -d recurse x src',
      'grep --direct=recurse x src',
      'grep -e x -r',
    ])
  })
})

describe('files with credentials at level wall', () => {
  const wall = asking({ ...development, level: 'wall', trust: 'listed' })

  describe('are not folders of sources that git tracks', () => {
    everyCommand('allow', wall, [
      'git diff -- src/secrets',
      'git diff src/secrets',
      'git log -- lib/tokens',
      'git add packages/credentials/',
      'git show HEAD -- src/password',
    ])
  })

  describe('are asked about', () => {
    everyCommand('ask', wall, [
      'git diff -- src/secrets.json',
      'git diff -- secrets.yml',
      'git diff -- .ssh/src/secrets',
      'git show HEAD:.env',
      'git add secrets/src/id_rsa',
      'cat src/secrets',
      'cat secrets.json',
    ])
  })
})
