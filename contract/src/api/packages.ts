// Packages of the host: what an installation would change, and its course.
import { Type, type Static } from '@mynah/contract/type'
import { contract } from '../contract.js'
import { Id, Json, Success, Time } from './common.js'

const Version = Type.String({ examples: ['1.2.0'] })

/** One package that a plan adds, replaces or removes. */
export const PackageChange = Type.Object({
  name: Type.String({ examples: ['mynah-plugin-dice'] }),
  path: Type.String({
    description: 'Its folder in the project, which tells two copies apart',
    examples: ['mynah-plugin-dice'],
  }),
  from: Type.Optional(Version),
  to: Type.Optional(Version),
  asked: Type.Boolean({ description: 'Whether it was asked for by name' }),
  bytes: Type.Optional(Type.Integer({ description: 'Unpacked size, where the registry says it' })),
  licence: Type.Optional(Type.String()),
  script: Type.Optional(
    Type.Boolean({ description: 'Whether it has an install script, which runs only when it is confirmed' }),
  ),
  deprecated: Type.Optional(Type.String({ description: 'Message of its authors to those who use it' })),
  signature: Type.Optional(
    Type.String({ description: '`verified`, `bad: …` or `not checked: …`', examples: ['verified'] }),
  ),
  provenance: Type.Optional(
    Type.String({
      description: '`attested`, `none` or `lost`: the installed version had one',
      examples: ['attested'],
    }),
  ),
  changelog: Type.Optional(
    Type.Object({
      text: Type.Optional(
        Type.String({
          description: 'The additions to its changelog since the installed version: text of its authors, cut',
        }),
      ),
      missing: Type.Optional(
        Type.String({ description: '`none in the package` or `not read: …`', examples: ['none in the package'] }),
      ),
    }),
  ),
  advisories: Type.Optional(
    Type.Array(Type.Object({ severity: Type.String(), title: Type.String(), url: Type.Optional(Type.String()) })),
  ),
})
export type PackageChange = Static<typeof PackageChange>

/** The changes that an installation would make. Nothing has happened yet. */
export const PackagePlan = Type.Object({
  planId: Id,
  action: Type.Enum(['add', 'remove', 'update', 'rollback']),
  changes: Type.Array(PackageChange),
  contributes: Type.Record(Type.String(), Json, {
    description: 'The description that each package that was asked for gives of itself, by name',
  }),
  advisories: Type.String({ description: '`checked` or `not checked: …`' }),
  takesEffect: Type.Enum(['live', 'restart']),
  reasons: Type.Array(Type.String(), { description: 'Why it takes effect at a restart' }),
  refusals: Type.Array(Type.String(), { description: 'Why it cannot be applied. Empty if it can' }),
  command: Type.Optional(
    Type.String({ description: 'The command that does the same by hand, where this host cannot' }),
  ),
})
export type PackagePlan = Static<typeof PackagePlan>

/** How far a run is. */
export const PackageRunState = Type.Enum([
  'planned',
  'fetching',
  'building',
  'staged',
  'swapping',
  'starting',
  'done',
  'refused',
  'cancelled',
  'failed',
  'rolled-back',
])
export type PackageRunState = Static<typeof PackageRunState>

/** An installation that runs or has ended. */
export const PackageRun = Type.Object({
  runId: Id,
  action: Type.Enum(['add', 'remove', 'update', 'rollback']),
  packages: Type.Array(Type.String(), { examples: [['mynah-plugin-dice@1.0.0']] }),
  state: PackageRunState,
  done: Type.Optional(Type.Integer({ description: 'Packages that are in place' })),
  of: Type.Optional(Type.Integer()),
  message: Type.Optional(Type.String({ description: 'Why it did not succeed' })),
  listing: Type.Optional(
    Type.Boolean({ description: 'Whether the configuration does not list its plugins yet, or still does' }),
  ),
  by: Type.String({ description: 'Name of the token, or `command line`' }),
  at: Time,
})
export type PackageRun = Static<typeof PackageRun>

const Spec = Type.String({
  minLength: 1,
  maxLength: 300,
  description: 'Name of a package, with a version or range after `@`',
  examples: ['mynah-plugin-dice', 'mynah-plugin-dice@^1.2.0'],
})
const Name = Type.String({ minLength: 1, maxLength: 214 })
const atMost = <S extends typeof Spec>(item: S) => Type.Optional(Type.Array(item, { minItems: 1, maxItems: 32 }))

/** Methods that install, update and remove packages. */
export const packages = contract({
  rpc: {
    'packages:plan': {
      summary: 'Returns the changes of adding, removing or updating packages, one of the three. Changes nothing',
      params: Type.Object({ add: atMost(Spec), remove: atMost(Name), update: atMost(Spec) }),
      data: PackagePlan,
      errors: ['forbidden', 'unsupported', 'upstream_unavailable', 'not_found'],
    },
    'packages:apply': {
      summary: 'Carries out a plan. Returns at once; the event `packages:run` says how far it is',
      params: Type.Object({
        planId: Id,
        scripts: Type.Optional(
          Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
            maxItems: 100,
            description: 'The install scripts that may run, each as `name@version`',
          }),
        ),
      }),
      data: Type.Object({ runId: Id }),
      errors: ['not_found', 'forbidden', 'conflict', 'unsupported'],
    },
    'packages:cancel': {
      summary: 'Cancels a run that has not begun to swap the packages',
      params: Type.Object({ runId: Id }),
      data: Success,
      errors: ['not_found', 'conflict', 'unsupported'],
    },
    'packages:rollback': {
      summary: 'The plan that puts the packages of before the last run back',
      params: Type.Object({}),
      data: PackagePlan,
      errors: ['conflict', 'unsupported'],
    },
    'packages:runs': {
      summary: 'Runs, the newest first',
      reads: true,
      params: Type.Object({
        limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
        before: Type.Optional(Type.Integer({ description: 'Only runs that are older, in milliseconds' })),
      }),
      data: Type.Object({
        runs: Type.Array(PackageRun),
        rollback: Type.Boolean({ description: 'Whether packages of before are kept' }),
      }),
      errors: ['unsupported'],
    },
  },
  events: {
    'packages:run': { summary: 'A run has gone further, or has ended', data: PackageRun },
  },
})
