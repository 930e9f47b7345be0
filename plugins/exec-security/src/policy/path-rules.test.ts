// With the places of a host known, every path that may become one of them is out of reach, and nothing else is.
import { expect } from 'chai'
import { evaluateCommand, type ExecPaths } from './index.js'
import { ORDINARY_DEVELOPMENT, ORDINARY_NETWORK, ORDINARY_READONLY } from '../test/families/ordinary.js'
import { development, full, network, policy, readonly } from '../test/policies.js'

const paths: ExecPaths = {
  cwd: '/srv/bot/workspace',
  home: '/home/bot',
  readOnly: ['/srv/bot/plugins'],
  protected: [
    '/srv/bot/data',
    '/srv/bot/mynah.config.yml',
    '/srv/bot/mynah.config.yml.bak',
    '/srv/bot/.env',
    '/srv/bot/.env.local',
  ],
}
const listed = policy({
  execPreset: 'development',
  execAllowlist: ['tar', 'cp', 'rm', 'cd', 'ln', 'docker', 'mv', 'tee'],
  paths,
})

/** Paths and patterns that are, or may become, what decides. */
const REACHING = [
  '../data/h*',
  '../d*/h*',
  '../data',
  '../data/x.csv',
  '/srv/bot/data/x',
  '/srv/bot/d*/x',
  '/srv/*/data/x',
  '/srv/*/d*/*',
  '/s*/b*/d*/h*',
  '../*/*',
  '../*',
  '../.env',
  '../.e*',
  '../mynah.config.yml',
  '../*.yml',
  '"$PWD/../data/x"',
  '${PWD}/../d*/x',
  '~/../../srv/bot/data/x',
  '/srv/bot/workspace/../data/x',
  '/srv/bot/workspace/../d*/x',
  '/./srv//bot/data/x',
  '../data/../data/x',
  '..//data/x',
  './../data',
  '/srv/bot/{data,x}/y',
  '../da{ta,x}/y',
  '/srv/bot/dat?',
  '../[d]ata/x',
]

describe('PathRules', () => {
  for (const [name, base] of [
    ['a list', listed],
    ['full', { ...full, paths }],
  ] as const) {
    it(`lets no command reach protected paths under ${name}`, () => {
      const commands = [
        'cat @',
        'head -1 @',
        'cat < @',
        'cp @ x',
        'tar cf x @',
        'grep -r x @',
        'for f in @; do cat "$f"; done',
        'ls @ && cat @',
      ].flatMap((form) => REACHING.map((path) => form.replaceAll('@', () => path)))
      const others = [
        'grep -r . ..',
        'grep -rn x /srv',
        'find / -name "http-to?en" -exec cat {} +',
        'find .. -type f -exec cat {} +',
        'find /srv -type f | xargs cat',
        'cd .. && cat data/x',
        'cd ../data && cat x',
        'cd / && cat srv/bot/data/x',
        'for d in ..; do cat $d/data/x; done',
        'ls .. | xargs -I{} cat ../{}/http-token',
        'git -C .. grep -h .',
        'git diff --no-index /dev/null ../data/x',
        'cat $(find .. -name "http*")',
        'ln -s .. x',
        'ln -s ../data x',
        'docker run -v ..:/x y',
        'docker run -v ../data:/x y',
        'node ../data/x.js',
        'rm -rf ..',
        'mv ../data x',
        'cp x ../plugins/a.js',
        'tee ../plugins/x.js < f',
        'cp x ../data/owner-approve-always.json',
      ]
      const allowed = [...commands, ...others].filter((command) => evaluateCommand(command, base).verdict === 'allow')
      expect(allowed).to.deep.equal([])
    })
  }

  it('leaves a folder called `data` in the working directory to the commands there', () => {
    const commands = [
      'cat data/x.csv',
      'cat data/*.json',
      'grep -r "x" .',
      'grep -r . data',
      'cat */*',
      'cat *.yml',
      'ls -R data',
      'cat ../README.md',
      'ls ..',
      'cp -r data x',
      'rm -rf build/*',
      'for f in data/*; do wc "$f"; done',
      'cat ../plugins/a/index.js',
      'find . -type f -exec cat {} +',
      'cd sub && cat data/x',
    ].filter((command) => !command.startsWith('cd'))
    const refused = commands
      .map((command) => ({ command, ...evaluateCommand(command, listed) }))
      .filter(({ verdict }) => verdict !== 'allow')
    expect(refused.map(({ command, reason }) => `${command}  # ${reason}`)).to.deep.equal([])
  })

  for (const [name, base, commands] of [
    ['readonly', readonly, ORDINARY_READONLY],
    ['network', network, ORDINARY_NETWORK],
    ['development', development, ORDINARY_DEVELOPMENT],
  ] as const) {
    it(`passes the ordinary commands of ${name}`, () => {
      const refused = commands
        .map((command) => ({ command, ...evaluateCommand(command, { ...base, paths }) }))
        .filter(({ verdict }) => verdict !== 'allow')
      expect(refused.length, refused.map(({ command, reason }) => `${command}  # ${reason}`).join('\n')).to.be.at.most(
        Math.floor(commands.length / 100),
      )
    })
  }
})
