import { expect } from 'chai'
import { harmlessSettings } from './git-settings.js'
import { parseGitSettings } from './parse-git-settings.js'

/** Returns the settings that are left of some, as `section.subsection.key=value`. */
const left = (text: string): string[] =>
  parseGitSettings(harmlessSettings(text)).map(({ section, subsection, key, value }) =>
    [[section, subsection ?? [], key].flat().join('.'), value ?? []].flat().join('='),
  )

describe('harmlessSettings', () => {
  it('keeps who commits, and settings that are switches, numbers and words', () => {
    const text = `# me
[user]
  name = Ann "the \\"cat\\"" Example ; that is me
  email = 123456789+ann-of-the-long-name@users.noreply.example
[init] defaultBranch = main
[core]
  autocrlf = input
  quotePath
[Color "diff"]
  meta = yellow bold
[alias]
  lg = log --graph --pretty=format:'%h %s' \\
    --all
[safe]
  directory = /srv/my project
`
    expect(left(text)).to.deep.equal([
      'user.name=Ann the "cat" Example',
      'user.email=123456789+ann-of-the-long-name@users.noreply.example',
      'init.defaultbranch=main',
      'core.autocrlf=input',
      'core.quotepath',
      'color.diff.meta=yellow bold',
      "alias.lg=log --graph --pretty=format:'%h %s'     --all",
      'safe.directory=/srv/my project',
    ])
  })

  it('keeps what git-lfs installs, and another way to one host', () => {
    const text = `[filter "lfs"]
  clean = git-lfs clean -- %f
  smudge = git-lfs smudge -- %f
  process = git-lfs filter-process
  required = true
[url "https://github.com/"]
  insteadOf = git@github.com:
  insteadOf = ssh://git@github.com/
`
    expect(left(text)).to.have.length(6)
  })

  const LEFT_OUT = {
    'credentials and their helpers': '[credential]\nhelper = store\n[credential "https://a.example"]\nusername = ann',
    'headers of requests': '[http]\nextraHeader = "Authorization: Basic YTpi"\n[http "https://a"]\nextraHeader = X: y',
    'settings of proxies and certificates':
      '[http]\nproxy = http://a:b@c\nsslCert = /home/ann/cert\n[https]\nproxy = x',
    'passwords of mail': '[sendemail]\nsmtpPass = x\n[imap]\npass = x',
    'tokens of other tools':
      '[github]\ntoken = ghp_0123456789abcdef\nuser = ann\n[gitlab]\ntoken = x\n[hub]\noauthtoken = x',
    'files that are included': '[include]\npath = ~/.secrets\n[includeIf "gitdir:~/work/"]\npath = ~/.work',
    'programs that git runs':
      '[core]\nsshCommand = x\npager = x\neditor = x\nfsmonitor = x\nhooksPath = x\naskPass = x\ngitProxy = x\n' +
      '[diff]\nexternal = x\ntool = x\n[diff "x"]\ntextconv = x\ncommand = x\n[merge "x"]\ndriver = x\n[gpg]\nprogram = x\n' +
      '[filter "x"]\nsmudge = x\n[mergetool "x"]\ncmd = x\n[sequence]\neditor = x\n[init]\ntemplateDir = x',
    'another program by the name of git-lfs': '[filter "lfs"]\nprocess = "git-lfs filter-process; x"\nsmudge = x',
    'an alias for a shell': '[alias]\nx = !sh\ny = "!sh"\nz = \\"!sh',
    'an alias with settings of its own':
      '[alias]\nx = -c core.pager=x log\ny = log -c core.pager=x\nz = --config-env=core.pager=X log',
    'addresses with a name or a password':
      '[url "https://ann:secret@a.example/"]\ninsteadOf = https://a.example/\n' +
      '[url "https://a.example/"]\ninsteadOf = https://ann@a.example/\n[alias]\nx = fetch https://ann:pw@a.example/b\n' +
      '[url "https://a.example/private/0123"]\ninsteadOf = a:',
    'text that looks like a secret':
      '[alias]\nx = push --push-option=token=abc\ny = fetch glpat-0123456789abcdefghij\n' +
      '[init]\ndefaultBranch = 0123456789abcdef0123456789abcdef\n[pretty]\nx = Bearer abcdefghijkl\n' +
      '[color]\nui = ghp_0123456789abcdef0123\n[user]\nname = ghp_0123456789abcdef0123',
    'the same in another spelling':
      '[CREDENTIAL] helper = x\n[credential]helper=x\n[Http.https://a]\nextraheader=x\n[core]SSHCOMMAND=x\n' +
      '[credential "a\\"]b"] helper = x\n[core] # [user]\nssh\\\nCommand = x',
    'what follows a mistake': '[user\nname = x\n[user]\nname = y',
    'keys of no section': 'name = x\n',
  }
  for (const [what, text] of Object.entries(LEFT_OUT))
    it(`leaves out ${what}`, () => {
      expect(left(text)).to.deep.equal([])
    })

  it('takes no value for a section, and no comment for a value', () => {
    expect(left('[core]\neol = "[credential]"\n[user]\nname = a # [http]\nemail = b ; c')).to.deep.equal([
      'user.name=a',
      'user.email=b',
    ])
    expect(left('[http]\nextraHeader = "\\n[user]\\nname = x"\nproxy = \\\n[user]\nname = y')).to.deep.equal([])
    expect(left('[user]\nname = "a\\n[core]\\nsshCommand = x"')).to.deep.equal([])
  })

  it('reads a long text in a time that its length explains', () => {
    const long = 'a'.repeat(200_000)
    for (const value of [long, `"${long}`, `${' '.repeat(200_000)}X`, '\\\n'.repeat(100_000)])
      expect(left(`[alias]\nx = ${value}`)).to.deep.equal([])
  })
})
