// Build tools of languages: cargo and go.
import { alike, type ProgramSpec } from './program-spec.js'

/** Options of all that works on packages of cargo. */
const CRATE: ProgramSpec = {
  exact: true,
  tolerant: true,
  words: true,
  flags: `v verbose q quiet frozen locked offline h help workspace all lib bins examples tests benches all-targets all-features no-default-features r release keep-going no-fail-fast no-run doc ignore-rust-version unit-graph build-plan
    no-deps document-private-items open allow-dirty allow-staged allow-no-vcs broken-code edition-idioms dry-run no-verify list check fix no-dedupe i invert duplicates d aggressive w ignored recursive git-ignored
    optional no-optional default-features dev build rename-deps no-track force f debug no-metadata sync versioned-dirs respect-source-config precise no-merge-sources message l nocapture`,
  values: {
    text: 'p package exclude bin example test bench features F target profile j jobs message-format color filter-platform format-version e edges prefix depth charset format name edition vcs limit rename registry version vers tag branch rev precise target-version',
    read: 'manifest-path path lockfile-path',
    write: 'target-dir out-dir artifact-dir root',
    address: 'git index',
    never: 'config Z token',
  },
  optional: { text: 'timings' },
  operands: ['text'],
}
const SUBCOMMANDS: Readonly<Record<string, ProgramSpec>> = {
  ...alike(
    'build b check c clean doc d test t bench add remove rm update search install uninstall fmt clippy fix tree metadata fetch generate-lockfile locate-project pkgid verify-project report package version help nextest info publish',
    CRATE,
  ),
  // Behind the first operand stand words of the program itself.
  ...alike('run r', { ...CRATE, stops: true }),
  ...alike('new init vendor', { ...CRATE, operands: ['write'] }),
  ...alike('rustc rustdoc', { ...CRATE, operands: ['never'] }),
  ...alike('login logout owner yank', { operands: ['never'], alone: 'never' }),
}
const CARGO: ProgramSpec = {
  exact: true,
  network: true,
  flags: 'v verbose q quiet frozen locked offline list V version h help',
  values: { text: 'color explain', tree: 'C', never: 'config Z' },
  // The name of a toolchain may stand first.
  subcommands: {
    ...SUBCOMMANDS,
    ...alike('+stable +beta +nightly', { exact: true, subcommands: SUBCOMMANDS, network: true }),
  },
}

const GO_BUILD: ProgramSpec = {
  exact: true,
  hyphen: true,
  tolerant: true,
  words: true,
  network: true,
  flags:
    'a n race msan asan cover v work x modcacherw trimpath json linkshared h help buildvcs i short failfast benchmem c fullpath m u t compiled deps e export find test retracted versions f-json',
  values: {
    text: 'p covermode coverpkg buildmode compiler installsuffix mod tags run skip bench count timeout cpu parallel list fuzz fuzztime fuzzminimizetime shuffle benchtime f vet blockprofilerate memprofilerate mutexprofilefraction reuse',
    read: 'modfile pgo',
    tree: 'C',
    setting: 'ldflags gcflags asmflags gccgoflags',
    write: 'o pkgdir coverprofile cpuprofile memprofile blockprofile mutexprofile trace outputdir',
    program: 'exec toolexec vettool',
    never: 'overlay',
  },
  operands: ['text'],
  ends: 'args',
}
const GO: ProgramSpec = {
  exact: true,
  hyphen: true,
  values: { tree: 'C' },
  subcommands: {
    ...alike('build install test vet get list', { ...GO_BUILD, flags: `${GO_BUILD.flags ?? ''} args` }),
    run: { ...GO_BUILD, stops: true, operands: ['script', 'text'] },
    ...alike('generate fix', { ...GO_BUILD, values: { text: 'run skip fix r go' } }),
    env: { exact: true, hyphen: true, flags: 'json changed', acts: { never: 'w u' }, operands: ['text'] },
    mod: {
      subcommands: {
        ...alike('download graph init tidy vendor verify why', {
          exact: true,
          hyphen: true,
          flags: 'v x e json m vendor',
          values: { text: 'go compat reuse', write: 'o' },
          operands: ['text'],
          network: true,
        }),
        edit: {
          exact: true,
          hyphen: true,
          flags: 'fmt print json',
          values: {
            text: 'module go toolchain require droprequire exclude dropexclude dropreplace retract dropretract godebug tool droptool',
            any: 'replace',
          },
          operands: ['write'],
        },
      },
    },
    work: {
      subcommands: alike('init use sync edit vendor', {
        exact: true,
        hyphen: true,
        flags: 'r fmt print json v',
        values: { text: 'go use dropuse toolchain', any: 'replace' },
        words: true,
        operands: ['text'],
      }),
    },
    clean: { exact: true, hyphen: true, flags: 'i r n x cache testcache modcache fuzzcache', operands: ['text'] },
    fmt: { exact: true, hyphen: true, flags: 'n x', values: { text: 'mod' }, words: true, operands: ['text'] },
    version: { exact: true, hyphen: true, flags: 'm v json', operands: ['read'] },
    ...alike('doc help', { hyphen: true, flags: 'all c cmd short src u', operands: ['text'] }),
    tool: {
      subcommands: alike('cover nm objdump pprof trace addr2line buildid', {
        exact: true,
        hyphen: true,
        flags: 'n size sort s top text',
        values: { read: 'func html', write: 'o' },
        operands: ['read'],
      }),
    },
  },
}

export const BUILDERS: Readonly<Record<string, ProgramSpec>> = { cargo: CARGO, go: GO }
