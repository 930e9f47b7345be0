import { Type, type Static } from '@mynah/contract/type'
import type { Mistake } from '@mynah/kernel'

const ROLES = ['user', 'group_admin', 'group_owner', 'trusted', 'master'] as const

const BaseConfig = Type.Object(
  {
    paths: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        maxItems: 50,
        description: 'Folders and files, relative to the configuration file; without them the base has uploads alone',
      }),
    ),
    roles: Type.Optional(
      Type.Array(Type.Enum([...ROLES]), {
        minItems: 1,
        description: 'Roles that may search it; default trusted and master',
      }),
    ),
  },
  { additionalProperties: false },
)
export type BaseConfig = Static<typeof BaseConfig>

const Bases = Type.Record(Type.String(), BaseConfig, {
  default: {},
  description: 'Collections of documents by name, which the agent searches',
})

/** The sections of the plugin, by path. */
export interface Config {
  readonly 'ai.knowledge': Static<typeof Bases>
}

const NAME = /^[\p{L}\p{N}_-]{1,64}$/u

export const claims = {
  keys: { 'ai.knowledge': Bases },
  check: (config: Config): Mistake[] =>
    Object.keys(config['ai.knowledge']).flatMap((name) =>
      NAME.test(name)
        ? []
        : [{ path: `ai.knowledge.${name}`, message: 'is no valid name: use at most 64 letters, digits, "_" and "-"' }],
    ),
}

/** Returns the roles that may search a base. */
export const rolesOf = ({ roles }: BaseConfig): readonly string[] => roles ?? ['trusted', 'master']

/** Returns the names of the bases that a person with these roles may search. */
export function searchable(bases: Config['ai.knowledge'], roles: ReadonlySet<string>): string[] {
  return Object.entries(bases)
    .filter(([, base]) => rolesOf(base).some((role) => role === 'user' || roles.has(role)))
    .map(([name]) => name)
}
